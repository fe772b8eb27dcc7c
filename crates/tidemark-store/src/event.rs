//! What happened to pages and streams besides changes.

use crate::session::{Query, Session};
use crate::value::{Row, args, json, micros};
use jiff::Timestamp;
use tidemark_engine::page::PageId;
use tidemark_engine::record::{NewEvent, StreamKey};
use tidemark_engine::store::{Event, EventFilter, StoreError};

/// Adds events; returns their numbers.
pub(crate) fn add(
    session: &mut Session<'_>,
    page: Option<PageId>,
    stream: Option<&StreamKey>,
    at: Timestamp,
    events: &[NewEvent],
) -> Result<Vec<i64>, StoreError> {
    let stream = stream.map(ToString::to_string);
    let mut ids = Vec::new();
    for event in events {
        let row = session.one(
            "insert into event (page, stream, at, kind, detail) values (?1, ?2, ?3, ?4, ?5) returning id",
            args![page, stream.as_deref(), at, &json(&event.kind)?, &json(&event.detail)?],
        )?;
        ids.push(row.int(0)?);
    }
    Ok(ids)
}

pub(crate) fn list(session: &mut Session<'_>, filter: &EventFilter) -> Result<Vec<Event>, StoreError> {
    let mut query = Query::new("select id, page, stream, at, kind, detail from event where true");
    query.also(" and at >= ?", filter.since.map(micros));
    query.also(" and page = ?", filter.page);
    query.also(" order by id desc limit ?", Some(filter.limit.unwrap_or(i64::MAX as usize)));
    session.rows(&query.sql, &query.args)?.iter().map(read).collect()
}

fn read(row: &Row) -> Result<Event, StoreError> {
    Ok(Event {
        id: row.int(0)?,
        page: row.opt_int(1)?.map(PageId),
        stream: row.opt_text(2)?.and_then(StreamKey::parse),
        at: row.time(3)?,
        kind: row.json(4)?,
        detail: row.json(5)?,
    })
}
