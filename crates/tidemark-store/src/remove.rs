//! Removes watches, and pages that nobody watches any longer with all that belongs to them.

use crate::content::sweep;
use crate::session::Session;
use crate::value::{Row, args};
use crate::{stream, watch};
use std::collections::BTreeSet;
use tidemark_engine::page::PageId;
use tidemark_engine::record::StreamKey;
use tidemark_engine::store::StoreError;
use tidemark_engine::watch::WatchId;

/// The tags and verdicts of the watch go with it; its page stays if somebody else watches it.
pub(crate) fn watch(session: &mut Session<'_>, id: WatchId) -> Result<(), StoreError> {
    let row = session.row("select page from watch where id = ?1", args![id])?;
    let page = PageId(row.ok_or_else(|| watch::missing(id))?.int(0)?);
    session.row("select id from page where id = ?1 {lock}", args![page])?;
    session.run("delete from watch where id = ?1", args![id])?;
    let left = session.row("select 1 from watch where page = ?1 limit 1", args![page])?;
    if left.is_some() { watch::rest(session, page) } else { with_entries(session, page) }
}

/// Removes a page, and with a feed its entries that nobody watches for their own sake.
fn with_entries(session: &mut Session<'_>, page: PageId) -> Result<(), StoreError> {
    let mut pages = vec![page];
    let mut next = 0;
    while let Some(feed) = pages.get(next) {
        let rows =
            session.rows("select id from page where entry_of = ?1 order by id {lock}", args![*feed])?;
        for row in rows {
            pages.push(PageId(row.int(0)?));
        }
        next += 1;
    }
    let mut contents = BTreeSet::new();
    // Entries before their feed.
    for page in pages.into_iter().rev() {
        one(session, page, &mut contents)?;
    }
    sweep::sweep(session, &contents)?;
    Ok(())
}

fn one(session: &mut Session<'_>, page: PageId, contents: &mut BTreeSet<i64>) -> Result<(), StoreError> {
    let host = session.row("select host from page where id = ?1", args![page])?;
    let rows = session.rows("select distinct content from snapshot where page = ?1", args![page])?;
    contents.extend(rows.iter().map(|row: &Row| row.int(0)).collect::<Result<Vec<_>, _>>()?);
    stream::take_out(session, page)?;
    stream::forget(session, &StreamKey::Feed(page))?;
    session.run("delete from page where id = ?1", args![page])?;
    if let Some(host) = host {
        let host = host.text(0)?;
        // The host itself stays: that it asked us to keep away holds for whoever comes next.
        if session.row("select 1 from page where host = ?1 limit 1", args![host])?.is_none() {
            stream::forget(session, &StreamKey::Host(host.to_owned()))?;
        }
    }
    Ok(())
}
