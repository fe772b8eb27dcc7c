//! All that decides the next visit of a page, put together.
//!
//! The wait is wanted by law, hints, failures or a second look; bounds hold it; jitter spreads it; the server, the host and active hours put it off.
//! Probes: a page that changes several times between visits is found changed each time, and how often it does cannot be told from that. Some of its
//! visits therefore come early, about a mean time between changes after the one before, where the outcome is open. Over thirteen real histories,
//! this brought the delay from 1.41 to 1.16 times the optimum, and costs Poisson pages half a per cent (`tidemark-lab schedule`).

use super::belief::within;
use super::{Bounds, Demand, Failures, Hours, Price, Rate, Revisit, Why};
use core::time::Duration;
use jiff::{SignedDuration, Timestamp};

/// Intervals are spread by this much either way, so that pages do not come to fall due together.
const SPREAD: f64 = 0.1;

/// A `Retry-After` is heeded up to here: no server may silence a page for ever.
const RETRY: Duration = Duration::from_hours(7 * 24);

/// From this chance of a change on, visits tell too little by themselves.
const SURE: f64 = 0.9;

/// How early a probe comes, in mean times between changes and at most in intervals.
const EARLY: (f64, f64) = (0.7, 0.125);

/// Share of visits that are probes: of the square of the spread, and at most.
const PROBES: (f64, f64) = (2.0, 0.25);

/// All that the next visit of a page depends on.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<'a> {
    /// Now: no visit is planned for earlier.
    pub now: Timestamp,
    /// The last visit, whatever came of it.
    pub last: Timestamp,
    /// How often the page changes.
    pub rate: &'a Rate,
    /// How much it matters; 1 is ordinary.
    pub importance: f64,
    /// What a visit must be worth.
    pub price: Price,
    /// How soon and how late.
    pub bounds: &'a Bounds,
    /// When it may be looked at at all.
    pub hours: Option<&'a Hours>,
    /// Changes that hints since the last visit stand for: the sum of [`Trust::belief`](super::Trust::belief) over their
    /// sources, each once: however often it repeats itself, it says one thing.
    pub hints: f64,
    /// A second look, this long after the last one. It may come sooner than the least interval: it is the end of one look, not another.
    pub confirm: Option<Duration>,
    /// Failures in a row.
    pub failures: Failures,
    /// What the server asked for at the last visit.
    pub retry_after: Option<Duration>,
    /// When the host may next be asked.
    pub not_before: Option<Timestamp>,
    /// Chance in [0, 1): spreads visits.
    pub jitter: f64,
}

impl<'a> Outlook<'a> {
    /// The outlook of an ordinary page just visited, free of hints, failures and hours.
    pub fn new(now: Timestamp, rate: &'a Rate, price: Price, bounds: &'a Bounds) -> Self {
        Self {
            now,
            last: now,
            rate,
            importance: 1.0,
            price,
            bounds,
            hours: None,
            hints: 0.0,
            confirm: None,
            failures: Failures::default(),
            retry_after: None,
            not_before: None,
            jitter: 0.5,
        }
    }

    /// When to look next, and why then.
    pub fn next(&self) -> Revisit {
        let (wait, why) = self.spread(self.wanted());
        let wanted = Revisit { at: later(self.last, wait).max(self.now), why };
        let asked = self.retry_after.map(|wait| later(self.last, wait.min(RETRY)));
        let polite = wanted.not_before(asked, Why::RetryAfter).not_before(self.not_before, Why::Host);
        polite.not_before(self.hours.map(|hours| hours.next_open(polite.at)), Why::Hours)
    }

    /// The demand of the page, for [`Demands`](super::Demands) and for storing beside the page.
    pub fn demand(&self) -> Demand {
        Demand::new(self.rate, self.importance, self.bounds)
    }

    /// The wait after the last visit, by law, hints, failures and bounds.
    fn wanted(&self) -> (Duration, Why) {
        let law = self.demand().interval(self.price);
        match (self.failures.wait(law, self.bounds), self.confirm) {
            (Some(wait), _) if self.failures.is_gone() => (wait, Why::Gone),
            (Some(wait), _) => self.bound(wait, Why::BackOff),
            (None, Some(wait)) => (wait.min(self.bounds.most()), Why::Confirm),
            (None, None) => self.probed(law),
        }
    }

    /// Some visits come early and the others as much later, if all would find a change: the more of them, the less the rate is known.
    fn probed(&self, law: Duration) -> (Duration, Why) {
        if self.rate.chance(law) < SURE {
            return self.hinted(law);
        }
        let early = self.rate.interval().mul_f64(EARLY.0).min(law.mul_f64(EARLY.1));
        let share = (PROBES.0 * self.rate.spread().powi(2)).min(PROBES.1);
        if self.chance() < share {
            return self.bound(early, Why::Probe);
        }
        self.hinted(law.saturating_sub(early.mul_f64(share)).div_f64(1.0 - share))
    }

    /// Each change that hints stand for is one that need not be waited for.
    fn hinted(&self, law: Duration) -> (Duration, Why) {
        let hints = within(self.hints, 0.0, 1e3);
        let forward = self.rate.interval().mul_f64(hints).min(law);
        self.bound(law.saturating_sub(forward), if forward > Duration::ZERO { Why::Hint } else { Why::Law })
    }

    fn bound(&self, wait: Duration, why: Why) -> (Duration, Why) {
        let (least, most) = (self.bounds.least(), self.bounds.most());
        match wait {
            _ if wait < least => (least, Why::Least),
            _ if wait > most => (most, Why::Most),
            _ => (wait, why),
        }
    }

    fn chance(&self) -> f64 {
        within(self.jitter, 0.0, 1.0)
    }

    /// Jitter, to the inner side of a bound that holds.
    fn spread(&self, (wait, why): (Duration, Why)) -> (Duration, Why) {
        let chance = self.chance();
        let factor = match why {
            Why::Least => 1.0 + SPREAD * chance,
            Why::Most | Why::Gone => 1.0 - SPREAD * chance,
            _ => 1.0 + SPREAD * (2.0 * chance - 1.0),
        };
        let (least, most) = (self.bounds.least().min(wait), self.bounds.most().max(wait));
        (wait.mul_f64(factor).clamp(least, most), why)
    }
}

/// An instant and a wait, at most the end of time.
fn later(at: Timestamp, wait: Duration) -> Timestamp {
    let wait = SignedDuration::try_from(wait).unwrap_or(SignedDuration::MAX);
    at.checked_add(wait).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::revisit::{Answer, Category};

    const HOUR: Duration = Duration::from_hours(1);

    fn now() -> Timestamp {
        "2026-07-15T12:00:00Z".parse().unwrap()
    }

    fn bounds() -> Bounds {
        Bounds::new(HOUR, 100 * HOUR)
    }

    /// The next visit of a page that changes every day, at a price of 12 hours: after one day by the law.
    fn planned(change: impl FnOnce(&mut Outlook<'_>)) -> (f64, Why) {
        let (mut rate, bounds) = (Rate::new(Category::Personal), bounds());
        rate.count(1000 * 24 * HOUR, 1000);
        let mut outlook = Outlook::new(now(), &rate, Price::new(12.0 * 3600.0), &bounds);
        change(&mut outlook);
        let next = outlook.next();
        (next.at.duration_since(now()).as_secs_f64() / 3600.0, next.why)
    }

    fn assert_planned(change: impl FnOnce(&mut Outlook<'_>), hours: f64, why: Why) {
        let found = planned(change);
        assert!(
            (found.0 - hours).abs() < 0.03 * hours + 1e-3 && found.1 == why,
            "{found:?} instead of {hours} h, {why:?}"
        );
    }

    #[test]
    fn each_constraint_is_named_when_it_holds() {
        let mut failed = Failures::default();
        (0..10).for_each(|_| failed.observe(Answer::Failed));
        let mut gone = Failures::default();
        (0..10).for_each(|_| gone.observe(Answer::Gone));
        assert_planned(|_| {}, 24.0, Why::Law);
        assert_planned(|page| page.price = Price::new(1.0), 1.05, Why::Least);
        assert_planned(|page| page.price = Price::new(1e9), 95.0, Why::Most);
        assert_planned(|page| page.hints = 0.5, 12.0, Why::Hint);
        assert_planned(|page| page.hints = 5.0, 1.05, Why::Least);
        assert_planned(|page| page.confirm = Some(HOUR / 10), 0.1, Why::Confirm);
        assert_planned(|page| page.failures = failed, 512.0 / 60.0, Why::BackOff);
        assert_planned(|page| page.failures = gone, 95.0, Why::Gone);
        assert_planned(|page| page.retry_after = Some(50 * HOUR), 50.0, Why::RetryAfter);
        assert_planned(|page| page.retry_after = Some(Duration::from_secs(u64::MAX)), 168.0, Why::RetryAfter);
        assert_planned(|page| page.not_before = Some(later(now(), 60 * HOUR)), 60.0, Why::Host);
    }

    #[test]
    fn active_hours_have_the_last_word() {
        let (rate, bounds) = (Rate::default(), bounds());
        let hours: Hours = "15:00-16:00 UTC".parse().unwrap();
        let page = Outlook { hours: Some(&hours), ..Outlook::new(now(), &rate, Price::new(1.0), &bounds) };
        let expected = Revisit { at: later(now(), 3 * HOUR), why: Why::Hours };
        assert_eq!(page.next(), expected);
        assert_eq!(Outlook { retry_after: Some(4 * HOUR), ..page }.next().at, later(now(), 27 * HOUR));
    }

    #[test]
    fn a_hint_long_after_the_last_visit_buys_one_now() {
        let last = now() - SignedDuration::from_hours(12);
        assert_planned(|page| (page.last, page.hints) = (last, 0.9), 0.0, Why::Hint);
        assert_planned(|page| page.last = last, 12.0, Why::Law);
    }

    #[test]
    fn jitter_spreads_and_keeps_to_bounds() {
        let (early, late) = (planned(|page| page.jitter = 0.0).0, planned(|page| page.jitter = 0.999).0);
        assert!((early / late - 0.9 / 1.1).abs() < 0.01, "{early} to {late}");
        for (price, jitter) in [(1.0, 0.0), (1.0, 1.0), (1e9, 0.0), (1e9, 1.0), (12e3, f64::NAN)] {
            let found = planned(|page| (page.price, page.jitter) = (Price::new(price), jitter)).0;
            assert!((1.0..=100.0).contains(&found), "{found}");
        }
    }

    #[test]
    fn a_page_that_always_changes_is_looked_at_early_now_and_then() {
        let mut rate = Rate::new(Category::News);
        (0..50).for_each(|_| rate.observe(10 * HOUR, true));
        let bounds = Bounds::default();
        let outlook = Outlook::new(now(), &rate, Price::new(1e6), &bounds);
        let visits = (0..1000).map(|at| Outlook { jitter: f64::from(at) / 1000.0, ..outlook }.next());
        let waits: Vec<(f64, Why)> =
            visits.map(|next| (next.at.duration_since(now()).as_secs_f64(), next.why)).collect();
        let probes = waits.iter().filter(|(_, why)| *why == Why::Probe).count();
        let mean = waits.iter().map(|(wait, _)| wait).sum::<f64>() / 1000.0;
        let law = outlook.demand().interval(outlook.price).as_secs_f64();
        assert!((10..=250).contains(&probes), "{probes}");
        assert!((mean / law - 1.0).abs() < 0.05, "{mean} instead of {law}: probes must not cost visits");
    }
}
