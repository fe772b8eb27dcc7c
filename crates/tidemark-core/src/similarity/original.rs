//! The earlier approach, kept to measure against: any subtree of the new page can be the partner, by a matching of all nodes.
//!
//! Source: Flesca & Masciari, *Efficient and Effective Web Change Detection* (2003), as Artail & Fawaz describe it in sections
//! 2 and 3.1. Cost: for each old subtree (the zone) and each new one of less than four times its nodes, all pairs of nodes and a
//! maximum-weight matching: O(new × old³).
//! We differ: a zone that would go beyond what is left of the budget takes the partner that the fast way finds, and the result
//! is not exact. The threshold below which pairs are left out is not given; ours is -1, a node without a partner counting as -1.
//! Each subtree of the level is a zone, since a comparison has none of its own.

use super::assignment::{Costs, assign};
use super::interned::{Entry, Side};
use super::pairs::{Pages, Scratch};
use super::report::{Found, Mapping};
use super::subtrees::{SubtreeTable, nodes};
use super::vocabulary::Vocabulary;
use super::{Options, fast};
use crate::digest::NodeId;
use std::ops::Range;

/// A candidate has less than this many times the nodes of the zone: the paper's experience.
const FACTOR: usize = 4;

/// Steps to set up a matching, however small.
const MATCHING: u128 = 50;

pub(super) fn map(old: &SubtreeTable<'_>, new: &SubtreeTable<'_>, options: &Options) -> Mapping {
    let mut all_new = SubtreeTable::of(new.page, 1);
    all_new.add_texts(new);
    let mut vocabulary = Vocabulary::new();
    let old_side = vocabulary.intern(old, |_| true, &options.attribute_weights);
    let new_side = vocabulary.intern(&all_new, |_| true, &options.attribute_weights);
    let candidates = candidates(&all_new);
    let prices = prices(&new_side, &vocabulary);
    let zones =
        Zones { pages: Pages { options, vocabulary, old: old_side, new: new_side }, candidates, prices };
    let mut scratch = Scratch::new(&zones.pages.vocabulary);
    scratch.begin(u64::MAX);
    let mut left = u128::from(options.budget);
    let found: Vec<Option<Found>> = (0..old.subtrees.len())
        .map(|row| {
            let cost = zones.cost(row, left);
            // Once one is too costly all others are left too, or finding out what they cost would know no bound.
            left = cost.map_or(0, |cost| left - cost);
            cost.map(|_| zones.best(row, &mut scratch))
        })
        .collect();
    complete(found, scratch.comparisons, || fast::map(old, new, options))
}

/// Fills zones that were too costly.
fn complete(found: Vec<Option<Found>>, comparisons: u64, coarse: impl FnOnce() -> Mapping) -> Mapping {
    if found.iter().all(Option::is_some) {
        return Mapping { found: found.into_iter().flatten().collect(), comparisons, exact: true };
    }
    let coarse = coarse();
    Mapping {
        found: found.into_iter().zip(coarse.found).map(|(exact, coarse)| exact.unwrap_or(coarse)).collect(),
        comparisons: comparisons + coarse.comparisons,
        exact: false,
    }
}

/// A subtree of the new page: its root, and its entries.
struct Candidate {
    root: NodeId,
    entries: Range<usize>,
}

/// All subtrees of the page: below each row of the table, in the order of entries.
fn candidates(table: &SubtreeTable<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for subtree in &table.subtrees {
        let roots: Vec<NodeId> = nodes(table.page, subtree.root).collect();
        let start = candidates.len();
        let end = |root: NodeId| start + roots.partition_point(|node| node.0 < table.page.end(root));
        let entries = |at: usize, root| start + at..end(root);
        candidates.extend(
            roots.iter().enumerate().map(|(at, &root)| Candidate { root, entries: entries(at, root) }),
        );
    }
    candidates
}

/// Steps to compare a node with all entries before one.
fn prices(side: &Side, vocabulary: &Vocabulary<'_>) -> Vec<u128> {
    let price = |entry: &Entry| {
        1 + entry.words.len() + vocabulary.length(entry.path) + vocabulary.attribute_count(entry.attributes)
    };
    let mut sum = 0;
    let sums = side.entries.iter().map(|entry| {
        sum += price(entry) as u128;
        sum
    });
    std::iter::once(0).chain(sums).collect()
}

struct Zones<'a> {
    pages: Pages<'a>,
    candidates: Vec<Candidate>,
    prices: Vec<u128>,
}

impl Zones<'_> {
    fn candidates(&self, zone: usize) -> impl Iterator<Item = &Candidate> {
        let limit = FACTOR * self.pages.old.parts[zone].entries.len();
        self.candidates.iter().filter(move |candidate| candidate.entries.len() < limit)
    }

    /// Steps that a zone takes; nothing if they are more than are left.
    fn cost(&self, zone: usize, left: u128) -> Option<u128> {
        let rows = &self.pages.old.entries[self.pages.old.parts[zone].entries.clone()];
        let size = rows.len() as u128;
        let own: u128 = rows
            .iter()
            .map(|entry| (entry.words.len() + self.pages.vocabulary.length(entry.path)) as u128)
            .sum();
        let mut cost = self.candidates.len() as u128;
        if cost > left {
            return None;
        }
        for candidate in self.candidates(zone) {
            let count = candidate.entries.len() as u128;
            let pairs = size * (self.prices[candidate.entries.end] - self.prices[candidate.entries.start]);
            cost += MATCHING + own + pairs + size.min(count) * size * count;
            if cost > left {
                return None;
            }
        }
        Some(cost)
    }

    /// The most similar of all candidates. What is around the best one is as similar, for only the zone's nodes count: so of several
    /// one that equals the zone is taken, else the nearest in size, else the first.
    fn best(&self, zone: usize, scratch: &mut Scratch) -> Found {
        let rows = self.pages.old.parts[zone].entries.clone();
        let identity = |side: &Side, at: usize| side.entries[at].identity;
        let mut best: Option<((u64, bool, usize), Found)> = None;
        for candidate in self.candidates(zone) {
            let matched = self.similarity(rows.clone(), candidate.entries.clone(), scratch);
            let differs =
                identity(&self.pages.old, rows.start) != identity(&self.pages.new, candidate.entries.start);
            let key = (matched.cost, differs, rows.len().abs_diff(candidate.entries.len()));
            if best.is_none_or(|(least, _)| key < least) {
                best = Some((key, Found { new: Some(candidate.root), coefficient: matched.average }));
            }
        }
        best.map_or(Found::NONE, |(_, found)| found)
    }

    /// Matches the nodes of the zone with those of a candidate.
    fn similarity(&self, old: Range<usize>, new: Range<usize>, scratch: &mut Scratch) -> Matched {
        let mut values = Vec::with_capacity(old.len() * new.len());
        for entry in &self.pages.old.entries[old.clone()] {
            scratch.next_entry();
            let row = self.pages.new.entries[new.clone()].iter();
            values.extend(row.map(|other| self.pages.coefficient(entry, other, scratch)));
        }
        let columns = match_up(&values, old.len(), new.len());
        let value = |(row, column): (usize, &Option<usize>)| {
            column.map_or(-1.0, |column| values[row * new.len() + column])
        };
        let matched = columns.iter().enumerate().map(value);
        Matched {
            cost: matched.clone().map(|value| cost(value).unsigned_abs()).sum(),
            average: matched.sum::<f64>() / old.len() as f64,
        }
    }
}

/// The best matching: nodes without a partner have -1.
struct Matched {
    /// What the zone's nodes lack to 1, in whole numbers: equal for matchings as good as each other.
    cost: u64,
    average: f64,
}

/// What a coefficient lacks to 1, in steps of 2^-44: far below anything that counts, and sums stay far below 2^63.
fn cost(value: f64) -> i64 {
    ((1.0 - value) * 2f64.powi(44)) as i64
}

/// The column of each row in the matching of the greatest sum.
fn match_up(values: &[f64], rows: usize, columns: usize) -> Vec<Option<usize>> {
    if rows <= columns {
        let values = values.iter().map(|&value| cost(value)).collect();
        return assign(&Costs { rows, columns, values }).into_iter().map(Some).collect();
    }
    let turned = (0..columns).flat_map(|column| (0..rows).map(move |row| row * columns + column));
    let values = turned.map(|at| cost(values[at])).collect();
    let mut matched = vec![None; rows];
    for (column, row) in assign(&Costs { rows: columns, columns: rows, values }).into_iter().enumerate() {
        matched[row] = Some(column);
    }
    matched
}
