//! What found no partner near its own place: moved as it was, or moved and edited.
//!
//! Cost: linear for what is equal; for what is only alike, the candidates of one tag that share a rare word, within the budget.

use super::Budget;
use super::align::Aligner;
use crate::diff::mapping::Mapping;
use crate::diff::side::{Side, Sides};
use crate::digest::Kind;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// From here on a node far from its old place is taken for the same one.
const CLEARLY_ALIKE: f32 = 0.6;

/// Pairs what is left on both sides, equal subtrees first.
pub(super) fn pair(sides: &Sides<'_>, mapping: &mut Mapping, aligner: &mut Aligner<'_>, budget: &mut Budget) {
    equal(sides, mapping);
    for (old, new) in alike(sides, mapping, aligner, budget) {
        if mapping.pair(sides, old, new) {
            aligner.align_below(old, sides.old.end(old), mapping, budget);
        }
    }
}

fn equal(sides: &Sides<'_>, mapping: &mut Mapping) {
    let mut places: FxHashMap<u128, VecDeque<u32>> = FxHashMap::default();
    for new in 0..sides.new.len() as u32 {
        if !mapping.has_new(new) && sides.new.says_something(new) {
            places.entry(sides.new.hash(new)).or_default().push_back(new);
        }
    }
    for old in 0..sides.old.len() as u32 {
        if mapping.has_old(old) {
            continue;
        }
        let Some(candidates) = places.get_mut(&sides.old.hash(old)) else { continue };
        while let Some(&new) = candidates.front() {
            if mapping.has_new(new) {
                candidates.pop_front();
                continue;
            }
            if mapping.pair_whole(sides, old, new) {
                candidates.pop_front();
            }
            break;
        }
    }
}

/// Pairs of free subtrees that share words, best first.
fn alike(
    sides: &Sides<'_>,
    mapping: &Mapping,
    aligner: &mut Aligner<'_>,
    budget: &mut Budget,
) -> Vec<(u32, u32)> {
    let old = tops(&sides.old, |node| mapping.has_old(node));
    let new = tops(&sides.new, |node| mapping.has_new(node));
    let mut pairs: Vec<(f32, u32, u32)> = Vec::new();
    if old.is_empty() || new.is_empty() || !budget.take(old.len() * new.len()) {
        return Vec::new();
    }
    for &old in &old {
        for &new in &new {
            if sides.same_tag(old, new) {
                let affinity = aligner.sketches.affinity(sides, old, new);
                if affinity >= CLEARLY_ALIKE {
                    pairs.push((affinity, old, new));
                }
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    pairs.into_iter().map(|(_, old, new)| (old, new)).collect()
}

/// Free elements below nodes that are not free, heavy enough to be known again.
fn tops(side: &Side<'_>, is_paired: impl Fn(u32) -> bool) -> Vec<u32> {
    let is_top = |&node: &u32| {
        !is_paired(node)
            && is_paired(side.parent(node))
            && side.kind(node) == Kind::Element
            && side.weight(node) >= 64
    };
    (1..side.len() as u32).filter(is_top).collect()
}
