//! What went wrong at the last visits, and how long to leave the page alone for it.

use super::Bounds;
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// The wait after one failure; each further one doubles it.
const FIRST: Duration = Duration::from_mins(1);

/// The longest wait of a page that would be looked at more often than that.
const CAP: Duration = Duration::from_hours(24);

/// So many times gone in a row, and a page is taken for gone.
const GONE: u32 = 5;

/// What a visit came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// A page, changed or not.
    Page,
    /// None: a time-out, a broken connection, an error of the server.
    Failed,
    /// The server says that there is none: 404, 410.
    Gone,
}

/// Failures in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Failures {
    row: u32,
    gone: u32,
}

impl Failures {
    /// Counts a visit.
    pub fn observe(&mut self, answer: Answer) {
        let row = self.row.saturating_add(1);
        *self = match answer {
            Answer::Page => Self::default(),
            Answer::Failed => Self { row, gone: 0 },
            Answer::Gone => Self { row, gone: self.gone.saturating_add(1) },
        };
    }

    /// How many visits failed in a row.
    pub const fn in_a_row(self) -> u32 {
        self.row
    }

    /// Whether the page has been gone so often that it is only looked at now and then.
    pub const fn is_gone(self) -> bool {
        self.gone >= GONE
    }

    /// The wait that failures ask for of a page that would be looked at every `interval`.
    pub(super) fn wait(self, interval: Duration, bounds: &Bounds) -> Option<Duration> {
        let doubled = FIRST * 2_u32.pow(self.row.saturating_sub(1).min(20));
        match self.row {
            0 => None,
            _ if self.is_gone() => Some(bounds.most()),
            _ => Some(doubled.min(interval.max(CAP))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    fn waits(answers: &[Answer]) -> Option<Duration> {
        let mut failures = Failures::default();
        answers.iter().for_each(|answer| failures.observe(*answer));
        failures.wait(HOUR, &Bounds::default())
    }

    #[test]
    fn waits_double_up_to_a_day() {
        use Answer::{Failed, Gone, Page};
        assert_eq!(waits(&[Failed, Page]), None);
        assert_eq!(waits(&[Failed]), Some(FIRST));
        assert_eq!(waits(&[Failed, Gone, Failed]), Some(4 * FIRST));
        assert_eq!(waits(&[Failed; 1000]), Some(CAP));
        assert_eq!(waits(&[Gone; 5]), Some(Bounds::default().most()));
        assert_eq!(waits(&[Gone, Gone, Gone, Gone, Failed]), Some(16 * FIRST));
    }
}
