//! The rate of change from visits at even gaps.
//!
//! Source: Cho & Garcia-Molina, "Estimating frequency of change" (ACM TOIT 3(3), 2003), section 4.2, the estimator corrected for bias. Cost: one logarithm.
//! [`Rate`](super::Rate) does without even gaps; this one is what it is held against.

use core::time::Duration;

/// Changes per second, of a page that was visited at even gaps and found changed at some of the visits.
pub fn from_even_gaps(visits: u32, changed: u32, gap: Duration) -> f64 {
    let (visits, changed) = (f64::from(visits), f64::from(changed.min(visits)));
    let unchanged = (visits - changed + 0.5) / (visits + 0.5);
    -unchanged.ln() / gap.as_secs_f64().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    #[test]
    fn worked_by_hand() {
        // Ten visits, three changes: -ln(7.5 / 10.5) = 0.3365 an hour.
        assert!((from_even_gaps(10, 3, HOUR) * 3600.0 - 0.33647).abs() < 1e-4);
    }

    #[test]
    fn always_changed_is_still_a_number() {
        assert!((from_even_gaps(10, 10, HOUR) * 3600.0 - 21.0_f64.ln()).abs() < 1e-9);
        assert!(from_even_gaps(0, 0, Duration::ZERO).abs() < 1e-12);
        assert!(from_even_gaps(0, u32::MAX, Duration::MAX).is_finite());
    }
}
