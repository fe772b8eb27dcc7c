//! History from elsewhere: versions of a page that others kept, each examined as if it had been seen at its own time. Changes and verdicts appear, and nobody is told.
//!
//! A history only grows at its end: what is not later than the last visit of a page is told and passed over. So the same history may be taken in again.

use crate::engine::Engine;
use crate::examine::{Sight, Terms, examine};
use crate::fetch::{Answer, Fetched, Outcome, Timing, Validators};
use crate::page::PageId;
use crate::record::{Cause, VisitResult};
use crate::store::StoreError;
use jiff::Timestamp;

/// A version that somebody kept.
#[derive(Clone, Debug)]
pub struct Capture {
    /// When it was seen.
    pub at: Timestamp,
    /// Its bytes.
    pub body: Vec<u8>,
    /// `Content-Type`, where it is known.
    pub content_type: Option<String>,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is part of the history now, and this is what it brought.
    Seen(VisitResult),
    /// It is not later than what is known.
    Earlier,
    /// It lies in the future.
    Future,
    /// Another process has the page now.
    Busy,
}

/// Takes a version into the history of a page.
pub fn take(engine: &Engine, page: PageId, capture: Capture) -> Result<Taken, StoreError> {
    if capture.at > engine.clock.now() {
        return Ok(Taken::Future);
    }
    if last(engine, page)?.is_some_and(|last| capture.at <= last) {
        return Ok(Taken::Earlier);
    }
    let Some(claimed) = engine.store.claim_pages(&[page], &engine.claim(1))?.pop() else {
        return Ok(Taken::Busy);
    };
    let sight = Sight { claimed, cause: Cause::Asked, at: capture.at, answer: answer(capture) };
    let interests = |text: &str| engine.interests(text);
    let terms = Terms {
        price: engine.price(),
        jitter: 0.5,
        bounds: engine.settings.bounds,
        limits: engine.settings.limits,
        // What a feed held long ago is not fetched today.
        follow_entries: false,
        extractor: &*engine.extractor,
        digests: &engine.digests,
        interests: &interests,
    };
    let mut record = examine(&sight, &terms, || engine.store.track(page))?;
    record.quiet = true;
    record.visit.log.push("taken in from a history kept elsewhere; nobody is told".to_owned());
    let result = record.visit.result;
    engine.store.record(&record)?;
    Ok(Taken::Seen(result))
}

/// When the page was last asked for, if it has a version; no version is later.
fn last(engine: &Engine, page: PageId) -> Result<Option<Timestamp>, StoreError> {
    let known = engine.store.page(page)?.ok_or_else(|| StoreError::Missing(format!("page {}", page.0)))?;
    Ok(known.head.and(known.state.asked.max(known.state.seen)))
}

fn answer(capture: Capture) -> Answer {
    let received = capture.body.len() as u64;
    let fetched = Fetched {
        status: 200,
        body: capture.body.into(),
        content_type: capture.content_type,
        picture: None,
        validators: Validators::default(),
        modified: None,
    };
    Answer {
        outcome: Outcome::Page(fetched),
        redirects: Vec::new(),
        timing: Timing::default(),
        received,
        retry_after: None,
        crawl_delay: None,
    }
}
