//! How far a source of hints is believed.
//!
//! Source: Busa-Fekete et al. (WWW 2025) and Kolobov et al. (NIPS 2019) schedule visits by noisy signals of change of known precision; here the
//! precision is learned. A hint counts as a part of a change: what it was right beyond what chance alone would have made of it.
//! Cost: O(1), twelve bytes a source.
//! We differ: a source is measured against the chance that the page had changed anyway. One that speaks of pages that always change is often
//! right and tells nothing.

use super::belief::within;
use serde::{Deserialize, Serialize};

/// Hints believed before the first was followed, and how many of them were right.
const PRIOR: (f32, f32) = (4.0, 1.5);

/// What a hint more leaves of those before: a source that begins to cry wolf is found out within some dozens.
const KEEP: f32 = 0.98;

/// What became of the hints of one source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trust {
    followed: f32,
    right: f32,
    by_chance: f32,
}

impl Trust {
    /// A hint of the source was followed. `chance` is how likely the page had changed without it: [`Rate::chance`](super::Rate::chance) before the visit.
    pub fn observe(&mut self, was_right: bool, chance: f64) {
        let chance = within(chance, 0.0, 1.0) as f32;
        let sum = |sum: f32, more: f32| within(f64::from(sum * KEEP), 0.0, 1e6) as f32 + more;
        self.followed = sum(self.followed, 1.0);
        self.right = sum(self.right, f32::from(u8::from(was_right)));
        self.by_chance = sum(self.by_chance, chance);
    }

    /// How many changes a hint stands for, beyond chance: from 0, which buys nothing, to 1.
    pub fn belief(&self) -> f64 {
        let beyond = self.right + PRIOR.1 - self.by_chance;
        let possible = self.followed + PRIOR.0 - self.by_chance;
        within(f64::from(beyond / possible), 0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(hints: usize, right: impl Fn(usize) -> bool, chance: f64) -> f64 {
        let mut trust = Trust::default();
        (0..hints).for_each(|hint| trust.observe(right(hint), chance));
        trust.belief()
    }

    #[test]
    fn trust_is_earned_and_lost() {
        assert!((Trust::default().belief() - 0.375).abs() < 1e-6);
        assert!(after(40, |_| true, 0.1) > 0.9);
        assert!(after(40, |_| false, 0.1) < 0.05);
        assert!(after(80, |hint| hint < 40, 0.1) < 0.5 * after(40, |_| true, 0.1));
    }

    #[test]
    fn being_right_as_often_as_chance_buys_nothing() {
        assert!(after(400, |hint| hint % 2 == 0, 0.5) < 0.1);
    }

    #[test]
    fn any_numbers_give_a_belief() {
        for bad in [f64::NAN, f64::INFINITY, -5.0] {
            assert!((0.0..=1.0).contains(&after(5, |_| true, bad)));
        }
        let damaged = Trust { followed: f32::NAN, right: f32::INFINITY, by_chance: -1.0 };
        assert!((0.0..=1.0).contains(&damaged.belief()));
    }
}
