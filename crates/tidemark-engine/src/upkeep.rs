//! Tidying: what a page need not keep any longer goes, and its space is given back, a piece at a time.

use crate::engine::Engine;
use crate::page::PageId;
use crate::post::REMEMBERED;
use crate::retention::Freed;
use crate::store::StoreError;

/// Pages tidied in one round.
const PAGES: usize = 500;
/// Pieces of space given back, and of versions packed smaller, in one round.
const PIECES: usize = 16;

/// Remembers how far it has come.
#[derive(Clone, Debug, Default)]
pub struct Keeper {
    behind: Option<PageId>,
}

impl Keeper {
    /// The next pages; begins again behind the last one.
    pub fn round(&mut self, engine: &Engine) -> Result<Freed, StoreError> {
        let pages = engine.store.pages(self.behind, PAGES)?;
        self.behind = pages.last().map(|page| page.id).filter(|_| pages.len() == PAGES);
        let mut freed = Freed::default();
        for page in pages {
            let more = engine.store.retain(page.id, &engine.settings.retention, engine.clock.now())?;
            freed.versions += more.versions;
            freed.visits += more.visits;
            freed.bytes += more.bytes;
        }
        let forgotten = engine.clock.now().checked_sub(REMEMBERED).unwrap_or(jiff::Timestamp::MIN);
        engine.store.forget_notices(forgotten)?;
        for _ in 0..PIECES {
            engine.store.give_back()?;
        }
        Ok(freed)
    }
}
