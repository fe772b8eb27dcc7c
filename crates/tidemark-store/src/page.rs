//! Pages: read, made, brought forward.

use crate::session::Session;
use crate::value::{Row, args, json, micros};
use jiff::Timestamp;
use tidemark_engine::fetch::Validators;
use tidemark_engine::page::{Head, HostState, Page, PageId, PageState};
use tidemark_engine::request::Request;
use tidemark_engine::store::{Pulse, StoreError};

/// What [`read`] reads, of a page called `p`.
pub(crate) const COLUMNS: &str =
    "p.id, p.request, p.added, p.due, p.known, p.state, p.version, p.head, p.entry_of, p.hints, p.why";
/// How many they are: where the columns of others begin.
pub(crate) const WIDTH: usize = 11;

/// Due pages that are counted at most.
const MANY: i64 = 1000;

pub(crate) fn page(session: &mut Session<'_>, id: PageId) -> Result<Option<Page>, StoreError> {
    let row = session.row(&format!("select {COLUMNS} from page p where id = ?1"), args![id])?;
    row.as_ref().map(read).transpose()
}

pub(crate) fn pages(
    session: &mut Session<'_>,
    after: Option<PageId>,
    limit: usize,
) -> Result<Vec<Page>, StoreError> {
    let after = after.map_or(i64::MIN, |page| page.0);
    let sql = format!("select {COLUMNS} from page p where id > ?1 order by id limit ?2");
    session.rows(&sql, args![after, limit])?.iter().map(read).collect()
}

/// A page from its columns.
pub(crate) fn read(row: &Row) -> Result<Page, StoreError> {
    let head = match row.version(6)? {
        0 => None,
        version => Some(Head { version, hash: row.hash(7)? }),
    };
    Ok(Page {
        id: PageId(row.int(0)?),
        request: row.json(1)?,
        added: row.time(2)?,
        due: row.opt_time(3)?,
        why: row.text(10)?.to_owned(),
        known: row.json(4)?,
        state: row.json(5)?,
        head,
        entry_of: row.opt_int(8)?.map(PageId),
        hints: row.json(9)?,
    })
}

/// BLAKE3 of what tells a request from others.
pub(crate) fn key(request: &Request) -> [u8; 32] {
    *blake3::hash(request.key().as_bytes()).as_bytes()
}

/// Makes a page, due at once, unless there is one with this request. Returns the new one.
pub(crate) fn make(
    session: &mut Session<'_>,
    request: &Request,
    now: Timestamp,
    entry_of: Option<PageId>,
) -> Result<Option<PageId>, StoreError> {
    let host = request.host();
    make_host(session, &host)?;
    let row = session.row(
        "insert into page (key, request, host, added, due, known, state, entry_of)
         values (?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7) on conflict (key) do nothing returning id",
        args![
            &key(request),
            &json(request)?,
            &host,
            now,
            &json(&Validators::default())?,
            &json(&PageState::default())?,
            entry_of,
        ],
    )?;
    row.map(|row| row.int(0).map(PageId)).transpose()
}

fn make_host(session: &mut Session<'_>, name: &str) -> Result<(), StoreError> {
    // Looked at first: most hosts are known, and a look takes no lock.
    if session.row("select 1 from host where name = ?1", args![name])?.is_none() {
        let state = json(&HostState::default())?;
        session.run(
            "insert into host (name, state) values (?1, ?2) on conflict (name) do nothing",
            args![name, &state],
        )?;
    }
    Ok(())
}

/// Most sources of hints that wait at a page.
const MOST_HINTS: usize = 64;

/// Adds a source of hints to those that wait; all of them.
pub(crate) fn hint(session: &mut Session<'_>, page: PageId, source: &str) -> Result<Vec<String>, StoreError> {
    let row = session.row("select hints from page where id = ?1 {lock}", args![page])?;
    let row = row.ok_or_else(|| StoreError::Missing(format!("page {}", page.0)))?;
    let mut hints: Vec<String> = row.json(0)?;
    // A source that says it twice says no more than once.
    if hints.len() < MOST_HINTS && hints.iter().all(|known| known != source) {
        hints.push(source.to_owned());
        session.run("update page set hints = ?2 where id = ?1", args![page, &json(&hints)?])?;
    }
    Ok(hints)
}

/// A page that somebody has now is brought forward when that one has recorded; one that has a slot of its host keeps it.
pub(crate) fn bring_forward(
    session: &mut Session<'_>,
    page: PageId,
    due: Timestamp,
) -> Result<(), StoreError> {
    session.run(
        "update page set due = ?2 where id = ?1 and due > ?2 and worker is null and slotted = 0",
        args![page, due],
    )?;
    session.run(
        "update page set wanted = ?2 where id = ?1 and worker is not null and (wanted is null or wanted > ?2)",
        args![page, due],
    )?;
    Ok(())
}

pub(crate) fn pulse(session: &mut Session<'_>, now: Timestamp) -> Result<Pulse, StoreError> {
    let next = session.one("select min(due) from page where due is not null", &[])?.opt_time(0)?;
    let due = if next.is_some_and(|next| micros(next) <= micros(now)) {
        let count = "select count(*) from (select 1 from page where due <= ?1 limit ?2) as p";
        session.one(count, args![now, MANY])?.count(0)?
    } else {
        0
    };
    Ok(Pulse { next, due })
}

pub(crate) fn demands(session: &mut Session<'_>) -> Result<Vec<(i32, u64)>, StoreError> {
    let rows = session.rows(
        "select demand, count(*) from page where due is not null and demand is not null
          group by demand order by demand",
        &[],
    )?;
    rows.iter().map(|row| Ok((row.int(0)? as i32, row.count(1)?))).collect()
}

/// What a page is due at, for one whose watches may all rest: then it is not. To be put into an `update page`.
pub(crate) const UNLESS_RESTING: &str =
    "case when exists (select 1 from watch w where w.page = page.id and w.paused = 0)
    or not exists (select 1 from watch w where w.page = page.id) then";
