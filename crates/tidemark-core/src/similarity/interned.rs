//! Two pages as numbers: words, paths, attributes and whole nodes get one each, the same in both pages.
//!
//! Source: our own, for the fast way. Cost: linear in nodes and text, but for O(log n) a word and node to count distinct words.
//! Words of a node are a range of one list in the order of the page, never a set of its own: sets of all ancestors of a
//! word would take nodes × depth. A word counts in a range if its place before lies outside. Texts are looked up with
//! the standard hasher, since a page could be made to collide under a faster one.

use super::subtrees::{SubtreeTable, is_read};
use super::{AttributeWeights, node::share};
use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::words::words;
use rustc_hash::FxHashMap;
use std::collections::HashMap;
use std::ops::Range;

/// One page: the nodes of the wanted subtrees.
#[derive(Default)]
pub(super) struct Side {
    pub(super) entries: Vec<Entry>,
    /// By row of the subtree table; empty where not wanted.
    pub(super) parts: Vec<Part>,
    pub(super) words: Vec<u32>,
    /// For each word the place after its last one before, or 0.
    pub(super) previous: Vec<u32>,
}

/// A node.
pub(super) struct Entry {
    pub(super) tag: u32,
    pub(super) path: u32,
    pub(super) attributes: u32,
    /// The same for nodes whose subtrees and paths are the same.
    pub(super) identity: u32,
    pub(super) words: Range<u32>,
    /// Number of distinct words.
    pub(super) distinct: u32,
}

/// A subtree.
#[derive(Default)]
pub(super) struct Part {
    pub(super) entries: Range<usize>,
    /// The entries in the order of tags.
    pub(super) by_tag: Vec<u32>,
    /// The identities of the entries, in their order.
    identities: Vec<u32>,
}

/// What the numbers mean.
#[derive(Default)]
pub(super) struct Vocabulary<'a> {
    words: HashMap<&'a str, u32>,
    tags: HashMap<&'a str, u32>,
    path_numbers: FxHashMap<(u32, u32), u32>,
    /// Parent and length of each path; 0 is the empty one.
    paths: Vec<(u32, u32)>,
    pairs: HashMap<(&'a str, &'a str), u32>,
    pair_weights: Vec<u64>,
    set_numbers: HashMap<Vec<u32>, u32>,
    sets: Vec<Vec<u32>>,
    identities: FxHashMap<(u128, u32), u32>,
}

impl Part {
    /// Whether a node with the same subtree and path is here.
    pub(super) fn contains(&self, identity: u32) -> bool {
        self.identities.binary_search(&identity).is_ok()
    }
}

impl Side {
    /// The entries of a part with a tag.
    pub(super) fn tagged(&self, part: &Part, tag: u32) -> Range<usize> {
        let tag_at = |&at: &u32| self.entries[at as usize].tag;
        let start = part.by_tag.partition_point(|at| tag_at(at) < tag);
        start..start + part.by_tag[start..].partition_point(|at| tag_at(at) == tag)
    }

    /// The distinct words of an entry.
    pub(super) fn distinct(&self, entry: &Entry) -> impl Iterator<Item = u32> {
        let range = entry.words.start as usize..entry.words.end as usize;
        let start = entry.words.start;
        let all = self.words[range.clone()].iter().zip(&self.previous[range]);
        all.filter(move |&(_, &previous)| previous <= start).map(|(&word, _)| word)
    }

    /// Counts the distinct words of all entries: from the last entry to the first, with a tree of sums over places in which only
    /// the first place of each word from here on counts.
    fn count_distinct(&mut self, vocabulary: usize) {
        let mut sums = Sums(vec![0; self.words.len() + 1]);
        let mut first: Vec<Option<usize>> = vec![None; vocabulary];
        let mut place = self.words.len();
        for entry in self.entries.iter_mut().rev() {
            while place > entry.words.start as usize {
                place -= 1;
                sums.add(place, 1);
                if let Some(later) = first[self.words[place] as usize].replace(place) {
                    sums.add(later, -1);
                }
            }
            entry.distinct = sums.below(entry.words.end as usize) as u32;
        }
    }
}

impl<'a> Vocabulary<'a> {
    pub(super) fn new() -> Self {
        Self { paths: vec![(0, 0)], ..Self::default() }
    }

    /// How many different words there are.
    pub(super) fn word_count(&self) -> usize {
        self.words.len()
    }

    /// How many different paths, and sets of attributes, there are.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.paths.len(), self.sets.len())
    }

    /// Length of a path.
    pub(super) fn length(&self, path: u32) -> usize {
        self.paths[path as usize].1 as usize
    }

    /// How many steps two paths have in common from the root on.
    pub(super) fn common(&self, mut one: u32, mut two: u32) -> usize {
        while one != two {
            let (one_row, two_row) = (self.paths[one as usize], self.paths[two as usize]);
            one = if one_row.1 >= two_row.1 { one_row.0 } else { one };
            two = if two_row.1 >= one_row.1 { two_row.0 } else { two };
        }
        self.length(one)
    }

    /// How many attributes a set has.
    pub(super) fn attribute_count(&self, set: u32) -> usize {
        self.sets[set as usize].len()
    }

    /// Equation 2 of two sets.
    pub(super) fn attdist(&self, one: u32, two: u32) -> f64 {
        let (one, two) = (&self.sets[one as usize], &self.sets[two as usize]);
        let weight = |pairs: &mut dyn Iterator<Item = &u32>| -> u64 {
            pairs.map(|&pair| self.pair_weights[pair as usize]).sum()
        };
        let shared = weight(&mut one.iter().filter(|pair| two.binary_search(pair).is_ok()));
        share(shared, weight(&mut one.iter()) + weight(&mut two.iter()) - shared)
    }

    /// Numbers one page, as far as its subtrees are wanted.
    pub(super) fn intern(
        &mut self,
        table: &SubtreeTable<'a>,
        wanted: impl Fn(usize) -> bool,
        weights: &AttributeWeights,
    ) -> Side {
        let mut side = Side::default();
        let tags: Vec<u32> = table.page.tag_list().map(|(_, name)| number(&mut self.tags, name)).collect();
        let mut last = Vec::new();
        for row in 0..table.subtrees.len() {
            let part = if wanted(row) {
                self.part(table.page, table.subtrees[row].root, &tags, weights, &mut side, &mut last)
            } else {
                Part::default()
            };
            side.parts.push(part);
        }
        side.count_distinct(self.words.len());
        side
    }

    fn part(
        &mut self,
        page: &'a PageDigest,
        root: NodeId,
        tags: &[u32],
        weights: &AttributeWeights,
        side: &mut Side,
        last: &mut Vec<u32>,
    ) -> Part {
        let start = side.entries.len();
        let above: Vec<NodeId> = page.ancestors(root).filter(|&node| node != NodeId::ROOT).collect();
        let outside =
            above.iter().rev().fold(0, |path, &node| self.path(path, tags[page.tag(node) as usize]));
        // Nodes around the current one: where they end, their path, their entry.
        let mut open: Vec<(u32, u32, Option<usize>)> = Vec::new();
        for node in page.subtree(root) {
            while let Some((.., entry)) = open.pop_if(|(end, ..)| *end <= node.0) {
                side.close(entry);
            }
            let kind = page.kind(node);
            if node == root || kind.has_children() {
                let tag = tags[page.tag(node) as usize];
                let path = self.path(open.last().map_or(outside, |&(_, path, _)| path), tag);
                let is_entry = node == root || kind == Kind::Element;
                let entry = is_entry.then(|| side.push(self.entry(page, node, tag, path, weights)));
                open.push((page.end(node), path, entry));
            }
            if is_read(page, node) {
                page.content(node).into_iter().flat_map(words).for_each(|word| self.word(word, side, last));
            }
        }
        open.into_iter().for_each(|(.., entry)| side.close(entry));
        side.part(start)
    }

    /// A node; its words are not known before it is closed.
    fn entry(
        &mut self,
        page: &'a PageDigest,
        node: NodeId,
        tag: u32,
        path: u32,
        weights: &AttributeWeights,
    ) -> Entry {
        let mut set: Vec<u32> = page.attributes(node).map(|pair| self.pair(pair, weights)).collect();
        set.sort_unstable();
        set.dedup();
        let next = self.set_numbers.len() as u32;
        let attributes = *self.set_numbers.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            next
        });
        let next = self.identities.len() as u32;
        let identity = *self.identities.entry((page.subtree_hash(node), path)).or_insert(next);
        Entry { tag, path, attributes, identity, words: 0..0, distinct: 0 }
    }

    fn pair(&mut self, pair: (&'a str, &'a str), weights: &AttributeWeights) -> u32 {
        let number = number(&mut self.pairs, pair);
        if number as usize == self.pair_weights.len() {
            self.pair_weights.push(u64::from(weights.weight(pair.0)));
        }
        number
    }

    fn path(&mut self, parent: u32, tag: u32) -> u32 {
        let next = self.paths.len() as u32;
        *self.path_numbers.entry((parent, tag)).or_insert_with(|| {
            self.paths.push((parent, self.paths[parent as usize].1 + 1));
            next
        })
    }

    fn word(&mut self, word: &'a str, side: &mut Side, last: &mut Vec<u32>) {
        let word = number(&mut self.words, word);
        if word as usize >= last.len() {
            last.resize(word as usize + 1, 0);
        }
        side.words.push(word);
        side.previous.push(std::mem::replace(&mut last[word as usize], side.words.len() as u32));
    }
}

impl Side {
    fn push(&mut self, mut entry: Entry) -> usize {
        entry.words = self.words.len() as u32..0;
        self.entries.push(entry);
        self.entries.len() - 1
    }

    fn close(&mut self, entry: Option<usize>) {
        if let Some(entry) = entry {
            self.entries[entry].words.end = self.words.len() as u32;
        }
    }

    /// The part of all entries from one on.
    fn part(&self, start: usize) -> Part {
        let entries = start..self.entries.len();
        let mut by_tag: Vec<u32> = entries.clone().map(|at| at as u32).collect();
        by_tag.sort_by_key(|&at| self.entries[at as usize].tag);
        let mut identities: Vec<u32> = self.entries[start..].iter().map(|entry| entry.identity).collect();
        identities.sort_unstable();
        Part { entries, by_tag, identities }
    }
}

/// The number of a key: the next one if it is new.
fn number<K: Eq + std::hash::Hash>(numbers: &mut HashMap<K, u32>, key: K) -> u32 {
    let next = numbers.len() as u32;
    *numbers.entry(key).or_insert(next)
}

/// A Fenwick tree: counts by place, and their sums.
struct Sums(Vec<i32>);

impl Sums {
    fn add(&mut self, place: usize, count: i32) {
        let mut at = place + 1;
        while at < self.0.len() {
            self.0[at] += count;
            at += at & at.wrapping_neg();
        }
    }

    /// The sum of all places below one.
    fn below(&self, place: usize) -> i32 {
        let mut at = place;
        let mut sum = 0;
        while at > 0 {
            sum += self.0[at];
            at -= at & at.wrapping_neg();
        }
        sum
    }
}
