//! What became of each item between two versions of a feed.
//!
//! Source: Artail & Fawaz (2008), 4.3: every old item is mapped to its nearest new one, title 30 % and description 70 %,
//! by equation (1) brought to [-1, 1] as in (4); 1 is unchanged, in (0, 1) modified, at most 0 removed.
//! Cost: linear by id; the rest by an index of words within a budget, see [`FeedDiff::coarse`].
//! We differ: an id outranks likeness. Two items with different ids are one only if they alone share a link (some publishers
//! count edits in the id). The mapping is one to one. *Unchanged* means that every field is equal, never that a coefficient
//! is 1. What differs in the coefficient itself is told at [`likeness`].

use super::field::ItemField;
use super::likeness::{Prepared, likeness};
use super::{Feed, Item};
use crate::similarity::Coefficient;
use crate::similarity::nearest::{BUDGET, nearest};
use rustc_hash::FxHashMap;

/// An item that is still there and not the same.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemChange {
    /// Place in the old feed.
    pub old: usize,
    /// Place in the new feed.
    pub new: usize,
    /// How alike the two are in title and description.
    pub coefficient: Coefficient,
    /// The fields that changed; never empty.
    pub fields: Vec<ItemField>,
}

/// What became of the items; places are indices into the items of the two feeds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeedDiff {
    /// Equal in every field: place in old, place in new, in the order of new.
    pub unchanged: Vec<(usize, usize)>,
    /// Still there and not the same, in the order of new.
    pub modified: Vec<ItemChange>,
    /// Gone, in the order of old.
    pub removed: Vec<usize>,
    /// Come, in the order of new.
    pub added: Vec<usize>,
    /// Whether the budget was reached: a modified item may have been told as removed and added.
    pub coarse: bool,
}

impl FeedDiff {
    /// Whether no item was added, removed or modified.
    pub fn is_empty(&self) -> bool {
        self.modified.is_empty() && self.removed.is_empty() && self.added.is_empty()
    }
}

/// Compares the items of two versions of a feed.
pub fn compare(old: &Feed, new: &Feed) -> FeedDiff {
    let mut matching = Matching::new(&old.items, &new.items);
    matching.by_key(|item| Some((item.id.as_deref()?, Some(item))));
    matching.by_key(|item| Some((item.id.as_deref()?, None)));
    matching.by_single_link();
    matching.by_key(|item| item.id.is_none().then_some(("", Some(item))));
    let coarse = matching.by_likeness();
    matching.told(coarse)
}

struct Matching<'a> {
    old: &'a [Item],
    new: &'a [Item],
    /// Partner of each old item.
    partner: Vec<Option<usize>>,
    taken: Vec<bool>,
}

impl<'a> Matching<'a> {
    fn new(old: &'a [Item], new: &'a [Item]) -> Self {
        Self { old, new, partner: vec![None; old.len()], taken: vec![false; new.len()] }
    }

    fn pair(&mut self, old: usize, new: usize) {
        self.partner[old] = Some(new);
        self.taken[new] = true;
    }

    /// Pairs items of equal keys in order; of several with one id the equal ones have found each other before.
    fn by_key(&mut self, key: impl Fn(&'a Item) -> Option<(&'a str, Option<&'a Item>)>) {
        let mut waiting = FxHashMap::<_, Vec<usize>>::default();
        for place in (0..self.new.len()).rev().filter(|&place| !self.taken[place]) {
            if let Some(key) = key(&self.new[place]) {
                waiting.entry(key).or_default().push(place);
            }
        }
        for place in 0..self.old.len() {
            let free = self.partner[place].is_none();
            let key = key(&self.old[place]).filter(|_| free);
            if let Some(found) = key.and_then(|key| waiting.get_mut(&key)).and_then(Vec::pop) {
                self.pair(place, found);
            }
        }
    }

    /// Pairs items with ids that are left over and alone share a link.
    fn by_single_link(&mut self) {
        let mut links = FxHashMap::<&str, (Vec<usize>, Vec<usize>)>::default();
        let link = |item: &'a Item| item.link.as_deref().filter(|_| item.id.is_some());
        for place in self.old_left() {
            link(&self.old[place]).into_iter().for_each(|link| links.entry(link).or_default().0.push(place));
        }
        for place in self.new_left() {
            link(&self.new[place]).into_iter().for_each(|link| links.entry(link).or_default().1.push(place));
        }
        for (olds, news) in links.into_values() {
            if let ([old], [new]) = (olds.as_slice(), news.as_slice()) {
                self.pair(*old, *new);
            }
        }
    }

    /// Pairs what is left by likeness, unless both have ids; tells whether the budget was reached.
    fn by_likeness(&mut self) -> bool {
        let (olds, news): (Vec<usize>, Vec<usize>) = (self.old_left().collect(), self.new_left().collect());
        let prepare = |items: &[Item], places: &[usize]| -> (Vec<Prepared>, Vec<Vec<u64>>) {
            places
                .iter()
                .map(|&place| Prepared::new(&items[place]))
                .map(|item| (item.clone(), item.features()))
                .unzip()
        };
        let ((old, old_features), (new, new_features)) = (prepare(self.old, &olds), prepare(self.new, &news));
        let found = nearest(&old_features, &new_features, BUDGET, |left, right| {
            let coefficient = old[left].likeness(&new[right]).value();
            let different = old[left].has_id && new[right].has_id;
            (coefficient > 0.0 && !different).then_some(coefficient)
        });
        found.pairs.iter().for_each(|&(left, right, _)| self.pair(olds[left], news[right]));
        found.coarse
    }

    fn old_left(&self) -> impl Iterator<Item = usize> + use<> {
        let left: Vec<usize> = (0..self.old.len()).filter(|&place| self.partner[place].is_none()).collect();
        left.into_iter()
    }

    fn new_left(&self) -> impl Iterator<Item = usize> + use<> {
        let left: Vec<usize> = (0..self.new.len()).filter(|&place| !self.taken[place]).collect();
        left.into_iter()
    }

    fn told(&self, coarse: bool) -> FeedDiff {
        let mut diff = FeedDiff { coarse, ..FeedDiff::default() };
        diff.removed = self.old_left().collect();
        diff.added = self.new_left().collect();
        for (old, new) in self.partner.iter().enumerate().filter_map(|(old, new)| Some((old, (*new)?))) {
            let fields = ItemField::changed(&self.old[old], &self.new[new]);
            if fields.is_empty() {
                diff.unchanged.push((old, new));
            } else {
                let coefficient = likeness(&self.old[old], &self.new[new]);
                diff.modified.push(ItemChange { old, new, coefficient, fields });
            }
        }
        diff.unchanged.sort_unstable_by_key(|&(_, new)| new);
        diff.modified.sort_unstable_by_key(|change| change.new);
        diff
    }
}
