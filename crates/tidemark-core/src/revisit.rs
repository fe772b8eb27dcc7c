//! When to look at a page again, and why: the least delay between a change and its discovery, weighed by importance, within a budget of visits.
//!
//! Changes are taken as a Poisson process whose [`Rate`] is learned from visits. What a page asks for is its [`Demand`]; all [`Demands`] under a budget make a
//! [`Price`]; the price makes the interval. Bounds, hours, hosts and failures are constraints on that optimum, and [`Outlook::next`] says which one held.
//! Neither clock nor chance: instants and jitter come in as values. Cost: O(1) a visit.
//!
//! Hints (Busa-Fekete et al., WWW 2025; Kolobov et al., NeurIPS 2019): a page is due when the changes expected to be unseen are as many as the law lets come together,
//! rate times interval; that is where the cost of waiting on meets the price of a visit. A hint counts as the part of a change that its source has
//! proved worth ([`Trust::belief`]), and so brings the visit forward by that part of the mean time between changes.

mod belief;
pub mod bounds;
pub mod confirm;
pub mod demand;
pub mod even;
pub mod failures;
pub mod hours;
pub mod law;
pub mod pace;
pub mod rate;
pub mod trust;
pub mod truth;

pub use bounds::Bounds;
pub use confirm::confirm;
pub use demand::Demand;
pub use even::from_even_gaps;
pub use failures::{Answer, Failures};
pub use hours::{Hours, HoursError};
pub use law::{Demands, Price};
pub use pace::Pace;
pub use rate::{Category, Rate};
pub use trust::Trust;
pub use truth::Truth;

use belief::within;
use core::time::Duration;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// Intervals are spread by this much either way, so that pages do not come to fall due together.
const SPREAD: f64 = 0.1;

/// A `Retry-After` is heeded up to here: no server may silence a page for ever.
const RETRY: Duration = Duration::from_secs(7 * 86_400);

/// When to look next, and why then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revisit {
    /// Not before this instant.
    pub at: Timestamp,
    /// What decided it.
    pub why: Why,
}

/// What decided the next visit: the last constraint that moved it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// The square-root law alone.
    Law,
    /// Hints brought it forward.
    Hint,
    /// The shortest interval allowed.
    Least,
    /// The longest interval allowed.
    Most,
    /// A second look before a change is told.
    Confirm,
    /// Visits failed.
    BackOff,
    /// The page is gone.
    Gone,
    /// The server said when to come back.
    RetryAfter,
    /// The host is not to be asked before.
    Host,
    /// Outside active hours.
    Hours,
}

/// All that the next visit of a page depends on.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<'a> {
    /// Now: no visit is planned for earlier.
    pub now: Timestamp,
    /// The last visit, whatever came of it.
    pub last: Timestamp,
    /// How often the page changes.
    pub rate: &'a Rate,
    /// How much it matters; 1 is ordinary.
    pub importance: f64,
    /// What a visit must be worth.
    pub price: Price,
    /// How soon and how late.
    pub bounds: &'a Bounds,
    /// When it may be looked at at all.
    pub hours: Option<&'a Hours>,
    /// Changes that hints since the last visit stand for: the sum of [`Trust::belief`] over their sources.
    pub hints: f64,
    /// A second look, this long after the last one. It may come sooner than the least interval: it is the end of one look, not another.
    pub confirm: Option<Duration>,
    /// Failures in a row.
    pub failures: Failures,
    /// What the server asked for at the last visit.
    pub retry_after: Option<Duration>,
    /// When the host may next be asked.
    pub not_before: Option<Timestamp>,
    /// Chance in [0, 1): spreads visits.
    pub jitter: f64,
}

impl<'a> Outlook<'a> {
    /// The outlook of an ordinary page just visited, free of hints, failures and hours.
    pub fn new(now: Timestamp, rate: &'a Rate, price: Price, bounds: &'a Bounds) -> Self {
        Self {
            now,
            last: now,
            rate,
            importance: 1.0,
            price,
            bounds,
            hours: None,
            hints: 0.0,
            confirm: None,
            failures: Failures::default(),
            retry_after: None,
            not_before: None,
            jitter: 0.5,
        }
    }

    /// When to look next, and why then.
    pub fn next(&self) -> Revisit {
        let (wait, why) = self.spread(self.wanted());
        let wanted = Revisit { at: later(self.last, wait).max(self.now), why };
        let asked = self.retry_after.map(|wait| later(self.last, wait.min(RETRY)));
        let polite = wanted.not_before(asked, Why::RetryAfter).not_before(self.not_before, Why::Host);
        polite.not_before(self.hours.map(|hours| hours.next_open(polite.at)), Why::Hours)
    }

    /// The demand of the page, for [`Demands`] and for storing beside the page.
    pub fn demand(&self) -> Demand {
        Demand::new(self.rate, self.importance, self.bounds)
    }

    /// The wait after the last visit, by law, hints, failures and bounds.
    fn wanted(&self) -> (Duration, Why) {
        let law = self.demand().interval(self.price);
        match (self.failures.wait(law, self.bounds), self.confirm) {
            (Some(wait), _) if self.failures.is_gone() => (wait, Why::Gone),
            (Some(wait), _) => self.bound(wait, Why::BackOff),
            (None, Some(wait)) => (wait, Why::Confirm),
            (None, None) => self.hinted(law),
        }
    }

    /// Each change that hints stand for is one that need not be waited for.
    fn hinted(&self, law: Duration) -> (Duration, Why) {
        let hints = within(self.hints, 0.0, 1e3);
        let forward = self.rate.interval().mul_f64(hints).min(law);
        self.bound(law - forward, if forward > Duration::ZERO { Why::Hint } else { Why::Law })
    }

    fn bound(&self, wait: Duration, why: Why) -> (Duration, Why) {
        let (least, most) = (self.bounds.least(), self.bounds.most());
        match wait {
            _ if wait < least => (least, Why::Least),
            _ if wait > most => (most, Why::Most),
            _ => (wait, why),
        }
    }

    /// Jitter, to the inner side of a bound that holds.
    fn spread(&self, (wait, why): (Duration, Why)) -> (Duration, Why) {
        let chance = within(self.jitter, 0.0, 1.0);
        let factor = match why {
            Why::Least => 1.0 + SPREAD * chance,
            Why::Most | Why::Gone => 1.0 - SPREAD * chance,
            _ => 1.0 + SPREAD * (2.0 * chance - 1.0),
        };
        let (least, most) = (self.bounds.least().min(wait), self.bounds.most().max(wait));
        (wait.mul_f64(factor).clamp(least, most), why)
    }
}

impl Revisit {
    fn not_before(self, at: Option<Timestamp>, why: Why) -> Self {
        at.filter(|at| *at > self.at).map_or(self, |at| Self { at, why })
    }
}

/// An instant and a wait, at most the end of time.
fn later(at: Timestamp, wait: Duration) -> Timestamp {
    let wait = SignedDuration::try_from(wait).unwrap_or(SignedDuration::MAX);
    at.checked_add(wait).unwrap_or(Timestamp::MAX)
}
