//! The tree while it is being built: an arena of nodes with links, in which nodes can still move.
//!
//! Cost: 32 bytes a node. Texts and attribute values lie in one heap string; a text node that grows
//! is a chain of pieces, so that no order of appends, however hostile, copies a text twice.
//! Road not taken: a reference-counted DOM, one allocation a node and half the speed.

use super::{Limits, Note, PageError};
use crate::digest::Kind;

/// Place of a node in the arena. Not a `NodeId`: arena order is creation order.
pub(crate) type Slot = u32;

/// No node, no piece.
pub(crate) const NONE: u32 = u32::MAX;

/// The document node is made first.
pub(crate) const DOCUMENT: Slot = 0;

/// Vocabulary an element belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    /// Not an element, or an element of an XML page, whose name is kept as written.
    Plain,
    /// HTML.
    Html,
    /// SVG inside HTML.
    Svg,
    /// MathML inside HTML.
    MathMl,
}

/// A kind of node with its name: an entry of the tag list TL.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tag {
    pub(crate) kind: Kind,
    pub(crate) space: Space,
    pub(crate) name: String,
}

/// Links and payload of one node.
#[derive(Clone, Copy)]
pub(crate) struct Links {
    pub(crate) parent: Slot,
    pub(crate) first: Slot,
    pub(crate) last: Slot,
    pub(crate) previous: Slot,
    pub(crate) next: Slot,
    /// Entry of [`Arena::tags`].
    pub(crate) tag: u32,
    /// Element: range of [`Arena::attributes`]. Otherwise: first and last piece of its text.
    pub(crate) data: (u32, u32),
}

/// One attribute: entry of [`Arena::names`] and value.
#[derive(Clone, Copy)]
pub(crate) struct Attribute {
    pub(crate) name: u32,
    pub(crate) value: Span,
}

/// A stretch of [`Arena::text`].
#[derive(Clone, Copy)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

#[derive(Clone, Copy)]
struct Piece {
    span: Span,
    next: u32,
}

pub(crate) struct Arena {
    pub(crate) nodes: Vec<Links>,
    pub(crate) tags: Vec<Tag>,
    pub(crate) names: Vec<String>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) notes: Vec<Note>,
    pieces: Vec<Piece>,
    text: String,
    limits: Limits,
    full: Option<PageError>,
}

impl Arena {
    /// An arena for a page of about `bytes` bytes, with the document node in it. One entry of the tag
    /// list is made for each kind that is not an element, at the place of its number.
    pub(crate) fn new(limits: Limits, bytes: usize) -> Self {
        let tags =
            Kind::ALL.iter().map(|&kind| Tag { kind, space: Space::Plain, name: kind.name().to_owned() });
        let mut arena = Self {
            nodes: Vec::with_capacity(bytes / 24 + 8),
            tags: tags.collect(),
            names: Vec::new(),
            attributes: Vec::with_capacity(bytes / 48),
            notes: Vec::new(),
            pieces: Vec::with_capacity(bytes / 48),
            text: String::with_capacity(bytes / 2),
            limits,
            full: None,
        };
        arena.node(Kind::Document as u32, (NONE, NONE));
        arena
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether a limit was passed. From then on the tree no longer grows, so that the rest costs little.
    pub(crate) fn is_full(&self) -> bool {
        self.full.is_some()
    }

    pub(crate) fn into_result(self) -> Result<Self, PageError> {
        match self.full {
            Some(error) => Err(error),
            None => Ok(self),
        }
    }

    pub(crate) fn note(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Makes a detached node without text or attributes.
    pub(crate) fn node(&mut self, tag: u32, data: (u32, u32)) -> Slot {
        if self.nodes.len() >= self.limits.nodes {
            self.full.get_or_insert(PageError::TooManyNodes { limit: self.limits.nodes });
            if !self.nodes.is_empty() {
                return self.nodes.len() as u32 - 1; // links to it are never followed: the page is refused
            }
        }
        let free = Links { parent: NONE, first: NONE, last: NONE, previous: NONE, next: NONE, tag, data };
        self.nodes.push(free);
        self.nodes.len() as u32 - 1
    }

    /// Makes a detached element that owns all attributes from `first_attribute` on.
    pub(crate) fn element(&mut self, tag: u32, first_attribute: usize) -> Slot {
        self.node(tag, (first_attribute as u32, self.attributes.len() as u32))
    }

    /// Makes a detached leaf with text: comment, doctype, CDATA …
    pub(crate) fn leaf(&mut self, kind: Kind, text: &str) -> Slot {
        let piece = self.piece(text);
        self.node(kind as u32, (piece, piece))
    }

    /// Adds an attribute to the element that will be made next.
    pub(crate) fn attribute(&mut self, name: u32, value: &str) {
        let value = self.span(value);
        self.attributes.push(Attribute { name, value });
    }

    /// The attributes of an element.
    pub(crate) fn attributes_of(&self, element: Slot) -> &[Attribute] {
        let (start, end) = self.nodes[element as usize].data;
        &self.attributes[start as usize..end as usize]
    }

    /// The value of an attribute.
    pub(crate) fn value(&self, attribute: &Attribute) -> &str {
        self.slice(attribute.value)
    }

    /// The pieces of a text in order.
    pub(crate) fn text_of(&self, leaf: Slot) -> impl Iterator<Item = &str> {
        let mut at = self.nodes[leaf as usize].data.0;
        std::iter::from_fn(move || {
            let piece = *self.pieces.get(at as usize)?;
            at = piece.next;
            Some(self.slice(piece.span))
        })
    }

    /// Attaches a detached node as the last child of `parent`.
    pub(crate) fn append(&mut self, parent: Slot, child: Slot) {
        if self.is_full() {
            return;
        }
        let previous = std::mem::replace(&mut self.nodes[parent as usize].last, child);
        match previous {
            NONE => self.nodes[parent as usize].first = child,
            _ => self.nodes[previous as usize].next = child,
        }
        let links = &mut self.nodes[child as usize];
        (links.parent, links.previous) = (parent, previous);
    }

    /// Attaches a detached node just before `sibling`, which has a parent.
    pub(crate) fn insert_before(&mut self, sibling: Slot, child: Slot) {
        if self.is_full() {
            return;
        }
        let Links { parent, previous, .. } = self.nodes[sibling as usize];
        let links = &mut self.nodes[child as usize];
        (links.parent, links.previous, links.next) = (parent, previous, sibling);
        self.nodes[sibling as usize].previous = child;
        match previous {
            NONE => self.nodes[parent as usize].first = child,
            _ => self.nodes[previous as usize].next = child,
        }
    }

    /// Takes a node with its subtree out of the tree.
    pub(crate) fn detach(&mut self, node: Slot) {
        let Links { parent, previous, next, .. } = self.nodes[node as usize];
        if parent == NONE || self.is_full() {
            return;
        }
        match previous {
            NONE => self.nodes[parent as usize].first = next,
            _ => self.nodes[previous as usize].next = next,
        }
        match next {
            NONE => self.nodes[parent as usize].last = previous,
            _ => self.nodes[next as usize].previous = previous,
        }
        let links = &mut self.nodes[node as usize];
        (links.parent, links.previous, links.next) = (NONE, NONE, NONE);
    }

    /// Moves all children of `old_parent` to the end of `new_parent`.
    pub(crate) fn reparent(&mut self, old_parent: Slot, new_parent: Slot) {
        while self.nodes[old_parent as usize].first != NONE && !self.is_full() {
            let child = self.nodes[old_parent as usize].first;
            self.detach(child);
            self.append(new_parent, child);
        }
    }

    /// Adds text at the end of `parent`, to the text node that may already stand there.
    pub(crate) fn append_text(&mut self, parent: Slot, text: &str) {
        let last = self.nodes[parent as usize].last;
        if !self.extend(last, text) {
            let leaf = self.leaf(Kind::Text, text);
            self.append(parent, leaf);
        }
    }

    /// Adds text just before `sibling`, to the text node that may already stand there.
    pub(crate) fn insert_text_before(&mut self, sibling: Slot, text: &str) {
        let previous = self.nodes[sibling as usize].previous;
        if !self.extend(previous, text) {
            let leaf = self.leaf(Kind::Text, text);
            self.insert_before(sibling, leaf);
        }
    }

    fn extend(&mut self, leaf: Slot, text: &str) -> bool {
        if leaf == NONE || self.nodes[leaf as usize].tag != Kind::Text as u32 {
            return false;
        }
        let last = self.nodes[leaf as usize].data.1;
        if self.pieces[last as usize].span.end as usize == self.text.len() {
            self.pieces[last as usize].span.end = self.span(text).end;
        } else {
            let piece = self.piece(text);
            self.pieces[last as usize].next = piece;
            self.nodes[leaf as usize].data.1 = piece;
        }
        true
    }

    fn piece(&mut self, text: &str) -> u32 {
        let span = self.span(text);
        self.pieces.push(Piece { span, next: NONE });
        self.pieces.len() as u32 - 1
    }

    fn span(&mut self, text: &str) -> Span {
        let start = self.text.len() as u32;
        let limit = self.limits.text();
        if self.text.len() + text.len() > limit {
            self.full.get_or_insert(PageError::TooMuchText { limit });
            return Span { start, end: start };
        }
        self.text.push_str(text);
        Span { start, end: self.text.len() as u32 }
    }

    fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(arena: &Arena, parent: Slot) -> Vec<String> {
        let mut at = arena.nodes[parent as usize].first;
        let mut found = Vec::new();
        while at != NONE {
            found.push(arena.text_of(at).collect());
            at = arena.nodes[at as usize].next;
        }
        found
    }

    #[test]
    fn texts_grow_in_any_order() {
        let mut arena = Arena::new(Limits::default(), 0);
        let (left, right) =
            (arena.node(Kind::Element as u32, (NONE, NONE)), arena.node(Kind::Element as u32, (NONE, NONE)));
        arena.append(DOCUMENT, left);
        arena.append(DOCUMENT, right);
        for (parent, text) in [(left, "a"), (left, "b"), (right, "1"), (left, "c"), (right, "2")] {
            arena.append_text(parent, text);
        }
        assert_eq!(texts(&arena, left), ["abc"]);
        assert_eq!(texts(&arena, right), ["12"]);
        arena.insert_text_before(right, "x");
        arena.insert_text_before(right, "y");
        assert_eq!(texts(&arena, DOCUMENT), ["", "xy", ""]);
    }

    #[test]
    fn nodes_move() {
        let mut arena = Arena::new(Limits::default(), 0);
        let parent = arena.node(Kind::Element as u32, (NONE, NONE));
        arena.append(DOCUMENT, parent);
        let leaves: Vec<Slot> = ["a", "b", "c"].map(|text| arena.leaf(Kind::Comment, text)).to_vec();
        for &leaf in &leaves {
            arena.append(parent, leaf);
        }
        arena.detach(leaves[1]);
        assert_eq!(texts(&arena, parent), ["a", "c"]);
        arena.insert_before(leaves[0], leaves[1]);
        assert_eq!(texts(&arena, parent), ["b", "a", "c"]);
        arena.reparent(parent, DOCUMENT);
        assert_eq!(texts(&arena, DOCUMENT), ["", "b", "a", "c"]);
        assert_eq!(texts(&arena, parent), [""; 0]);
    }

    #[test]
    fn limits_stop_the_growth() {
        let mut arena = Arena::new(Limits { nodes: 2, ..Limits::default() }, 0);
        arena.append_text(DOCUMENT, "one");
        assert!(!arena.is_full());
        let comment = arena.leaf(Kind::Comment, "two");
        arena.append(DOCUMENT, comment);
        assert_eq!(arena.into_result().err(), Some(PageError::TooManyNodes { limit: 2 }));
    }
}
