//! Segments: a page in parts that keep their identity through time.
//!
//! Source: Kuppusamy & Aghila, *`CaSePer`: An efficient model for personalized web page change detection based on segmentation* (2013).
//! The way of the data: page → labels from the version before (`carry`) → cut of what is new (`cut`) → segments (`settle`) → signatures → a row of the
//! [`SignatureMatrix`]. A first version is one of which nothing is known: the same way, without labels.
//! Every node is in exactly one segment. What holds segments, with the crumbs between them, is the *frame*, column 0; its signature covers which
//! segments it holds and in what order, so all signatures are equal exactly if the pages are.

mod align;
mod carry;
pub mod compare;
mod cut;
mod density;
mod draft;
pub mod evolution;
mod gist;
pub mod label;
mod lost;
pub mod matrix;
pub mod measures;
pub mod outline;
pub mod paths;
mod settle;
pub mod sign;
mod signature;
pub mod step;
pub mod track;

pub use compare::Comparison;
pub use cut::Cutting;
pub use evolution::{Advance, Evolution};
pub use matrix::{Fate, Place, SignatureMatrix};
pub use measures::Measures;
pub use outline::Outline;
pub use track::Track;

use crate::diff::Mapping;
use crate::digest::{NodeId, PageDigest};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A place on the page through time: a column of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Column(pub u32);

impl Column {
    /// The frame: what holds the segments.
    pub const FRAME: Self = Self(0);
}

/// How later versions are brought in step with earlier ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// By boundary nodes alone.
    Boundary,
    /// By the sequence of nodes alone.
    Sequence,
    /// By both, each where the other fails.
    #[default]
    Both,
}

/// A run of blocks that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its place through time.
    pub column: Column,
    /// Its nodes: siblings with all below them.
    pub nodes: Range<u32>,
    /// Its signature.
    pub signature: u128,
}

/// A version in segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segmentation {
    segments: Vec<Segment>,
    frame: u128,
    outline: Outline,
}

impl Segmentation {
    /// Cuts a page of which nothing is known.
    pub fn first(page: &PageDigest, cutting: Cutting) -> Self {
        Self::carry(&Outline::blank(), page, Way::Both, cutting)
    }

    /// Finds the segments of an earlier version again.
    pub fn carry(old: &Outline, page: &PageDigest, way: Way, cutting: Cutting) -> Self {
        settle::settle(carry::carry(old, page, way, cutting), old)
    }

    /// The same by a mapping of the whole pages.
    pub fn carry_by_mapping(old: &Outline, mapping: &Mapping, page: &PageDigest, cutting: Cutting) -> Self {
        settle::settle(carry::carry_by_mapping(old, mapping, page, cutting), old)
    }

    /// The segments in the order of the page, without the frame.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The signature of the frame.
    pub fn frame(&self) -> u128 {
        self.frame
    }

    /// All signatures by column, the frame first.
    pub fn cells(&self) -> Vec<(Column, u128)> {
        let segments = self.segments.iter().map(|segment| (segment.column, segment.signature));
        let mut cells: Vec<_> = segments.chain([(Column::FRAME, self.frame)]).collect();
        cells.sort_unstable();
        cells
    }

    /// What to keep for the next version.
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The column of a node.
    pub fn column_of(&self, node: NodeId) -> Column {
        let at = self.segments.partition_point(|segment| segment.nodes.end <= node.0);
        let segment = self.segments.get(at).filter(|segment| segment.nodes.contains(&node.0));
        segment.map_or(Column::FRAME, |segment| segment.column)
    }
}

/// A version: a page and its segments.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// The page.
    pub page: &'a PageDigest,
    /// Its segments.
    pub segmentation: &'a Segmentation,
}

impl<'a> Version<'a> {
    /// Puts them together.
    pub fn new(page: &'a PageDigest, segmentation: &'a Segmentation) -> Self {
        Self { page, segmentation }
    }
}
