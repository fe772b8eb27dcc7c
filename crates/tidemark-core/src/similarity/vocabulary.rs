//! The numbers that words, paths, attributes and whole nodes get, the same in both pages.
//!
//! Source: our own, for the fast way. Cost: linear in nodes and text. Texts are looked up with the standard hasher, since a page
//! could be made to collide under a faster one.

use super::AttributeWeights;
use super::interned::{Entry, Part, Side};
use super::node::share;
use super::subtrees::{SubtreeTable, is_read};
use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::words::words;
use rustc_hash::FxHashMap;
use std::collections::HashMap;
use std::hash::Hash;

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

/// The number of a key: the next one if it is new.
fn number<K: Eq + Hash>(numbers: &mut HashMap<K, u32>, key: K) -> u32 {
    let next = numbers.len() as u32;
    *numbers.entry(key).or_insert(next)
}
