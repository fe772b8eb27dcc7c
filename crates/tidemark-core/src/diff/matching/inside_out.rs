//! From what is inside to what is around it: a node is the one that most of its content went to.
//!
//! Source: the bottom-up phase of `GumTree`, with votes of the children instead of all descendants. Cost: linear.

use crate::diff::mapping::Mapping;
use crate::diff::side::Sides;

/// How far above a child's new place its old parent may be found: the parent, and the one around it if something was wrapped.
const REACH: usize = 2;

/// Pairs nodes around pairs, innermost first.
pub(super) fn climb(sides: &Sides<'_>, mapping: &mut Mapping) {
    let mut votes: Vec<(u32, usize)> = Vec::new();
    let mut children = Vec::new();
    for old in (0..sides.old.len() as u32).rev() {
        if mapping.has_old(old) || sides.old.end(old) == old + 1 {
            continue;
        }
        sides.old.children(old, &mut children);
        votes.clear();
        for &child in &children {
            let Some(partner) = mapping.new_of(child) else { continue };
            if let Some(candidate) = around(sides, mapping, old, partner) {
                let weight = (sides.old.end(child) - child) as usize;
                match votes.iter_mut().rev().take(4).find(|(voted, _)| *voted == candidate) {
                    Some((_, sum)) => *sum += weight,
                    None => votes.push((candidate, weight)),
                }
            }
        }
        let best = votes.iter().max_by_key(|&&(candidate, weight)| (weight, std::cmp::Reverse(candidate)));
        if let Some(&(new, _)) = best {
            mapping.pair(sides, old, new);
        }
    }
}

/// The nearest free node of the right tag around a node of the new page.
fn around(sides: &Sides<'_>, mapping: &Mapping, old: u32, inside: u32) -> Option<u32> {
    let mut at = inside;
    for _ in 0..REACH {
        at = sides.new.parent(at);
        if !mapping.has_new(at) && sides.same_tag(old, at) {
            return Some(at);
        }
    }
    None
}
