//! Both pages as one: the new page, with what went standing where it was.
//!
//! Every view is a walk over this, so that all of them show the same. Cost: building is linear in the edits and the siblings of what went;
//! a walk is linear in what it visits.

use crate::diff::{Difference, Edit};
use crate::digest::{NodeId, PageDigest};
use rustc_hash::{FxHashMap, FxHashSet};

/// A place in the merged page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A node of the new page begins.
    Open(NodeId),
    /// It ends.
    Close(NodeId),
    /// A node of the old page stood here: it went, or moved to another place.
    Ghost(NodeId),
}

/// What a visitor wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Go inside the node that begins.
    In,
    /// Pass over it; it will have no `Close`.
    Over,
    /// Enough.
    Stop,
}

/// What a script did to each node, ready to be walked over.
#[derive(Debug)]
pub(crate) struct Merge<'a> {
    pub(crate) old: &'a PageDigest,
    pub(crate) new: &'a PageDigest,
    pub(crate) difference: &'a Difference,
    /// Moved nodes: new place and old place.
    pub(crate) moved: FxHashMap<NodeId, NodeId>,
    /// The same from the old place.
    pub(crate) moved_away: FxHashMap<NodeId, NodeId>,
    /// Edits of nodes that changed, by their place in the new page.
    pub(crate) updates: FxHashMap<NodeId, usize>,
    /// What stood first in a node.
    first: FxHashMap<NodeId, Vec<NodeId>>,
    /// What stood just after a node.
    after: FxHashMap<NodeId, Vec<NodeId>>,
    /// For each ghost the child that it stood after, or none, and the first node of the new page that comes after it.
    positions: FxHashMap<NodeId, (Option<NodeId>, u32)>,
}

impl<'a> Merge<'a> {
    pub(crate) fn new(old: &'a PageDigest, new: &'a PageDigest, difference: &'a Difference) -> Self {
        let (mut moved, mut moved_away, mut updates) =
            <(FxHashMap<_, _>, FxHashMap<_, _>, FxHashMap<_, _>)>::default();
        let (mut gone, mut parents) = (FxHashSet::default(), Vec::new());
        for (at, edit) in difference.script.edits.iter().enumerate() {
            match edit {
                Edit::Delete { old: node } => {
                    gone.insert(*node);
                    parents.extend(old.parent(*node));
                }
                Edit::Move { old: from, new: to } => {
                    moved.insert(*to, *from);
                    moved_away.insert(*from, *to);
                    gone.insert(*from);
                    parents.extend(old.parent(*from));
                }
                Edit::Update { new: node, .. } => drop(updates.insert(*node, at)),
                Edit::Insert { .. } => {}
            }
        }
        parents.sort_unstable();
        parents.dedup();
        let (first, after, positions) = Default::default();
        let mut merge = Self { old, new, difference, moved, moved_away, updates, first, after, positions };
        parents.into_iter().for_each(|parent| merge.place_ghosts(parent, &gone));
        merge
    }

    /// Places the children that went behind the sibling that stayed before them.
    fn place_ghosts(&mut self, parent: NodeId, gone: &FxHashSet<NodeId>) {
        let Some(new_parent) = self.difference.mapping.to_new(parent) else { return };
        let mut anchor = None;
        for child in self.old.children(parent) {
            if !gone.contains(&child) {
                anchor = self.difference.mapping.to_new(child);
                continue;
            }
            let (ghosts, position) = match anchor {
                Some(anchor) => (self.after.entry(anchor).or_default(), self.new.end(anchor)),
                None => (self.first.entry(new_parent).or_default(), new_parent.0 + 1),
            };
            ghosts.push(child);
            self.positions.insert(child, (anchor, position));
        }
    }

    /// Where in the new page a node of the old page would stand, if it went from a node that is still there.
    pub(crate) fn position(&self, ghost: NodeId) -> Option<u32> {
        self.positions.get(&ghost).map(|&(_, position)| position)
    }

    /// The sibling in the new page that a ghost stood after, if there is one.
    pub(crate) fn anchor(&self, ghost: NodeId) -> Option<NodeId> {
        self.positions.get(&ghost).and_then(|&(anchor, _)| anchor)
    }

    /// Whether a node is new.
    pub(crate) fn is_added(&self, new: NodeId) -> bool {
        self.difference.mapping.to_old(new).is_none()
    }

    /// Walks over a node of the new page and everything in it.
    pub(crate) fn walk(&self, top: NodeId, visit: impl FnMut(Event) -> Step) {
        self.go(Vec::new(), top.0, self.new.end(top), visit);
    }

    /// Walks over the children of a node from the one that begins at `start`, and what stood just before it.
    pub(crate) fn walk_from(&self, parent: NodeId, start: u32, mut visit: impl FnMut(Event) -> Step) {
        let ghosts = match self.child_before(parent, start) {
            Some(before) => self.after.get(&before),
            None => self.first.get(&parent),
        };
        if ghosts.into_iter().flatten().any(|&ghost| visit(Event::Ghost(ghost)) == Step::Stop) {
            return;
        }
        self.go(vec![parent], start, self.new.end(parent), visit);
    }

    fn go(&self, mut open: Vec<NodeId>, start: u32, end: u32, mut visit: impl FnMut(Event) -> Step) {
        let mut at = start;
        loop {
            while let Some(&node) = open.last().filter(|&&node| self.new.end(node) == at) {
                open.pop();
                if visit(Event::Close(node)) == Step::Stop || !self.ghosts_after(node, &open, &mut visit) {
                    return;
                }
            }
            if at >= end {
                return;
            }
            let node = NodeId(at);
            match visit(Event::Open(node)) {
                Step::Stop => return,
                Step::Over => {
                    if !self.ghosts_after(node, &open, &mut visit) {
                        return;
                    }
                    at = self.new.end(node);
                }
                Step::In => {
                    let ghosts = self.first.get(&node);
                    if ghosts.into_iter().flatten().any(|&ghost| visit(Event::Ghost(ghost)) == Step::Stop) {
                        return;
                    }
                    open.push(node);
                    at += 1;
                }
            }
        }
    }

    /// What stood after a node, unless that is the top of the walk; whether to go on.
    fn ghosts_after(&self, node: NodeId, open: &[NodeId], visit: &mut impl FnMut(Event) -> Step) -> bool {
        open.is_empty()
            || self
                .after
                .get(&node)
                .into_iter()
                .flatten()
                .all(|&ghost| visit(Event::Ghost(ghost)) != Step::Stop)
    }

    /// The child of a node that ends where another begins.
    fn child_before(&self, parent: NodeId, start: u32) -> Option<NodeId> {
        let mut at = NodeId(start - 1);
        while at != parent {
            match self.new.parent(at) {
                Some(above) if above != parent => at = above,
                _ => return Some(at),
            }
        }
        None
    }
}
