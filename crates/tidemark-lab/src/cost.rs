//! What watching costs: CPU per check, memory, checks a second and the time to start, beside changedetection.io over the same site in the same run.
//!
//! Both programs run as their users run them, as processes of their own; their CPU time is what the system counted, divided by the requests that the site
//! answered meanwhile. The site itself is not counted.

mod ours;
mod peer;
mod process;
mod site;

use crate::corpus::{self, Origin};
use crate::table::Table;
use anyhow::{Context, Result};
use ours::Ours;
use peer::Peer;
use site::Site;
use std::path::Path;
use std::time::Duration;

/// Addresses of each page where the speed is measured: a watch is visited once a second at most.
const COPIES: usize = 8;
/// How long each measurement goes on.
const WINDOW: Duration = Duration::from_secs(12);

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The program, built for release.
    pub program: &'a Path,
    /// The command that starts changedetection.io, if it is to be measured too.
    pub peer: Option<&'a Path>,
    /// Pages of the site.
    pub pages: usize,
    /// Watches of the large database.
    pub watches: usize,
}

/// CPU milliseconds per check.
#[derive(Clone, Copy, Debug)]
struct PerCheck {
    unchanged: f64,
    changed: f64,
}

/// Measures, and prints as it goes.
pub fn run(question: &Question<'_>) -> Result<()> {
    let (documents, origin) = corpus::pages()?;
    let kind =
        if origin == Origin::Corpus { "pages of the corpus" } else { "generated pages (no corpus here)" };
    let bodies: Vec<Vec<u8>> = choose(documents, question.pages);
    let mean = bodies.iter().map(Vec::len).sum::<usize>() / bodies.len().max(1);
    println!("{} {kind}, {} kB on average\n", bodies.len(), mean / 1000);
    let site = Site::start(bodies)?;
    let ours = Ours { program: question.program };
    let mut table = Table::new(["", "unchanged, ms", "changed, ms", "idle, MB", "with the pages, MB"]);
    let mine = measure(&site, &ours)?;
    let (idle, loaded) = (ours.idle(0)?, ours.loaded(&site)?);
    table.row(row("tidemark", mine, idle, loaded));
    println!("{table}");
    if let Some(command) = question.peer {
        let peer = Peer::start(command, &site)
            .context("changedetection.io did not start; pip install changedetection.io")?;
        let (theirs, memory) = (peer.measure(&site)?, peer.memory()?);
        table.row(row("changedetection.io", theirs, peer.idle, memory));
        let times = [theirs.unchanged / mine.unchanged, theirs.changed / mine.changed];
        println!(
            "{table}\nCPU per check: {:.0} times less unchanged, {:.0} times less changed",
            times[0], times[1]
        );
    } else {
        println!("{table}\n--peer COMMAND sets changedetection.io beside it");
    }
    println!("start to first request: {:.0} ms", ours.start(&site)?.as_secs_f64() * 1e3);
    println!("{} watches, idle: {:.0} MB", question.watches, ours.idle(question.watches)?);
    site.change(50);
    let (rate, _) = ours.rate(&site, COPIES, WINDOW)?;
    println!("checks a second, 5 % of pages changing, the site on the same cores: {rate:.0}");
    Ok(())
}

fn measure(site: &Site, ours: &Ours<'_>) -> Result<PerCheck> {
    site.change(0);
    let (_, unchanged) = ours.rate(site, 1, WINDOW)?;
    site.change(1000);
    let (_, changed) = ours.rate(site, 1, WINDOW)?;
    site.change(0);
    Ok(PerCheck { unchanged, changed })
}

fn row(name: &str, cost: PerCheck, idle: f64, loaded: f64) -> Vec<String> {
    let two = |value: f64| format!("{value:.2}");
    vec![
        name.to_owned(),
        two(cost.unchanged),
        two(cost.changed),
        format!("{idle:.0}"),
        format!("{loaded:.0}"),
    ]
}

/// So many HTML pages, spread over the corpus.
fn choose(documents: Vec<corpus::Document>, count: usize) -> Vec<Vec<u8>> {
    let pages: Vec<_> = documents
        .into_iter()
        .filter(|page| {
            Path::new(&page.name).extension().is_some_and(|end| end == "html") && page.bytes.len() > 500
        })
        .collect();
    let step = (pages.len() / count.max(1)).max(1);
    pages.into_iter().step_by(step).take(count).map(|page| page.bytes).collect()
}
