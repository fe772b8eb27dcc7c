//! From what is inside to what is around it: a node is the one that most of its content went to.
//!
//! Source: the bottom-up phase of `GumTree`, the share of common content by weight instead of by nodes. Cost: for each free node around pairs, what is
//! in it, whole subtrees in one step; within the budget.
//! Road not taken: the votes of the children alone. One block that moves into a large container would then take the container with it.

use super::Budget;
use crate::diff::mapping::Mapping;
use crate::diff::side::Sides;

/// How far above a child's new place its old parent may be found: the parent, and the ones around it if something was wrapped.
const REACH: usize = 3;
/// Most nodes that are considered for one.
const FEW: usize = 6;
/// Share of the content of both that must be common: less among the children of one node than anywhere. What has less still is left to the
/// alignment of its parent's children.
const COMMON: f64 = 0.4;
const COMMON_IN_PLACE: f64 = 0.3;

/// Pairs nodes around pairs, innermost first.
pub(super) fn climb(sides: &Sides<'_>, mapping: &mut Mapping, budget: &mut Budget) {
    let mut candidates: Vec<(u32, usize)> = Vec::new();
    let mut children = Vec::new();
    for old in (0..sides.old.len() as u32).rev() {
        if mapping.has_old(old) || sides.old.end(old) == old + 1 {
            continue;
        }
        sides.old.children(old, &mut children);
        candidates.clear();
        for partner in children.iter().filter_map(|&child| mapping.new_of(child)) {
            around(sides, mapping, old, partner, &mut candidates);
        }
        if candidates.is_empty() || !budget.take((sides.old.end(old) - old) as usize / 8 + 1) {
            continue;
        }
        weigh(sides, mapping, old, &mut candidates);
        let largest = largest_whole(sides, mapping, &children);
        let share = |&(new, common): &(u32, usize)| {
            // Of a node that would have moved, one child proves nothing: it may be the child that moved, and its wrapper stays.
            let apart = if is_in_place(sides, mapping, old, new) { 0 } else { largest.min(common) };
            let all = sides.old.weight(old) + sides.new.weight(new) - 2 * apart;
            2.0 * (common - apart) as f64 / all.max(1) as f64
        };
        let best = candidates.iter().max_by(|a, b| share(a).total_cmp(&share(b)).then(b.0.cmp(&a.0)));
        let least = |new: u32| if is_in_place(sides, mapping, old, new) { COMMON_IN_PLACE } else { COMMON };
        if let Some(best) = best.filter(|best| share(best) >= least(best.0)) {
            mapping.pair(sides, old, best.0);
        }
    }
}

/// Weight of the largest child that is elsewhere as it was.
fn largest_whole(sides: &Sides<'_>, mapping: &Mapping, children: &[u32]) -> usize {
    let whole = children.iter().filter(|&&child| mapping.is_whole(child));
    whole.map(|&child| sides.old.weight(child)).max().unwrap_or(0)
}

fn is_in_place(sides: &Sides<'_>, mapping: &Mapping, old: u32, new: u32) -> bool {
    mapping.new_of(sides.old.parent(old)) == Some(sides.new.parent(new))
}

/// Adds the free nodes of the right tag around a node of the new page.
fn around(sides: &Sides<'_>, mapping: &Mapping, old: u32, inside: u32, candidates: &mut Vec<(u32, usize)>) {
    let mut at = inside;
    for _ in 0..REACH {
        at = sides.new.parent(at);
        let is_fit = !mapping.has_new(at) && sides.same_tag(old, at);
        if is_fit && candidates.len() < FEW && candidates.iter().all(|&(known, _)| known != at) {
            candidates.push((at, 0));
        }
    }
}

/// Adds up what of the content of a node went into each candidate.
fn weigh(sides: &Sides<'_>, mapping: &Mapping, old: u32, candidates: &mut [(u32, usize)]) {
    let (mut at, end) = (old + 1, sides.old.end(old));
    while at < end {
        let is_whole = mapping.is_whole(at);
        let next = if is_whole { sides.old.end(at) } else { at + 1 };
        if let Some(partner) = mapping.new_of(at) {
            let weight = if is_whole { sides.old.weight(at) } else { sides.old.own_weight(at) };
            let holds = |new: u32| new < partner && partner < sides.new.end(new);
            candidates.iter_mut().filter(|(new, _)| holds(*new)).for_each(|(_, common)| *common += weight);
        }
        at = next;
    }
}
