//! What histories take in the database: beside every version compressed on its own, and beside a git repository after `git gc --aggressive`.
//!
//! Each page is recorded version by version, as visits would do; then idle-time upkeep runs until there is nothing left to do. Told are the bytes of the
//! frames alone and of the whole file, with visits, indexes and half-filled pages; and how long it takes to read every version back.

mod git;
mod history;

use crate::contest::shown;
use crate::table::{Table, grouped};
use crate::{corpus, size};
use anyhow::{Context, Result, ensure};
pub(crate) use history::quiet;
use history::{History, histories};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tidemark_engine::page::PageId;
use tidemark_engine::store::Store;

/// Sizes of all versions of one page, or of many.
#[derive(Clone, Copy, Default)]
struct Sizes {
    versions: usize,
    raw: usize,
    gzip: usize,
    zstd: usize,
    brotli: usize,
    quick: usize,
    packed: usize,
}

/// Records the histories of the corpus, or those of a folder, and prints what they take.
pub fn evaluate(folder: Option<&Path>, long: u32) -> Result<()> {
    let mut histories = histories(folder)?;
    histories.push(History::generated(200_000, long));
    let place = tempfile::tempdir()?;
    let file = place.path().join("tidemark.db");
    let store = tidemark_store::open(file.to_str().context("a path that is text")?)?;
    let (pages, cost) = record(&*store, &histories)?;
    let mut sizes = sizes(&histories)?;
    stored(&*store, &pages, &mut sizes, |sizes, bytes| sizes.quick = bytes)?;
    let upkeep = upkeep(&*store)?;
    stored(&*store, &pages, &mut sizes, |sizes, bytes| sizes.packed = bytes)?;
    println!("{}", table(&histories, &sizes));
    read_back(&*store, &histories, &pages)?;
    println!("recording a version: {cost}\nupkeep of all: {}", shown(upkeep));
    let facts = store.facts()?;
    drop(store);
    totals(&histories, &sizes, facts.bytes)
}

/// Bytes in all, ours and git's, with and without the generated page.
fn totals(histories: &[History], sizes: &[Sizes], file: u64) -> Result<()> {
    let real = histories.len() - 1;
    let (all, frames) = (git::size(histories)?, sizes.iter().map(|sizes| sizes.packed).sum::<usize>());
    let (corpus, corpus_frames) =
        (git::size(&histories[..real])?, sizes[..real].iter().map(|sizes| sizes.packed).sum::<usize>());
    let corpus_file = whole_file(&histories[..real])?;
    let mut table = Table::new(["in all", "git, contents", "ours, frames", "git, whole", "ours, whole file"]);
    let mut row = |name: &str, git: git::Size, frames: usize, file: u64| {
        table.row([name.to_owned(), grouped(git.blobs), grouped(frames), grouped(git.whole), grouped(file)]);
    };
    row("the corpus", corpus, corpus_frames, corpus_file);
    row("with the long page", all, frames, file);
    println!("\n{table}");
    Ok(())
}

/// The size of a file that holds these histories and nothing else, after upkeep.
fn whole_file(histories: &[History]) -> Result<u64> {
    let place = tempfile::tempdir()?;
    let file = place.path().join("tidemark.db");
    let store = tidemark_store::open(file.to_str().context("a path that is text")?)?;
    record(&*store, histories)?;
    upkeep(&*store)?;
    drop(store);
    Ok(std::fs::metadata(&file)?.len())
}

fn record(store: &dyn Store, histories: &[History]) -> Result<(Vec<PageId>, String)> {
    let mut pages = Vec::new();
    let mut times = Vec::new();
    for history in histories {
        let page = history.watch(store)?;
        for (number, version) in history.versions.iter().enumerate() {
            let record = history::record(store, page, i64::try_from(number)?, version)?;
            let start = Instant::now();
            store.record(&record)?;
            times.push(start.elapsed());
        }
        pages.push(page);
    }
    times.sort_unstable();
    let at = |share: usize| shown(times[(times.len() - 1) * share / 100]);
    Ok((pages, format!("median {}, 99 % {}, most {}", at(50), at(99), at(100))))
}

fn upkeep(store: &dyn Store) -> Result<Duration> {
    let start = Instant::now();
    let mut idle = 0;
    while idle < 30 {
        idle = if store.give_back()? == 0 { idle + 1 } else { 0 };
    }
    Ok(start.elapsed())
}

fn stored(
    store: &dyn Store,
    pages: &[PageId],
    sizes: &mut [Sizes],
    set: impl Fn(&mut Sizes, usize),
) -> Result<()> {
    for (page, sizes) in pages.iter().zip(sizes) {
        set(sizes, store.snapshots(*page)?.iter().map(|line| line.stored as usize).sum());
    }
    Ok(())
}

fn sizes(histories: &[History]) -> Result<Vec<Sizes>> {
    let mut all = Vec::new();
    for history in histories {
        let mut sizes = Sizes::default();
        // Brotli takes a second for each version of the long page: every tenth stands for ten.
        let step = if history.versions.len() > 60 { 10 } else { 1 };
        for version in history.versions.iter().step_by(step) {
            sizes.zstd += step * zstd::bulk::compress(version, 19)?.len();
            sizes.brotli += step * size::brotli(version)?.len();
            sizes.gzip += step * gzip(version)?;
        }
        sizes.versions = history.versions.len();
        sizes.raw = history.versions.iter().map(Vec::len).sum();
        all.push(sizes);
    }
    Ok(all)
}

fn gzip(bytes: &[u8]) -> Result<usize> {
    let mut child =
        Command::new("gzip").args(["-9", "-c"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().context("gzip reads")?;
    let bytes = bytes.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&bytes));
    let output = child.wait_with_output()?;
    writer.join().map_err(|_| anyhow::anyhow!("writing to gzip"))??;
    ensure!(output.status.success(), "gzip failed");
    Ok(output.stdout.len())
}

fn table(histories: &[History], sizes: &[Sizes]) -> Table {
    let mut groups: BTreeMap<&str, Sizes> = BTreeMap::new();
    for (history, sizes) in histories.iter().zip(sizes) {
        let sum = groups.entry(history.name.split('/').next().unwrap_or_default()).or_default();
        sum.versions += sizes.versions;
        sum.raw += sizes.raw;
        sum.gzip += sizes.gzip;
        sum.zstd += sizes.zstd;
        sum.brotli += sizes.brotli;
        sum.quick += sizes.quick;
        sum.packed += sizes.packed;
    }
    let heading =
        ["bytes a version", "versions", "raw", "gzip -9", "zstd -19", "brotli 11", "at once", "after upkeep"];
    let mut table = Table::new(heading);
    for (name, sizes) in groups {
        let each = |bytes: usize| grouped(bytes / sizes.versions.max(1));
        let columns = [sizes.raw, sizes.gzip, sizes.zstd, sizes.brotli, sizes.quick, sizes.packed].map(each);
        table.row([name.to_owned(), grouped(sizes.versions)].into_iter().chain(columns));
    }
    table
}

/// Reads every version back three times, keeps the middle time, and compares the bytes.
fn read_back(store: &dyn Store, histories: &[History], pages: &[PageId]) -> Result<()> {
    let mut times = Vec::new();
    for (history, page) in histories.iter().zip(pages) {
        for (number, version) in history.versions.iter().enumerate() {
            let mut tries = Vec::new();
            for _ in 0..3 {
                let start = Instant::now();
                let snapshot =
                    store.snapshot(*page, u32::try_from(number)? + 1)?.context("every version is there")?;
                tries.push(start.elapsed());
                ensure!(snapshot.body == *version, "{} {number}: other bytes came back", history.name);
            }
            tries.sort_unstable();
            times.push((tries[1], version.len()));
        }
    }
    times.sort_unstable();
    let told = |name: &str, times: &[Duration]| {
        let at = |share: usize| shown(times[(times.len() - 1) * share / 1000]);
        println!("{name}: median {}, 99 % {}, most {}", at(500), at(990), at(1000));
    };
    let all: Vec<Duration> = times.iter().map(|time| time.0).collect();
    told(&format!("reading back each of {} versions", times.len()), &all);
    let large: Vec<Duration> = times.iter().filter(|time| time.1 >= 150_000).map(|time| time.0).collect();
    if !large.is_empty() {
        told(&format!("those {} of 150 kB and more (target: below 10 ms)", large.len()), &large);
    }
    Ok(())
}

/// Where the corpus has none, there is nothing to measure.
fn no_corpus() -> anyhow::Error {
    anyhow::anyhow!("no histories here: set TIDEMARK_CORPUS to the folder of the corpus, or give --histories")
}

/// All documents of the corpus that are versions of something.
fn documents() -> Result<Vec<corpus::Document>> {
    let groups = ["histories", "terms", "feeds"];
    let files = corpus::files()?.ok_or_else(no_corpus)?;
    Ok(files.into_iter().filter(|file| groups.contains(&file.group())).collect())
}
