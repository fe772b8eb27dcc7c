//! A new version while its segments are found: the frame as far as it is known, and what each child of it is taken for.

use super::cut::{Cutting, is_loose};
use super::gist::Gist;
use super::outline::{Face, Outline};
use super::signature::{Signer, joined};
use super::{Column, Segment};
use crate::digest::element::Nature;
use crate::digest::{NodeId, PageDigest};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// The frame of a version in the making.
pub(crate) struct Draft<'a> {
    pub(crate) digest: &'a PageDigest,
    pub(crate) nature: Rc<Nature>,
    pub(crate) cutting: Cutting,
    /// Frame nodes; the document is the first.
    pub(crate) frames: Vec<DraftFrame>,
    gists: RefCell<FxHashMap<u32, Gist>>,
    signer: RefCell<Signer<'a>>,
    signatures: RefCell<FxHashMap<u32, u128>>,
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
    pub(crate) face: Face,
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
        let mut draft = Self {
            digest,
            nature: Rc::new(Nature::of(digest)),
            cutting,
            frames: Vec::new(),
            gists: RefCell::default(),
            signer: RefCell::new(Signer::new(digest)),
            signatures: RefCell::default(),
        };
        draft.open(0, Some(0));
        draft
    }

    /// Makes a node a part of the frame, with all children new; its number.
    pub(crate) fn open(&mut self, node: u32, old: Option<u32>) -> u32 {
        let children = self.digest.children(NodeId(node)).map(|child| child.0);
        let children = children
            .filter(|&child| !is_loose(self.digest, &self.nature, child, self.cutting))
            .map(|node| Child { face: Face::of(self.digest, node), label: Label::New, partner: None })
            .collect();
        self.frames.push(DraftFrame { node, old, children });
        self.frames.len() as u32 - 1
    }

    /// The signature of a subtree, made when first asked for.
    pub(crate) fn signature(&self, node: u32) -> u128 {
        *self.signatures.borrow_mut().entry(node).or_insert_with(|| self.signer.borrow_mut().subtree(node))
    }

    /// The signature of a run of siblings.
    pub(crate) fn signature_of_run(&self, nodes: Range<u32>) -> u128 {
        let next = |&node: &u32| Some(self.digest.end(NodeId(node))).filter(|&next| next < nodes.end);
        let siblings = std::iter::successors(Some(nodes.start), next);
        let signatures = siblings.map(|node| self.signature(node));
        joined(&signatures.collect::<Vec<_>>())
    }

    /// The signature of the frame.
    pub(crate) fn signature_of_frame(&self, segments: &[Segment], outline: &Outline) -> u128 {
        self.signer.borrow_mut().frame(segments, outline)
    }

    /// The gist of a subtree, read when first asked for.
    pub(crate) fn gist(&self, node: u32) -> Gist {
        let read = || {
            let nodes = node as usize..self.digest.end(NodeId(node)) as usize;
            Gist::of(self.digest.columns().contents_of(nodes))
        };
        *self.gists.borrow_mut().entry(node).or_insert_with(read)
    }
}
