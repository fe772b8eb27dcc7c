//! Versions of pages.

use crate::content;
use crate::session::Session;
use crate::value::{Row, args, micros};
use jiff::Timestamp;
use std::sync::Arc;
use tidemark_engine::page::{PageId, Snapshot, SnapshotLine, Track};
use tidemark_engine::recent::Recent;
use tidemark_engine::store::StoreError;

/// What [`read`] reads, of a snapshot called `s` with its page called `p`.
const COLUMNS: &str = "s.version, s.at, s.content, s.content_type, s.url, p.request";

/// A version whose bytes another one has too is not counted twice: they count for the first that has them.
pub(crate) fn lines(session: &mut Session<'_>, page: PageId) -> Result<Vec<SnapshotLine>, StoreError> {
    let rows = session.rows(
        "select s.version, s.at, c.size,
                case when exists (select 1 from snapshot o where o.content = s.content
                                   and (o.page < s.page or o.page = s.page and o.version < s.version))
                     then 0 else length(c.frame) end,
                c.hash, s.content_type
           from snapshot s join content c on c.id = s.content where s.page = ?1 order by s.version",
        args![page],
    )?;
    rows.iter().map(line).collect()
}

pub(crate) fn version(
    session: &mut Session<'_>,
    page: PageId,
    version: u32,
) -> Result<Option<Snapshot>, StoreError> {
    let sql = format!(
        "select {COLUMNS} from snapshot s join page p on p.id = s.page where s.page = ?1 and s.version = ?2"
    );
    let row = session.row(&sql, args![page, version])?;
    row.map(|row| read(session, page, &row)).transpose()
}

pub(crate) fn at(
    session: &mut Session<'_>,
    page: PageId,
    time: Timestamp,
) -> Result<Option<Snapshot>, StoreError> {
    let sql = format!(
        "select {COLUMNS} from snapshot s join page p on p.id = s.page
          where s.page = ?1 and s.at <= ?2 order by s.version desc limit 1"
    );
    let row = session.row(&sql, args![page, micros(time)])?;
    row.map(|row| read(session, page, &row)).transpose()
}

pub(crate) fn track(
    session: &mut Session<'_>,
    page: PageId,
    recent: &Recent<Arc<Vec<u8>>>,
) -> Result<Track, StoreError> {
    let sql = format!(
        "select {COLUMNS}, p.head from page p left join snapshot s on s.page = p.id and s.version = p.version
          where p.id = ?1"
    );
    let row = session.row(&sql, args![page])?;
    let row = row.ok_or_else(|| StoreError::Missing(format!("page {}", page.0)))?;
    let memory = session.row("select body from memory where page = ?1", args![page])?;
    let memory = memory
        .map(|row| {
            content::frame::unpack_alone(row.bytes(0)?)
                .map_err(|reason| StoreError::Damaged(format!("the memory of page {}: {reason}", page.0)))
        })
        .transpose()?;
    let Some(content) = row.opt_int(2)? else { return Ok(Track { baseline: None, memory }) };
    let hash = row.hash(6)?;
    let body = match recent.get(&hash) {
        Some(bytes) => bytes,
        None => Arc::new(bytes(session, page, &row, content)?),
    };
    recent.keep(hash, Arc::clone(&body), body.len());
    let baseline = Some(described(page, &row, body.to_vec())?);
    Ok(Track { baseline, memory })
}

fn read(session: &mut Session<'_>, page: PageId, row: &Row) -> Result<Snapshot, StoreError> {
    let body = bytes(session, page, row, row.int(2)?)?;
    described(page, row, body)
}

fn described(page: PageId, row: &Row, body: Vec<u8>) -> Result<Snapshot, StoreError> {
    let version = row.version(0)?;
    let request: tidemark_engine::request::Request = row.json(5)?;
    let url = match row.opt_text(4)? {
        None => request.url,
        Some(text) => text
            .parse()
            .map_err(|_| StoreError::Damaged(format!("version {version} of page {}: its address", page.0)))?,
    };
    let content_type = row.opt_text(3)?.map(str::to_owned);
    Ok(Snapshot { page, version, at: row.time(1)?, body, content_type, url })
}

fn bytes(session: &mut Session<'_>, page: PageId, row: &Row, content: i64) -> Result<Vec<u8>, StoreError> {
    let version = row.version(0)?;
    content::read(session, content).map_err(|error| match error {
        StoreError::Damaged(told) => {
            StoreError::Damaged(format!("version {version} of page {}: {told}", page.0))
        }
        other => other,
    })
}

fn line(row: &Row) -> Result<SnapshotLine, StoreError> {
    Ok(SnapshotLine {
        version: row.version(0)?,
        at: row.time(1)?,
        size: row.count(2)?,
        stored: row.count(3)?,
        hash: blake3::Hash::from_bytes(row.hash(4)?).to_hex().to_string(),
        content_type: row.opt_text(5)?.map(str::to_owned),
    })
}
