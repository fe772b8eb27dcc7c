//! A new zone, filter or profile over the whole history of a page: what a watch would have told.

use crate::content::Content;
use crate::engine::Engine;
use crate::extract::Extracting;
use crate::judge::Case;
use crate::memory::Memory;
use crate::page::{PageId, Snapshot};
use crate::pair::{Pair, Raw};
use crate::record::Verdict;
use crate::store::StoreError;
use crate::watch::Wish;
use jiff::Timestamp;
use serde::Serialize;

/// What a change would have been to a watch.
#[derive(Clone, Debug, Serialize)]
pub struct Rerun {
    /// When the new version was first seen.
    pub at: Timestamp,
    /// From this version.
    pub old: u32,
    /// To this one.
    pub new: u32,
    /// What the watch would have said.
    pub verdict: Verdict,
}

/// Goes through all versions that are kept, oldest first. Memory: two versions at a time.
pub fn rerun(engine: &Engine, page: PageId, wish: &Wish) -> Result<Vec<Rerun>, StoreError> {
    let matcher = engine.interests(&wish.interests);
    let mut before: Option<(Content, Snapshot)> = None;
    let mut memory = None;
    let jq = engine.store.page(page)?.and_then(|page| page.request.jq);
    let extracting = Extracting { extractor: &*engine.extractor, jq: jq.as_deref() };
    let mut found = Vec::new();
    for (look, line) in engine.store.snapshots(page)?.iter().enumerate() {
        let Some(new) = engine.store.snapshot(page, line.version)? else { continue };
        let (body, media) = (&new.body, new.content_type.as_deref());
        let content = Content::extracted(body, media, engine.settings.limits, extracting);
        let memory = memory.get_or_insert_with(|| Memory::recall(None, content.digest.as_deref()));
        if let Some((earlier, old)) = &before
            && let Some(mut pair) = compare([earlier, &content], [old, &new])
        {
            let look = look as u64;
            pair.remember(memory, look);
            let case =
                Case { pair: &pair, restless: &memory.restless, look, flapping: false, confirm: false };
            let verdict = case.judge(wish, &matcher).verdict;
            found.push(Rerun { at: new.at, old: old.version, new: new.version, verdict });
        }
        before = Some((content, new));
    }
    Ok(found)
}

fn compare(contents: [&Content; 2], snapshots: [&Snapshot; 2]) -> Option<Pair> {
    let raw = snapshots
        .map(|snapshot| Raw { body: &snapshot.body, content_type: snapshot.content_type.as_deref() });
    Some(Pair::compare(contents[0], contents[1])?.with_entries(contents, raw))
}
