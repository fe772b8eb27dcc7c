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
use tidemark_core::revisit::Bounds;

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
    let names = ["one interval", "categories", "ours", "optimum"];
    let [mut fixed, mut category, mut ours, mut optimum] = [fixed, category, ours, optimum].map(Some);
    let mut all = [&mut fixed, &mut category, &mut ours, &mut optimum].into_iter();
    let outcomes = names.map(|name| (name, all.next().and_then(Option::take).expect("as many as names")));
    Contest { outcomes }
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
