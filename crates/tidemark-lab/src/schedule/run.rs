//! One policy over all pages: visits in the order of time, and how long each change waited for one.

use super::pages::Page;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Who decides when to look.
pub(super) trait Policy {
    /// The first wait of a page after the visit at the start.
    fn first(&mut self, page: usize) -> f64;

    /// The wait after a visit, which came `gap` after the one before and found the page changed or not.
    fn next(&mut self, page: usize, now: f64, gap: f64, changed: bool) -> f64;
}

/// What a policy came to, over a time.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) fetches: u64,
    delays: Vec<f64>,
    total: f64,
    weight: f64,
}

/// Delays are counted on a scale of a hundred steps an octave, from a second on.
const STEPS: f64 = 100.0;

impl Outcome {
    fn new() -> Self {
        Self { fetches: 0, delays: vec![0.0; 3200], total: 0.0, weight: 0.0 }
    }

    #[expect(clippy::cast_sign_loss, reason = "the logarithm of 1 or more")]
    fn add(&mut self, delay: f64, weight: f64) {
        let step = (delay.max(1.0).log2() * STEPS) as usize;
        let last = self.delays.len() - 1;
        self.delays[step.min(last)] += weight;
        self.total += delay * weight;
        self.weight += weight;
    }

    /// Mean delay in seconds, weighed by importance.
    pub(super) fn mean(&self) -> f64 {
        self.total / self.weight
    }

    /// The delay that so large a share of the changes stayed below.
    pub(super) fn quantile(&self, share: f64) -> f64 {
        let mut below = 0.0;
        let found = self.delays.iter().position(|weight| {
            below += weight;
            below >= share * self.weight
        });
        (found.unwrap_or_default() as f64 / STEPS).exp2()
    }
}

/// Runs a policy to the end; gives what it came to after the warm-up, and in all.
pub(super) fn run(pages: &[Page], policy: &mut impl Policy, warm_up: f64, end: f64) -> [Outcome; 2] {
    let mut outcomes = [Outcome::new(), Outcome::new()];
    let mut seen: Vec<(f64, usize)> = vec![(0.0, 0); pages.len()];
    let mut due: BinaryHeap<Reverse<(u64, usize)>> =
        (0..pages.len()).map(|page| Reverse((micros(policy.first(page)), page))).collect();
    while let Some(Reverse((at, page))) = due.pop() {
        let now = at as f64 / 1e6;
        let (last, from) = seen[page];
        let to = from + pages[page].changes[from..].iter().take_while(|change| **change <= now).count();
        for &change in &pages[page].changes[from..to] {
            let periods = [change >= warm_up, true];
            outcomes.iter_mut().zip(periods).filter(|(_, counts)| *counts).for_each(|(outcome, _)| {
                outcome.add(now - change, pages[page].importance);
            });
        }
        if now >= end {
            continue; // whatever was left has been found by this visit
        }
        outcomes[0].fetches += u64::from(now >= warm_up);
        outcomes[1].fetches += 1;
        seen[page] = (now, to);
        let wait = policy.next(page, now, now - last, to > from);
        due.push(Reverse((micros(now + wait.max(1e-3)), page)));
    }
    outcomes
}

#[expect(clippy::cast_sign_loss, reason = "time begins at 0")]
fn micros(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}

#[cfg(test)]
mod tests {
    use super::super::policy::Fixed;
    use super::*;
    use tidemark_core::revisit::Category;

    #[test]
    fn changes_wait_for_the_next_visit() {
        let page = Page {
            changes: vec![5.0, 12.0, 99.0],
            rate: 0.1,
            later: None,
            importance: 2.0,
            category: Category::News,
        };
        let [measured, all] = run(&[page], &mut Fixed::new(vec![10.0], vec![0.0]), 10.0, 100.0);
        // Visits at 10, 20, … 90, and at 100, where the time is up.
        assert_eq!((measured.fetches, all.fetches), (9, 9));
        assert!((all.mean() - (5.0 + 8.0 + 1.0) / 3.0).abs() < 1e-9);
        assert!((measured.mean() - 4.5).abs() < 1e-9);
        assert!((all.quantile(0.95) - 8.0).abs() < 0.1);
    }
}
