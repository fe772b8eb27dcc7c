//! No burst after a restart or a long sleep.
//!
//! A token bucket over claims. What was not claimed while nobody was awake is not claimed later: the bucket holds [`HELD`] of work, no more. A backlog
//! is worked off at [`HASTE`] times the budget, most urgent pages first ([`Demand::urgency`](super::Demand::urgency)).
//! Cost: O(1) a claim.

use super::belief::within;
use core::time::Duration;
use jiff::Timestamp;

/// How much faster than the budget pages are claimed while there is a backlog.
const HASTE: f64 = 1.5;

/// Seconds of work that may wait in the bucket.
const HELD: f64 = 10.0;

/// Hands out claims at a bounded rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    per_second: f64,
    tokens: f64,
    at: Timestamp,
}

impl Pace {
    /// An empty bucket, for a budget of so many visits a second.
    pub fn new(visits_per_second: f64, now: Timestamp) -> Self {
        let mut pace = Self { per_second: 0.0, tokens: 0.0, at: now };
        pace.set_budget(visits_per_second);
        pace
    }

    /// Another budget from now on.
    pub fn set_budget(&mut self, visits_per_second: f64) {
        self.per_second = HASTE * within(visits_per_second, 0.0, 1e9);
    }

    /// How many of `wanted` pages may be claimed now. Never more than ten seconds' worth, however long nobody asked; a clock set back gives nothing.
    #[expect(clippy::cast_sign_loss, reason = "tokens are never below 0")]
    pub fn take(&mut self, now: Timestamp, wanted: u32) -> u32 {
        let passed = now.duration_since(self.at).as_secs_f64().max(0.0);
        self.at = now;
        let held = (HELD * self.per_second).max(1.0);
        self.tokens = (self.tokens + passed * self.per_second).min(held);
        let given = f64::from(wanted).min(self.tokens.floor());
        self.tokens -= given;
        given as u32
    }

    /// Claims that found no page go back into the bucket.
    pub fn give_back(&mut self, unused: u32) {
        self.tokens = (self.tokens + f64::from(unused)).min((HELD * self.per_second).max(1.0));
    }

    /// How long a backlog of so many pages will take, while others fall due at the rate of the budget.
    pub fn catch_up(&self, overdue: u64) -> Duration {
        let spare = self.per_second * (1.0 - 1.0 / HASTE);
        Duration::from_secs_f64(within(overdue as f64 / spare, 0.0, 1e9))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_000 + seconds).unwrap()
    }

    #[test]
    fn a_long_sleep_saves_nothing_up() {
        let mut pace = Pace::new(2.0, at(0));
        assert_eq!(pace.take(at(0), 1000), 0);
        assert_eq!(pace.take(at(1), 1000), 3);
        assert_eq!(pace.take(at(1_000_000), 1000), 30);
        assert_eq!(pace.take(at(1_000_000), 1000), 0);
        assert_eq!(pace.catch_up(60), Duration::from_mins(1));
    }

    #[test]
    fn small_budgets_add_up_to_a_claim() {
        let mut pace = Pace::new(0.001, at(0));
        let given: u32 = (1..=10_000).map(|second| pace.take(at(second), 5)).sum();
        assert!((14..=15).contains(&given), "{given}");
    }

    #[test]
    fn odd_clocks_and_budgets_do_no_harm() {
        let mut pace = Pace::new(f64::NAN, at(0));
        assert_eq!(pace.take(at(10), 5), 0);
        assert!(pace.catch_up(u64::MAX) > Duration::ZERO);
        pace.set_budget(f64::INFINITY);
        assert_eq!(pace.take(at(-1000), u32::MAX), 0);
        assert_eq!(pace.take(Timestamp::MAX, 7), 7);
    }
}
