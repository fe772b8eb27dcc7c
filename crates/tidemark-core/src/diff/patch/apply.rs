//! From the old page and a patch to the new page.
//!
//! Moved nodes are taken out first, then what goes goes; then everything that comes or moved is put in its place in the order of the new page, so that
//! the parent and the sibling before it are always there already. Cost: linear. A patch is hostile until the hash of what came out is right.

use super::{AttributeValue, Patch, PatchEdit, PatchError, PatchNode, Piece, Place, Reference, VERSION};
use crate::diff::AttributeEdit;
use crate::digest::{Kind, PageDigest};
use crate::page::Limits;
use crate::page::arena::{Arena, DOCUMENT, NONE, Slot, Space, Tag};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustc_hash::FxHashMap;

impl Patch {
    /// Makes the new page from the old one, to the byte.
    pub fn apply(&self, old: &PageDigest, limits: &Limits) -> Result<PageDigest, PatchError> {
        if self.version > VERSION {
            return Err(PatchError::FutureVersion { found: self.version });
        }
        if self.old != old.facet_hashes().fingerprint() {
            return Err(PatchError::OtherPage);
        }
        let residue =
            STANDARD.decode(&self.residue).map_err(|_| PatchError::Damaged("its residue is not base64"))?;
        let mut page = Page::of(old, limits);
        self.edits
            .iter()
            .zip(1..)
            .try_for_each(|(edit, number)| page.take_out(edit).map_err(broken(number)))?;
        self.edits
            .iter()
            .zip(1..)
            .try_for_each(|(edit, number)| page.put_in(edit).map_err(broken(number)))?;
        let arena =
            page.arena.into_result().map_err(|_| PatchError::Damaged("it makes a page beyond the limits"))?;
        let made = PageDigest::from_arena(arena, &self.about, residue, limits)?;
        if made.facet_hashes().fingerprint() != self.new {
            return Err(PatchError::Damaged("what it makes is not the page it was made from"));
        }
        Ok(made)
    }
}

fn broken(edit: usize) -> impl Fn(&'static str) -> PatchError {
    move |reason| PatchError::Broken { edit, reason }
}

/// The page while it is edited. Nodes of the old page keep their numbers as slots.
struct Page {
    arena: Arena,
    olds: u32,
    /// Slots of nodes that came in, by their numbers in the new page.
    news: FxHashMap<u32, Slot>,
    tags: FxHashMap<(Space, String), u32>,
    names: FxHashMap<String, u32>,
}

type Step = Result<(), &'static str>;

impl Page {
    fn of(old: &PageDigest, limits: &Limits) -> Self {
        let arena = Arena::new(*limits, old.about().bytes);
        let mut page = Self {
            arena,
            olds: old.len() as u32,
            news: FxHashMap::default(),
            tags: FxHashMap::default(),
            names: FxHashMap::default(),
        };
        for node in old.depth_first().skip(1) {
            let attributes: Vec<(&str, &str)> = old.attributes(node).collect();
            let slot =
                page.node(old.kind(node), old.space(node), old.name(node), &attributes, old.content(node));
            page.arena.append(old.parent(node).map_or(DOCUMENT, |parent| parent.0), slot);
        }
        page
    }

    fn node(
        &mut self,
        kind: Kind,
        space: Space,
        name: &str,
        attributes: &[(&str, &str)],
        content: Option<&str>,
    ) -> Slot {
        match (kind, content) {
            (Kind::Element, _) => {
                let tag = self.tag(space, name);
                let first = self.attributes(attributes.iter().copied());
                self.arena.element(tag, first)
            }
            (Kind::Document | Kind::Fragment, _) => self.arena.node(kind as u32, (NONE, NONE)),
            (_, content) => self.arena.leaf(kind, content.unwrap_or_default()),
        }
    }

    /// Adds attributes for the element that comes next; where they begin.
    fn attributes<'a>(&mut self, attributes: impl Iterator<Item = (&'a str, &'a str)>) -> usize {
        let first = self.arena.attributes.len();
        for (name, value) in attributes {
            let next = self.arena.names.len() as u32;
            let number = *self.names.entry(name.to_owned()).or_insert(next);
            if number == next {
                self.arena.names.push(name.to_owned());
            }
            self.arena.attribute(number, value);
        }
        first
    }

    fn tag(&mut self, space: Space, name: &str) -> u32 {
        let next = self.arena.tags.len() as u32;
        let number = *self.tags.entry((space, name.to_owned())).or_insert(next);
        if number == next {
            self.arena.tags.push(Tag { kind: Kind::Element, space, name: name.to_owned() });
        }
        number
    }

    fn old(&self, node: u32) -> Result<Slot, &'static str> {
        (node > 0 && node < self.olds).then_some(node).ok_or("it names a node that the page does not have")
    }

    fn slot(&self, reference: Reference) -> Result<Slot, &'static str> {
        match reference {
            Reference::Old(0) => Ok(DOCUMENT),
            Reference::Old(node) => self.old(node),
            Reference::New(node) => {
                self.news.get(&node).copied().ok_or("it names a node that has not been brought in")
            }
        }
    }

    /// First round: moved nodes are taken out, what goes goes.
    fn take_out(&mut self, edit: &PatchEdit) -> Step {
        match edit {
            PatchEdit::Delete { node } | PatchEdit::Move { node, .. } => {
                let slot = self.old(*node)?;
                self.arena.detach(slot);
                Ok(())
            }
            PatchEdit::Insert { .. } | PatchEdit::Update { .. } => Ok(()),
        }
    }

    /// Second round: everything comes to its place, and nodes that stay are changed.
    fn put_in(&mut self, edit: &PatchEdit) -> Step {
        match edit {
            PatchEdit::Delete { .. } => Ok(()),
            PatchEdit::Move { node, place } => {
                let slot = self.old(*node)?;
                self.put(slot, *place)
            }
            PatchEdit::Insert { place, nodes } => self.insert(*place, nodes),
            PatchEdit::Update { node, text, attributes, order } => {
                let slot = self.old(*node)?;
                if !text.is_empty() {
                    self.set_text(slot, text)?;
                }
                if !attributes.is_empty() || !order.is_empty() {
                    self.set_attributes(slot, attributes, order)?;
                }
                Ok(())
            }
        }
    }

    fn put(&mut self, slot: Slot, place: Place) -> Step {
        if self.arena.nodes[slot as usize].parent != NONE {
            return Err("it brings a node to a second place");
        }
        let parent = self.slot(place.parent)?;
        let next = match place.after {
            None => self.arena.nodes[parent as usize].first,
            Some(after) => {
                let after = self.slot(after)?;
                if self.arena.nodes[after as usize].parent != parent || after == slot {
                    return Err("the node it comes after is not below its parent");
                }
                self.arena.nodes[after as usize].next
            }
        };
        match next {
            NONE => self.arena.append(parent, slot),
            next => self.arena.insert_before(next, slot),
        }
        Ok(())
    }

    fn insert(&mut self, place: Place, nodes: &[PatchNode]) -> Step {
        for (node, is_first) in nodes.iter().zip(std::iter::once(true).chain(std::iter::repeat(false))) {
            let slot = self.patch_node(node)?;
            match (is_first, node.parent) {
                (true, _) => self.put(slot, place)?,
                (false, Some(parent)) => {
                    let parent = self.slot(Reference::New(parent))?;
                    self.arena.append(parent, slot);
                }
                (false, None) => return Err("a node of it has no parent"),
            }
            if self.news.insert(node.id, slot).is_some() {
                return Err("it brings in a node twice");
            }
        }
        Ok(())
    }

    fn patch_node(&mut self, node: &PatchNode) -> Result<Slot, &'static str> {
        let space = match node.space.as_deref() {
            None => Space::Html,
            Some("svg") => Space::Svg,
            Some("mathml") => Space::MathMl,
            Some("xml") => Space::Plain,
            Some(_) => return Err("it brings in an element of an unknown vocabulary"),
        };
        let kind = Kind::ALL.into_iter().find(|kind| *kind != Kind::Element && kind.name() == node.name);
        if kind == Some(Kind::Document) {
            return Err("it brings in a document");
        }
        let attributes: Vec<(&str, &str)> =
            node.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        Ok(self.node(kind.unwrap_or(Kind::Element), space, &node.name, &attributes, node.text.as_deref()))
    }

    fn set_text(&mut self, slot: Slot, pieces: &[Piece]) -> Step {
        let kind = self.arena.tags[self.arena.nodes[slot as usize].tag as usize].kind;
        if kind.has_children() {
            return Err("it gives text to a node that has none");
        }
        let old: String = self.arena.text_of(slot).collect();
        let text = patched(&old, pieces).ok_or("its text does not fit the text of the page")?;
        let made = self.arena.leaf(kind, &text);
        self.arena.nodes[slot as usize].data = self.arena.nodes[made as usize].data;
        Ok(())
    }

    fn set_attributes(&mut self, slot: Slot, edits: &[AttributeValue], order: &[(String, String)]) -> Step {
        if self.arena.tags[self.arena.nodes[slot as usize].tag as usize].kind != Kind::Element {
            return Err("it gives attributes to a node that is no element");
        }
        let mut list: Vec<(String, String)> = self
            .arena
            .attributes_of(slot)
            .iter()
            .map(|row| (self.arena.names[row.name as usize].clone(), self.arena.value(row).to_owned()))
            .collect();
        for AttributeValue { name, value } in edits {
            AttributeEdit { name: name.clone(), old: None, new: value.clone() }.apply(&mut list);
        }
        let list = if order.is_empty() { &list } else { order };
        let first = self.attributes(list.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        self.arena.nodes[slot as usize].data = (first as u32, self.arena.attributes.len() as u32);
        Ok(())
    }
}

/// A text with its pieces replaced; nothing if they do not fit it.
fn patched(old: &str, pieces: &[Piece]) -> Option<String> {
    let (mut text, mut rest) = (String::new(), old);
    for piece in pieces {
        match piece {
            Piece::Keep(count) => {
                let length = match rest.char_indices().nth(*count) {
                    Some((at, _)) => at,
                    None if rest.chars().count() == *count => rest.len(),
                    None => return None,
                };
                text.push_str(&rest[..length]);
                rest = &rest[length..];
            }
            Piece::Remove(removed) => rest = rest.strip_prefix(removed.as_str())?,
            Piece::Add(added) => text.push_str(added),
        }
    }
    rest.is_empty().then_some(text)
}
