//! Tidemark, run as its users run it.

use super::process::Running;
use super::site::Site;
use anyhow::{Context, Result, anyhow, ensure};
use jiff::{SignedDuration, Timestamp};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tidemark_core::revisit::Bounds;
use tidemark_engine::request::Request;
use tidemark_engine::store::Store;
use tidemark_engine::watch::{NewWatch, Wish};

/// Threads that add watches.
const WRITERS: usize = 64;

/// The program.
pub(super) struct Ours<'a> {
    pub(super) program: &'a Path,
}

/// Bounds of a watch that is to be visited as often as can be.
fn always() -> Bounds {
    Bounds::new(Duration::from_secs(1), Duration::from_secs(1))
}

impl Ours<'_> {
    /// Checks a second and CPU milliseconds per check, once every page is known, with so many addresses of each page.
    pub(super) fn rate(&self, site: &Site, copies: usize, window: Duration) -> Result<(f64, f64)> {
        let folder = tempfile::tempdir()?;
        // More addresses than can be visited in a second: the bounds of a watch are whole seconds.
        let urls: Vec<String> =
            site.urls().iter().flat_map(|url| (0..copies).map(move |copy| format!("{url}?{copy}"))).collect();
        let count = urls.len() as u64;
        add(&folder, urls.into_iter(), Duration::ZERO)?;
        let running = self.run(&folder)?;
        warm(site, 2 * count)?;
        let (cpu, answered, began) = (running.cpu()?, site.answered(), Instant::now());
        sleep(window);
        let checks = (site.answered() - answered) as f64;
        let spent = running.cpu()? - cpu;
        ensure!(checks > 0.0, "the program visits nothing");
        Ok((checks / began.elapsed().as_secs_f64(), 1e3 * spent / checks))
    }

    /// Megabytes of a run that has nothing to do, with so many watches that are not due.
    pub(super) fn idle(&self, watches: usize) -> Result<f64> {
        let folder = tempfile::tempdir()?;
        let urls = (0..watches).map(|number| format!("http://site{}.example/page/{number}", number / 20));
        add(&folder, urls, Duration::from_hours(24))?;
        let running = self.run(&folder)?;
        sleep(Duration::from_secs(6));
        running.memory()
    }

    /// Megabytes while the pages of the site are visited.
    pub(super) fn loaded(&self, site: &Site) -> Result<f64> {
        let folder = tempfile::tempdir()?;
        add(&folder, site.urls().into_iter(), Duration::ZERO)?;
        let running = self.run(&folder)?;
        warm(site, 5 * site.urls().len() as u64)?;
        running.memory()
    }

    /// From the start of the process to the first request of one watch that is due.
    pub(super) fn start(&self, site: &Site) -> Result<Duration> {
        let folder = tempfile::tempdir()?;
        add(&folder, site.urls().into_iter().take(1), Duration::ZERO)?;
        let (answered, began) = (site.answered(), Instant::now());
        let _running = self.run(&folder)?;
        while site.answered() == answered {
            ensure!(began.elapsed() < Duration::from_secs(20), "no request within 20 s");
            sleep(Duration::from_millis(1));
        }
        Ok(began.elapsed())
    }

    fn run(&self, folder: &TempDir) -> Result<Running> {
        let mut command = Command::new(self.program);
        command.arg("run").arg("--database").arg(database(folder)).arg("--allow-private");
        for setting in [
            "schedule.visits_per_second=1000000",
            "schedule.visits_per_page=1000000",
            "schedule.spacing=0s",
            "network.per_host=32",
        ] {
            command.args(["--set", setting]);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().with_context(|| format!("cannot start {}", self.program.display()))?;
        Ok(Running(child))
    }
}

fn database(folder: &TempDir) -> String {
    folder.path().join("tidemark.db").display().to_string()
}

/// Watches added, due at once or so much later.
fn add(folder: &TempDir, urls: impl Iterator<Item = String>, later: Duration) -> Result<()> {
    let store = tidemark_store::open(&database(folder))?;
    let now = Timestamp::now() + SignedDuration::try_from(later)?;
    let urls: Vec<String> = urls.collect();
    // Many at once share their commits.
    std::thread::scope(|scope| {
        let store = &store;
        let threads: Vec<_> = urls
            .chunks(urls.len().div_ceil(WRITERS).max(1))
            .map(|urls| {
                scope.spawn(move || urls.iter().try_for_each(|url| add_one(store.as_ref(), url, now)))
            })
            .collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| anyhow!("adding watches broke down"))?)
    })
}

fn add_one(store: &dyn Store, url: &str, now: Timestamp) -> Result<()> {
    let mut request = Request::get(url)?;
    request.robots = false;
    store.add_watch(&NewWatch { request, wish: Wish { bounds: Some(always()), ..Wish::default() } }, now)?;
    Ok(())
}

/// Waits until the site has answered so many more requests.
fn warm(site: &Site, requests: u64) -> Result<()> {
    let (until, began) = (site.answered() + requests, Instant::now());
    while site.answered() < until {
        ensure!(
            began.elapsed() < Duration::from_mins(2),
            "the site was not visited {requests} times within 120 s"
        );
        sleep(Duration::from_millis(20));
    }
    Ok(())
}
