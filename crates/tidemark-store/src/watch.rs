//! Watches: what readers wish.

use crate::page;
use crate::session::{Query, Session};
use crate::value::{Row, args, json};
use jiff::Timestamp;
use tidemark_engine::page::PageId;
use tidemark_engine::request::Request;
use tidemark_engine::store::StoreError;
use tidemark_engine::watch::{NewWatch, Watch, WatchFilter, WatchId, Wish};

/// What [`read`] reads, of a watch called `w` with its page called `p`.
const COLUMNS: &str = "w.id, w.page, p.request, w.wish, w.paused, w.added";

pub(crate) fn add(session: &mut Session<'_>, watch: &NewWatch, now: Timestamp) -> Result<Watch, StoreError> {
    let page = join_page(session, &watch.request, now)?;
    let row = session.one(
        "insert into watch (page, reader, wish, added) values (?1, ?2, ?3, ?4) returning id",
        args![page, &watch.wish.reader, &json(&watch.wish)?, now],
    )?;
    let id = WatchId(row.int(0)?);
    set_tags(session, id, &watch.wish)?;
    one(session, id)?.ok_or_else(|| missing(id))
}

/// The page of a request. One that was an entry of a feed, or whose watches all rest, is due at once like a new one.
fn join_page(session: &mut Session<'_>, request: &Request, now: Timestamp) -> Result<PageId, StoreError> {
    if let Some(page) = page::make(session, request, now, None)? {
        return Ok(page);
    }
    let row = session.one("select id from page where key = ?1 {lock}", args![&page::key(request)])?;
    let page = PageId(row.int(0)?);
    session.run("update page set entry_of = null where id = ?1 and entry_of is not null", args![page])?;
    wake(session, page, now)?;
    Ok(page)
}

pub(crate) fn one(session: &mut Session<'_>, id: WatchId) -> Result<Option<Watch>, StoreError> {
    let sql = format!("select {COLUMNS} from watch w join page p on p.id = w.page where w.id = ?1");
    session.row(&sql, args![id])?.as_ref().map(read).transpose()
}

pub(crate) fn list(session: &mut Session<'_>, filter: &WatchFilter) -> Result<Vec<Watch>, StoreError> {
    let mut query =
        Query::new(&format!("select {COLUMNS} from watch w join page p on p.id = w.page where true"));
    query.also(" and w.id > ?", filter.after);
    query.also(" and w.reader = ?", filter.reader.as_deref());
    query.also(" and exists (select 1 from tag t where t.watch = w.id and t.tag = ?)", filter.tag.as_deref());
    query.also(" and w.page = ?", filter.page);
    query.also(" order by w.id limit ?", Some(filter.limit.unwrap_or(i64::MAX as usize)));
    session.rows(&query.sql, &query.args)?.iter().map(read).collect()
}

/// The watches of pages that do not rest. The pages are given as JSON that `{each}` reads.
pub(crate) fn awake(session: &mut Session<'_>, pages: &str) -> Result<Vec<Watch>, StoreError> {
    let sql = format!(
        "select {COLUMNS} from watch w join page p on p.id = w.page
          where w.page in (select cast(value->>0 as bigint) from {{each ?1}}) and w.paused = 0 order by w.id"
    );
    session.rows(&sql, args![pages])?.iter().map(read).collect()
}

pub(crate) fn change_wish(session: &mut Session<'_>, id: WatchId, wish: &Wish) -> Result<(), StoreError> {
    let changed = session.run(
        "update watch set wish = ?2, reader = ?3 where id = ?1",
        args![id, &json(wish)?, &wish.reader],
    )?;
    if changed == 0 {
        return Err(missing(id));
    }
    session.run("delete from tag where watch = ?1", args![id])?;
    set_tags(session, id, wish)
}

pub(crate) fn pause(
    session: &mut Session<'_>,
    id: WatchId,
    paused: bool,
    now: Timestamp,
) -> Result<(), StoreError> {
    let row = session.row("select page, paused from watch where id = ?1", args![id])?;
    let row = row.ok_or_else(|| missing(id))?;
    let page = PageId(row.int(0)?);
    // The page is locked, so that two who pause its last two watches see each other.
    session.row("select id from page where id = ?1 {lock}", args![page])?;
    session.run("update watch set paused = ?2 where id = ?1", args![id, paused])?;
    if paused { rest(session, page) } else { wake(session, page, now) }
}

/// A page whose watches all rest is not due, also not when the visit under way has ended.
pub(crate) fn rest(session: &mut Session<'_>, page: PageId) -> Result<(), StoreError> {
    session.run(
        "update page set due = null, slotted = 0, wanted = null where id = ?1
            and not exists (select 1 from watch w where w.page = page.id and w.paused = 0)",
        args![page],
    )?;
    Ok(())
}

/// A page that is not due is due at once; one that somebody has now, when the lease ends.
fn wake(session: &mut Session<'_>, page: PageId, now: Timestamp) -> Result<(), StoreError> {
    session.run(
        "update page set due = case when lease_until > ?2 then lease_until else ?2 end where id = ?1 and due is null",
        args![page, now],
    )?;
    Ok(())
}

fn set_tags(session: &mut Session<'_>, id: WatchId, wish: &Wish) -> Result<(), StoreError> {
    for tag in &wish.tags {
        session.run("insert into tag (tag, watch) values (?1, ?2)", args![tag, id])?;
    }
    Ok(())
}

fn read(row: &Row) -> Result<Watch, StoreError> {
    let request: Request = row.json(2)?;
    Ok(Watch {
        id: WatchId(row.int(0)?),
        page: PageId(row.int(1)?),
        url: request.url,
        wish: row.json(3)?,
        paused: row.int(4)? != 0,
        added: row.time(5)?,
    })
}

pub(crate) fn missing(id: WatchId) -> StoreError {
    StoreError::Missing(format!("watch {}", id.0))
}
