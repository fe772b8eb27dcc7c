//! Killed at any moment: what was acknowledged is there, byte for byte; nothing is made up; the next one goes on.
//!
//! A child process, this test binary again, records versions and changes from several threads and says so before and after each. It is killed at a random
//! moment, over and over, on the same database.

use crate::help::{assert_sound, at, body, change, claim, new_watch, with_bytes};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;
use tidemark_engine::page::PageId;
use tidemark_engine::record::Standing;
use tidemark_engine::retention::Retention;
use tidemark_engine::store::{ChangeFilter, Store, StoreError};
use tidemark_engine::watch::WatchFilter;

const THREADS: i64 = 3;

#[test]
fn killed_on_sqlite() {
    let place = crate::place::sqlite();
    kill_over_and_over(&place.url, 200, &mut |child, _| child.kill().unwrap());
}

#[test]
fn killed_on_postgres() {
    if let Some(place) = crate::place::postgres() {
        kill_over_and_over(&place.url, 200, &mut |child, _| child.kill().unwrap());
    }
}

/// Here the server itself dies, with its promises to the disk kept.
#[test]
fn the_server_is_killed() {
    let settings = "-c fsync=on -c synchronous_commit=on -c full_page_writes=on";
    let Some(cluster) = crate::cluster::Cluster::start(settings) else { return };
    let url = cluster.database();
    kill_over_and_over(&url, 8, &mut |child, _| {
        cluster.crash();
        child.wait().unwrap();
        cluster.up();
    });
}

/// The child. Does nothing unless it is told where.
#[test]
fn child() {
    let Ok(url) = std::env::var("TIDEMARK_CRASH_URL") else { return };
    let round: i64 = std::env::var("TIDEMARK_CRASH_ROUND").unwrap().parse().unwrap();
    let store = tidemark_store::open(&url).unwrap();
    let out = Mutex::new(std::io::stdout());
    let _ = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                scope.spawn({
                    let (store, out) = (&*store, &out);
                    move || work(store, out, thread, round)
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap())
    });
}

/// Records versions of two pages for ever; the second is thinned out now and then.
fn work(store: &dyn Store, out: &Mutex<std::io::Stdout>, thread: i64, round: i64) -> Result<(), StoreError> {
    let say = |text: String| {
        let mut out = out.lock().unwrap();
        writeln!(out, "{text}").unwrap();
        out.flush().unwrap();
    };
    let mut pages = Vec::new();
    for number in 0..2 {
        let url = format!("https://{thread}.example.org/{number}");
        let new = new_watch(&url, &url);
        let known = store.watches(&WatchFilter { reader: Some(url), ..WatchFilter::default() })?;
        pages.push(match known.into_iter().next() {
            Some(watch) => watch,
            None => store.add_watch(&new, at(0))?,
        });
    }
    for step in 0.. {
        let watch = &pages[step % 2];
        let now = round * 10_000 + step as i64;
        let Some(claimed) =
            store.claim_pages(&[watch.page], &claim(&format!("{round}.{thread}"), now, 1))?.pop()
        else {
            continue;
        };
        let version = claimed.page.head.as_ref().map_or(0, |head| head.version) + 1;
        let mut record = with_bytes(&claimed, now, &bytes(watch.page, version));
        record.change = Some(change(&[watch.id], Standing::Told));
        record.memory = Some(bytes(watch.page, version));
        say(format!("try {} {version}", watch.page.0));
        let recorded = store.record(&record)?;
        say(format!("done {} {} {}", watch.page.0, recorded.version.unwrap(), recorded.change.unwrap().0));
        if step % 16 == 15 {
            store.retain(pages[1].page, &Retention { versions: Some(9), ..Retention::default() }, at(now))?;
            store.give_back()?;
        }
    }
    Ok(())
}

fn bytes(page: PageId, version: u32) -> Vec<u8> {
    body(page.0 as u64, version % 60, 2000 + 10 * version as usize % 1000)
}

/// What the child said: for each page the last version that was tried, the last that was done, and its change.
#[derive(Default)]
struct Said {
    tried: BTreeMap<i64, u32>,
    done: BTreeMap<i64, (u32, i64)>,
    lines: usize,
}

fn kill_over_and_over(url: &str, rounds: i64, kill: &mut dyn FnMut(&mut Child, i64)) {
    let mut said = Said::default();
    let mut random = fastrand::Rng::with_seed(7);
    for round in 1..=rounds {
        let mut child = start(url, round);
        let (at_work, began) = std::sync::mpsc::channel();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let reader = std::thread::spawn(move || {
            let tell = |line: &String| {
                if line.contains("try") {
                    let _ = at_work.send(());
                }
            };
            lines.map_while(Result::ok).inspect(tell).collect::<Vec<_>>()
        });
        // Now and then before it has begun to work.
        if round % 5 != 0 {
            let _ = began.recv_timeout(Duration::from_secs(20));
        }
        std::thread::sleep(Duration::from_millis(random.u64(..80)));
        kill(&mut child, round);
        child.wait().unwrap();
        reader.join().unwrap().iter().for_each(|line| said.hear(line));
        let store = tidemark_store::open(url).unwrap();
        check(&*store, &said, round % 10 == 0 || round == rounds);
    }
    assert!(said.lines > rounds as usize / 2, "the children did something: {} lines", said.lines);
    eprintln!(
        "{} acknowledged versions in {rounds} rounds",
        said.done.values().map(|done| done.0).sum::<u32>()
    );
}

fn start(url: &str, round: i64) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["crash::child", "--exact", "--nocapture", "--test-threads=1"]);
    command.env("TIDEMARK_CRASH_URL", url).env("TIDEMARK_CRASH_ROUND", round.to_string());
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

impl Said {
    fn hear(&mut self, line: &str) {
        // The test harness says things too, on the same line as our first.
        let words: Vec<&str> = line.split(' ').collect();
        let number =
            |at: usize| words.get(words.len().wrapping_sub(at)).and_then(|word| word.parse::<i64>().ok());
        if let (true, Some(page), Some(version)) = (words.contains(&"try"), number(2), number(1)) {
            self.tried.insert(page, version as u32);
        }
        if let (true, Some(page), Some(version), Some(change)) =
            (words.contains(&"done"), number(3), number(2), number(1))
        {
            self.done.insert(page, (version as u32, change));
            self.lines += 1;
        }
    }
}

fn check(store: &dyn Store, said: &Said, deep: bool) {
    let all = store.watches(&WatchFilter::default()).unwrap();
    for (page, (version, change)) in &said.done {
        let head = store.page(PageId(*page)).unwrap().unwrap().head.unwrap().version;
        assert!(head >= *version, "page {page}: version {version} was acknowledged, and {head} is the last");
        assert!(store.script(tidemark_engine::record::ChangeId(*change)).unwrap().is_some());
    }
    for watch in &all {
        let lines = store.snapshots(watch.page).unwrap();
        let last = lines.last().map_or(0, |line| line.version);
        let tried = said.tried.get(&watch.page.0).copied().unwrap_or(0);
        assert!(last <= tried, "page {}: version {last} was never tried, only {tried}", watch.page.0);
        let thinned = watch.url.path() == "/1";
        assert!(thinned || lines.len() == last as usize, "no version is left out");
        let newest = lines.iter().rev().take(if deep { usize::MAX } else { 3 });
        for line in newest {
            let snapshot = store.snapshot(watch.page, line.version).unwrap().unwrap();
            assert!(
                snapshot.body == bytes(watch.page, line.version),
                "version {} of page {}",
                line.version,
                watch.page.0
            );
        }
        let changes =
            store.changes(&ChangeFilter { watch: Some(watch.id), ..ChangeFilter::default() }).unwrap();
        let versions: Vec<u32> = changes.iter().rev().map(|change| change.new).collect();
        assert_eq!(versions, (1..=last).collect::<Vec<_>>(), "each version came with its change");
        assert_eq!(store.visits(watch.page, usize::MAX >> 1).unwrap().len(), last as usize);
        assert_eq!(store.track(watch.page).unwrap().memory.is_some(), last > 0);
    }
    if deep {
        assert_sound(store);
    }
}
