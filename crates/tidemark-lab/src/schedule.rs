//! When to look again: our schedule beside one interval, the intervals of categories, and the optimum that knows the true rates.
//!
//! All policies make as many fetches as ours did in the same time. A change is found by the first visit after it; its delay counts as much as the page matters.

mod histories;
mod pages;
mod policy;
mod run;

use crate::table::{Table, grouped};
use anyhow::Result;
use fastrand::Rng;
use pages::{DAY, Habit, Page};
use policy::{Fixed, Optimum, Ours};
use run::{Outcome, run};
use std::path::Path;
use std::time::Instant;
use tidemark_core::revisit::{Bounds, Demand, Demands, Price};

/// What is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// How many pages.
    pub pages: usize,
    /// How many days in all; the first third is the warm-up.
    pub days: f64,
    /// Visits per page and day.
    pub visits: f64,
    /// Another seed, other pages.
    pub seed: u64,
}

impl Setting {
    fn end(&self) -> f64 {
        self.days * DAY
    }

    fn warm_up(&self) -> f64 {
        self.end() / 3.0
    }
}

/// How the policies did over the same pages, after the warm-up and in all.
#[derive(Clone, Debug)]
pub struct Contest {
    outcomes: [(&'static str, [Outcome; 2]); 4],
}

impl Contest {
    /// Mean delay of one policy (0 one interval, 1 categories, 2 ours, 3 the optimum) after the warm-up, in seconds.
    pub fn mean(&self, policy: usize) -> f64 {
        self.outcomes[policy].1[0].mean()
    }

    /// Fetches of a policy after the warm-up.
    pub fn fetches(&self, policy: usize) -> u64 {
        self.outcomes[policy].1[0].fetches
    }
}

/// Simulates pages of every habit, and of real histories where there are any, and prints how long changes waited.
pub fn evaluate(setting: &Setting, folder: Option<&Path>) -> Result<()> {
    let Setting { pages, days, visits, seed } = *setting;
    println!(
        "{pages} pages, {visits} visits per page and day, {days} days of which {:.0} are the warm-up, seed {seed}",
        days / 3.0
    );
    println!("delays in hours, weighed by importance; 'all' has the warm-up in it\n");
    let mut table = Table::new([
        "pages",
        "policy",
        "fetches",
        "mean",
        "95 %",
        "to optimum",
        "to fixed",
        "mean all",
        "to optimum all",
    ]);
    for habit in Habit::ALL {
        show(&mut table, habit.name(), &contest(setting, habit));
    }
    let histories = histories::read(folder)?;
    if histories.is_empty() {
        eprintln!("no histories here (name their folder with --histories)");
    } else {
        let pages = pages::real(&histories, setting.pages, setting.end(), &mut Rng::with_seed(setting.seed));
        show(&mut table, &format!("{} histories", histories.len()), &held(&pages, setting));
    }
    print!("{table}");
    hints(setting);
    println!("\na price over {pages} pages takes {:.1} µs", price_time(pages, seed));
    Ok(())
}

/// The policies over Poisson pages: what the targets are set for.
pub fn poisson(setting: &Setting) -> Contest {
    contest(setting, Habit::Poisson)
}

fn contest(setting: &Setting, habit: Habit) -> Contest {
    let mut rng = Rng::with_seed(setting.seed);
    let pages = pages::made_up(habit, setting.pages, setting.warm_up(), setting.end(), &mut rng);
    held(&pages, setting)
}

fn held(pages: &[Page], setting: &Setting) -> Contest {
    let (bounds, mut rng) = (Bounds::default(), Rng::with_seed(setting.seed ^ 0x5eed));
    let (warm_up, end) = (setting.warm_up(), setting.end());
    let budget = pages.len() as f64 * setting.visits / DAY;
    let ours = run(pages, &mut Ours::new(pages, &bounds, budget, rng.fork()), warm_up, end);
    // The others get what ours really used.
    let used = ours[0].fetches as f64 / (end - warm_up);
    let fixed = run(pages, &mut Fixed::uniform(pages, used, &mut rng), warm_up, end);
    let category = run(pages, &mut Fixed::by_category(pages, &bounds, used, &mut rng), warm_up, end);
    let optimum = run(pages, &mut Optimum::new(pages, &bounds, used, &mut rng), warm_up, end);
    Contest {
        outcomes: [("one interval", fixed), ("categories", category), ("ours", ours), ("optimum", optimum)],
    }
}

/// Prints what hints bring, from sources that are right more and less often: ours with them beside ours without, at an equal number of fetches.
fn hints(setting: &Setting) {
    let mut table = Table::new(["hints right", "belief", "fetches", "mean", "mean without", "ratio"]);
    let (bounds, warm_up, end) = (Bounds::default(), setting.warm_up(), setting.end());
    for right in [0.99, 0.5, 0.2, 0.01] {
        let mut rng = Rng::with_seed(setting.seed);
        let mut pages = pages::made_up(Habit::Poisson, setting.pages, warm_up, end, &mut rng);
        pages::hint(&mut pages, 0.5, right, end, &mut rng);
        let budget = |visits: f64| pages.len() as f64 * visits / DAY;
        let mut listening = Ours::new(&pages, &bounds, budget(setting.visits), rng.fork()).listening();
        let with = &run(&pages, &mut listening, warm_up, end)[0];
        let used = with.fetches as f64 / (end - warm_up);
        let without = &run(&pages, &mut Ours::new(&pages, &bounds, used, rng.fork()), warm_up, end)[0];
        table.row([
            format!("{right:.2}"),
            format!("{:.2}", listening.belief()),
            grouped(with.fetches),
            format!("{:.3}", with.mean() / 3600.0),
            format!("{:.3}", without.mean() / 3600.0),
            format!("{:.3}", with.mean() / without.mean()),
        ]);
    }
    print!("\nHints of half of all changes, five minutes late, over Poisson pages\n{table}");
}

/// Microseconds in which the price is found.
fn price_time(pages: usize, seed: u64) -> f64 {
    let mut rng = Rng::with_seed(seed);
    let demand = |_| (Demand::of_known((rng.f64() * 20.0 - 10.0).exp2() / DAY, 1.0, &Bounds::default()), 1);
    let demands: Demands = (0..pages).map(demand).collect();
    let start = Instant::now();
    let rounds = (1..=1000).map(|round| demands.price(pages as f64 * f64::from(round) / 500.0 / DAY));
    std::hint::black_box(rounds.map(Price::seconds).sum::<f64>());
    start.elapsed().as_secs_f64() * 1e6 / 1000.0
}

fn show(table: &mut Table, pages: &str, contest: &Contest) {
    let [fixed, _, _, optimum] = &contest.outcomes;
    for (at, (name, [measured, all])) in contest.outcomes.iter().enumerate() {
        let hours = |seconds: f64| format!("{:.3}", seconds / 3600.0);
        let ratio = |one: f64, other: f64| format!("{:.3}", one / other);
        table.row([
            if at == 0 { pages.to_owned() } else { String::new() },
            (*name).to_owned(),
            grouped(measured.fetches),
            hours(measured.mean()),
            hours(measured.quantile(0.95)),
            ratio(measured.mean(), optimum.1[0].mean()),
            ratio(measured.mean(), fixed.1[0].mean()),
            hours(all.mean()),
            ratio(all.mean(), optimum.1[1].mean()),
        ]);
    }
}
