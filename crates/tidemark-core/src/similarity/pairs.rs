//! The coefficient of two numbered nodes, and the steps it takes.
//!
//! Source: Artail & Fawaz, equations 1 to 4. Cost: the words of both nodes; paths and attributes are compared once for all nodes
//! that have the same.

use super::Options;
use super::interned::{Entry, Side};
use super::node::{coefficient, share, typedist};
use super::vocabulary::Vocabulary;

/// Two numbered pages.
pub(super) struct Pages<'a> {
    pub(super) options: &'a Options,
    pub(super) vocabulary: Vocabulary<'a>,
    pub(super) old: Side,
    pub(super) new: Side,
}

impl Pages<'_> {
    /// Equation 4. The old node is the one of the scratch's turn.
    pub(super) fn coefficient(&self, old: &Entry, new: &Entry, scratch: &mut Scratch) -> f64 {
        scratch.comparisons += 1;
        let (path, attributes) = (self.path(old, new, scratch), self.attributes(old, new, scratch));
        coefficient(self.options.weights, path, attributes, self.intersect(old, new, scratch))
    }

    /// What equation 4 cannot exceed: words cannot share more than the smaller set has. Each step of the equation rounds, and
    /// rounding keeps order, so this holds for the rounded numbers as well.
    pub(super) fn bound(&self, old: &Entry, new: &Entry, scratch: &mut Scratch) -> f64 {
        let (path, attributes) = (self.path(old, new, scratch), self.attributes(old, new, scratch));
        let (fewer, more) = (old.distinct.min(new.distinct), old.distinct.max(new.distinct));
        coefficient(self.options.weights, path, attributes, share(u64::from(fewer), u64::from(more)))
    }

    /// Equation 3, computed once for each path that an entry meets.
    fn path(&self, old: &Entry, new: &Entry, scratch: &mut Scratch) -> f64 {
        let known = &mut scratch.paths[new.path as usize];
        if known.0 != scratch.turn {
            let common = self.vocabulary.common(old.path, new.path);
            let longest = self.vocabulary.length(old.path).max(self.vocabulary.length(new.path));
            *known = (scratch.turn, typedist(self.options.path_form, common, longest));
            scratch.spend(longest - common);
        }
        scratch.paths[new.path as usize].1
    }

    /// Equation 2, computed once for each set of attributes that an entry meets.
    fn attributes(&self, old: &Entry, new: &Entry, scratch: &mut Scratch) -> f64 {
        let known = &mut scratch.attributes[new.attributes as usize];
        if known.0 != scratch.turn {
            *known = (scratch.turn, self.vocabulary.attdist(old.attributes, new.attributes));
            scratch.spend(self.vocabulary.attribute_count(old.attributes));
            scratch.spend(self.vocabulary.attribute_count(new.attributes));
        }
        scratch.attributes[new.attributes as usize].1
    }

    /// Equation 1. The words of the old entry are marked once, and looked up for each new one.
    fn intersect(&self, old: &Entry, new: &Entry, scratch: &mut Scratch) -> f64 {
        if !std::mem::replace(&mut scratch.is_marked, true) {
            self.old.distinct(old).for_each(|word| scratch.words[word as usize] = scratch.turn);
            scratch.spend(old.words.len());
        }
        scratch.spend(new.words.len());
        let shared =
            self.new.distinct(new).filter(|&word| scratch.words[word as usize] == scratch.turn).count()
                as u64;
        share(shared, u64::from(old.distinct) + u64::from(new.distinct) - shared)
    }
}

/// What one thread remembers while it compares. Numbers are valid if they carry the current turn.
pub(super) struct Scratch {
    turn: u64,
    words: Vec<u64>,
    paths: Vec<(u64, f64)>,
    attributes: Vec<(u64, f64)>,
    is_marked: bool,
    pub(super) comparisons: u64,
    /// Steps left; below 0 if the budget did not suffice.
    left: i64,
}

impl Scratch {
    pub(super) fn new(vocabulary: &Vocabulary<'_>) -> Self {
        let (paths, sets) = vocabulary.counts();
        Self {
            turn: 0,
            words: vec![0; vocabulary.word_count()],
            paths: vec![(0, 0.0); paths],
            attributes: vec![(0, 0.0); sets],
            is_marked: false,
            comparisons: 0,
            left: 0,
        }
    }

    /// Starts anew with so many steps.
    pub(super) fn begin(&mut self, budget: u64) {
        self.left = i64::try_from(budget).unwrap_or(i64::MAX);
        self.comparisons = 0;
    }

    /// Comes to the next old node: nothing computed for the last one holds.
    pub(super) fn next_entry(&mut self) {
        self.turn += 1;
        self.is_marked = false;
    }

    pub(super) fn spend(&mut self, steps: usize) {
        self.left = self.left.saturating_sub_unsigned(steps as u64);
    }

    pub(super) const fn is_spent(&self) -> bool {
        self.left < 0
    }
}
