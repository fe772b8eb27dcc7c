//! The policies side by side: intervals that never change, ours, and the one that knows the truth.

use super::pages::{DAY, Page};
use super::run::Policy;
use fastrand::Rng;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use tidemark_core::revisit::{Bounds, Demand, Demands, Outlook, Price, Rate, Trust};

/// Intervals that never change: one for all pages, or one for each category.
pub(super) struct Fixed {
    intervals: Vec<f64>,
    phases: Vec<f64>,
}

impl Fixed {
    /// With the share of the first interval that has passed already.
    pub(super) fn new(intervals: Vec<f64>, phases: Vec<f64>) -> Self {
        Self { intervals, phases }
    }

    /// One interval for all pages, for so many visits a second.
    pub(super) fn uniform(pages: &[Page], budget: f64, rng: &mut Rng) -> Self {
        Self::new(vec![pages.len() as f64 / budget; pages.len()], phases(pages.len(), rng))
    }

    /// The intervals of the categories, all longer or shorter by one factor so that they come to the budget.
    pub(super) fn by_category(pages: &[Page], bounds: &Bounds, budget: f64, rng: &mut Rng) -> Self {
        let wanted: Vec<f64> = pages.iter().map(|page| page.category.interval().as_secs_f64()).collect();
        Self::new(scaled(&wanted, bounds, budget), phases(pages.len(), rng))
    }
}

impl Policy for Fixed {
    fn first(&mut self, page: usize) -> f64 {
        self.intervals[page] * (1.0 - self.phases[page])
    }

    fn next(&mut self, page: usize, _: f64, _: f64, _: bool) -> f64 {
        self.intervals[page]
    }
}

/// The square-root law with the true rates, as they are at the time; prices by bisection, every day anew.
pub(super) struct Optimum<'a> {
    pages: &'a [Page],
    bounds: &'a Bounds,
    budget: f64,
    switches: bool,
    days: Vec<Option<Vec<f64>>>,
    phases: Vec<f64>,
}

impl<'a> Optimum<'a> {
    pub(super) fn new(pages: &'a [Page], bounds: &'a Bounds, budget: f64, rng: &mut Rng) -> Self {
        let switches = pages.iter().any(|page| page.later.is_some());
        Self { pages, bounds, budget, switches, days: Vec::new(), phases: phases(pages.len(), rng) }
    }

    /// The interval of a page if the day's rates held for ever.
    #[expect(clippy::cast_sign_loss, reason = "time begins at 0")]
    fn interval(&mut self, page: usize, time: f64) -> f64 {
        // Rates that never switch need no second day.
        let day = if self.switches { (time / DAY) as usize } else { 0 };
        self.days.resize(self.days.len().max(day + 1), None);
        self.days[day].get_or_insert_with(|| {
            let wanted =
                |page: &Page| (page.importance * page.rate_at((day as f64 + 0.5) * DAY)).sqrt().recip();
            scaled(&self.pages.iter().map(wanted).collect::<Vec<f64>>(), self.bounds, self.budget)
        })[page]
    }
}

impl Policy for Optimum<'_> {
    fn first(&mut self, page: usize) -> f64 {
        self.interval(page, 0.0) * (1.0 - self.phases[page])
    }

    fn next(&mut self, page: usize, now: f64, _: f64, _: bool) -> f64 {
        let wait = self.interval(page, now);
        match self.pages[page].later {
            // What is left of the wait when the rate switches is as much of the new one.
            Some((at, _)) if (now..now + wait).contains(&at) => {
                at - now + (1.0 - (at - now) / wait) * self.interval(page, at + DAY)
            }
            _ => wait,
        }
    }
}

/// Ours: sees what visits find, and nothing else, not even the category.
pub(super) struct Ours<'a> {
    pages: &'a [Page],
    bounds: &'a Bounds,
    budget: f64,
    rates: Vec<Rate>,
    held: Vec<Demand>,
    demands: Demands,
    price: Price,
    visits: u64,
    hints: Vec<f64>,
    source: Option<Trust>,
    rng: Rng,
}

impl<'a> Ours<'a> {
    pub(super) fn new(pages: &'a [Page], bounds: &'a Bounds, budget: f64, rng: Rng) -> Self {
        let rates = vec![Rate::default(); pages.len()];
        let demand = |(rate, page): (&Rate, &Page)| Demand::new(rate, page.importance, bounds);
        let held: Vec<Demand> = rates.iter().zip(pages).map(demand).collect();
        let demands: Demands = held.iter().map(|demand| (*demand, 1)).collect();
        let price = demands.price(budget);
        Self {
            pages,
            bounds,
            budget,
            rates,
            held,
            demands,
            price,
            visits: 0,
            hints: vec![0.0; pages.len()],
            source: None,
            rng,
        }
    }

    /// Heeds hints, all from one source that nothing is known of at first.
    pub(super) fn listening(self) -> Self {
        Self { source: Some(Trust::default()), ..self }
    }

    /// How far the source has come to be believed.
    pub(super) fn belief(&self) -> f64 {
        self.source.map_or(0.0, |source| source.belief())
    }

    fn wait(&mut self, page: usize, now: f64, last: f64) -> f64 {
        let [now, last] = [now, last].map(|time| Timestamp::UNIX_EPOCH + SignedDuration::from_secs_f64(time));
        let outlook = Outlook {
            importance: self.pages[page].importance,
            jitter: self.rng.f64(),
            last,
            hints: self.hints[page],
            ..Outlook::new(now, &self.rates[page], self.price, self.bounds)
        };
        let demand = outlook.demand();
        self.demands.remove(std::mem::replace(&mut self.held[page], demand));
        self.demands.add(demand);
        outlook.next().at.duration_since(now).as_secs_f64()
    }
}

impl Policy for Ours<'_> {
    fn first(&mut self, page: usize) -> f64 {
        self.wait(page, 0.0, 0.0) * self.rng.f64()
    }

    fn next(&mut self, page: usize, now: f64, gap: f64, changed: bool) -> f64 {
        self.visits += 1;
        if self.visits.is_multiple_of(64) {
            self.price = self.demands.price(self.budget);
        }
        let gap = Duration::from_secs_f64(gap);
        match self.source.as_mut().filter(|_| self.hints[page] > 0.0) {
            Some(source) => {
                source.observe(changed, self.rates[page].chance(gap));
                self.rates[page].count(gap, changed.into());
            }
            None => self.rates[page].observe(gap, changed),
        }
        self.hints[page] = 0.0;
        self.wait(page, now, now)
    }

    fn hinted(&mut self, page: usize, now: f64, gap: f64) -> Option<f64> {
        // However often a source repeats itself, it says one thing.
        self.hints[page] = self.source?.belief();
        Some(self.wait(page, now, now - gap))
    }
}

/// Intervals times one factor, within bounds, so that they come to so many visits a second.
fn scaled(wanted: &[f64], bounds: &Bounds, budget: f64) -> Vec<f64> {
    let (least, most) = (bounds.least().as_secs_f64(), bounds.most().as_secs_f64());
    let at = |log: f64| wanted.iter().map(move |interval| (interval * log.exp()).clamp(least, most));
    let (mut low, mut high) = (-60.0, 60.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        let visits: f64 = at(middle).map(f64::recip).sum();
        *(if visits > budget { &mut low } else { &mut high }) = middle;
    }
    at(high).collect()
}

fn phases(count: usize, rng: &mut Rng) -> Vec<f64> {
    (0..count).map(|_| rng.f64()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_intervals_come_to_the_budget() {
        let bounds = Bounds::default();
        let intervals = scaled(&[1.0, 4.0, 1e9], &bounds, 1e-3);
        assert!((intervals.iter().map(|interval| 1.0 / interval).sum::<f64>() - 1e-3).abs() < 1e-9);
        assert!((intervals[1] / intervals[0] - 4.0).abs() < 1e-6);
        assert!((intervals[2] - bounds.most().as_secs_f64()).abs() < 1e-6);
    }
}
