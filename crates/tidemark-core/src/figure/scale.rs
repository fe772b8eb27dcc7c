//! Where a number lies on an axis, and which numbers are written beside it.

/// An axis.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    logarithmic: bool,
    /// Smallest and largest number, as logarithms if it is logarithmic.
    from: f64,
    to: f64,
    /// Distance of the ticks.
    step: f64,
    /// Where they lie.
    start: f64,
    end: f64,
}

impl Scale {
    /// From zero to a round number past the largest.
    pub fn linear(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Self {
        let largest = values.fold(0.0, f64::max);
        let step = step(largest);
        let to = (largest / step).ceil().max(1.0) * step;
        Self { logarithmic: false, from: 0.0, to, step, start, end }
    }

    /// From the power of ten below the smallest to the one above the largest.
    pub fn logarithmic(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Self {
        let (smallest, largest) =
            values.fold((f64::INFINITY, 1.0_f64), |(a, b), value| (a.min(value), b.max(value)));
        let from = smallest.min(largest).max(f64::MIN_POSITIVE).log10().floor();
        let to = largest.log10().ceil().max(from + 1.0);
        Self { logarithmic: true, from, to, step: 1.0, start, end }
    }

    /// Where a number lies.
    pub fn place(&self, value: f64) -> f64 {
        let value = if self.logarithmic { value.log10() } else { value };
        self.start + (value - self.from) / (self.to - self.from) * (self.end - self.start)
    }

    /// Numbers to be written, with their places.
    pub fn ticks(&self) -> Vec<(f64, f64)> {
        let ticks = (0..).map(|tick| self.from + f64::from(tick) * self.step);
        let values = ticks.take_while(|&value| value < self.to + self.step / 2.0);
        let values = values.map(|value| if self.logarithmic { 10_f64.powf(value) } else { value });
        values.map(|value| (value, self.place(value))).collect()
    }
}

/// The distance of ticks for numbers up to `largest`: 1, 2 or 5 times a power of ten, about five in all.
fn step(largest: f64) -> f64 {
    if largest <= 0.0 {
        return 1.0;
    }
    let rough = largest / 5.0;
    let power = 10_f64.powf(rough.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    factors
        .map(|factor| factor * power)
        .into_iter()
        .find(|&step| step >= rough * 0.999)
        .unwrap_or(power * 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_axis_begins_at_zero_and_ends_round() {
        let scale = Scale::linear([3.0, 47.0].into_iter(), 100.0, 0.0);
        let values: Vec<f64> = scale.ticks().iter().map(|tick| tick.0).collect();
        assert_eq!(values, [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
        assert!((scale.place(0.0) - 100.0).abs() < 1e-9);
        assert!((scale.place(25.0) - 50.0).abs() < 1e-9);
    }

    #[test]
    fn a_logarithmic_axis_gives_each_power_the_same_room() {
        let scale = Scale::logarithmic([1e3, 1e6].into_iter(), 0.0, 300.0);
        let places: Vec<f64> = scale.ticks().iter().map(|tick| tick.1).collect();
        assert_eq!(places.len(), 4);
        assert!(places.iter().zip([0.0, 100.0, 200.0, 300.0]).all(|(a, b)| (a - b).abs() < 1e-9));
        assert!((scale.place(1e4) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn axes_without_numbers_do_not_break() {
        assert_eq!(Scale::linear(std::iter::empty(), 0.0, 1.0).ticks().len(), 2);
        assert!(!Scale::logarithmic(std::iter::empty(), 0.0, 1.0).ticks().is_empty());
        assert!(Scale::logarithmic([5.0].into_iter(), 0.0, 1.0).place(5.0).is_finite());
    }
}
