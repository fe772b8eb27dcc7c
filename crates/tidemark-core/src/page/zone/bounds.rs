//! Bounds on what a user or a file may ask for: size and nesting of an expression, steps of its evaluation.
//!
//! The parsers of selectors and of XPath recurse over brackets and operators, so both are counted before they are called:
//! an expression beyond the bounds would end the process, not the function.

use super::ZoneError;
use std::cell::Cell;

/// Longest expression in bytes.
pub(crate) const LENGTH: usize = 4096;
/// Deepest nesting of brackets.
pub(crate) const BRACKETS: usize = 64;

/// Refuses an expression that is too long or too deeply nested. Brackets in quotes count too: that only makes it stricter.
pub(super) fn check(source: &str, error: fn(usize, &str) -> ZoneError) -> Result<(), ZoneError> {
    if source.len() > LENGTH {
        return Err(error(LENGTH, "the expression is longer than 4096 bytes; split it into several zones"));
    }
    let mut depth = 0usize;
    for (at, byte) in source.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > BRACKETS {
            return Err(error(at, "brackets are nested more than 64 deep"));
        }
    }
    Ok(())
}

/// Steps left for one evaluation. A cell, because the engines hand out their nodes by value.
#[derive(Debug)]
pub(super) struct Budget(Cell<u64>);

impl Budget {
    pub(super) fn new(steps: u64) -> Self {
        Self(Cell::new(steps.max(1)))
    }

    /// Pays for some steps; false when they can no longer be paid for, from then on always.
    pub(super) fn take(&self, steps: u64) -> bool {
        let left = self.0.get().saturating_sub(steps);
        self.0.set(left);
        left > 0
    }

    pub(super) fn spent(&self) -> bool {
        self.0.get() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_bounded() {
        let check = |source: &str| check(source, ZoneError::css);
        assert!(check(&"a".repeat(LENGTH)).is_ok());
        assert!(check(&"a".repeat(LENGTH + 1)).is_err());
        assert!(check(&"(".repeat(BRACKETS)).is_ok());
        assert_eq!(check(&"(".repeat(BRACKETS + 1)).unwrap_err().at, BRACKETS);
        assert!(check(&"()[]".repeat(BRACKETS + 1)).is_ok());
    }

    #[test]
    fn a_spent_budget_stays_spent() {
        let budget = Budget::new(3);
        assert!(budget.take(1) && budget.take(1) && !budget.take(1));
        assert!(budget.spent() && !budget.take(0));
    }
}
