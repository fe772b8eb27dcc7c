//! When to look at a page again, and why: the least delay between a change and its discovery, weighed by importance, within a budget of visits.
//!
//! Changes are taken as a Poisson process whose [`Rate`] is learned from visits. What a page asks for is its [`Demand`]; all [`Demands`] under a budget make a
//! [`Price`]; the price makes the interval. Bounds, hours, hosts and failures are constraints on that optimum, and [`Outlook::next`] says which one held.
//! Neither clock nor chance: instants and jitter come in as values. Cost: O(1) a visit.
//!
//! Hints (Busa-Fekete et al., WWW 2025; Kolobov et al., NIPS 2019): a page is due when the changes expected to be unseen are as many as the law lets come together,
//! rate times interval; that is where the cost of waiting on meets the price of a visit. A hint counts as the part of a change that its source has
//! proved worth ([`Trust::belief`]), and so brings the visit forward by that part of the mean time between changes.

mod belief;
mod bounds;
mod confirm;
mod demand;
mod even;
mod failures;
mod hours;
mod law;
mod outlook;
mod pace;
mod rate;
mod trust;
mod truth;

pub use bounds::Bounds;
pub use confirm::confirm;
pub use demand::Demand;
pub use even::from_even_gaps;
pub use failures::{Answer, Failures};
pub use hours::{Hours, HoursError};
pub use law::{Demands, Price};
pub use outlook::Outlook;
pub use pace::Pace;
pub use rate::{Category, Rate};
pub use trust::Trust;
pub use truth::Truth;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

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
    /// Early, to learn how often the page changes.
    Probe,
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

impl Revisit {
    fn not_before(self, at: Option<Timestamp>, why: Why) -> Self {
        at.filter(|at| *at > self.at).map_or(self, |at| Self { at, why })
    }
}
