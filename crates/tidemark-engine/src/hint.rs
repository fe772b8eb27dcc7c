//! Hints: reports that a page may have changed. A hint buys a visit, sooner the more its source has proved right; it is never a fact.
//!
//! Source: Busa-Fekete et al., WWW 2025, as told at [`revisit`](tidemark_core::revisit). Where hints come from (clients, pings, feeds) is not decided here.

use crate::engine::Engine;
use crate::page::{Claimed, PageId};
use crate::store::StoreError;
use crate::watch::WatchFilter;
use jiff::Timestamp;
use tidemark_core::revisit::{Outlook, Trust};

/// Takes a hint. When the page is due now, or nothing if nobody watches it.
pub fn take(engine: &Engine, page: PageId, source: &str) -> Result<Option<Timestamp>, StoreError> {
    let waiting = engine.store.hint(page, source)?;
    let filter = WatchFilter { page: Some(page), ..WatchFilter::default() };
    let watches = engine.store.watches(&filter)?;
    let Some(page) = engine.store.page(page)? else { return Ok(None) };
    let mut hints = 0.0;
    for source in &waiting {
        hints += trust(engine, source)?.belief();
    }
    let (now, rate) = (engine.clock.now(), page.state.rate.unwrap_or_default());
    let due = watches.iter().filter(|watch| !watch.paused).map(|watch| {
        let bounds = watch.wish.bounds.unwrap_or(engine.settings.bounds);
        let outlook = Outlook {
            last: page.state.asked.unwrap_or(now),
            hours: watch.wish.hours.as_ref(),
            failures: page.state.failures,
            hints,
            ..Outlook::new(now, &rate, engine.price(), &bounds)
        };
        outlook.next().at
    });
    let Some(due) = due.min() else { return Ok(None) };
    engine.store.bring_forward(page.id, due)?;
    Ok(Some(due))
}

/// What a visit says of the sources that had hinted at it.
pub(crate) fn learn(
    engine: &Engine,
    claimed: &Claimed,
    was_right: bool,
    at: Timestamp,
) -> Result<(), StoreError> {
    let state = &claimed.page.state;
    let gap = state.seen.map(|seen| at.duration_since(seen).unsigned_abs()).unwrap_or_default();
    let chance = state.rate.unwrap_or_default().chance(gap);
    for source in &claimed.page.hints {
        let mut trust = trust(engine, source)?;
        trust.observe(was_right, chance);
        let stored = serde_json::to_string(&trust).unwrap_or_default();
        engine.store.set_note(&key(source), &stored)?;
    }
    Ok(())
}

fn trust(engine: &Engine, source: &str) -> Result<Trust, StoreError> {
    let stored = engine.store.note(&key(source))?;
    Ok(stored.and_then(|stored| serde_json::from_str(&stored).ok()).unwrap_or_default())
}

fn key(source: &str) -> String {
    format!("trust:{source}")
}
