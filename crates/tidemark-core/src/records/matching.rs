//! Which old row is which new row.
//!
//! Source: equal rows that occur once, in order, as in patience diff; keys as in X-Diff; likeness as in `nearest`.
//! Cost: O(n log n) in rows, linear in fields; likeness within its budget.
//! Rows pair up by equal content first, then by key, then by what they share, rare words before common ones.

use super::Row;
use super::likeness::{features, weighted, weights};
use crate::diff::order::kept;
use crate::similarity::nearest::{BUDGET, nearest};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use xxhash_rust::xxh3::Xxh3Default;

/// Share of their rare features that two rows must have in common to be one row.
const LIKE: f64 = 0.25;

/// Old and new rows that belong together.
type Group = (Vec<usize>, Vec<usize>);

pub(super) struct Matching<'a> {
    old: &'a [Row],
    new: &'a [Row],
    old_hashes: Vec<u64>,
    new_hashes: Vec<u64>,
    /// Partner of each old row.
    partner: Vec<Option<usize>>,
    taken: Vec<bool>,
}

impl<'a> Matching<'a> {
    pub(super) fn new(old: &'a [Row], new: &'a [Row]) -> Self {
        let hashes = |rows: &[Row]| rows.iter().map(content_hash).collect();
        let (partner, taken) = (vec![None; old.len()], vec![false; new.len()]);
        Self { old, new, old_hashes: hashes(old), new_hashes: hashes(new), partner, taken }
    }

    fn pair(&mut self, old: usize, new: usize) {
        self.partner[old] = Some(new);
        self.taken[new] = true;
    }

    /// Pairs equal rows: those that occur once and are in order first, then their neighbours, then the rest in order.
    /// Of several equal rows it is so the one beside the others that stayed.
    pub(super) fn by_content(&mut self) {
        let single = self.single_pairs();
        let kept = kept(&single.iter().map(|&(_, new)| new).collect::<Vec<_>>());
        let (stayed, moved): (Vec<_>, Vec<_>) = single.into_iter().zip(kept).partition(|(_, kept)| *kept);
        self.extend_from_the_ends();
        for pairs in [stayed, moved] {
            for ((old, new), _) in pairs {
                if self.partner[old].is_none() && !self.taken[new] {
                    self.pair(old, new);
                    self.extend(old, new);
                }
            }
        }
        for (olds, news) in self.equal_rows() {
            olds.into_iter().zip(news).for_each(|(old, new)| self.pair(old, new));
        }
    }

    fn equal_rows(&self) -> Vec<Group> {
        let (old_hashes, new_hashes) = (&self.old_hashes, &self.new_hashes);
        self.by(|old| Some(old_hashes[old]), |new| Some(new_hashes[new]))
    }

    /// Equal rows that occur once in either list, in the order of old.
    fn single_pairs(&self) -> Vec<(usize, usize)> {
        let alone = |(olds, news): Group| (olds.len() == 1 && news.len() == 1).then(|| (olds[0], news[0]));
        self.equal_rows().into_iter().filter_map(alone).collect()
    }

    fn extend_from_the_ends(&mut self) {
        if !self.old.is_empty() && !self.new.is_empty() {
            let (last_old, last_new) = (self.old.len() - 1, self.new.len() - 1);
            for (old, new) in [(0, 0), (last_old, last_new)] {
                if self.pair_if_equal(old, new) {
                    self.extend(old, new);
                }
            }
        }
    }

    /// Pairs equal neighbours of a pair, forward and backward.
    fn extend(&mut self, old: usize, new: usize) {
        let mut ahead = 1;
        while self.pair_if_equal(old + ahead, new + ahead) {
            ahead += 1;
        }
        let mut back = 1;
        while back <= old.min(new) && self.pair_if_equal(old - back, new - back) {
            back += 1;
        }
    }

    fn pair_if_equal(&mut self, old: usize, new: usize) -> bool {
        let free =
            old < self.old.len() && new < self.new.len() && self.partner[old].is_none() && !self.taken[new];
        let equal = free && self.old_hashes[old] == self.new_hashes[new];
        if equal {
            self.pair(old, new);
        }
        equal
    }

    /// Pairs rows whose key nobody else has.
    pub(super) fn by_key(&mut self) {
        let (old, new) = (self.old, self.new);
        let keyed = self.by(|place| old[place].key.as_deref(), |place| new[place].key.as_deref());
        for (olds, news) in keyed {
            if olds.len() == 1 && news.len() == 1 {
                self.pair(olds[0], news[0]);
            }
        }
    }

    /// Rows without a partner grouped by something, groups in the order of their first old row.
    fn by<T: Hash + Eq>(
        &self,
        old_key: impl Fn(usize) -> Option<T>,
        new_key: impl Fn(usize) -> Option<T>,
    ) -> Vec<Group> {
        let (mut groups, mut places) = (Vec::<Group>::new(), FxHashMap::<T, usize>::default());
        for (old, key) in self.old_left().into_iter().filter_map(|old| Some((old, old_key(old)?))) {
            let group = *places.entry(key).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Group::default());
            }
            groups[group].0.push(old);
        }
        for new in self.new_left() {
            if let Some(&group) = new_key(new).and_then(|key| places.get(&key)) {
                groups[group].1.push(new);
            }
        }
        groups
    }

    /// Pairs what is left by likeness; tells whether the budget was reached.
    pub(super) fn by_likeness(&mut self) -> bool {
        let (olds, news) = (self.old_left(), self.new_left());
        let all = |rows: &[Row]| -> Vec<Vec<u64>> { rows.iter().map(features).collect() };
        let (all_old, all_new) = (all(self.old), all(self.new));
        let weights = weights(&all_old, &all_new);
        let pick = |all: &[Vec<u64>], places: &[usize]| -> Vec<Vec<u64>> {
            places.iter().map(|&place| all[place].clone()).collect()
        };
        let (old, new) = (pick(&all_old, &olds), pick(&all_new, &news));
        let found = nearest(&old, &new, BUDGET, |left, right| {
            let likeness = weighted(&old[left], &new[right], &weights);
            (likeness >= LIKE).then_some(likeness)
        });
        found.pairs.iter().for_each(|&(left, right, _)| self.pair(olds[left], news[right]));
        found.coarse
    }

    /// The pairs in the order of old.
    pub(super) fn pairs(&self) -> Vec<(usize, usize)> {
        self.partner.iter().enumerate().filter_map(|(old, new)| Some((old, (*new)?))).collect()
    }

    pub(super) fn old_left(&self) -> Vec<usize> {
        (0..self.old.len()).filter(|&place| self.partner[place].is_none()).collect()
    }

    pub(super) fn new_left(&self) -> Vec<usize> {
        (0..self.new.len()).filter(|&place| !self.taken[place]).collect()
    }
}

fn content_hash(row: &Row) -> u64 {
    let mut hasher = Xxh3Default::new();
    row.fields.iter().for_each(|field| (&field.path, &field.text).hash(&mut hasher));
    hasher.finish()
}
