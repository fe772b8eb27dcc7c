//! A quick second look before a change is told, for pages that flap.
//!
//! A flip is a change back to a content that the page had before (see the signature matrix). Pages that flip often serve several versions at a time, or
//! break and mend; a second look soon after tells a change that stays from one that does not. For all others, it would only cost a visit and time.

use core::time::Duration;

/// Share of flips among changes from which a page is said to flap, and the fewest flips that say so.
const FLAPPING: (f64, u32) = (0.2, 2);

/// A second look comes this soon and this late.
const SOON: (Duration, Duration) = (Duration::from_secs(30), Duration::from_mins(10));

/// When to look again before telling a change: not at all, for a page that does not flap or that is looked at soon enough anyway.
pub fn confirm(flips: u32, changes: u32, interval: Duration) -> Option<Duration> {
    let share = f64::from(flips) / f64::from(changes.max(flips).max(1));
    let flaps = flips >= FLAPPING.1 && share >= FLAPPING.0;
    let delay = (interval / 20).clamp(SOON.0, SOON.1);
    (flaps && delay < interval / 2).then_some(delay)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    #[test]
    fn only_pages_that_flap_get_a_second_look() {
        assert_eq!(confirm(0, 100, HOUR), None);
        assert_eq!(confirm(1, 1, HOUR), None);
        assert_eq!(confirm(2, 100, HOUR), None);
        assert_eq!(confirm(30, 100, HOUR), Some(Duration::from_mins(3)));
        assert_eq!(confirm(30, 100, 1000 * HOUR), Some(SOON.1));
        assert_eq!(confirm(30, 100, Duration::from_secs(50)), None);
        assert_eq!(confirm(u32::MAX, 0, Duration::MAX), Some(SOON.1));
    }
}
