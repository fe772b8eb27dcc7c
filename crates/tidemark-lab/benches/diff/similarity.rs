//! The similarity of Artail & Fawaz by its three methods, on pages of which a twentieth changed, with the comparisons each makes (their figure 6).

use crate::pair::{Pairs, read};
use anyhow::Result;
use std::io::Write;
use tidemark_core::digest::PageDigest;
use tidemark_core::similarity::{Method, Options, compare};
use tidemark_lab::contest::Contest;
use tidemark_lab::plant;
use tidemark_lab::table::grouped;

/// Sizes of the pages in nodes: large enough for the target, small enough for the slow methods.
const NODES: std::ops::Range<usize> = 1_000..6_000;
/// Most pages.
const PAGES: usize = 12;
/// The fast method is to be so many times as fast as the reference.
const TARGET: f64 = 50.0;

struct Versions {
    old: PageDigest,
    new: PageDigest,
}

pub(crate) fn run(pairs: &Pairs, rounds: usize, out: &mut dyn Write) -> Result<()> {
    let mut pages = Vec::new();
    for pair in &pairs.all {
        let old = read(pair.old.as_bytes());
        if NODES.contains(&old.len()) && pages.len() < PAGES {
            let new = plant::change(&pair.old, old.len() / 20, 1)?;
            pages.push(Versions { new: read(new.as_bytes()), old });
        }
    }
    let by =
        |method: Method| move |page: &Versions| compare(&page.old, &page.new, &Options::default(), method);
    let outcome = Contest::new("similarity")
        .enter("fast", by(Method::Fast))
        .enter("reference", by(Method::Reference))
        .enter("original", by(Method::Original))
        .run(&pages, rounds);
    write!(out, "{} pages\n{outcome}", pages.len())?;
    for method in Method::ALL {
        let reports: Vec<_> = pages.iter().map(by(method)).collect();
        let comparisons: u64 = reports.iter().map(|report| report.comparisons).sum();
        let coarse = reports.iter().filter(|report| !report.exact).count();
        writeln!(
            out,
            "{:<10} {:>16} node comparisons, {coarse} pages given up",
            method.name(),
            grouped(comparisons as usize)
        )?;
    }
    let ratio = outcome.total_ratio(1).min(outcome.page_ratio(1));
    let verdict = if ratio >= TARGET { "met" } else { "MISSED" };
    writeln!(
        out,
        "target: fast {TARGET}x as fast as reference; least of total and median page: {ratio:.0}x; {verdict}"
    )?;
    Ok(())
}
