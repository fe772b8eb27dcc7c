//! A page through time: version after version into segments and into the matrix.
//!
//! Between two visits only this is kept: the outline of the last version and the matrix.

use super::matrix::{Fate, Row, SignatureMatrix};
use super::{Column, Cutting, Outline, Segmentation, Way};
use crate::diff::order::kept;
use crate::digest::PageDigest;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// How the segments of a page went through time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evolution {
    outline: Outline,
    matrix: SignatureMatrix,
}

/// What one version brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advance {
    /// The version in segments.
    pub segmentation: Segmentation,
    /// What became of each column, in their order.
    pub fates: Vec<(Column, Fate)>,
    /// Columns that went to another place on the page.
    pub moved: Vec<Column>,
}

impl Default for Evolution {
    fn default() -> Self {
        Self::with_window(super::matrix::WINDOW)
    }
}

impl Evolution {
    /// Of a page never seen, to keep so many rows.
    pub fn with_window(window: usize) -> Self {
        Self { outline: Outline::blank(), matrix: SignatureMatrix::with_window(window) }
    }

    /// Takes in the next version.
    pub fn advance(&mut self, page: &PageDigest) -> Advance {
        self.take(Segmentation::carry(&self.outline, page, Way::Both, Cutting::default()))
    }

    /// The same for a version that is in segments already, carried over from [`Evolution::outline`].
    pub fn take(&mut self, segmentation: Segmentation) -> Advance {
        let moved = moved(&self.outline, segmentation.outline());
        let fates = self.matrix.append(Row { cells: segmentation.cells(), moved: moved.clone() });
        self.outline = segmentation.outline().clone();
        Advance { segmentation, fates, moved }
    }

    /// The outline of the last version.
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The signatures.
    pub fn matrix(&self) -> &SignatureMatrix {
        &self.matrix
    }
}

impl Advance {
    /// The columns that are not as they were: other content, come, gone or moved.
    pub fn changed(&self) -> Vec<Column> {
        let other = self.fates.iter().filter(|(_, fate)| fate.is_change()).map(|&(column, _)| column);
        let mut changed: Vec<Column> = other.chain(self.moved.iter().copied()).collect();
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}

/// Columns that both versions have, and that stand in another frame node or not in the order of the others any more.
pub(super) fn moved(old: &Outline, new: &Outline) -> Vec<Column> {
    let places: FxHashMap<Column, (usize, u32)> =
        old.order().into_iter().enumerate().map(|(at, (column, frame))| (column, (at, frame))).collect();
    let (mut moved, mut stayed) = (Vec::new(), Vec::new());
    for (column, frame) in new.order() {
        match places.get(&column) {
            Some(&(at, was)) if new.frames[frame as usize].was == Some(was) => stayed.push((column, at)),
            Some(_) => moved.push(column),
            None => {}
        }
    }
    let order: Vec<usize> = stayed.iter().map(|&(_, place)| place).collect();
    let out_of_order = stayed.iter().zip(kept(&order)).filter(|(_, kept)| !kept);
    moved.extend(out_of_order.map(|((column, _), _)| *column));
    moved.sort_unstable();
    moved
}
