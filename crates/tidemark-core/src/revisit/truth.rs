//! How truthful the dates of a host are: `Last-Modified`, the dates of a feed, `lastmod` of a sitemap.
//!
//! A date says that the page changed since the last visit, or that it did not, and the visit shows which is so. Both sayings are counted, for a server that
//! puts today's date on everything is always right about changes, and one that never touches the date is always right about silence. The weight of a date
//! is the markedness of such a test: right when it says changed, plus right when it says not, minus one.
//! Cost: O(1), sixteen bytes a host.

use super::belief::within;
use serde::{Deserialize, Serialize};

/// What a date more leaves of those before.
const KEEP: f32 = 0.98;

/// Right and wrong before the first date: not more often right than wrong, so a host must earn its weight.
const PRIOR: f32 = 0.5;

/// What became of the dates of one host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    changed: Sayings,
    silent: Sayings,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Sayings {
    right: f32,
    all: f32,
}

impl Truth {
    /// The date said that the page changed since the last visit, or that it did not; and so it had or had not.
    pub fn observe(&mut self, said_changed: bool, had_changed: bool) {
        let sayings = if said_changed { &mut self.changed } else { &mut self.silent };
        sayings.add(said_changed == had_changed);
    }

    /// What a date counts, in [0, 1]: for [`Rate::sharpen`](super::Rate::sharpen).
    pub fn weight(&self) -> f64 {
        within(self.changed.share() + self.silent.share() - 1.0, 0.0, 1.0)
    }
}

impl Sayings {
    fn add(&mut self, right: bool) {
        let sum = |sum: f32, more: f32| within(f64::from(sum * KEEP), 0.0, 1e6) as f32 + more;
        self.all = sum(self.all, 1.0);
        self.right = sum(self.right, f32::from(u8::from(right)));
    }

    fn share(self) -> f64 {
        within(f64::from((self.right + PRIOR) / (self.all + 2.0 * PRIOR)), 0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(dates: impl Iterator<Item = (bool, bool)>) -> f64 {
        let mut truth = Truth::default();
        dates.for_each(|(said, had)| truth.observe(said, had));
        truth.weight()
    }

    #[test]
    fn only_dates_that_tell_apart_count() {
        let had = |visit: usize| visit.is_multiple_of(3);
        assert!(weight((0..30).map(|visit| (had(visit), had(visit)))) > 0.8);
        assert!(weight((0..30).map(|visit| (true, had(visit)))) < 0.05);
        assert!(weight((0..30).map(|visit| (false, had(visit)))) < 0.2);
        assert!(weight(std::iter::empty()).abs() < 1e-9);
    }
}
