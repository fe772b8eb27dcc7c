//! A new version while its segments are found: the frame as far as it is known, and what each child of it is taken for.

use super::Column;
use super::cut::{Cutting, is_loose};
use super::outline::{Item, Role};
use crate::digest::element::Nature;
use crate::digest::{NodeId, PageDigest};

/// The frame of a version in the making.
pub(crate) struct Draft<'a> {
    pub(crate) digest: &'a PageDigest,
    pub(crate) nature: Nature,
    pub(crate) cutting: Cutting,
    /// Frame nodes; the document is the first.
    pub(crate) frames: Vec<DraftFrame>,
}

/// A frame node and the children of it that are not loose.
pub(crate) struct DraftFrame {
    pub(crate) node: u32,
    /// The frame it was in the version before.
    pub(crate) old: Option<u32>,
    pub(crate) children: Vec<Child>,
}

/// A child of a frame node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub(crate) node: u32,
    pub(crate) label: Label,
    /// The place of the item that it was, in the frame that its parent was.
    pub(crate) partner: Option<usize>,
}

/// What a child is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// Nothing that was known.
    New,
    /// A block of a column.
    Block(Column),
    /// A frame node, by its number in [`Draft::frames`].
    Frame(u32),
}

impl<'a> Draft<'a> {
    /// Knows of nothing but the document.
    pub(crate) fn new(digest: &'a PageDigest, cutting: Cutting) -> Self {
        let mut draft = Self { digest, nature: Nature::of(digest), cutting, frames: Vec::new() };
        draft.open(0, Some(0));
        draft
    }

    /// Makes a node a part of the frame, with all children new; its number.
    pub(crate) fn open(&mut self, node: u32, old: Option<u32>) -> u32 {
        let children = self.digest.children(NodeId(node)).map(|child| child.0);
        let children = children
            .filter(|&child| !is_loose(self.digest, &self.nature, child, self.cutting))
            .map(|node| Child { node, label: Label::New, partner: None })
            .collect();
        self.frames.push(DraftFrame { node, old, children });
        self.frames.len() as u32 - 1
    }

    /// The children of a frame as items to compare.
    pub(crate) fn items(&self, frame: u32) -> Vec<Item> {
        let children = self.frames[frame as usize].children.iter();
        children.map(|child| Item::of(self.digest, child.node, Role::Block(Column::FRAME))).collect()
    }

    pub(crate) fn weight(&self, node: u32) -> usize {
        self.digest.columns().weight(node as usize..self.digest.end(NodeId(node)) as usize)
    }
}
