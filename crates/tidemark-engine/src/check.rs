//! The check: one visit of one page, from the claim to the record.

use crate::engine::Engine;
use crate::examine::{Sight, Terms, examine};
use crate::fetch::{Answer, Failure, Outcome, Timing};
use crate::hint;
use crate::page::{Claimed, PageId, Track};
use crate::record::{Cause, ChangeId, NewChange, NewEvent, Record, Settled, Standing, Verdict, VisitResult};
use crate::store::StoreError;
use crate::watch::{Watch, WatchId};
use futures_util::FutureExt;
use jiff::Timestamp;
use serde::Serialize;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use url::Url;

/// What a check came to.
#[derive(Clone, Debug, Serialize)]
pub struct CheckReport {
    /// The page.
    pub page: PageId,
    /// Its address.
    pub url: Url,
    /// Who watches it.
    pub watches: Vec<Watch>,
    /// When it was looked at.
    pub at: Timestamp,
    /// What it brought, in a word.
    pub result: VisitResult,
    /// The version it saw, if it saw one.
    pub version: Option<u32>,
    /// The change it found.
    pub change: Option<ChangeId>,
    /// What that is to each watch.
    pub verdicts: Vec<(WatchId, Verdict)>,
    /// Verdicts of an earlier change that waited for this look.
    pub settled: Vec<Settled>,
    /// What else happened.
    pub events: Vec<NewEvent>,
    /// Why things were decided as they were.
    pub log: Vec<String>,
    /// When it is visited next.
    pub due: Option<Timestamp>,
    /// Why then.
    pub why: String,
}

/// Visits a page that was claimed, and records what that brought.
pub async fn check(engine: &Arc<Engine>, claimed: Claimed, cause: Cause) -> Result<CheckReport, StoreError> {
    let (at, cause) = (engine.clock.now(), cause.with(&claimed));
    let fetch = engine.fetcher.fetch(&claimed.page.request, &claimed.page.known);
    let answer = AssertUnwindSafe(fetch).catch_unwind().await.unwrap_or_else(|_| stumbled("fetching"));
    let sight = Arc::new(Sight { claimed, cause, at, answer });
    if let Ok(settled) = settle(engine, &sight).await {
        return settled;
    }
    // A page that makes us stumble is one failed visit, not the end of the others.
    let (claimed, answer) = (sight.claimed.clone(), stumbled("examining"));
    let failed = Arc::new(Sight { claimed, cause, at, answer });
    settle(engine, &failed).await.unwrap_or_else(|panic| Err(broken(&panic)))
}

/// Examines and records, on a thread meant for it. The outer error is a panic.
async fn settle(
    engine: &Arc<Engine>,
    sight: &Arc<Sight>,
) -> Result<Result<CheckReport, StoreError>, tokio::task::JoinError> {
    let (engine, sight) = (Arc::clone(engine), Arc::clone(sight));
    tokio::task::spawn_blocking(move || {
        let interests = |text: &str| engine.interests(text);
        let terms = Terms {
            price: engine.price(),
            jitter: fastrand::f64(),
            bounds: engine.settings.bounds,
            limits: engine.settings.limits,
            follow_entries: engine.settings.follow_entries,
            extractor: &*engine.extractor,
            digests: &engine.digests,
            interests: &interests,
        };
        let page = sight.claimed.page.id;
        let track = || -> Result<Track, StoreError> { engine.store.track(page) };
        let record = examine(&sight, &terms, track)?;
        let recorded = engine.store.record(&record)?;
        if !record.hints.is_empty() && record.visit.version.is_some() {
            let worth = |change: &NewChange| {
                change.verdicts.iter().any(|(_, verdict)| verdict.standing != Standing::Held)
            };
            hint::learn(&engine, &sight.claimed, record.change.as_ref().is_some_and(worth), sight.at)?;
        }
        Ok(CheckReport::of(&sight, record, recorded.change))
    })
    .await
}

impl Cause {
    /// A page with a change that waits is looked at a second time, whoever asks.
    fn with(self, claimed: &Claimed) -> Self {
        match self {
            Self::Schedule if claimed.page.state.waiting.is_some() => Self::Confirm,
            Self::Schedule if claimed.page.entry_of.is_some() => Self::Entry,
            other => other,
        }
    }
}

impl CheckReport {
    fn of(sight: &Sight, record: Record, change: Option<ChangeId>) -> Self {
        Self {
            page: record.page,
            url: sight.claimed.page.request.url.clone(),
            watches: sight.claimed.watches.clone(),
            at: record.visit.at,
            result: record.visit.result,
            version: record.visit.version,
            change,
            verdicts: record.change.map(|change| change.verdicts).unwrap_or_default(),
            settled: record.settled,
            events: record.events,
            log: record.visit.log,
            due: record.due,
            why: record.why,
        }
    }
}

/// No answer, because of us.
fn stumbled(doing: &str) -> Answer {
    let failure = Failure::Garbled(format!(
        "{doing} it broke down, which is a mistake of ours; please report the page"
    ));
    Answer {
        outcome: Outcome::Failed(failure),
        redirects: Vec::new(),
        timing: Timing::default(),
        received: 0,
        retry_after: None,
        crawl_delay: None,
    }
}

fn broken(panic: &tokio::task::JoinError) -> StoreError {
    StoreError::Other { attempt: "recording a visit".to_owned(), reason: panic.to_string() }
}
