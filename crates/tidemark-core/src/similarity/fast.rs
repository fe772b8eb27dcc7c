//! The similarity of Artail & Fawaz with as few comparisons as we can; the result is the reference's, bit for bit.
//!
//! Source: Artail & Fawaz, equations 5 to 7; threads over old subtrees as in its section 6. The rest is our own:
//! - A subtree with an equal one in the new page has coefficient 1, and is not looked at. So has a node.
//! - A coefficient is computed only if it can be above the best one so far: path and attributes are known by number, and words cannot
//!   share more than the smaller set has.
//! - A new subtree is left as soon as the rest of its nodes cannot make up for what is lost, rounding allowed for.
//!
//! Cost: linear for what is equal; the product of node numbers by tag for what is not, of which the bounds leave little.
//! The budget is dealt out to the old subtrees by their size beforehand, so that the result does not depend on threads.

use super::Options;
use super::interned::{Entry, Part};
use super::pairs::{Pages, Scratch};
use super::report::{Found, Mapping};
use super::subtrees::SubtreeTable;
use super::vocabulary::Vocabulary;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Steps to come to a node in another subtree, and to a pair of nodes: they are somewhere else in memory, words are in a row.
const VISIT: usize = 8;
const PAIR: usize = 4;

pub(super) fn map(old: &SubtreeTable<'_>, new: &SubtreeTable<'_>, options: &Options) -> Mapping {
    let mut found = twins(old, new);
    let is_open = |row: usize| found[row].is_none() && !new.marked(old.subtrees[row].mark).is_empty();
    let open: Vec<usize> = (0..found.len()).filter(|&row| is_open(row)).collect();
    let searched = Search::new(old, new, &open, options).all(&open);
    let (mut comparisons, mut exact) = (0, true);
    for (&row, result) in open.iter().zip(searched) {
        found[row] = Some(Found { new: Some(new.subtrees[result.row].root), coefficient: result.value });
        comparisons += result.comparisons;
        exact &= result.exact;
    }
    let found = found.into_iter().map(|found| found.unwrap_or(Found::NONE)).collect();
    Mapping { found, comparisons, exact }
}

/// For each old subtree the first new one that equals it.
fn twins(old: &SubtreeTable<'_>, new: &SubtreeTable<'_>) -> Vec<Option<Found>> {
    let mut rows: FxHashMap<u128, Vec<usize>> = FxHashMap::default();
    for (row, subtree) in new.subtrees.iter().enumerate() {
        rows.entry(new.page.subtree_hash(subtree.root)).or_default().push(row);
    }
    let twin = |row: usize| {
        let same = rows.get(&old.page.subtree_hash(old.subtrees[row].root))?;
        let twin = same.iter().find(|&&other| old.is_twin(row, new, other))?;
        Some(Found { new: Some(new.subtrees[*twin].root), coefficient: 1.0 })
    };
    (0..old.subtrees.len()).map(twin).collect()
}

/// Two pages ready to be searched.
struct Search<'a> {
    tables: [&'a SubtreeTable<'a>; 2],
    pages: Pages<'a>,
    /// Nodes of all old subtrees that are searched for.
    total: usize,
}

/// The most similar new subtree, as a row of its table.
struct Best {
    row: usize,
    value: f64,
    comparisons: u64,
    exact: bool,
}

impl<'a> Search<'a> {
    fn new(
        old: &'a SubtreeTable<'a>,
        new: &'a SubtreeTable<'a>,
        open: &[usize],
        options: &'a Options,
    ) -> Self {
        let mut wanted = vec![false; new.subtrees.len()];
        for &row in open {
            let rows = new.marked(old.subtrees[row].mark);
            // All rows of a mark are wanted or none is.
            if !wanted[rows[0]] {
                rows.iter().for_each(|&row| wanted[row] = true);
            }
        }
        let mut vocabulary = Vocabulary::new();
        let weights = &options.attribute_weights;
        let sides = (
            vocabulary.intern(old, |row| open.binary_search(&row).is_ok(), weights),
            vocabulary.intern(new, |row| wanted[row], weights),
        );
        let total = open.iter().map(|&row| old.subtrees[row].size).sum();
        Self { tables: [old, new], pages: Pages { options, vocabulary, old: sides.0, new: sides.1 }, total }
    }

    fn all(&self, open: &[usize]) -> Vec<Best> {
        let search = |scratch: &mut Scratch, &row: &usize| self.best(row, scratch);
        open.par_iter().map_init(|| Scratch::new(&self.pages.vocabulary), search).collect()
    }

    /// Equation 7: the new subtree of the same place among those of the mark first, for it is the likeliest.
    fn best(&self, row: usize, scratch: &mut Scratch) -> Best {
        let [old, new] = self.tables;
        let subtree = old.subtrees[row];
        let candidates = new.marked(subtree.mark);
        let first = candidates[subtree.rank.min(candidates.len() - 1)];
        scratch.begin(self.share_of_budget(subtree.size));
        let mut best = Best { row: first, value: -1.0, comparisons: 0, exact: true };
        for candidate in std::iter::once(first).chain(candidates.iter().copied().filter(|&row| row != first))
        {
            if scratch.is_spent() {
                break;
            }
            let value = self.similarity(row, candidate, best.value, scratch);
            if value.is_some_and(|value| value > best.value || (value >= best.value && candidate < best.row))
            {
                (best.row, best.value) = (candidate, value.unwrap_or(-1.0));
            }
        }
        Best { comparisons: scratch.comparisons, exact: !scratch.is_spent(), ..best }
    }

    fn share_of_budget(&self, size: usize) -> u64 {
        let share = u128::from(self.pages.options.budget) * size as u128 / self.total.max(1) as u128;
        u64::try_from(share).unwrap_or(u64::MAX)
    }

    /// Equation 6; nothing if it is surely below the least that is wanted.
    fn similarity(&self, old: usize, new: usize, least: f64, scratch: &mut Scratch) -> Option<f64> {
        let (old, new) = (&self.pages.old.parts[old], &self.pages.new.parts[new]);
        let count = old.entries.len() as f64;
        // Two sums of this many numbers up to 2, divided by their count, are not off by more.
        let rounding = 4.0 * (count + 8.0) * f64::EPSILON;
        let (mut sum, mut lost) = (0.0, 0.0);
        for entry in &self.pages.old.entries[old.entries.clone()] {
            scratch.spend(VISIT);
            let most =
                if new.contains(entry.identity) { 1.0 } else { self.most_similar(entry, new, scratch) };
            sum += most;
            lost += 1.0 - most;
            if 1.0 - lost / count < least - rounding {
                return None;
            }
        }
        Some(sum / count)
    }

    /// Equation 5.
    fn most_similar(&self, entry: &Entry, part: &Part, scratch: &mut Scratch) -> f64 {
        scratch.next_entry();
        let mut most = -1.0f64;
        for &at in &part.by_tag[self.pages.new.tagged(part, entry.tag)] {
            scratch.spend(PAIR);
            if scratch.is_spent() {
                break;
            }
            let other = &self.pages.new.entries[at as usize];
            if self.pages.bound(entry, other, scratch) > most {
                most = most.max(self.pages.coefficient(entry, other, scratch));
            }
        }
        most
    }
}
