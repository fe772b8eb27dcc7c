//! Children without a partner between two fixed points, paired by likeness and by order.
//!
//! Cost: the product of both sides where the budget allows it, otherwise their sum.

use super::Budget;
use super::sketch::Sketches;
use crate::diff::mapping::Mapping;
use crate::diff::order::heaviest;
use crate::diff::side::Sides;
use crate::digest::Kind;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Free children of two nodes that are a pair, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gap {
    pub(crate) old: Vec<u32>,
    pub(crate) new: Vec<u32>,
}

impl Gap {
    pub(crate) fn is_empty(&self) -> bool {
        self.old.is_empty() || self.new.is_empty()
    }
}

/// From here on two nodes are taken for one that was edited, however their neighbours are paired.
const ALIKE: f32 = 0.35;

/// Pairs the nodes of a gap.
pub(super) fn fill(
    sides: &Sides<'_>,
    sketches: &mut Sketches,
    gap: &Gap,
    mapping: &mut Mapping,
    budget: &mut Budget,
) {
    if gap.is_empty() {
        return;
    }
    let one_each = gap.old.len() == 1 && gap.new.len() == 1;
    let steps = (gap.old.len() + 1) * (gap.new.len() + 1);
    let fixed = if one_each || !budget.take(steps) { Vec::new() } else { alike(sides, sketches, gap) };
    let (mut old, mut new) = (0, 0);
    for (old_fixed, new_fixed) in fixed.into_iter().chain([(gap.old.len(), gap.new.len())]) {
        in_order(sides, mapping, &gap.old[old..old_fixed], &gap.new[new..new_fixed]);
        if old_fixed < gap.old.len() {
            mapping.pair(sides, gap.old[old_fixed], gap.new[new_fixed]);
        }
        (old, new) = (old_fixed + 1, new_fixed + 1);
    }
}

/// Places of pairs that are alike, in order on both sides, with the largest sum of likeness.
fn alike(sides: &Sides<'_>, sketches: &mut Sketches, gap: &Gap) -> Vec<(usize, usize)> {
    heaviest(gap.old.len(), gap.new.len(), |old, new| {
        let (old, new) = (gap.old[old], gap.new[new]);
        let affinity = if sides.same_tag(old, new) { sketches.affinity(sides, old, new) } else { 0.0 };
        if affinity >= ALIKE { affinity } else { 0.0 }
    })
}

/// Pairs what is left by tag, first with first. Texts always; elements only where both sides have as many of the tag, so
/// that an insertion does not shift all that follows.
fn in_order(sides: &Sides<'_>, mapping: &mut Mapping, old: &[u32], new: &[u32]) {
    let mut waiting: FxHashMap<u32, VecDeque<usize>> = FxHashMap::default();
    for (place, &node) in new.iter().enumerate() {
        waiting.entry(sides.new.tag(node)).or_default().push_back(place);
    }
    let mut olds: FxHashMap<u32, usize> = FxHashMap::default();
    old.iter().for_each(|&node| *olds.entry(sides.old.tag(node)).or_default() += 1);
    let news: FxHashMap<u32, usize> = waiting.iter().map(|(&tag, places)| (tag, places.len())).collect();
    let mut from = 0;
    for &old_node in old {
        let tag = sides.old.tag(old_node);
        let fits = olds.get(&tag) == news.get(&tag) || sides.old.kind(old_node) != Kind::Element;
        let Some(places) = waiting.get_mut(&tag).filter(|_| fits) else { continue };
        while places.front().is_some_and(|&place| place < from) {
            places.pop_front();
        }
        if let Some(place) = places.pop_front() {
            mapping.pair(sides, old_node, new[place]);
            from = place + 1;
        }
    }
}
