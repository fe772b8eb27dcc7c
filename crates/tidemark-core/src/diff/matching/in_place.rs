//! What is equal in its place, from the document down: the first and the last children of two nodes. Most of a page is done here.
//!
//! Cost: columns are compared, at the speed of memory and up to the first difference; never more than a few times both pages, however deep what
//! changed lies. No hash is needed for what is equal here.

use super::named;
use crate::diff::known::Known;
use crate::diff::mapping::Mapping;
use crate::diff::side::{Side, Sides};
use crate::digest::Kind;

/// How many times as many nodes as both pages have may be compared.
const TIMES: usize = 8;

/// Pairs what is equal in place; the roots of what it paired.
pub(super) fn pair(sides: &Sides<'_>, known: &Known, mapping: &mut Mapping) -> Vec<(u32, u32)> {
    let steps = TIMES * (sides.old.len() + sides.new.len());
    let mut placer = Placer { sides, known, mapping, steps, equal: Vec::new() };
    if placer.is_same(0, 0) {
        placer.pair(0, 0);
    } else if placer.mapping.pair(sides, 0, 0) {
        placer.descend();
    }
    placer.equal
}

struct Placer<'p, 'a> {
    sides: &'p Sides<'a>,
    known: &'p Known,
    mapping: &'p mut Mapping,
    /// Nodes that may still be compared.
    steps: usize,
    equal: Vec<(u32, u32)>,
}

impl Placer<'_, '_> {
    fn descend(&mut self) {
        let mut open = vec![(0, 0)];
        let (mut old, mut new) = (Vec::new(), Vec::new());
        while let Some((old_parent, new_parent)) = open.pop() {
            self.sides.old.children(old_parent, &mut old);
            self.sides.new.children(new_parent, &mut new);
            let (old_middle, new_middle) = self.strip(&old, &new);
            // One child on each side, or as many of the same tags: these are in place, too, however much they changed inside.
            let in_step = old_middle.len() == new_middle.len()
                && old_middle.iter().zip(new_middle).all(|(&old, &new)| is_frame(self.sides, old, new));
            if in_step {
                for (&old, &new) in old_middle.iter().zip(new_middle) {
                    self.mapping.pair(self.sides, old, new);
                    open.push((old, new));
                }
            } else {
                // Containers that are called the same are looked into, not paired: what they hold may yet be found elsewhere.
                open.extend(named::namesakes(self.sides, old_middle, new_middle));
            }
        }
    }

    /// Pairs equal children from both ends; what is left between.
    fn strip<'c>(&mut self, old: &'c [u32], new: &'c [u32]) -> (&'c [u32], &'c [u32]) {
        let from_start = old.iter().zip(new).take_while(|&(&old, &new)| self.is_same(old, new)).count();
        let (old, new) = (self.pair_first(old, new, from_start), &new[from_start..]);
        let from_end =
            old.iter().rev().zip(new.iter().rev()).take_while(|&(&old, &new)| self.is_same(old, new)).count();
        let (old_rest, new_rest) = (old.len() - from_end, new.len() - from_end);
        self.pair_first(&old[old_rest..], &new[new_rest..], from_end);
        (&old[..old_rest], &new[..new_rest])
    }

    /// Pairs the first so many; the old ones behind them.
    fn pair_first<'c>(&mut self, old: &'c [u32], new: &[u32], count: usize) -> &'c [u32] {
        old[..count].iter().zip(new).for_each(|(&old, &new)| self.pair(old, new));
        &old[count..]
    }

    fn pair(&mut self, old: u32, new: u32) {
        self.mapping.pair_equal(self.sides, old, new);
        self.equal.push((old, new));
    }

    /// Whether two subtrees are equal; not if there are no steps left to look.
    fn is_same(&mut self, old: u32, new: u32) -> bool {
        let nodes = (self.sides.old.end(old) - old) as usize;
        if nodes != (self.sides.new.end(new) - new) as usize || self.steps < nodes {
            return false;
        }
        self.steps -= nodes;
        self.known.is_same(old, new) || self.sides.same_subtree(old, new)
    }
}

/// Elements of which a page has one, and which stay what they are whatever is inside.
fn is_frame(sides: &Sides<'_>, old: u32, new: u32) -> bool {
    let name =
        |side: &Side<'_>, node: u32| side.columns.tag_name(side.columns.tags[node as usize]).to_owned();
    sides.same_tag(old, new)
        && sides.old.kind(old) == Kind::Element
        && matches!(name(&sides.old, old).as_str(), "html" | "head" | "body" | "main" | "title")
}
