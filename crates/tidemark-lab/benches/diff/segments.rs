//! Segmentation and hashing beside parsing, and the dual-step comparison beside that of whole pages.
//!
//! Every measurement is of pages just encoded, since a page keeps the hashes that were asked of it.

use crate::pair::{Pair, Pairs, read};
use anyhow::Result;
use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};
use tidemark_core::diff::Difference;
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::segment::{Comparison, Cutting, Segmentation, Version, Way};
use tidemark_lab::corpus::{self, Document};
use tidemark_lab::plant::{self, Kind};

/// Most that segmentation and hashing may take of parsing, and the dual step of the comparison of whole pages.
const MOST: (f64, f64) = (0.5, 1.1);

pub(crate) fn run(pairs: &Pairs, rounds: usize, out: &mut dyn Write) -> Result<()> {
    let little = little_changed()?;
    let neighbours = neighbours()?;
    for (name, pairs) in
        [("eight edits", &pairs.all), ("one word changed", &little), ("neighbours of histories", &neighbours)]
    {
        if !pairs.is_empty() {
            let times: Vec<[Duration; 5]> = pairs.iter().map(|pair| measured(pair, rounds)).collect();
            report(name, &times, out)?;
        }
    }
    Ok(())
}

/// Least times of: encode, first segmentation, carrying over, dual step, whole pages.
fn measured(pair: &Pair, rounds: usize) -> [Duration; 5] {
    let mut least = [Duration::MAX; 5];
    let mut take = |at: usize, time: Duration| least[at] = least[at].min(time);
    for _ in 0..rounds {
        let (new, time) = timed(|| read(pair.new.as_bytes()));
        take(0, time);
        let old = read(pair.old.as_bytes());
        let (first, time) = timed(|| Segmentation::first(&old, Cutting::default()));
        take(1, time);
        let (later, time) =
            timed(|| Segmentation::carry(first.outline(), &new, Way::Both, Cutting::default()));
        take(2, time);
        take(3, timed(|| Comparison::of(Version::new(&old, &first), Version::new(&new, &later))).1);
        let (old, new) = (fresh(&pair.old), fresh(&pair.new));
        take(4, timed(|| Difference::of(&old, &new)).1);
    }
    least
}

/// A page whose tree is known, as that of a page in segments is.
fn fresh(page: &str) -> PageDigest {
    let digest = read(page.as_bytes());
    black_box(digest.depth(NodeId::ROOT));
    digest
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let made = black_box(work());
    (made, start.elapsed())
}

fn report(name: &str, times: &[[Duration; 5]], out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{name}: {} pairs", times.len())?;
    for (what, part, whole, most) in [
        ("first segmentation and hashing / encode", 1, 0, MOST.0),
        ("carrying over and hashing / encode", 2, 0, MOST.0),
        ("dual step / whole pages", 3, 4, MOST.1),
    ] {
        let total = |at: usize| times.iter().map(|time| time[at].as_secs_f64()).sum::<f64>();
        let mut each: Vec<f64> =
            times.iter().map(|time| time[part].as_secs_f64() / time[whole].as_secs_f64()).collect();
        each.sort_by(f64::total_cmp);
        let (all, median, largest) = (total(part) / total(whole), each[each.len() / 2], each[each.len() - 1]);
        let met = if all <= most && median <= most { "met" } else { "MISSED" };
        writeln!(
            out,
            "  {what}: total {all:.2}, median {median:.2}, largest {largest:.2} (target: at most {most}; {met})"
        )?;
    }
    Ok(())
}

/// Articles in which one word changed.
fn little_changed() -> Result<Vec<Pair>> {
    let (grounds, _) = plant::grounds()?;
    let grown = grounds.into_iter().filter_map(|ground| {
        let grown = ground.plant(&[Kind::Words], 1, 1)?;
        Some(Pair { name: ground.name, old: ground.page, new: grown.page })
    });
    Ok(grown.collect())
}

/// Versions of real pages that follow each other, where there is a corpus.
fn neighbours() -> Result<Vec<Pair>> {
    let (documents, _) = corpus::pages()?;
    let folder = |document: &Document| document.name.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let histories =
        documents.chunk_by(|a, b| folder(a) == folder(b)).filter(|history| history[0].group() == "histories");
    let pairs = histories.flat_map(|history| history.windows(2).step_by(4));
    let text = |document: &Document| String::from_utf8(document.bytes.clone()).ok();
    let pair = |pair: &[Document]| {
        Some(Pair { name: pair[1].name.clone(), old: text(&pair[0])?, new: text(&pair[1])? })
    };
    Ok(pairs.filter_map(pair).filter(|pair| pair.old != pair.new).collect())
}
