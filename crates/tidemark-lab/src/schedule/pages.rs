//! Pages that change at known times: made up by several habits, or taken from real histories.

use super::histories::History;
use fastrand::Rng;
use tidemark_core::revisit::Category;

/// Seconds of a day.
pub(super) const DAY: f64 = 86_400.0;

/// Rates are log-normal: half of all pages change more seldom than every three days; one standard deviation is a factor of e².
const MEDIAN: f64 = 3.0 * DAY;
const SIGMA: f64 = 2.0;

/// No page changes more often than every five minutes, or more seldom than every three years.
const LIMITS: (f64, f64) = (300.0, 1000.0 * DAY);

/// How pages change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Habit {
    /// At any time alike.
    Poisson,
    /// By day, twice as often, and not at night.
    Rhythm,
    /// Four changes together, some twenty minutes apart.
    Bursts,
    /// A third of the pages begin to change a hundred times as often.
    Waking,
    /// A third of the pages stop.
    Dying,
}

impl Habit {
    pub(super) const ALL: [Self; 5] = [Self::Poisson, Self::Rhythm, Self::Bursts, Self::Waking, Self::Dying];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Poisson => "poisson",
            Self::Rhythm => "daily rhythm",
            Self::Bursts => "bursts",
            Self::Waking => "a third wakes up",
            Self::Dying => "a third dies",
        }
    }
}

/// A page of which all is known.
#[derive(Clone, Debug)]
pub(super) struct Page {
    /// When it changes, in seconds from the start.
    pub(super) changes: Vec<f64>,
    /// Changes per second: at first, and from some time on.
    pub(super) rate: f64,
    pub(super) later: Option<(f64, f64)>,
    /// When somebody says that it changed, rightly or not.
    pub(super) hints: Vec<f64>,
    pub(super) importance: f64,
    pub(super) category: Category,
}

impl Page {
    /// The true rate at a time.
    pub(super) fn rate_at(&self, time: f64) -> f64 {
        self.later.filter(|later| later.0 <= time).map_or(self.rate, |later| later.1)
    }
}

/// Pages of a habit, over so many seconds; whatever switches does so after the warm-up.
pub(super) fn made_up(habit: Habit, count: usize, warm_up: f64, end: f64, rng: &mut Rng) -> Vec<Page> {
    (0..count).map(|_| one(habit, warm_up, end, rng)).collect()
}

/// A source that tells of a share of the changes, some minutes late, and is right in so large a share of what it tells.
pub(super) fn hint(pages: &mut [Page], told: f64, right: f64, end: f64, rng: &mut Rng) {
    for page in pages {
        let late: Vec<f64> =
            page.changes.iter().map(|change| change + exponential(1.0 / 300.0, rng)).collect();
        let false_alarms = page.rate * told * (1.0 / right - 1.0);
        let mut hints: Vec<f64> = late.into_iter().filter(|_| rng.f64() < told).collect();
        let mut time = exponential(false_alarms, rng);
        while time < end {
            hints.push(time);
            time += exponential(false_alarms, rng);
        }
        page.hints = hints;
    }
}

/// Pages that change as those of the histories did: each takes one of them, from some place in it on, over and over.
pub(super) fn real(histories: &[History], count: usize, end: f64, rng: &mut Rng) -> Vec<Page> {
    (0..count)
        .map(|at| {
            let history = &histories[at % histories.len()];
            let rate = 1.0 / history.mean_gap();
            Page { changes: history.tiled(end, rng), rate, later: None, ..described(rate, rng) }
        })
        .collect()
}

fn one(habit: Habit, warm_up: f64, end: f64, rng: &mut Rng) -> Page {
    let rate = (1.0 / (MEDIAN * (SIGMA * normal(rng)).exp())).clamp(1.0 / LIMITS.1, 1.0 / LIMITS.0);
    let mut page = described(rate, rng);
    let switch = warm_up + (end - warm_up) * (0.1 + 0.8 * rng.f64());
    page.later = match habit {
        Habit::Waking if rng.f64() < 1.0 / 3.0 => Some((switch, page.rate)),
        Habit::Dying if rng.f64() < 1.0 / 3.0 => Some((switch, page.rate / 1000.0)),
        _ => None,
    };
    if habit == Habit::Waking && page.later.is_some() {
        page.rate /= 100.0;
    }
    page.changes = match habit {
        Habit::Rhythm => {
            thinned(&page, end, 2.0, rng).into_iter().filter(|time| time % DAY < DAY / 2.0).collect()
        }
        Habit::Bursts => bursts(&page, end, rng),
        _ => thinned(&page, end, 1.0, rng),
    };
    page
}

/// A page of a rate, without its changes. Its category is the one that fits best.
fn described(rate: f64, rng: &mut Rng) -> Page {
    let category = match 1.0 / rate / 3600.0 {
        hours if hours < 5.0 => Category::News,
        hours if hours < 34.0 => Category::Personal,
        _ => Category::Academic,
    };
    let importance = [0.5, 1.0, 1.0, 1.0, 2.0, 4.0][rng.usize(..6)];
    Page { changes: Vec::new(), rate, later: None, hints: Vec::new(), importance, category }
}

/// A Poisson process of the page's rate, or so many times that.
fn thinned(page: &Page, end: f64, times: f64, rng: &mut Rng) -> Vec<f64> {
    let mut changes = Vec::new();
    let pieces = page.later.map_or([(0.0, end, page.rate), (end, end, 0.0)], |(at, rate)| {
        [(0.0, at, page.rate), (at, end, rate)]
    });
    for (from, to, rate) in pieces {
        let mut time = from + exponential(rate * times, rng);
        while time < to {
            changes.push(time);
            time += exponential(rate * times, rng);
        }
    }
    changes
}

fn bursts(page: &Page, end: f64, rng: &mut Rng) -> Vec<f64> {
    let mut changes = Vec::new();
    for first in thinned(page, end, 0.25, rng) {
        let mut time = first;
        for _ in 0..4 {
            changes.push(time);
            time += exponential(1.0 / 1200.0, rng);
        }
    }
    changes.retain(|time| *time < end);
    changes.sort_by(f64::total_cmp);
    changes
}

fn exponential(rate: f64, rng: &mut Rng) -> f64 {
    -(1.0 - rng.f64()).ln() / rate
}

/// By Box and Muller.
fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * (1.0 - rng.f64()).ln()).sqrt() * (std::f64::consts::TAU * rng.f64()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_habit_has_the_rate_it_says() {
        for habit in [Habit::Poisson, Habit::Rhythm, Habit::Bursts] {
            let pages = made_up(habit, 2000, 0.0, 60.0 * DAY, &mut Rng::with_seed(1));
            let changes: usize = pages.iter().map(|page| page.changes.len()).sum();
            let expected: f64 = pages.iter().map(|page| page.rate * 60.0 * DAY).sum();
            let ratio = changes as f64 / expected;
            assert!((0.95..1.05).contains(&ratio), "{}: {ratio}", habit.name());
        }
    }

    #[test]
    fn pages_wake_up_and_die_after_the_warm_up() {
        for (habit, wakes) in [(Habit::Waking, true), (Habit::Dying, false)] {
            let pages = made_up(habit, 300, 30.0 * DAY, 90.0 * DAY, &mut Rng::with_seed(2));
            let switched: Vec<&Page> = pages.iter().filter(|page| page.later.is_some()).collect();
            assert!((60..140).contains(&switched.len()));
            for page in switched {
                assert_eq!(page.rate_at(30.0 * DAY) < page.rate_at(90.0 * DAY), wakes);
            }
        }
    }
}
