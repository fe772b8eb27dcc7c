//! The edits that lead from the old page to the new one, read off a [`Mapping`].
//!
//! Cost: one pass over both pages. What is equal as a whole subtree is passed over.

use super::mapping::Mapping;
use super::order::kept;
use super::side::Sides;
use super::words::{self, Run};
use crate::digest::{Facet, Facets, NodeId, PageDigest};
use crate::page::zone::Located;

/// One edit. Nodes are those of the two pages the script was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A node that only the old page has goes, with everything below it that did not move away.
    Delete {
        /// The node.
        old: NodeId,
    },
    /// A node that only the new page has comes, with everything below it that did not move in.
    Insert {
        /// The node.
        new: NodeId,
    },
    /// A node goes to another parent, or to another place among its siblings, with everything below it.
    Move {
        /// Where it was.
        old: NodeId,
        /// Where it is.
        new: NodeId,
    },
    /// A node stays what it is and has other text or other attributes.
    Update {
        /// The node as it was.
        old: NodeId,
        /// The node as it is.
        new: NodeId,
        /// Runs of its text, the same and replaced in turn; none if the text did not change.
        text: Vec<Run>,
        /// Attributes that changed, by name.
        attributes: Vec<AttributeEdit>,
        /// Whether the attributes also stand in another order.
        reordered: bool,
    },
}

/// What became of one attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeEdit {
    /// Its name.
    pub name: String,
    /// Its value in the old page, if it had it.
    pub old: Option<String>,
    /// Its value in the new page, if it has it.
    pub new: Option<String>,
}

/// All edits: first what goes, in the order of the old page, then the rest in the order of the new one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditScript {
    /// The edits.
    pub edits: Vec<Edit>,
}

impl EditScript {
    pub(crate) fn of(sides: &Sides<'_>, mapping: &Mapping) -> Self {
        let mut edits = Vec::new();
        deletions(sides, mapping, &mut edits);
        let moved = moved(sides, mapping);
        let mut new = 0;
        while (new as usize) < sides.new.len() {
            let Some(old) = mapping.old_of(new) else {
                if mapping.has_new(sides.new.parent(new)) {
                    edits.push(Edit::Insert { new: sides.new.id(new) });
                }
                new += 1;
                continue;
            };
            if moved.binary_search(&old).is_ok() {
                edits.push(Edit::Move { old: sides.old.id(old), new: sides.new.id(new) });
            }
            if mapping.is_whole(old) {
                new = sides.new.end(new);
                continue;
            }
            edits.extend(update(sides, old, new));
            new += 1;
        }
        Self { edits }
    }

    /// The edits that concern some facets, for showing: what came, went or moved belongs to structure and tags, and to attributes and
    /// content if it has any. The rest of an edit is left out, so the result leads nowhere when applied.
    #[must_use]
    pub fn concerning(&self, old: &PageDigest, new: &PageDigest, facets: Facets) -> Self {
        let has = |facet: Facet| facets.contains(facet);
        let carries = |page: &PageDigest, node: NodeId| {
            has(Facet::Structure)
                || has(Facet::Tags)
                || (has(Facet::Attributes) && page.subtree(node).any(|node| page.attributes(node).len() > 0))
                || (has(Facet::Content) && page.subtree(node).any(|node| page.content(node).is_some()))
        };
        let concerning = |edit: &Edit| match edit {
            Edit::Delete { old: node } => carries(old, *node).then(|| edit.clone()),
            Edit::Insert { new: node } | Edit::Move { new: node, .. } => {
                carries(new, *node).then(|| edit.clone())
            }
            Edit::Update { old, new, text, attributes, reordered } => {
                let text = if has(Facet::Content) { text.clone() } else { Vec::new() };
                let attributes = if has(Facet::Attributes) { attributes.clone() } else { Vec::new() };
                let reordered = *reordered && has(Facet::Attributes);
                let is_left = !text.is_empty() || !attributes.is_empty() || reordered;
                is_left.then_some(Edit::Update { old: *old, new: *new, text, attributes, reordered })
            }
        };
        Self { edits: self.edits.iter().filter_map(concerning).collect() }
    }

    /// The edits that touch a part of the pages, for showing: those of nodes in it, and those that brought, took or moved a node around or in it.
    #[must_use]
    pub fn within(&self, old: &PageDigest, new: &PageDigest, old_part: &Located, new_part: &Located) -> Self {
        let touches =
            |page: &PageDigest, part: &Located, node: NodeId| part.meets(node..NodeId(page.end(node)));
        let is_within = |edit: &&Edit| match edit {
            Edit::Delete { old: node } => touches(old, old_part, *node),
            Edit::Insert { new: node } => touches(new, new_part, *node),
            Edit::Move { old: from, new: to } => touches(old, old_part, *from) || touches(new, new_part, *to),
            Edit::Update { old, new, .. } => old_part.contains(*old) || new_part.contains(*new),
        };
        Self { edits: self.edits.iter().filter(is_within).cloned().collect() }
    }

    /// Whether there is nothing to do: the pages are equal in every facet.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Number of edits.
    pub fn len(&self) -> usize {
        self.edits.len()
    }
}

fn deletions(sides: &Sides<'_>, mapping: &Mapping, edits: &mut Vec<Edit>) {
    let mut old = 0;
    while (old as usize) < sides.old.len() {
        if mapping.is_whole(old) {
            old = sides.old.end(old);
            continue;
        }
        if !mapping.has_old(old) && mapping.has_old(sides.old.parent(old)) {
            edits.push(Edit::Delete { old: sides.old.id(old) });
        }
        old += 1;
    }
}

/// Old nodes that have another parent, or another place among the siblings that stayed; sorted.
fn moved(sides: &Sides<'_>, mapping: &Mapping) -> Vec<u32> {
    let mut moved = Vec::new();
    let (mut children, mut stayed) = (Vec::new(), Vec::new());
    let mut new = 0;
    while (new as usize) < sides.new.len() {
        let old = mapping.old_of(new);
        if old.is_some_and(|old| mapping.is_whole(old)) {
            new = sides.new.end(new);
            continue;
        }
        sides.new.children(new, &mut children);
        stayed.clear();
        for partner in children.iter().filter_map(|&child| mapping.old_of(child)) {
            if old == Some(sides.old.parent(partner)) {
                stayed.push(partner);
            } else {
                moved.push(partner);
            }
        }
        let out_of_order = stayed.iter().zip(kept(&stayed)).filter(|(_, kept)| !kept);
        moved.extend(out_of_order.map(|(&old, _)| old));
        new += 1;
    }
    moved.sort_unstable();
    moved
}

fn update(sides: &Sides<'_>, old: u32, new: u32) -> Option<Edit> {
    let (old_text, new_text) = (sides.old.content(old), sides.new.content(new));
    let text = if old_text == new_text { Vec::new() } else { words::compare(old_text, new_text) };
    let (attributes, reordered) =
        if sides.same_attributes(old, new) { (Vec::new(), false) } else { attributes(sides, old, new) };
    let (old, new) = (sides.old.id(old), sides.new.id(new));
    let is_changed = !text.is_empty() || !attributes.is_empty() || reordered;
    is_changed.then_some(Edit::Update { old, new, text, attributes, reordered })
}

/// Attributes that changed; and whether, when they are set one by one, the order still differs.
fn attributes(sides: &Sides<'_>, old: u32, new: u32) -> (Vec<AttributeEdit>, bool) {
    let list = |digest: &PageDigest, node: u32| -> Vec<(String, String)> {
        digest.attributes(NodeId(node)).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    let (mut before, after) = (list(sides.old.digest, old), list(sides.new.digest, new));
    let mut edits = Vec::new();
    for (name, value) in &before {
        let new = after.iter().find(|(found, _)| found == name).map(|(_, value)| value);
        if new != Some(value) {
            edits.push(AttributeEdit { name: name.clone(), old: Some(value.clone()), new: new.cloned() });
        }
    }
    for (name, value) in &after {
        if !before.iter().any(|(found, _)| found == name) {
            edits.push(AttributeEdit { name: name.clone(), old: None, new: Some(value.clone()) });
        }
    }
    edits.iter().for_each(|edit| edit.apply(&mut before));
    (edits, before != after)
}

impl AttributeEdit {
    /// Sets or removes the attribute in a list; a new one comes last.
    pub(crate) fn apply(&self, attributes: &mut Vec<(String, String)>) {
        let place = attributes.iter().position(|(name, _)| *name == self.name);
        match (place, &self.new) {
            (Some(place), Some(value)) => attributes[place].1.clone_from(value),
            (Some(place), None) => drop(attributes.remove(place)),
            (None, Some(value)) => attributes.push((self.name.clone(), value.clone())),
            (None, None) => {}
        }
    }
}
