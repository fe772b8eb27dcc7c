//! The square-root law: how often to look at each page so that changes wait as little as possible, within a budget.
//!
//! Source: `w·r·T/2` is the delay per unit of time of a page of rate r and importance w that is looked at every T; under a budget of visits its sum is
//! least where 1/T is proportional to the square root of w·r, within the bounds of each page (Lagrange's multiplier, Karush-Kuhn-Tucker; the
//! square-root law is that of Cho & Garcia-Molina's and Wolf et al.'s schedules with delay in the place of freshness: freshness starves fast pages).
//! Visits per second over all pages, as a function of the multiplier, are a broken line: every page bends it twice, where it leaves one bound and where it
//! meets the other. Demands lie on a scale, so bends do, and one fixed array of slopes and levels holds the line for any number of pages.
//! Cost: a demand added or removed O(1); the price one walk over 1536 bends, some microseconds; 48 KB in all.
//! Sums are whole numbers: what was added and removed one by one equals what a database's counts build, to the bit.

use super::Demand;
use super::demand::{LONGEST, UNIT, value};
use serde::{Deserialize, Serialize};

/// Bends of the line; a bend is at a multiplier of `value(bend - LOWEST)`.
const BENDS: usize = (LOWEST + HIGHEST) as usize;
const LOWEST: i32 = UNIT + LONGEST;
const HIGHEST: i32 = UNIT + 1;

/// Whole numbers in place of fractions: 2^60 to 1.
const SCALE: f64 = (1_u64 << 60) as f64;

/// What a visit must be worth: the seconds of delay, times importance, that one more visit would save.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Price(f64);

impl Price {
    /// A price in seconds of delay times importance.
    pub fn new(seconds: f64) -> Self {
        Self(super::belief::within(seconds, 1e-30, 1e30))
    }

    /// In seconds of delay times importance.
    pub const fn seconds(self) -> f64 {
        self.0
    }

    /// The interval of a page with a pull of 1.
    pub(super) fn reach(self) -> f64 {
        (2.0 * Self::new(self.0).0).sqrt()
    }
}

/// The demands of all pages together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demands {
    bends: Vec<Bend>,
    /// Visits per second if every page is left to its longest interval.
    idle: i128,
    pages: u64,
}

/// How the line goes on after a bend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bend {
    slope: i128,
    level: i128,
}

impl Default for Demands {
    fn default() -> Self {
        Self { bends: vec![Bend::default(); BENDS], idle: 0, pages: 0 }
    }
}

impl Demands {
    /// A page more.
    pub fn add(&mut self, demand: Demand) {
        self.count(demand, 1);
        self.pages = self.pages.saturating_add(1);
    }

    /// A page less, or its old demand before the new one is added. Only what was added may be removed.
    pub fn remove(&mut self, demand: Demand) {
        self.count(demand, -1);
        self.pages = self.pages.saturating_sub(1);
    }

    /// How many pages there are.
    pub const fn pages(&self) -> u64 {
        self.pages
    }

    /// The price at which all pages together are visited so many times a second. Where no price is high or low enough, for the bounds, the nearest.
    pub fn price(&self, visits_per_second: f64) -> Price {
        let wanted = visits_per_second - self.idle as f64 / SCALE;
        let mut line = Bend::default();
        for (bend, at) in self.bends.iter().zip(-LOWEST..).filter(|(bend, _)| **bend != Bend::default()) {
            if line.at(value(at)) >= wanted {
                return line.meets(wanted, value(at));
            }
            line.slope = line.slope.saturating_add(bend.slope);
            line.level = line.level.saturating_add(bend.level);
        }
        price_of(value(HIGHEST))
    }

    fn count(&mut self, demand: Demand, pages: i128) {
        let (least, most) = demand.bounds();
        let slope = pages * whole(value(demand.pull()));
        let [often, seldom] = [least, most].map(|bound| pages * whole(1.0 / value(bound)));
        self.bend(-most - demand.pull(), slope, seldom);
        self.bend(-least - demand.pull(), -slope, -often);
        self.idle = self.idle.saturating_add(seldom);
    }

    fn bend(&mut self, at: i32, slope: i128, level: i128) {
        if let Some(bend) = usize::try_from(at + LOWEST).ok().and_then(|at| self.bends.get_mut(at)) {
            bend.slope = bend.slope.saturating_add(slope);
            bend.level = bend.level.saturating_add(level);
        }
    }
}

/// From how many pages have which demand.
impl FromIterator<(Demand, u64)> for Demands {
    fn from_iter<I: IntoIterator<Item = (Demand, u64)>>(counts: I) -> Self {
        let mut demands = Self::default();
        for (demand, pages) in counts {
            // More pages than fit the sums are beyond any database.
            let pages = pages.min(1 << 32);
            demands.count(demand, i128::from(pages));
            demands.pages = demands.pages.saturating_add(pages);
        }
        demands
    }
}

impl Bend {
    /// Visits per second beyond the idle ones.
    fn at(self, multiplier: f64) -> f64 {
        (self.slope as f64 * multiplier - self.level as f64) / SCALE
    }

    fn meets(self, wanted: f64, before: f64) -> Price {
        let multiplier = (wanted * SCALE + self.level as f64) / self.slope as f64;
        price_of(super::belief::within(multiplier, value(-LOWEST), before))
    }
}

/// A page of pull 1 is visited `multiplier` times a second.
fn price_of(multiplier: f64) -> Price {
    Price::new(0.5 / (multiplier * multiplier))
}

fn whole(value: f64) -> i128 {
    (value * SCALE).round() as i128
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::revisit::Bounds;
    use core::time::Duration;

    const DAY: f64 = 86_400.0;

    fn wide() -> Bounds {
        Bounds::new(Duration::from_secs(1), Duration::from_secs(1 << 31))
    }

    #[test]
    fn intervals_go_by_the_square_root() {
        let [slow, fast] = [1.0, 16.0].map(|a_day| Demand::of_known(a_day / DAY, 1.0, &wide()));
        let demands: Demands = [(slow, 1), (fast, 1)].into_iter().collect();
        let price = demands.price(5.0 / DAY);
        let days = [slow, fast].map(|demand| demand.interval(price).as_secs_f64() / DAY);
        assert!((days[0] - 1.0).abs() < 0.01 && (days[1] - 0.25).abs() < 0.003, "{days:?}");
    }

    #[test]
    fn the_price_is_what_a_visit_saves() {
        let page = Demand::of_known(1.0 / DAY, 1.0, &wide());
        let price = Demands::from_iter([(page, 1)]).price(1.0 / DAY);
        // Half a change a day waits half a day: a second visit a day would save about w·r·T²/2.
        assert!((price.seconds() / (DAY / 2.0) - 1.0).abs() < 0.05, "{price:?}");
    }

    #[test]
    fn a_budget_out_of_reach_gives_the_nearest() {
        let bounds = Bounds::new(Duration::from_mins(1), Duration::from_hours(1));
        let page = Demand::of_known(1e-4, 1.0, &bounds);
        let demands = Demands::from_iter([(page, 3)]);
        for (budget, seconds) in [(0.0, 3600.0), (f64::NAN, 60.0), (f64::INFINITY, 60.0), (-1.0, 3600.0)] {
            let interval = page.interval(demands.price(budget)).clamp(bounds.least(), bounds.most());
            assert!((interval.as_secs_f64() / seconds - 1.0).abs() < 0.05, "{budget}: {interval:?}");
        }
        assert!(Demands::default().price(1.0).seconds().is_finite());
    }
}
