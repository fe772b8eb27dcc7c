//! How soon and how late a page may be looked at again.

use core::time::Duration;
use serde::{Deserialize, Serialize};

/// Least and most time between two visits; the least is never above the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Seconds", into = "Seconds")]
pub struct Bounds {
    least: Duration,
    most: Duration,
}

/// Bounds as they are stored.
#[derive(Serialize, Deserialize)]
struct Seconds {
    least: u64,
    most: u64,
}

/// What any bounds lie between: a second, and a hundred years.
const LIMITS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_hours(100 * 365 * 24));

impl Bounds {
    /// Whole seconds between one second and a hundred years. Where the least is above the most, the least holds: it is the promise made to the host.
    pub fn new(least: Duration, most: Duration) -> Self {
        let whole = |bound: Duration| Duration::from_secs(bound.clamp(LIMITS.0, LIMITS.1).as_secs());
        Self { least: whole(least), most: whole(most).max(whole(least)) }
    }

    /// The shortest interval.
    pub const fn least(&self) -> Duration {
        self.least
    }

    /// The longest interval.
    pub const fn most(&self) -> Duration {
        self.most
    }
}

/// From five minutes to thirty days.
impl Default for Bounds {
    fn default() -> Self {
        Self::new(Duration::from_mins(5), Duration::from_hours(30 * 24))
    }
}

impl From<Seconds> for Bounds {
    fn from(stored: Seconds) -> Self {
        Self::new(Duration::from_secs(stored.least), Duration::from_secs(stored.most))
    }
}

impl From<Bounds> for Seconds {
    fn from(bounds: Bounds) -> Self {
        Self { least: bounds.least.as_secs(), most: bounds.most.as_secs() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_two_lengths_make_bounds() {
        let odd = Bounds::new(Duration::from_secs(90), Duration::ZERO);
        assert_eq!((odd.least(), odd.most()), (Duration::from_secs(90), Duration::from_secs(90)));
        let all = Bounds::new(Duration::ZERO, Duration::MAX);
        assert_eq!((all.least(), all.most()), LIMITS);
    }

    #[test]
    fn stored_bounds_are_checked_again() {
        let read: Bounds = serde_json::from_str(r#"{"least":7200,"most":60}"#).unwrap();
        assert_eq!(read, Bounds::new(Duration::from_hours(2), Duration::from_hours(2)));
        let written = serde_json::to_string(&Bounds::default()).unwrap();
        assert_eq!(serde_json::from_str::<Bounds>(&written).unwrap(), Bounds::default());
    }
}
