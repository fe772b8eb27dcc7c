//! Browsers, a bounded number of them: lent for one visit each, used again while they are well, replaced after some pages or minutes, killed when they hang or grow.

use super::BrowserSettings;
use super::launch::{self, Running};
use super::processes;
use serde_json::json;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tidemark_engine::fetch::{Failure, Phase};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, timeout};

/// A browser that does nothing is kept so long.
const IDLE: Duration = Duration::from_secs(20);
/// And one that works so long in all.
const OLD: Duration = Duration::from_mins(30);
/// To start.
const START: Duration = Duration::from_secs(30);
/// Between two looks at its memory.
const LOOK: Duration = Duration::from_millis(250);

/// All browsers.
pub(crate) struct Browsers {
    settings: BrowserSettings,
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<Kept>>,
}

struct Kept {
    running: Running,
    pages: usize,
    started: Instant,
    since: Instant,
}

/// A browser for one visit. Dropped, it is killed; given back, it may be used again.
pub(crate) struct Lent {
    kept: Kept,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Browsers {
    pub(crate) fn new(settings: BrowserSettings) -> Self {
        let permits = Arc::new(Semaphore::new(settings.concurrency.clamp(1, Semaphore::MAX_PERMITS)));
        Self { settings, permits, idle: Mutex::default() }
    }

    pub(crate) fn settings(&self) -> &BrowserSettings {
        &self.settings
    }

    /// Waits for one's turn, and for a browser.
    pub(crate) async fn lend(&self) -> Result<Lent, Failure> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.ok();
        let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let kept = match kept {
            Some(kept) if !kept.running.cdp.is_gone() => kept,
            _ => self.start().await?,
        };
        Ok(Lent { kept, _permit: permit })
    }

    /// A visit within its limits: time, and memory.
    pub(crate) async fn within<T>(
        &self,
        lent: &Lent,
        visit: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let limit = self.settings.time;
        tokio::select! {
            result = timeout(limit, visit) => {
                result.unwrap_or(Err(Failure::TimedOut { phase: Phase::End, limit }))
            }
            used = self.too_large(lent.running().id()) => Err(Failure::Rendering(format!(
                "it took {} MB of memory, more than the {} MB of browser.memory",
                used >> 20,
                self.settings.memory >> 20
            ))),
        }
    }

    /// Takes back a browser that is well.
    pub(crate) async fn give_back(self: &Arc<Self>, mut lent: Lent) {
        lent.kept.pages += 1;
        lent.kept.since = Instant::now();
        if lent.kept.pages >= self.settings.pages || lent.kept.started.elapsed() > OLD {
            lent.kept.running.end().await;
            return;
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(lent.kept);
        tokio::spawn(tidy(Arc::downgrade(self)));
    }

    async fn start(&self) -> Result<Kept, Failure> {
        let program = launch::find(self.settings.program.as_deref()).ok_or_else(|| self.missing())?;
        let wrong =
            |reason: String| Failure::Rendering(format!("{} does not start: {reason}", program.display()));
        let running = launch::start(&program).map_err(|error| wrong(error.to_string()))?;
        match timeout(START, running.cdp.call(None, "Browser.getVersion", json!({}))).await {
            Ok(Ok(_)) => Ok(Kept { running, pages: 0, started: Instant::now(), since: Instant::now() }),
            Ok(Err(_)) => Err(wrong("it ended at once; start it by hand to see why".to_owned())),
            Err(_) => Err(wrong(format!("it said nothing within {} s", START.as_secs()))),
        }
    }

    fn missing(&self) -> Failure {
        Failure::Rendering(match &self.settings.program {
            Some(program) => format!("there is no program {} (browser.program)", program.display()),
            None => "no Chromium is installed; install it, or set browser.program".to_owned(),
        })
    }

    /// Ends when a browser uses too much memory, with how much.
    async fn too_large(&self, browser: u32) -> u64 {
        loop {
            sleep(LOOK).await;
            let used = tokio::task::spawn_blocking(move || processes::memory(browser)).await.unwrap_or(0);
            if used > self.settings.memory {
                return used;
            }
        }
    }

    /// Those that have done nothing for long.
    fn stale(&self) -> Vec<Kept> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        idle.extract_if(.., |kept| now.duration_since(kept.since) >= IDLE).collect()
    }
}

impl Lent {
    pub(crate) fn running(&self) -> &Running {
        &self.kept.running
    }

    /// Kills it.
    pub(crate) async fn end(self) {
        self.kept.running.end().await;
    }
}

async fn tidy(browsers: Weak<Browsers>) {
    sleep(IDLE + Duration::from_millis(10)).await;
    let stale = browsers.upgrade().map(|browsers| browsers.stale());
    for kept in stale.into_iter().flatten() {
        kept.running.end().await;
    }
}
