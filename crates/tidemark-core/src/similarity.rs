//! How alike two pages are. Similarity says how much; [facets](crate::digest::Facet) say whether.

pub(crate) mod nearest;
pub mod resemblance;

pub use resemblance::resemblance;

use std::fmt;

/// A similarity in [-1, 1]: 1 for things that look equal, smaller the less alike they are. Never a yes or no.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Coefficient(f64);

impl Coefficient {
    /// Nothing to tell apart.
    pub const EQUAL: Self = Self(1.0);

    /// A coefficient; values outside of [-1, 1] are brought inside, and what is no number is 0.
    pub fn new(value: f64) -> Self {
        Self(if value.is_nan() { 0.0 } else { value.clamp(-1.0, 1.0) })
    }

    /// The number.
    pub const fn value(self) -> f64 {
        self.0
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
}
