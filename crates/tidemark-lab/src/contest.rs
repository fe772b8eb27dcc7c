//! Contestants doing the same to the same pages, measured side by side.
//!
//! In each round every page is given to every contestant in turn (A B C, A B C, …), so that whatever else the machine is doing
//! hits all of them alike; the median over the rounds counts. That is why this is neither divan nor criterion: they
//! measure one contestant after the other, and on a shared machine the minutes between make the ratio. What a contestant
//! makes is dropped after its clock has stopped. Jobs too short for the clock are repeated within a round.

use crate::table::Table;
use crate::work;
use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Shortest time that is measured, unless told otherwise.
const LONG_ENOUGH: Duration = Duration::from_micros(20);

/// Contestants for pages of type `P`. The first to enter is ours; all others are compared with it.
pub struct Contest<'a, P> {
    title: String,
    long_enough: Duration,
    entries: Vec<Entry<'a, P>>,
}

struct Entry<'a, P> {
    name: String,
    run: Job<'a, P>,
}

/// Does its job to a page so many times; the time it took altogether.
type Job<'a, P> = Box<dyn FnMut(&P, u32) -> Duration + 'a>;

impl<P> fmt::Debug for Contest<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.entries.iter().map(|entry| &entry.name);
        f.debug_struct("Contest")
            .field("title", &self.title)
            .field("entries", &names.collect::<Vec<_>>())
            .finish()
    }
}

impl<'a, P> Contest<'a, P> {
    /// A contest nobody has entered yet.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), long_enough: LONG_ENOUGH, entries: Vec::new() }
    }

    /// Repeats jobs until they take this long together.
    #[must_use]
    pub fn long_enough(self, long_enough: Duration) -> Self {
        Self { long_enough, ..self }
    }

    /// Enters a contestant.
    #[must_use]
    pub fn enter<R>(mut self, name: &str, mut job: impl FnMut(&P) -> R + 'a) -> Self {
        let run = move |page: &P, times: u32| {
            if std::mem::needs_drop::<R>() {
                return (0..times).map(|_| timed(|| job(black_box(page)))).sum();
            }
            timed(|| (0..times).for_each(|_| drop(black_box(job(black_box(page))))))
        };
        self.entries.push(Entry { name: name.to_owned(), run: Box::new(run) });
        self
    }

    /// Enters a contestant that starts from something made anew each time, before its clock starts.
    #[must_use]
    pub fn enter_after<S, R>(
        mut self,
        name: &str,
        mut prepare: impl FnMut(&P) -> S + 'a,
        mut job: impl FnMut(&P, &S) -> R + 'a,
    ) -> Self {
        let mut once = move |page: &P| {
            let start = prepare(page);
            timed(|| job(black_box(page), black_box(&start)))
        };
        let run = move |page: &P, times: u32| (0..times).map(|_| once(page)).sum();
        self.entries.push(Entry { name: name.to_owned(), run: Box::new(run) });
        self
    }

    /// Lets all contestants run over all pages, several rounds.
    pub fn run(mut self, pages: &[P], rounds: usize) -> Outcome {
        let bar = work::bar(rounds * pages.len(), "measuring");
        let repeats = self.repeats(pages);
        let mut times = vec![Vec::with_capacity(rounds); self.entries.len()];
        for _ in 0..rounds {
            let mut round = vec![Vec::with_capacity(pages.len()); self.entries.len()];
            for (at, page) in pages.iter().enumerate() {
                for ((contestant, times), repeats) in self.entries.iter_mut().zip(&mut round).zip(&repeats) {
                    times.push((contestant.run)(page, repeats[at]) / repeats[at]);
                }
                bar.inc(1);
            }
            for (times, round) in times.iter_mut().zip(round) {
                times.push(round);
            }
        }
        bar.finish_and_clear();
        Outcome::new(&self.title, self.entries.iter().map(|entry| entry.name.as_str()).zip(times))
    }

    /// How often each contestant must do its job to each page for the clock; by a trial that also warms up.
    fn repeats(&mut self, pages: &[P]) -> Vec<Vec<u32>> {
        let long_enough = self.long_enough;
        let entries = self.entries.iter_mut();
        let times =
            |once: Duration| long_enough.as_nanos().div_ceil(once.as_nanos().max(1)).clamp(1, 10_000) as u32;
        entries.map(|entry| pages.iter().map(|page| times((entry.run)(page, 1))).collect()).collect()
    }
}

/// What a contest came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    title: String,
    names: Vec<String>,
    /// Median time by contestant and page.
    times: Vec<Vec<Duration>>,
}

impl Outcome {
    /// The outcome for contestants that were measured elsewhere: the times of each by round and page.
    pub fn new<'a>(title: &str, entries: impl IntoIterator<Item = (&'a str, Vec<Vec<Duration>>)>) -> Self {
        let (names, times) =
            entries.into_iter().map(|(name, rounds)| (name.to_owned(), medians(&rounds))).unzip();
        Self { title: title.to_owned(), names, times }
    }

    /// Median time of a contestant for one page.
    pub fn time(&self, entry: usize, page: usize) -> Duration {
        self.times[entry][page]
    }

    /// Time of a contestant for all pages together.
    pub fn total(&self, entry: usize) -> Duration {
        self.times[entry].iter().sum()
    }

    /// How many times as long as ours a contestant took for all pages together.
    pub fn total_ratio(&self, entry: usize) -> f64 {
        ratio(self.total(entry), self.total(0))
    }

    /// How many times as long as ours a contestant took for a page, half the pages being above and half below.
    pub fn page_ratio(&self, entry: usize) -> f64 {
        let pages = self.times[entry].iter().zip(&self.times[0]);
        let mut ratios: Vec<f64> = pages.map(|(&theirs, &ours)| ratio(theirs, ours)).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// Whether all others took at least so many times as long as ours in total, said in a line.
    pub fn verdict(&self, wanted: f64) -> String {
        let others = (1..self.names.len()).map(|entry| (self.total_ratio(entry), &self.names[entry]));
        let Some((least, name)) = others.min_by(|a, b| a.0.total_cmp(&b.0)) else {
            return "nobody to compare with".to_owned();
        };
        let verdict = if least >= wanted { "met" } else { "MISSED" };
        format!("target: {wanted}x; least: {least:.2}x ({name}); {verdict}")
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new([&self.title, "total", "median page", "total / ours", "page / ours"]);
        for (entry, name) in self.names.iter().enumerate() {
            let mut pages = self.times[entry].clone();
            table.row([
                name.clone(),
                shown(self.total(entry)),
                shown(median(&mut pages)),
                format!("{:.2}", self.total_ratio(entry)),
                format!("{:.2}", self.page_ratio(entry)),
            ]);
        }
        table.fmt(f)
    }
}

/// How long it takes to make something; dropping it does not count.
pub fn timed<R>(job: impl FnOnce() -> R) -> Duration {
    let start = Instant::now();
    let made = black_box(job());
    let time = start.elapsed();
    drop(made);
    time
}

/// The middle one, the upper of two; zero of none.
pub fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// A time in the unit that suits it.
pub fn shown(time: Duration) -> String {
    let nanoseconds = time.as_nanos() as f64;
    match nanoseconds {
        ..1e3 => format!("{nanoseconds:.0} ns"),
        ..1e6 => format!("{:.2} µs", nanoseconds / 1e3),
        ..1e9 => format!("{:.2} ms", nanoseconds / 1e6),
        _ => format!("{:.2} s", nanoseconds / 1e9),
    }
}

/// The median of each page over the rounds.
fn medians(rounds: &[Vec<Duration>]) -> Vec<Duration> {
    let pages = rounds.iter().map(Vec::len).min().unwrap_or(0);
    let of_page = |page| median(&mut rounds.iter().map(|round| round[page]).collect::<Vec<_>>());
    (0..pages).map(of_page).collect()
}

fn ratio(theirs: Duration, ours: Duration) -> f64 {
    theirs.as_secs_f64() / ours.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn outcome(times: &[&[u64]]) -> Outcome {
        let rounds =
            times.iter().map(|pages| vec![pages.iter().map(|&time| Duration::from_nanos(time)).collect()]);
        Outcome::new("test", ["ours", "slow", "slower"].into_iter().zip(rounds))
    }

    #[test]
    fn the_median_is_the_middle_one() {
        let mut times = [5, 1, 900, 3, 4].map(Duration::from_nanos);
        assert_eq!(median(&mut times), Duration::from_nanos(4));
        assert_eq!(median(&mut times[..4]), Duration::from_nanos(4));
        assert_eq!(median(&mut []), Duration::ZERO);
    }

    #[test]
    fn each_page_counts_with_its_median_over_the_rounds() {
        let rounds =
            [[1, 90], [2, 10], [70, 20]].map(|pages| pages.map(Duration::from_nanos).to_vec()).to_vec();
        let outcome = Outcome::new("test", [("ours", rounds)]);
        assert_eq!([outcome.time(0, 0), outcome.time(0, 1)], [2, 20].map(Duration::from_nanos));
    }

    #[test]
    fn ratios_are_against_ours() {
        let outcome = outcome(&[&[10, 10, 100], &[20, 30, 150], &[90, 90, 900]]);
        assert!((outcome.total_ratio(1) - 200.0 / 120.0).abs() < 1e-9);
        assert!((outcome.page_ratio(1) - 2.0).abs() < 1e-9);
        assert!((outcome.page_ratio(2) - 9.0).abs() < 1e-9);
        assert!(outcome.verdict(1.5).ends_with("met"));
        assert_eq!(outcome.verdict(10.0), "target: 10x; least: 1.67x (slow); MISSED");
    }

    #[test]
    fn contestants_take_turns() {
        let order = RefCell::new(String::new());
        let job = |name: char| {
            let order = &order;
            move |page: &char| {
                order.borrow_mut().extend([name, *page]);
                std::thread::sleep(LONG_ENOUGH); // so that once is enough
            }
        };
        Contest::new("turns").enter("a", job('a')).enter("b", job('b')).run(&['1', '2'], 2);
        assert_eq!(
            order.into_inner(),
            ["a1a2b1b2", "a1b1a2b2", "a1b1a2b2"].concat(),
            "a trial and two rounds"
        );
    }

    #[test]
    fn times_are_shown_in_a_unit_that_suits() {
        let times = [12, 1500, 2_500_000].map(Duration::from_nanos);
        assert_eq!(times.map(shown), ["12 ns", "1.50 µs", "2.50 ms"]);
    }
}
