//! Visits: by far the most rows there are, and much alike. Each is JSON, kept as a difference from a typical one.

use crate::content::frame;
use crate::session::Session;
use crate::value::{Row, args, json};
use tidemark_engine::page::PageId;
use tidemark_engine::record::{Record, Visit};
use tidemark_engine::store::StoreError;

/// What visits are a difference from. Never to be changed: what was stored could no longer be read.
const TYPICAL: &[u8] = br#"{"cause":"asked""cause":"confirm""cause":"hint""cause":"entry""result":"first""result":"respelled""result":"unwell""result":"failed","status":404,"status":500,"log":["the server says it has not changed","the same bytes","due again in "]}{"at":"2026-01-01T00:00:00.123456789Z","cause":"schedule","result":"changed","status":304,"timing":{"first_byte":{"secs":0,"nanos":123456789},"total":{"secs":0,"nanos":123456789}},"received":12345,"version":1,"log":[]}{"at":"2026-01-01T00:00:00.123456789Z","cause":"schedule","result":"unchanged","status":200,"timing":{"first_byte":{"secs":0,"nanos":123456789},"total":{"secs":0,"nanos":123456789}},"received":0,"version":1,"log":[]}"#;

/// The text of a visit, as it is kept.
pub(crate) fn pack(text: &[u8]) -> Result<Vec<u8>, StoreError> {
    frame::pack(text, Some(TYPICAL), frame::QUICK)
}

/// The text of a visit again.
pub(crate) fn unpack(body: &[u8]) -> Result<Vec<u8>, String> {
    frame::unpack_from(body, Some(TYPICAL))
}

pub(crate) fn add(session: &mut Session<'_>, record: &Record) -> Result<(), StoreError> {
    let body = pack(json(&record.visit)?.as_bytes())?;
    session.run(
        "insert into visit (page, token, at, body) values (?1, ?2, ?3, ?4)",
        args![record.page, record.lease.token, record.visit.at, &body],
    )?;
    Ok(())
}

pub(crate) fn list(session: &mut Session<'_>, page: PageId, limit: usize) -> Result<Vec<Visit>, StoreError> {
    let sql = "select token, body from visit where page = ?1 order by token desc limit ?2";
    session.rows(sql, args![page, limit])?.iter().map(read).collect()
}

/// A visit from its token and its body.
pub(crate) fn read(row: &Row) -> Result<Visit, StoreError> {
    let damaged =
        |reason: String| StoreError::Damaged(format!("visit {}: {reason}", row.int(0).unwrap_or(0)));
    let text = unpack(row.bytes(1)?).map_err(damaged)?;
    serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))
}
