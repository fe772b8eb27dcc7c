//! How often a page changes, learned from visits at uneven gaps.
//!
//! Source: Cho & Garcia-Molina (2003) for the model, Meegahapola et al. III.B for the wish, Kuppusamy & Aghila for the priors by category;
//! the belief itself is in `belief.rs`. A page's habits change: beside the long memory runs a short one, and when it has foretold the visits better
//! by a factor of [`DOUBT`] (Page's cumulative sum, 1954, over predictive likelihoods), it takes the place of the long one.
//! Cost: O(1) a visit, twenty bytes.
//! Road not taken: one memory that forgets at one speed. Fast enough to notice a page that wakes up, it costs several per cent of delay on all others.

use super::belief::{Belief, within};
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// What a page is, for lack of anything better to go by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Changes every hour.
    News,
    /// Changes every day.
    Personal,
    /// Changes every other day.
    Academic,
    /// Nothing is known.
    #[default]
    Unknown,
}

impl Category {
    /// The interval to start with.
    pub const fn interval(self) -> Duration {
        let hours = match self {
            Self::News => 1,
            Self::Personal | Self::Unknown => 24,
            Self::Academic => 48,
        };
        Duration::from_secs(hours * 3600)
    }
}

/// Shape of the belief before the first visit: half a change, so that the first visits count for more.
const PRIOR: f64 = 0.5;

/// What a visit keeps of the long memory, and of the short one.
const KEEP: (f64, f64) = (0.998, 0.85);

/// How many times better the short memory must have foretold the visits: its logarithm.
const DOUBT: f64 = 3.5;

/// Gaps shorter than this are taken for as long.
const SHORTEST: f64 = 1.0;

/// Rate of change of a page, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    long: Belief,
    short: Belief,
    doubt: f32,
}

impl Default for Rate {
    fn default() -> Self {
        Self::new(Category::default())
    }
}

impl Rate {
    /// Before the first visit.
    pub fn new(category: Category) -> Self {
        let prior = Belief::new(PRIOR, 1.0 / category.interval().as_secs_f64());
        Self { long: prior, short: prior, doubt: 0.0 }
    }

    /// Learns from a visit: the time since the one before, and whether the page had changed.
    pub fn observe(&mut self, gap: Duration, changed: bool) {
        let gap = seconds(gap);
        self.compare(gap, changed);
        self.learn(|belief| if changed { belief.changed(gap) } else { belief.silent(gap) });
    }

    /// Learns from a visit that found a change and when the last one was: `age` before the visit, by a date that is truthful to a `weight` in [0, 1]
    /// (see [`Truth`](super::Truth)). Instead of [`Self::observe`]. On a first visit, there is no gap.
    pub fn sharpen(&mut self, gap: Option<Duration>, age: Duration, weight: f64) {
        let weight = within(weight, 0.0, 1.0);
        // The last change being so long ago is an exponential waiting time, seen backwards.
        let age = gap.map_or(seconds(age), |gap| seconds(age).min(seconds(gap)));
        if let Some(gap) = gap {
            self.compare(seconds(gap), true);
        }
        self.learn(|belief| {
            let undated = gap.map_or(belief, |gap| belief.changed(seconds(gap)));
            undated.blend(belief.counted(1.0, age), weight)
        });
    }

    /// Learns from changes that can be counted, as the new entries of a feed can. Also from a visit that a hint bought: it came because of the change, so
    /// that one more change at the end of the gap is all it says; [`Self::observe`] would take the short gap for a sign of haste.
    pub fn count(&mut self, gap: Duration, changes: u32) {
        let gap = seconds(gap);
        self.compare(gap, changes > 0);
        self.learn(|belief| belief.counted(f64::from(changes), gap));
    }

    /// Expected changes per second.
    pub fn per_second(&self) -> f64 {
        self.long.mean()
    }

    /// Mean time between changes; of all gaps, looks at such ones tell most about the rate.
    pub fn interval(&self) -> Duration {
        Duration::from_secs_f64(1.0 / self.per_second())
    }

    /// How unsure the rate is: one standard deviation as a share of it, so that 0.5 says "give or take a half".
    pub fn spread(&self) -> f64 {
        self.long.parts().0.sqrt().recip()
    }

    /// How likely the page has changed this long after the last visit.
    pub fn chance(&self, gap: Duration) -> f64 {
        1.0 - self.long.silence(seconds(gap))
    }

    /// Twenty bytes for a database; [`Self::from_bytes`] reads them back.
    pub fn to_bytes(&self) -> [u8; 20] {
        let mut bytes = [0; 20];
        for (place, number) in bytes.as_chunks_mut().0.iter_mut().zip(self.numbers()) {
            *place = number.to_le_bytes();
        }
        bytes
    }

    /// Reads back what [`Self::to_bytes`] wrote. Any bytes give a rate; damaged ones give a wrong but harmless one.
    pub fn from_bytes(bytes: &[u8; 20]) -> Self {
        let number = |at: usize| f32::from_le_bytes(bytes.as_chunks().0[at]);
        let belief = |at: usize| Belief { shape: number(at), span: number(at + 1) };
        Self { long: belief(0), short: belief(2), doubt: number(4) }
    }

    fn numbers(&self) -> [f32; 5] {
        [self.long.shape, self.long.span, self.short.shape, self.short.span, self.doubt]
    }

    /// Which memory foretold this visit better? The short one takes over when it has been right for long enough.
    fn compare(&mut self, gap: f64, changed: bool) {
        let foretold = |belief: Belief| {
            let silence = belief.silence(gap);
            (if changed { 1.0 - silence } else { silence }).max(1e-12).ln()
        };
        let doubt = within(f64::from(self.doubt), 0.0, DOUBT) + foretold(self.short) - foretold(self.long);
        self.doubt = doubt.max(0.0) as f32;
        if doubt > DOUBT {
            self.long = self.short;
            self.doubt = 0.0;
        }
    }

    fn learn(&mut self, update: impl Fn(Belief) -> Belief) {
        self.long = update(self.long.faded(KEEP.0, PRIOR));
        self.short = update(self.short.windowed(KEEP.1, PRIOR));
    }
}

fn seconds(gap: Duration) -> f64 {
    gap.as_secs_f64().max(SHORTEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    #[test]
    fn the_prior_is_that_of_the_category() {
        for category in [Category::News, Category::Personal, Category::Academic, Category::Unknown] {
            let off = Rate::new(category).interval().as_secs_f64() / category.interval().as_secs_f64();
            assert!((off - 1.0).abs() < 1e-6);
        }
        assert_eq!(serde_json::to_string(&Category::News).unwrap(), "\"news\"");
    }

    #[test]
    fn silence_lowers_and_changes_raise() {
        let mut rate = Rate::default();
        let before = rate.per_second();
        rate.observe(HOUR, true);
        assert!(rate.per_second() > before);
        let before = rate.per_second();
        rate.observe(100 * HOUR, false);
        assert!(rate.per_second() < before);
        assert!(rate.chance(HOUR) < rate.chance(2 * HOUR));
    }

    #[test]
    fn a_truthful_date_sharpens_and_a_worthless_one_does_not() {
        let (mut dated, mut worthless, mut plain) = (Rate::default(), Rate::default(), Rate::default());
        for _ in 0..200 {
            dated.sharpen(Some(24 * HOUR), HOUR, 1.0);
            worthless.sharpen(Some(24 * HOUR), HOUR, 0.0);
            plain.observe(24 * HOUR, true);
        }
        assert_eq!(worthless, plain);
        assert!((dated.per_second() * 3600.0 - 1.0).abs() < 0.1, "{}", dated.per_second() * 3600.0);
        assert!(dated.spread() < plain.spread());
    }

    #[test]
    fn what_is_stored_comes_back() {
        let mut rate = Rate::new(Category::News);
        (0..9).for_each(|visit| rate.observe(visit * HOUR, visit % 3 == 0));
        assert_eq!(Rate::from_bytes(&rate.to_bytes()), rate);
        let json = serde_json::to_string(&rate).unwrap();
        assert_eq!(serde_json::from_str::<Rate>(&json).unwrap(), rate);
    }
}
