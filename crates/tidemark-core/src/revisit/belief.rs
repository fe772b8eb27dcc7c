//! What is believed of a page's rate of change: a gamma distribution, two numbers.
//!
//! Source: the likelihood of "changed or not over a gap" is that of Cho & Garcia-Molina (ACM TOIT 3(3), 2003, section 5); the gamma prior is conjugate to
//! silence and to counted or dated changes. A change that is only known to lie somewhere in the gap leaves a difference of two gammas;
//! its first two moments are kept (assumed-density filtering, Minka 2001). Cost: a few logarithms a visit, eight bytes.
//! Road not taken: the likelihood's maximum over all visits, which needs all visits, and is infinite while every visit saw a change.

use serde::{Deserialize, Serialize};

/// Rates are per second. Nothing is believed to change more often than this.
pub(super) const FASTEST: f64 = 1.0;

/// Nor more seldom than once in ten thousand years or so.
pub(super) const SLOWEST: f64 = 3e-12;

const SHAPES: (f64, f64) = (1e-3, 1e4);

/// Gamma distribution of changes per second. Stored values are clamped whenever they are used: what is read back may be damaged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Belief {
    /// Changes seen, so to say (alpha).
    pub(super) shape: f32,
    /// Seconds in which they were seen (beta).
    pub(super) span: f32,
}

impl Belief {
    pub(super) fn new(shape: f64, mean: f64) -> Self {
        let shape = within(shape, SHAPES.0, SHAPES.1);
        let mean = within(mean, SLOWEST, FASTEST);
        Self { shape: shape as f32, span: (shape / mean) as f32 }
    }

    /// Shape and span, sound whatever was stored.
    pub(super) fn parts(self) -> (f64, f64) {
        let shape = within(f64::from(self.shape), SHAPES.0, SHAPES.1);
        (shape, within(f64::from(self.span), shape / FASTEST, shape / SLOWEST))
    }

    pub(super) fn mean(self) -> f64 {
        let (shape, span) = self.parts();
        shape / span
    }

    /// How likely a look after this many seconds finds the page unchanged.
    pub(super) fn silence(self, gap: f64) -> f64 {
        let (shape, span) = self.parts();
        (-shape * (gap / span).ln_1p()).exp()
    }

    /// Nothing changed over the gap.
    pub(super) fn silent(self, gap: f64) -> Self {
        let (shape, span) = self.parts();
        Self::new(shape, shape / (span + gap))
    }

    /// So many changes within a span of so many seconds: the conjugate case.
    pub(super) fn counted(self, changes: f64, seconds: f64) -> Self {
        let (shape, span) = self.parts();
        Self::new(shape + changes, (shape + changes) / (span + seconds))
    }

    /// At least one change, somewhere in the gap.
    pub(super) fn changed(self, gap: f64) -> Self {
        let (shape, span) = self.parts();
        let log = -(gap / span).ln_1p();
        let left_out = |more: f64| ((shape + more) * log).exp_m1();
        let mean = shape / span * left_out(1.0) / left_out(0.0);
        let square = shape * (shape + 1.0) / (span * span) * left_out(2.0) / left_out(0.0);
        let variance = square - mean * mean;
        if variance > 0.0 { Self::new(mean * mean / variance, mean) } else { self }
    }

    /// The same mean, held with less conviction, but no less than `least`.
    pub(super) fn faded(self, keep: f64, least: f64) -> Self {
        let (shape, span) = self.parts();
        Self::new((shape * keep).max(least.min(shape)), shape / span)
    }

    /// Only the last visits, so to say, with never less than `least` changes among them: what a page that wakes up is measured by.
    pub(super) fn windowed(self, keep: f64, least: f64) -> Self {
        let (shape, span) = self.parts();
        let (shape, span) = ((shape * keep).max(least.min(shape)), span * keep);
        Self::new(shape, shape / span)
    }

    /// Part of one belief and part of the other.
    pub(super) fn blend(self, other: Self, share: f64) -> Self {
        let ((shape, span), (other_shape, other_span)) = (self.parts(), other.parts());
        let mix = |one: f64, other: f64| one + (other - one) * share;
        let (shape, span) = (mix(shape, other_shape), mix(span, other_span));
        Self::new(shape, shape / span)
    }
}

/// A number between bounds; the lower one if it is none.
pub(super) fn within(value: f64, least: f64, most: f64) -> f64 {
    if value.is_nan() { least } else { value.clamp(least, most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: f64, wanted: f64, within: f64) {
        assert!((found / wanted - 1.0).abs() < within, "{found} instead of {wanted}");
    }

    /// Mean and variance of the exact posterior, by adding up.
    fn exact(shape: f64, span: f64, gap: f64) -> (f64, f64) {
        let (mut mass, mut first, mut second) = (0.0, 0.0, 0.0);
        for step in 0..400_000 {
            let rate = (f64::from(step) + 0.5) * 1e-4 * shape / span;
            let weight = rate.powf(shape - 1.0) * (-rate * span).exp() * -(-rate * gap).exp_m1();
            mass += weight;
            first += weight * rate;
            second += weight * rate * rate;
        }
        (first / mass, second / mass - (first / mass).powi(2))
    }

    #[test]
    fn a_change_keeps_the_moments_of_the_exact_posterior() {
        for (shape, span, gap) in [(0.5, 100.0, 30.0), (3.0, 500.0, 2000.0), (8.0, 90.0, 1.0)] {
            let found = Belief::new(shape, shape / span).changed(gap);
            let (mean, variance) = exact(shape, span, gap);
            assert_close(found.mean(), mean, 2e-3);
            assert_close(found.mean().powi(2) / f64::from(found.shape), variance, 1e-2);
        }
    }

    #[test]
    fn a_change_in_no_time_counts_as_one() {
        let found = Belief::new(2.0, 0.02).changed(1e-3);
        assert_close(f64::from(found.shape), 3.0, 1e-3);
        assert_close(found.mean(), 0.03, 1e-3);
    }

    #[test]
    fn a_change_over_ages_tells_nothing() {
        let before = Belief::new(2.0, 0.02);
        assert_close(before.changed(1e9).mean(), before.mean(), 1e-6);
    }

    #[test]
    fn silence_is_what_it_predicts() {
        let belief = Belief::new(50.0, 0.01);
        assert_close(belief.silence(100.0), (-1.0_f64).exp(), 0.02);
        assert!(belief.silent(100.0).mean() < belief.mean());
    }

    #[test]
    fn damage_does_no_harm() {
        for bad in [f32::NAN, f32::INFINITY, -1.0, 0.0] {
            for belief in [Belief { shape: bad, span: 1.0 }, Belief { shape: 1.0, span: bad }] {
                let mean = belief.changed(10.0).silent(1e9).faded(0.9, 0.5).mean();
                assert!(mean.is_finite() && mean > 0.0);
            }
        }
    }
}
