//! What a claim costs, with a thousand to a million pages: it must not depend on how many there are.
//!
//! Pages are spread over hosts and over an hour, and all are due. Each round claims some and records a visit of each, which makes them due again behind all
//! others: the load of a process that has always something to do.

use crate::contest::{median, shown};
use crate::storage::quiet;
use crate::table::{Table, grouped};
use anyhow::{Context, Result};
use jiff::Timestamp;
use std::time::{Duration, Instant};
use tidemark_engine::record::Record;
use tidemark_engine::request::Request;
use tidemark_engine::store::{Claim, Store};
use tidemark_engine::watch::{NewWatch, Wish};

/// Pages in a claim.
const LIMIT: usize = 50;

/// Claims measured at each size.
const ROUNDS: usize = 60;

/// Pages added by each of several threads, so that they share their waits for the disk.
const THREADS: usize = 16;

/// Prints the cost of claims at each size, as times and as ratios to the first; then the memory of this process.
pub fn evaluate(database: Option<&str>, sizes: &[usize]) -> Result<()> {
    let place = tempfile::tempdir()?;
    let file = place.path().join("tidemark.db");
    let url = database.map_or_else(|| file.display().to_string(), str::to_owned);
    let store = tidemark_store::open(&url)?;
    let mut table =
        Table::new(["pages", "claim of 50", "ratio", "record of one", "ratio", "look (pulse)", "memory, MB"]);
    let (mut there, mut first) = (0, None);
    for size in sizes {
        add(&*store, there..*size)?;
        there = there.max(*size);
        let [claim, record, pulse] = measure(&*store, there)?;
        let (first_claim, first_record) = *first.get_or_insert((claim, record));
        let ratio =
            |time: Duration, first: Duration| format!("{:.2}", time.as_secs_f64() / first.as_secs_f64());
        table.row([
            grouped(there),
            shown(claim),
            ratio(claim, first_claim),
            shown(record),
            ratio(record, first_record),
            shown(pulse),
            grouped(resident()? / 1_000_000),
        ]);
    }
    println!("{}\n{table}", store.facts()?.engine);
    if database.is_none() {
        drop(store);
        let store = tidemark_store::open(&url)?;
        store.pulse(start()?)?;
        println!("opened again, with {} pages: {} MB", grouped(there), resident()? / 1_000_000);
    }
    Ok(())
}

fn add(store: &dyn Store, numbers: std::ops::Range<usize>) -> Result<()> {
    let span = numbers.len().max(1);
    let begin = numbers.start;
    let add = |number: usize| -> Result<()> {
        let request = Request::get(&format!("https://host{}.example.org/{number}", number % 9973))?;
        let due = start()? + Duration::from_millis(((number - begin) * 3_600_000 / span) as u64);
        store.add_watch(&NewWatch { request, wish: Wish::default() }, due)?;
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let mine = numbers.clone().skip(thread).step_by(THREADS);
                scope.spawn(move || mine.into_iter().try_for_each(add))
            })
            .collect();
        threads.into_iter().try_for_each(|thread| {
            thread.join().map_err(|_| anyhow::anyhow!("a thread that adds pages failed"))?
        })
    })
}

/// The middle times of a claim, of recording one visit, and of a look at what is due.
fn measure(store: &dyn Store, pages: usize) -> Result<[Duration; 3]> {
    let mut times: [Vec<Duration>; 3] = Default::default();
    for round in 0..ROUNDS {
        let now = start()? + Duration::from_secs(3600 + 2 * round as u64);
        let begin = Instant::now();
        let claims = store.claim(&Claim {
            worker: "lab".to_owned(),
            now,
            lease: Duration::from_mins(10),
            limit: LIMIT.min(pages / 20),
            spacing: Duration::from_millis(1),
        })?;
        times[0].push(begin.elapsed());
        for claimed in &claims.pages {
            let begin = Instant::now();
            // Due again at once, behind all others: so there is always as much to do.
            store.record(&Record { due: Some(now + Duration::from_secs(1)), ..quiet(claimed, now) })?;
            times[1].push(begin.elapsed());
        }
        let begin = Instant::now();
        store.pulse(now)?;
        times[2].push(begin.elapsed());
    }
    Ok(times.map(|mut times| median(&mut times)))
}

fn start() -> Result<Timestamp> {
    Timestamp::from_second(1_767_225_600).context("a time")
}

/// What this process holds in memory now, in bytes.
fn resident() -> Result<usize> {
    let status = std::fs::read_to_string("/proc/self/status").context("memory is measured on Linux only")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("VmRSS")?;
    Ok(line.split_whitespace().next().context("a number")?.parse::<usize>()? * 1024)
}
