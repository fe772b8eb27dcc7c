//! What a visit means: pure, from what came back and what is known to what is recorded.
//!
//! Each step is paid for only if the one before says so: a failure or a bad status costs nothing, the same bytes one hash, the same page in other bytes one reading; only
//! a changed page is compared, judged for each watch, and remembered.

mod draft;
mod picture;
mod plan;
mod versions;

use crate::condition::{self, Ailment};
use crate::content::Content;
use crate::extract::Extractor;
use crate::fetch::{Answer, Fetched, Outcome};
use crate::page::{Claimed, Track};
use crate::recent::Recent;
use crate::record::{Cause, Record, VisitResult};
use crate::store::StoreError;
use draft::Draft;
use jiff::Timestamp;
use std::sync::Arc;
use tidemark_core::page::Limits;
use tidemark_core::profile::Matcher;
use tidemark_core::revisit::{Bounds, Price};

/// One visit, before anybody has thought about it.
#[derive(Debug)]
pub struct Sight {
    /// The page, with the right to record.
    pub claimed: Claimed,
    /// Why it was made.
    pub cause: Cause,
    /// When it began.
    pub at: Timestamp,
    /// What came back.
    pub answer: Answer,
}

/// What an examination goes by, besides the visit itself.
pub struct Terms<'a> {
    /// What a visit must be worth.
    pub price: Price,
    /// Chance in [0, 1): spreads visits.
    pub jitter: f64,
    /// How soon and how late to look where a watch does not say.
    pub bounds: Bounds,
    /// How large a page may be.
    pub limits: Limits,
    /// Whether new entries of a feed are looked at once.
    pub follow_entries: bool,
    /// Reads documents that are no pages.
    pub extractor: &'a dyn Extractor,
    /// Digests of versions read lately.
    pub digests: &'a Recent<Content>,
    /// A reader's interests made ready.
    pub interests: &'a dyn Fn(&str) -> Arc<Matcher>,
}

/// Examines a visit. `track` is called only if the bytes are not those of the last version.
pub fn examine(
    sight: &Sight,
    terms: &Terms<'_>,
    track: impl FnOnce() -> Result<Track, StoreError>,
) -> Result<Record, StoreError> {
    let mut draft = Draft::new(sight, terms);
    match &sight.answer.outcome {
        Outcome::Failed(failure) => draft.failed(failure),
        Outcome::Unchanged => draft.same("the server says that nothing changed"),
        Outcome::Page(fetched) => look(&mut draft, fetched, track)?,
    }
    Ok(draft.finish())
}

fn look(
    draft: &mut Draft<'_>,
    fetched: &Fetched,
    track: impl FnOnce() -> Result<Track, StoreError>,
) -> Result<(), StoreError> {
    if let Some(ailment) = condition::of_head(fetched) {
        draft.unwell(ailment);
        return Ok(());
    }
    if draft.is_blank(fetched) {
        draft.unwell(Ailment::Blank);
        return Ok(());
    }
    let hash = *blake3::hash(&fetched.body).as_bytes();
    if draft.head().is_some_and(|head| head.hash == hash) {
        draft.validators(fetched);
        draft.same("the bytes are those of the last version");
        return Ok(());
    }
    let track = track()?;
    let content = draft.read(&fetched.body, fetched.content_type.as_deref());
    let baseline = draft.baseline(&track);
    if let Some(ailment) = draft.ailment(&content, baseline.as_ref()) {
        draft.unwell(ailment);
        return Ok(());
    }
    draft.validators(fetched);
    draft.well();
    draft.keep(fetched, hash, &content);
    match baseline {
        None => draft.first(&content, fetched),
        Some(old) => draft.compare(&track, &old, &content, fetched),
    }
    Ok(())
}

/// What a visit brought, in a word, for the log of visits.
impl VisitResult {
    /// The word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Unchanged => "unchanged",
            Self::Respelled => "respelled",
            Self::Changed => "changed",
            Self::Unwell => "unwell",
            Self::Failed => "failed",
        }
    }
}
