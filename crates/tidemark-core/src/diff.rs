//! What changed: which node became which, and the edits that lead from the old page to the new one.
//!
//! The way of the data: two digests → [`Mapping`] by stages of matching → [`EditScript`] → [`Patch`], which stands without the new page, or
//! changes for people. Whether there is a difference is decided by comparing columns; the script is empty
//! exactly if all facets are equal.

pub(crate) mod known;
pub mod mapping;
mod matching;
pub(crate) mod order;
pub mod patch;
pub mod script;
pub(crate) mod sequence;
mod side;
pub mod words;

pub use mapping::Mapping;
pub use patch::Patch;
pub use script::{AttributeEdit, Edit, EditScript};

use crate::digest::PageDigest;
use known::Known;
use side::Sides;

/// The difference of two pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which node became which.
    pub mapping: Mapping,
    /// What was done to the old page.
    pub script: EditScript,
    /// Whether every stage of matching ran within its budget. If not, the script is right, but may be longer than need be.
    pub exact: bool,
}

impl Difference {
    /// Compares two pages.
    pub fn of(old: &PageDigest, new: &PageDigest) -> Self {
        Self::knowing(old, new, &Known::default())
    }

    /// The same for pages of which some is known to be equal.
    pub(crate) fn knowing(old: &PageDigest, new: &PageDigest, known: &Known) -> Self {
        let mut sides = Sides::new(old, new);
        let (mapping, exact) = matching::matched(&mut sides, known);
        let script = EditScript::of(&sides, &mapping);
        Self { mapping, script, exact }
    }
}
