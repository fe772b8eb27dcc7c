//! What a page asks of the budget, as one small number that is stored beside it.
//!
//! The square-root law (see `law.rs`) needs of a page only its pull, the square root of importance times rate, and its bounds. Each is kept on a scale
//! of sixteen steps an octave: a pull is off by at most 2.2 %, which costs a four-thousandth of the delay.
//! In return, the demands of any number of pages are counts of small numbers, which a database can group.

use super::belief::{FASTEST, SLOWEST, within};
use super::{Bounds, Price, Rate};
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// Steps of the scale in a factor of two.
const STEPS: f64 = 16.0;

/// Bits of each part: pull, least, most.
const BITS: u32 = 10;

/// Where a pull of 1 lies on the scale.
pub(super) const UNIT: i32 = 512;

/// The last step of an interval: 2^32 seconds.
pub(super) const LONGEST: i32 = 511;

/// Importance lies between a millionth and a million.
const IMPORTANCE: (f64, f64) = (1e-6, 1e6);

/// How much of its own spread a rate is raised by: pages that are not well known yet are looked at more often, and so become known.
const CURIOSITY: f64 = 0.2;

/// Pull and bounds of a page, rounded. Any number is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Demand(u32);

impl Demand {
    /// The demand of a page of this rate and importance; 1 is the importance of an ordinary page.
    pub fn new(rate: &Rate, importance: f64, bounds: &Bounds) -> Self {
        Self::of_known(rate.per_second() * (1.0 + CURIOSITY * rate.spread()), importance, bounds)
    }

    /// The same where the rate is known for sure.
    pub fn of_known(per_second: f64, importance: f64, bounds: &Bounds) -> Self {
        let worth = within(per_second, SLOWEST, FASTEST) * within(importance, IMPORTANCE.0, IMPORTANCE.1);
        let pull = step(worth.sqrt()) + UNIT;
        let [least, most] =
            [bounds.least(), bounds.most()].map(|bound| step(bound.as_secs_f64()).min(LONGEST));
        Self([pull, least, most].into_iter().fold(0, |bits, part| bits << BITS | part.unsigned_abs()))
    }

    /// As it is stored.
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// As it was stored.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The interval that the square-root law gives the page at this price, before its bounds.
    pub fn interval(self, price: Price) -> Duration {
        let seconds = price.reach() / value(self.pull());
        Duration::from_secs_f64(seconds.clamp(1.0, value(LONGEST)))
    }

    /// How much a second more of waiting costs when the last visit is this long ago. Of pages that are overdue, the one with the most goes first.
    pub fn urgency(self, since: Duration) -> f64 {
        value(self.pull()).powi(2) * since.as_secs_f64()
    }

    /// Steps of the pull; 0 is a pull of 1.
    pub(super) fn pull(self) -> i32 {
        self.part(2) - UNIT
    }

    /// Steps of the bounds, in order.
    pub(super) fn bounds(self) -> (i32, i32) {
        let (least, most) = (self.part(1).min(LONGEST), self.part(0).min(LONGEST));
        (least.min(most), most)
    }

    fn part(self, place: u32) -> i32 {
        (self.0 >> (place * BITS) & ((1 << BITS) - 1)).cast_signed()
    }
}

/// The value of a step.
pub(super) fn value(step: i32) -> f64 {
    (f64::from(step) / STEPS).exp2()
}

fn step(value: f64) -> i32 {
    (value.log2() * STEPS).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_small_and_bits_come_back() {
        let bounds = Bounds::default();
        for per_second in [1e-9, 3e-6, 1.7e-4, 0.9] {
            let demand = Demand::of_known(per_second, 2.0, &bounds);
            let ratio = value(demand.pull()) / (2.0 * per_second).sqrt();
            assert!((ratio.ln()).abs() < 0.0217, "{ratio}");
            assert_eq!(Demand::from_bits(demand.to_bits()), demand);
        }
    }

    #[test]
    fn extremes_stay_on_the_scale() {
        for per_second in [0.0, f64::NAN, f64::INFINITY, -1.0, 1e300] {
            for importance in [0.0, f64::NAN, f64::INFINITY, -1.0] {
                let demand =
                    Demand::of_known(per_second, importance, &Bounds::new(Duration::ZERO, Duration::MAX));
                assert!(demand.pull().abs() < UNIT);
                assert!(demand.bounds().0 >= 0 && demand.bounds().1 <= LONGEST);
            }
        }
    }

    #[test]
    fn the_more_it_is_worth_and_the_longer_ago_the_more_urgent() {
        let [slow, fast] = [1e-6, 1e-4].map(|rate| Demand::of_known(rate, 1.0, &Bounds::default()));
        let hour = Duration::from_hours(1);
        assert!(fast.urgency(hour) > slow.urgency(hour));
        assert!(slow.urgency(hour * 1000) > fast.urgency(hour));
    }
}
