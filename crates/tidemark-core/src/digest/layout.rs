//! The arena, in creation order, laid out depth-first into arrays.
//!
//! Source: the paper's algorithm 1, on a tree instead of a token stream; so its erratum (end tags counted as
//! nodes) cannot arise. Cost: linear in nodes and text, one pass, no recursion.
//! Tags and attribute names are numbered in the order of first appearance, so that equal
//! sequences of names have equal columns.

use super::columns::{Arrays, pack_kind};
use super::{Kind, NodeId};
use crate::page::Note;
use crate::page::arena::{Arena, Attribute, DOCUMENT, NONE, Slot, Space};

/// Lays out a tree. Elements more than `depth_cap` levels deep hand their children to their parents.
pub(crate) fn lay_out(arena: &mut Arena, depth_cap: Option<u32>) -> Arrays {
    let cap = depth_cap.map_or(usize::MAX, |cap| cap as usize);
    let mut layout = Layout::new(arena);
    let mut open: Vec<(Slot, NodeId)> = Vec::new();
    let mut next = Some(DOCUMENT);
    let mut flattened = false;
    while let Some(slot) = next {
        let parent = open.last().map(|&(_, node)| node);
        let node = layout.node(arena, slot, parent);
        let has_children = arena.nodes[slot as usize].first != NONE;
        let heir = parent.filter(|_| open.len() > cap);
        flattened |= heir.is_some() && has_children;
        next = if has_children {
            open.push((slot, heir.unwrap_or(node)));
            Some(arena.nodes[slot as usize].first)
        } else {
            next_of(arena, &mut open, slot)
        };
    }
    if flattened {
        arena.note(Note::DepthCapped);
    }
    layout.arrays
}

/// The node that follows the subtree of `slot`; closes the elements that end there.
fn next_of(arena: &Arena, open: &mut Vec<(Slot, NodeId)>, slot: Slot) -> Option<Slot> {
    let mut at = slot;
    loop {
        if at == DOCUMENT {
            return None;
        }
        let next = arena.nodes[at as usize].next;
        if next != NONE {
            return Some(next);
        }
        at = open.pop()?.0;
    }
}

struct Layout {
    arrays: Arrays,
    /// Numbers of tags and attribute names in the digest, by their numbers in the arena.
    tags: Vec<u32>,
    names: Vec<u32>,
}

impl Layout {
    fn new(arena: &Arena) -> Self {
        let (nodes, rows) = (arena.nodes.len(), arena.attributes.len());
        let arrays = Arrays {
            children: Vec::with_capacity(nodes),
            tags: Vec::with_capacity(nodes),
            attribute_ends: Vec::with_capacity(nodes),
            content_ends: Vec::with_capacity(nodes),
            attribute_names: Vec::with_capacity(rows),
            attribute_value_ends: Vec::with_capacity(rows),
            ..Arrays::default()
        };
        Self { arrays, tags: vec![NONE; arena.tags.len()], names: vec![NONE; arena.names.len()] }
    }

    fn node(&mut self, arena: &Arena, slot: Slot, parent: Option<NodeId>) -> NodeId {
        let links = &arena.nodes[slot as usize];
        let node = NodeId(self.arrays.children.len() as u32);
        if let Some(parent) = parent {
            self.arrays.children[parent.index()] += 1;
        }
        self.arrays.children.push(0);
        let mut tag = links.tag;
        if tag == Kind::Text as u32 && is_raw(arena, links.parent) {
            tag = Kind::Raw as u32;
        }
        let tag = self.tag(arena, tag);
        self.arrays.tags.push(tag);
        match arena.tags[links.tag as usize].kind {
            Kind::Element => arena.attributes_of(slot).iter().for_each(|row| self.attribute(arena, row)),
            Kind::Document | Kind::Fragment => {}
            _ => arena.text_of(slot).for_each(|piece| self.arrays.content.push_str(piece)),
        }
        self.arrays.attribute_ends.push(self.arrays.attribute_names.len() as u32);
        self.arrays.content_ends.push(self.arrays.content.len() as u32);
        node
    }

    fn tag(&mut self, arena: &Arena, tag: u32) -> u32 {
        let number = &mut self.tags[tag as usize];
        if *number == NONE {
            *number = self.arrays.tag_kinds.len() as u32;
            let tag = &arena.tags[tag as usize];
            self.arrays.tag_kinds.push(pack_kind(tag.kind, tag.space));
            self.arrays.tag_names.push_str(&tag.name);
            self.arrays.tag_name_ends.push(self.arrays.tag_names.len() as u32);
        }
        *number
    }

    fn attribute(&mut self, arena: &Arena, row: &Attribute) {
        let number = &mut self.names[row.name as usize];
        if *number == NONE {
            *number = self.arrays.name_ends.len() as u32;
            self.arrays.names.push_str(&arena.names[row.name as usize]);
            self.arrays.name_ends.push(self.arrays.names.len() as u32);
        }
        self.arrays.attribute_names.push(*number);
        self.arrays.attribute_values.push_str(arena.value(row));
        self.arrays.attribute_value_ends.push(self.arrays.attribute_values.len() as u32);
    }
}

/// Whether text below this node is raw: HTML's elements whose text is never unescaped.
fn is_raw(arena: &Arena, parent: Slot) -> bool {
    let tag = &arena.tags[arena.nodes[parent as usize].tag as usize];
    tag.space == Space::Html
        && matches!(
            tag.name.as_str(),
            "script" | "style" | "xmp" | "iframe" | "noembed" | "noframes" | "plaintext"
        )
}
