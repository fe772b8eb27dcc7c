//! Welch's t-test: whether two samples of unlike spread have the same mean.
//!
//! Source: Welch (1947); the tail of Student's t by the continued fraction of the incomplete beta function (Abramowitz & Stegun, 26.5.8 and 26.7.1),
//! evaluated as Lentz does. Cost: two passes over the samples, at most [`TERMS`] terms.
//! Our own forty lines instead of a crate of distributions, of which this would be the only one in use.

/// Most terms of the continued fraction; some dozens do.
const TERMS: usize = 300;
/// Stands for nought where something is divided by it.
const TINY: f64 = 1e-300;

/// Number, mean and variance of a sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    count: f64,
    pub(super) mean: f64,
    variance: f64,
}

impl Sample {
    pub(super) fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / count.max(1.0);
        let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
        Self { count, mean, variance: squares / (count - 1.0).max(1.0) }
    }
}

/// How likely samples with means so far apart, either way, are if both have one mean. 1 where there is too little to tell.
pub(super) fn welch(one: Sample, other: Sample) -> f64 {
    if one.count < 2.0 || other.count < 2.0 {
        return 1.0;
    }
    let (left, right) = (one.variance / one.count, other.variance / other.count);
    let apart = one.mean - other.mean;
    if left + right <= f64::EPSILON * f64::EPSILON {
        return if apart.abs() <= f64::EPSILON { 1.0 } else { 0.0 };
    }
    let t = apart / (left + right).sqrt();
    let freedom =
        (left + right).powi(2) / (left.powi(2) / (one.count - 1.0) + right.powi(2) / (other.count - 1.0));
    both_tails(t, freedom)
}

/// Share of Student's t distribution beyond ±t.
fn both_tails(t: f64, freedom: f64) -> f64 {
    incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)
}

/// The regularised incomplete beta function.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp();
    // The fraction converges fast on one side of the mean; the other side is its mirror.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(x, a, b) / a
    } else {
        1.0 - front * fraction(1.0 - x, b, a) / b
    }
}

fn fraction(x: f64, a: f64, b: f64) -> f64 {
    let safe = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut above = 1.0;
    let mut below = 1.0 / safe(1.0 - (a + b) * x / (a + 1.0));
    let mut value = below;
    for term in (1..TERMS).map(|term| term as f64) {
        let even = term * (b - term) * x / ((a + 2.0 * term - 1.0) * (a + 2.0 * term));
        let odd = -(a + term) * (a + b + term) * x / ((a + 2.0 * term) * (a + 2.0 * term + 1.0));
        let before = value;
        for step in [even, odd] {
            below = 1.0 / safe(1.0 + step * below);
            above = safe(1.0 + step / above);
            value *= above * below;
        }
        if (value - before).abs() < 1e-14 * value.abs() {
            break;
        }
    }
    value
}

/// Logarithm of the gamma function of a positive number, by Stirling's series after a shift to where it is exact.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 12.0 {
        shift += x.ln();
        x += 1.0;
    }
    let square = x * x;
    let series =
        (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / (1680.0 * square)) / square) / square) / x;
    (x - 0.5) * x.ln() - x + (2.0 * std::f64::consts::PI).ln() / 2.0 + series - shift
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: f64, wanted: f64, within: f64) {
        assert!((found - wanted).abs() < within, "{found} instead of {wanted}");
    }

    #[test]
    fn tails_are_those_of_the_printed_tables() {
        // One degree of freedom is Cauchy's distribution: exactly one half lies beyond ±1.
        assert_close(both_tails(1.0, 1.0), 0.5, 1e-12);
        assert_close(both_tails(2.228, 10.0), 0.05, 5e-5);
        assert_close(both_tails(3.291, 1e9), 0.001, 5e-6);
        assert_close(both_tails(3.850, 20.0), 0.001, 5e-6);
        assert_close(both_tails(-3.850, 20.0), 0.001, 5e-6);
        assert_close(both_tails(0.0, 7.0), 1.0, 1e-12);
    }

    #[test]
    fn gamma_of_whole_numbers_is_the_factorial() {
        assert_close(ln_gamma(5.0), 24.0_f64.ln(), 1e-12);
        assert_close(ln_gamma(0.5), std::f64::consts::PI.sqrt().ln(), 1e-12);
    }

    #[test]
    fn worked_by_hand() {
        // Means 3 and 6, variances 2.5 and 2.5, five each: t = -3, freedom 8, between the tables' 2.896 (0.02) and 3.355 (0.01).
        let sample = |values: [f64; 5]| Sample::of(values.into_iter());
        let p = welch(sample([1.0, 2.0, 3.0, 4.0, 5.0]), sample([4.0, 5.0, 6.0, 7.0, 8.0]));
        assert_close(p, 0.01707, 5e-5);
    }

    #[test]
    fn samples_without_spread_differ_or_do_not() {
        let sample = |value: f64| Sample::of([value; 4].into_iter());
        assert_close(welch(sample(1.0), sample(0.5)), 0.0, 1e-12);
        assert_close(welch(sample(1.0), sample(1.0)), 1.0, 1e-12);
        assert_close(welch(Sample::of([].into_iter()), sample(1.0)), 1.0, 1e-12);
    }
}
