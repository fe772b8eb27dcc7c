//! Which node of the old page is which node of the new one.
//!
//! One to one, and only between nodes of the same tag. Stages of matching add pairs and never take one back.

use super::side::Sides;
use crate::digest::NodeId;

const NONE: u32 = u32::MAX;

/// Old node ↔ new node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    to_new: Vec<u32>,
    to_old: Vec<u32>,
    /// Old nodes at the root of a subtree that is the same, node for node, in the new page.
    whole: Vec<bool>,
}

impl Mapping {
    pub(crate) fn new(old: usize, new: usize) -> Self {
        Self { to_new: vec![NONE; old], to_old: vec![NONE; new], whole: vec![false; old] }
    }

    /// The node of the new page that a node of the old page became.
    pub fn to_new(&self, old: NodeId) -> Option<NodeId> {
        self.new_of(old.0).map(NodeId)
    }

    /// The node of the old page that a node of the new page was.
    pub fn to_old(&self, new: NodeId) -> Option<NodeId> {
        self.old_of(new.0).map(NodeId)
    }

    /// All pairs in the order of the old page.
    pub fn pairs(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        let pairs = (0u32..).zip(&self.to_new).filter(|&(_, &new)| new != NONE);
        pairs.map(|(old, &new)| (NodeId(old), NodeId(new)))
    }

    pub(crate) fn new_of(&self, old: u32) -> Option<u32> {
        Some(self.to_new[old as usize]).filter(|&new| new != NONE)
    }

    pub(crate) fn old_of(&self, new: u32) -> Option<u32> {
        Some(self.to_old[new as usize]).filter(|&old| old != NONE)
    }

    pub(crate) fn is_free(&self, old: u32, new: u32) -> bool {
        self.to_new[old as usize] == NONE && self.to_old[new as usize] == NONE
    }

    pub(crate) fn has_old(&self, old: u32) -> bool {
        self.to_new[old as usize] != NONE
    }

    pub(crate) fn has_new(&self, new: u32) -> bool {
        self.to_old[new as usize] != NONE
    }

    /// Whether nothing at all differs below this pair.
    pub(crate) fn is_whole(&self, old: u32) -> bool {
        self.whole[old as usize]
    }

    /// Pairs two nodes of the same tag, if both are free; whether they are a pair now.
    pub(crate) fn pair(&mut self, sides: &Sides<'_>, old: u32, new: u32) -> bool {
        let fits = self.is_free(old, new) && sides.same_tag(old, new);
        if fits {
            self.to_new[old as usize] = new;
            self.to_old[new as usize] = old;
        }
        fits
    }

    /// Pairs two equal subtrees node by node, if all their nodes are free; whether it did.
    pub(crate) fn pair_whole(&mut self, sides: &Sides<'_>, old: u32, new: u32) -> bool {
        let old_range = old as usize..sides.old.end(old) as usize;
        let new_range = new as usize..sides.new.end(new) as usize;
        let fits = old_range.len() == new_range.len()
            && self.to_new[old_range].iter().all(|&partner| partner == NONE)
            && self.to_old[new_range].iter().all(|&partner| partner == NONE)
            && sides.same_subtree(old, new);
        if fits {
            self.pair_equal(sides, old, new);
        }
        fits
    }

    /// The same for subtrees that are known to be equal and free.
    pub(crate) fn pair_equal(&mut self, sides: &Sides<'_>, old: u32, new: u32) {
        let (old_range, new_range) =
            (old as usize..sides.old.end(old) as usize, new as usize..sides.new.end(new) as usize);
        self.to_new[old_range].iter_mut().zip(new..).for_each(|(partner, new)| *partner = new);
        self.to_old[new_range].iter_mut().zip(old..).for_each(|(partner, old)| *partner = old);
        self.whole[old as usize] = true;
    }
}
