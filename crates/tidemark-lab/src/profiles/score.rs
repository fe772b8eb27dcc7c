//! Precision and recall of what was marked, beside what was wanted.

use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What was marked for a reader, beside what the reader wants: numbers of changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Marked and wanted.
    pub hits: usize,
    /// Marked though not wanted.
    pub false_alarms: usize,
    /// Wanted but not marked.
    pub misses: usize,
}

impl Score {
    /// Holds what was marked against what was wanted.
    pub fn of(marked: &BTreeSet<usize>, wanted: &BTreeSet<usize>) -> Self {
        let hits = marked.intersection(wanted).count();
        Self { hits, false_alarms: marked.len() - hits, misses: wanted.len() - hits }
    }

    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            hits: self.hits + other.hits,
            false_alarms: self.false_alarms + other.false_alarms,
            misses: self.misses + other.misses,
        }
    }

    /// Share of the marked that was wanted; 1 if nothing was marked.
    pub fn precision(&self) -> f64 {
        share(self.hits, self.hits + self.false_alarms)
    }

    /// Share of the wanted that was marked; 1 if nothing was wanted.
    pub fn recall(&self) -> f64 {
        share(self.hits, self.hits + self.misses)
    }

    /// The harmonic mean of both.
    pub fn f1(&self) -> f64 {
        share(2 * self.hits, 2 * self.hits + self.false_alarms + self.misses)
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "hits": self.hits,
            "false_alarms": self.false_alarms,
            "misses": self.misses,
            "precision": self.precision(),
            "recall": self.recall(),
            "f1": self.f1(),
        })
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(marked: &[usize], wanted: &[usize]) -> Score {
        Score::of(&marked.iter().copied().collect(), &wanted.iter().copied().collect())
    }

    #[test]
    fn shares_are_of_what_was_marked_and_of_what_was_wanted() {
        let score = score(&[1, 2, 3, 4], &[3, 4, 5]);
        assert_eq!(score, Score { hits: 2, false_alarms: 2, misses: 1 });
        assert!(are(&score, [0.5, 2.0 / 3.0, 4.0 / 7.0]), "{score:?}");
    }

    #[test]
    fn nothing_marked_is_nothing_wrong() {
        assert!(are(&score(&[], &[1]), [1.0, 0.0, 0.0]));
        assert!(are(&score(&[], &[]), [1.0, 1.0, 1.0]));
    }

    fn are(score: &Score, wanted: [f64; 3]) -> bool {
        let shares = [score.precision(), score.recall(), score.f1()];
        shares.iter().zip(wanted).all(|(share, wanted)| (share - wanted).abs() < 1e-12)
    }
}
