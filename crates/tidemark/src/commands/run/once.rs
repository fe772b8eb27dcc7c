//! `tidemark run --once`: ends when all that was due at the beginning was looked at, by us or by another process.

use crate::when;
use anyhow::Result;
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tidemark_engine::page::PageId;
use tidemark_engine::store::{Store, StoreError};
use tokio::sync::watch;

/// Pages read at a time.
const PAGES: usize = 500;

/// What was due, and when that was.
pub(super) struct Due {
    at: Timestamp,
    pages: BTreeSet<PageId>,
}

/// All pages that are due now.
pub(super) fn due(store: &dyn Store) -> Result<Due> {
    let at = when::now();
    let mut due = Due { at, pages: BTreeSet::new() };
    let mut behind = None;
    loop {
        let pages = store.pages(behind, PAGES)?;
        due.pages
            .extend(pages.iter().filter(|page| page.due.is_some_and(|due| due <= at)).map(|page| page.id));
        let Some(last) = pages.last() else { return Ok(due) };
        behind = Some(last.id);
    }
}

/// Says stop when nothing is left.
pub(super) async fn stop_when_done(store: Arc<dyn Store>, mut due: Due, stop: watch::Sender<bool>) {
    while !due.pages.is_empty() {
        let asking = Arc::clone(&store);
        let looked = tokio::task::spawn_blocking(move || due.look(&*asking).map(|()| due));
        match looked.await {
            Ok(Ok(left)) => due = left,
            // The run itself tells of a database that cannot be reached; better to end than to wait for ever.
            Ok(Err(_)) | Err(_) => break,
        }
        if !due.pages.is_empty() {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }
    while tell_more(Arc::clone(&store)).await {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    stop.send_replace(true);
}

/// Whether notices are due that could be delivered now.
async fn tell_more(store: Arc<dyn Store>) -> bool {
    let due = tokio::task::spawn_blocking(move || store.due_notices(when::now()));
    matches!(due.await, Ok(Ok(1..)))
}

impl Due {
    /// Forgets what was asked for since, or is gone, or rests.
    fn look(&mut self, store: &dyn Store) -> Result<(), StoreError> {
        let mut left = BTreeSet::new();
        for id in &self.pages {
            let page = store.page(*id)?;
            let waits = page.is_some_and(|page| {
                page.due.is_some() && page.state.asked.is_none_or(|asked| asked < self.at)
            });
            if waits {
                left.insert(*id);
            }
        }
        self.pages = left;
        Ok(())
    }
}
