//! From a script and the new page to a patch.

use super::{AttributeValue, Patch, PatchEdit, PatchNode, Piece, Place, Reference, VERSION};
use crate::diff::words::Run;
use crate::diff::{Difference, Edit, Mapping};
use crate::digest::residue::Effort;
use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::arena::Space;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

impl Patch {
    /// Writes down a difference, so that it can be applied without the new page.
    pub fn of(old: &PageDigest, new: &PageDigest, difference: &Difference) -> Self {
        let writer = Writer { old, new, mapping: &difference.mapping };
        let (about, frame) = new.described(Effort::Fast);
        Self {
            version: VERSION,
            exact: difference.exact,
            old: old.facet_hashes().fingerprint(),
            new: new.facet_hashes().fingerprint(),
            about,
            residue: STANDARD.encode(frame),
            edits: difference.script.edits.iter().map(|edit| writer.edit(edit)).collect(),
        }
    }
}

struct Writer<'a> {
    old: &'a PageDigest,
    new: &'a PageDigest,
    mapping: &'a Mapping,
}

impl Writer<'_> {
    fn edit(&self, edit: &Edit) -> PatchEdit {
        match edit {
            Edit::Delete { old } => PatchEdit::Delete { node: old.0 },
            Edit::Insert { new } => PatchEdit::Insert { place: self.place(*new), nodes: self.nodes(*new) },
            Edit::Move { old, new } => PatchEdit::Move { node: old.0, place: self.place(*new) },
            Edit::Update { old, new, text, attributes, reordered } => PatchEdit::Update {
                node: old.0,
                text: self.pieces(*old, *new, text),
                attributes: attributes
                    .iter()
                    .map(|edit| AttributeValue { name: edit.name.clone(), value: edit.new.clone() })
                    .collect(),
                order: if *reordered { self.attributes(*new) } else { Vec::new() },
            },
        }
    }

    fn place(&self, new: NodeId) -> Place {
        let parent = self.new.parent(new).unwrap_or(NodeId::ROOT);
        let after = self.new.previous_sibling(new).map(|sibling| self.reference(sibling));
        Place { parent: self.reference(parent), after }
    }

    fn reference(&self, new: NodeId) -> Reference {
        self.mapping.to_old(new).map_or(Reference::New(new.0), |old| Reference::Old(old.0))
    }

    /// What is new in a subtree, as far as new nodes hang together.
    fn nodes(&self, top: NodeId) -> Vec<PatchNode> {
        let mut nodes = Vec::new();
        let (mut at, end) = (top.0, self.new.end(top));
        while at < end {
            let node = NodeId(at);
            if self.mapping.to_old(node).is_some() {
                at = self.new.end(node); // moved in, and edited by edits of its own
                continue;
            }
            let parent = self.new.parent(node).filter(|_| node != top).map(|parent| parent.0);
            nodes.push(self.node(node, parent));
            at += 1;
        }
        nodes
    }

    fn node(&self, node: NodeId, parent: Option<u32>) -> PatchNode {
        let space = match self.new.space(node) {
            _ if self.new.kind(node) != Kind::Element => None,
            Space::Html => None,
            Space::Svg => Some("svg"),
            Space::MathMl => Some("mathml"),
            Space::Plain => Some("xml"),
        };
        PatchNode {
            id: node.0,
            parent,
            name: self.new.name(node).to_owned(),
            space: space.map(str::to_owned),
            attributes: self.attributes(node),
            text: self.new.content(node).map(str::to_owned),
        }
    }

    fn attributes(&self, node: NodeId) -> Vec<(String, String)> {
        self.new.attributes(node).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    fn pieces(&self, old: NodeId, new: NodeId, runs: &[Run]) -> Vec<Piece> {
        let (old, new) =
            (self.old.content(old).unwrap_or_default(), self.new.content(new).unwrap_or_default());
        let piece = |run: &Run| -> Vec<Piece> {
            if run.same {
                return vec![Piece::Keep(old[run.old.clone()].chars().count())];
            }
            let removed = Some(&old[run.old.clone()]).filter(|text| !text.is_empty());
            let added = Some(&new[run.new.clone()]).filter(|text| !text.is_empty());
            let removed = removed.map(|text| Piece::Remove(text.to_owned()));
            removed.into_iter().chain(added.map(|text| Piece::Add(text.to_owned()))).collect()
        };
        runs.iter().flat_map(piece).collect()
    }
}
