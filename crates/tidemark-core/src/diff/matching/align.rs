//! The children of two nodes that are a pair, put in step.
//!
//! Children that are pairs already and kept their order are fixed points. Between them equal children are found by the histogram method of git,
//! and what is then left in each [`gap`] is paired by likeness. Cost: near linear in the children.

use super::Budget;
use super::gap::{self, Gap};
use super::sketch::Sketches;
use crate::diff::mapping::Mapping;
use crate::diff::order::rising;
use crate::diff::sequence::{Hunk, Steps};
use crate::diff::side::{Side, Sides};
use imara_diff::Token;
use rustc_hash::FxHashMap;

/// Aligns children, with buffers that are used again for every pair.
pub(crate) struct Aligner<'a> {
    sides: &'a Sides<'a>,
    pub(crate) sketches: Sketches,
    old: Vec<u32>,
    new: Vec<u32>,
}

impl<'a> Aligner<'a> {
    pub(crate) fn new(sides: &'a Sides<'a>) -> Self {
        Self { sides, sketches: Sketches::new(), old: Vec::new(), new: Vec::new() }
    }

    /// Aligns the children of all pairs, from the document down, so that pairs made on the way get their turn.
    pub(crate) fn align_all(&mut self, mapping: &mut Mapping, budget: &mut Budget) {
        self.align_below(0, self.sides.old.len() as u32, mapping, budget);
    }

    /// The same for the nodes of a stretch of the old page.
    pub(crate) fn align_below(&mut self, start: u32, end: u32, mapping: &mut Mapping, budget: &mut Budget) {
        let mut node = start;
        while node < end {
            if mapping.is_whole(node) {
                node = self.sides.old.end(node);
                continue;
            }
            if let Some(new) = mapping.new_of(node) {
                self.align(node, new, mapping, budget);
            }
            node += 1;
        }
    }

    fn align(&mut self, old: u32, new: u32, mapping: &mut Mapping, budget: &mut Budget) {
        let mut old_children = std::mem::take(&mut self.old);
        let mut new_children = std::mem::take(&mut self.new);
        self.sides.old.children(old, &mut old_children);
        self.sides.new.children(new, &mut new_children);
        let has_free = |children: &[u32], is_paired: &dyn Fn(u32) -> bool| {
            children.iter().any(|&child| !is_paired(child))
        };
        if has_free(&old_children, &|child| mapping.has_old(child))
            && has_free(&new_children, &|child| mapping.has_new(child))
        {
            for gap in gaps(self.sides, mapping, &old_children, &new_children) {
                self.fill(gap, mapping, budget);
            }
        }
        (self.old, self.new) = (old_children, new_children);
    }

    /// Pairs what can be paired between two fixed points.
    fn fill(&mut self, gap: Gap, mapping: &mut Mapping, budget: &mut Budget) {
        if gap.is_empty() {
            return;
        }
        for rest in self.equal(gap, mapping, budget) {
            gap::fill(self.sides, &mut self.sketches, &rest, mapping, budget);
        }
    }

    /// Pairs equal children in order, and gives back what lies between them.
    fn equal(&self, gap: Gap, mapping: &mut Mapping, budget: &mut Budget) -> Vec<Gap> {
        let Some(steps) = steps(self.sides, &gap.old, &gap.new) else { return vec![gap] };
        budget.exhausted |= steps.is_coarse;
        for (old, new) in steps.kept().map(|(old, new)| (gap.old[old], gap.new[new])) {
            if !mapping.pair_whole(self.sides, old, new) {
                mapping.pair(self.sides, old, new);
            }
        }
        let rest = |hunk: Hunk| Gap { old: gap.old[hunk.old].to_vec(), new: gap.new[hunk.new].to_vec() };
        steps.hunks().into_iter().map(rest).collect()
    }
}

/// Two lists of siblings put in step by their hashes; nothing if none of the one is equal to any of the other.
pub(super) fn steps(sides: &Sides<'_>, old: &[u32], new: &[u32]) -> Option<Steps> {
    let mut numbers: FxHashMap<u128, u32> = FxHashMap::default();
    let mut tokens = |side: &Side<'_>, nodes: &[u32]| -> Vec<Token> {
        let number = |&node: &u32| {
            let next = numbers.len() as u32;
            Token(*numbers.entry(side.hash(node)).or_insert(next))
        };
        nodes.iter().map(number).collect()
    };
    let old_tokens = tokens(&sides.old, old);
    let olds = numbers_of(&old_tokens);
    let new_tokens = tokens(&sides.new, new);
    new_tokens
        .iter()
        .any(|token| token.0 < olds)
        .then(|| Steps::of(&old_tokens, &new_tokens, numbers.len() as u32))
}

/// How many numbers a list of tokens uses, if it was numbered first.
fn numbers_of(tokens: &[Token]) -> u32 {
    tokens.iter().map(|token| token.0 + 1).max().unwrap_or(0)
}

/// The free children between those that are pairs and kept their order.
fn gaps(sides: &Sides<'_>, mapping: &Mapping, old_children: &[u32], new_children: &[u32]) -> Vec<Gap> {
    let Some(&first) = new_children.first() else { return Vec::new() };
    let parent = sides.new.parent(first);
    let stayed: Vec<(u32, u32)> = old_children
        .iter()
        .filter_map(|&old| Some((old, mapping.new_of(old)?)))
        .filter(|&(_, new)| new != 0 && sides.new.parent(new) == parent)
        .collect();
    let places: Vec<u32> = stayed.iter().map(|&(_, new)| new).collect();
    let fixed = rising(&places);
    let mut gaps = vec![Gap::default(); fixed.len() + 1];
    let (mut gap, mut next) = (0, 0);
    for &old in old_children {
        if next < fixed.len() && stayed[fixed[next]].0 == old {
            (gap, next) = (gap + 1, next + 1);
        } else if !mapping.has_old(old) {
            gaps[gap].old.push(old);
        }
    }
    (gap, next) = (0, 0);
    for &new in new_children {
        if next < fixed.len() && stayed[fixed[next]].1 == new {
            (gap, next) = (gap + 1, next + 1);
        } else if !mapping.has_new(new) {
            gaps[gap].new.push(new);
        }
    }
    gaps
}
