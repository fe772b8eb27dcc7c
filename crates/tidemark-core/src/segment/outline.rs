//! What is remembered of one version so that its segments can be found again in the next: the frame, and in it the blocks with their marks and hashes.
//!
//! The frame is every node that holds segments; a block is a child of a frame node that is none itself; a segment is a run of blocks.
//! This is all that has to be kept of a page between two visits: a few hundred bytes for most.

use super::Column;
use super::gist::Gist;
use super::signature::mark;
use crate::digest::{NodeId, PageDigest};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// The frame of a version with the blocks in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// Frame nodes; the document is the first.
    pub(crate) frames: Vec<Frame>,
    /// Blocks of columns that this version does not have and an earlier one had, the latest last.
    pub(crate) gone: Vec<Item>,
    /// The number of the next new column.
    pub(crate) next: u32,
}

/// Most blocks that are remembered after they are gone.
const GONE: usize = 512;

/// A frame node and what is below it, without empty space, comments and the like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Frame {
    pub(crate) node: u32,
    /// The frame it was in the version before, by its number there.
    pub(crate) was: Option<u32>,
    pub(crate) items: Vec<Item>,
}

/// A child of a frame node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Item {
    pub(crate) face: Face,
    /// Its signature; none for a frame node that is known by its mark.
    pub(crate) signature: u128,
    /// Its words at a glance.
    pub(crate) gist: Gist,
    pub(crate) role: Role,
}

/// What of a child is seen without looking into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Face {
    /// Its place in its version.
    pub(crate) node: u32,
    /// What its author called it.
    pub(crate) mark: u64,
    /// How many nodes it has.
    pub(crate) nodes: u32,
    /// How much it weighs.
    pub(crate) weight: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Role {
    /// A frame node, by its number in [`Outline::frames`].
    Frame(u32),
    /// A block of a segment; of [`Column::FRAME`] if it is too light to be part of any.
    Block(Column),
}

impl Outline {
    /// The outline of a page never seen: its document, and nothing known to be in it.
    pub(crate) fn blank() -> Self {
        Self { frames: vec![Frame::default()], gone: Vec::new(), next: 1 }
    }

    /// All items, each with the number of its frame and its place in it.
    pub(crate) fn items(&self) -> impl Iterator<Item = (&Item, (usize, usize))> {
        let of_frame = |(frame, held): (usize, &'_ Frame)| (frame, held.items.len());
        let places = self.frames.iter().enumerate().map(of_frame);
        let places = places.flat_map(|(frame, count)| (0..count).map(move |place| (frame, place)));
        places.map(|(frame, place)| (&self.frames[frame].items[place], (frame, place)))
    }

    /// Remembers the blocks of earlier columns that are not here.
    pub(crate) fn remember(&mut self, old: &Self) {
        let here = self.order().into_iter().map(|(column, _)| column);
        let here: FxHashSet<Column> = here.chain([Column::FRAME]).collect();
        let is_gone = |item: &&Item| matches!(item.role, Role::Block(column) if !here.contains(&column));
        let old_blocks = old.frames.iter().flat_map(|frame| &frame.items);
        self.gone = old.gone.iter().chain(old_blocks).filter(is_gone).copied().collect();
        self.gone.drain(..self.gone.len().saturating_sub(GONE));
    }

    /// The columns in the order of the page with the numbers of the frames they are in; without the frame itself.
    pub(crate) fn order(&self) -> Vec<(Column, u32)> {
        let mut blocks: Vec<(u32, Column, u32)> = self
            .items()
            .filter_map(|(item, (frame, _))| match item.role {
                Role::Block(column) if column != Column::FRAME => {
                    Some((item.face.node, column, frame as u32))
                }
                _ => None,
            })
            .collect();
        blocks.sort_unstable();
        blocks.dedup_by_key(|block| block.1);
        blocks.into_iter().map(|(_, column, frame)| (column, frame)).collect()
    }

    /// How many columns there have been, the frame included.
    pub fn columns(&self) -> u32 {
        self.next
    }
}

impl Face {
    pub(crate) fn of(digest: &PageDigest, node: u32) -> Self {
        let nodes = node as usize..digest.end(NodeId(node)) as usize;
        let weight = u32::try_from(digest.columns().weight(nodes)).unwrap_or(u32::MAX);
        Self { node, mark: mark(digest, NodeId(node)), nodes: digest.end(NodeId(node)) - node, weight }
    }
}
