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

    /// The wait from now on after a hint, so long after the last visit; nothing if it changes nothing.
    fn hinted(&mut self, _page: usize, _now: f64, _gap: f64) -> Option<f64> {
        None
    }
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
    let mut visits: Vec<u64> = (0..pages.len()).map(|page| micros(policy.first(page))).collect();
    let first = visits.iter().copied().zip(0..).map(|(at, page)| Reverse((at, page, false)));
    let hints = pages
        .iter()
        .enumerate()
        .flat_map(|(at, page)| page.hints.iter().map(move |hint| Reverse((micros(*hint), at, true))));
    let mut due: BinaryHeap<Reverse<(u64, usize, bool)>> = first.chain(hints).collect();
    while let Some(Reverse((at, page, is_hint))) = due.pop() {
        let now = at as f64 / 1e6;
        let (last, from) = seen[page];
        if is_hint {
            if let Some(wait) = policy.hinted(page, now, now - last).filter(|_| now < end) {
                visits[page] = micros(now + wait.max(1e-3));
                due.push(Reverse((visits[page], page, false)));
            }
            continue;
        }
        if visits[page] != at {
            continue; // a hint has put another visit in its place
        }
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
        visits[page] = micros(now + wait.max(1e-3));
        due.push(Reverse((visits[page], page, false)));
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
            hints: Vec::new(),
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
