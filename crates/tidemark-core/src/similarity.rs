//! How alike two pages are. Similarity says how much; [facets](crate::digest::Facet) say whether.
//!
//! [`compare`] is the similarity of Artail & Fawaz: subtree by subtree, each old one mapped to its most similar new one.
//! [`resemblance`](resemblance()) is the quicker look by shared runs of neighbours.

mod assignment;
mod fast;
mod interned;
pub(crate) mod nearest;
mod node;
mod options;
mod original;
mod pairs;
mod reference;
mod report;
pub mod resemblance;
mod subtrees;
mod vocabulary;
pub mod weights;

pub use node::PathForm;
pub use options::{Method, Options};
pub use report::{Report, SubtreePair};
pub use resemblance::resemblance;
pub use weights::{AttributeWeights, Weights};

use crate::digest::PageDigest;
use std::fmt;
use subtrees::SubtreeTable;

/// Maps each subtree of the old page to its most similar one of the new page, and says how alike the pages are.
///
/// ```
/// use tidemark_core::{digest::PageDigest, page::Reading, similarity::{Method, Options, compare}};
///
/// let old = PageDigest::encode(b"<h1>Prices</h1><p>Tea: 10", &Reading::default())?;
/// let new = PageDigest::encode(b"<h1>Prices</h1><p>Tea: 12<hr>", &Reading::default())?;
/// let report = compare(&old, &new, &Options::default(), Method::Fast);
/// assert_eq!(report.pairs[0].coefficient.value(), 1.0);
/// assert!(report.pairs[1].coefficient.value() < 1.0);
/// assert_eq!(new.name(report.added[0]), "hr");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compare(old: &PageDigest, new: &PageDigest, options: &Options, method: Method) -> Report {
    let tables = [old, new].map(|page| SubtreeTable::of(page, options.level));
    let [old_table, new_table] = &tables;
    let mapping = match method {
        Method::Fast => fast::map(old_table, new_table, options),
        Method::Reference => reference::map(old_table, new_table, options),
        Method::Original => original::map(old_table, new_table, options),
    };
    report::assemble(old_table, new_table, mapping)
}

/// A similarity in [-1, 1]: 1 for things that look equal, smaller the less alike they are. Never a yes or no.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Coefficient(f64);

impl Coefficient {
    /// Nothing to tell apart.
    pub const EQUAL: Self = Self(1.0);

    /// Nothing in common.
    pub const OPPOSITE: Self = Self(-1.0);

    /// A coefficient; values outside of [-1, 1] are brought inside, and what is no number is 0.
    pub fn new(value: f64) -> Self {
        Self(if value.is_nan() { 0.0 } else { value.clamp(-1.0, 1.0) })
    }

    /// The number.
    pub const fn value(self) -> f64 {
        self.0
    }

    /// How severe a change is: the distance from 1, in [0, 2].
    pub const fn severity(self) -> f64 {
        1.0 - self.0
    }
}

impl fmt::Display for Coefficient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.4}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Coefficient;

    #[test]
    fn a_coefficient_stays_in_its_range() {
        assert_eq!(Coefficient::new(7.0), Coefficient::EQUAL);
        assert_eq!(Coefficient::new(-7.0).value().to_string(), "-1");
        assert_eq!(Coefficient::new(f64::NAN).value().to_string(), "0");
        assert_eq!(Coefficient::new(0.25).to_string(), "0.2500");
    }

    #[test]
    fn severity_is_the_distance_from_1() {
        assert_eq!(Coefficient::EQUAL.severity().to_string(), "0");
        assert_eq!(Coefficient::OPPOSITE.severity().to_string(), "2");
        assert_eq!(Coefficient::new(0.25).severity().to_string(), "0.75");
    }
}
