//! Pages one by one: every version unpacked and hashed, every value read.

use super::fault;
use crate::content::frame;
use crate::content::near::Near;
use crate::page;
use crate::session::Session;
use crate::value::{Row, args};
use tidemark_engine::page::{HostState, PageId};
use tidemark_engine::record::Verdict;
use tidemark_engine::store::{Fault, StoreError};
use tidemark_engine::watch::Wish;

/// Checks so many pages behind one. Returns the last of them, if there may be more, and how many they were.
pub(super) fn check(
    session: &mut Session<'_>,
    after: i64,
    limit: usize,
) -> Result<(Vec<Fault>, Option<i64>, u64), StoreError> {
    let rows = session.rows(
        &format!("select {}, p.key, h.state from page p left join host h on h.name = p.host where p.id > ?1 order by p.id limit ?2", page::COLUMNS),
        args![after, limit],
    )?;
    let mut faults = Vec::new();
    for row in &rows {
        let id = PageId(row.int(0)?);
        let mut told = |what: Result<Vec<String>, StoreError>| match what {
            Ok(found) => {
                faults.extend(found.into_iter().map(|what| fault(format!("page {}", id.0), what)));
                Ok(())
            }
            Err(StoreError::Damaged(what)) => {
                faults.push(fault(format!("page {}", id.0), what));
                Ok(())
            }
            Err(error) => Err(error),
        };
        told(columns(row))?;
        told(versions(session, id, row))?;
        told(memory(session, id))?;
        told(changes(session, id))?;
        told(values(session, id))?;
    }
    let last = if rows.len() == limit { rows.last().map(|row| row.int(0)).transpose()? } else { None };
    Ok((faults, last, rows.len() as u64))
}

fn columns(row: &Row) -> Result<Vec<String>, StoreError> {
    let read = page::read(row)?;
    row.json::<HostState>(page::WIDTH + 1)?;
    let key = page::key(&read.request) == row.hash(page::WIDTH)?;
    Ok(if key { Vec::new() } else { vec!["its key is not that of its request".to_owned()] })
}

fn versions(session: &mut Session<'_>, page: PageId, row: &Row) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    let mut near = Near::default();
    let rows = session.rows(
        "select s.version, s.url, s.content, c.hash from snapshot s left join content c on c.id = s.content
          where s.page = ?1 order by s.version",
        args![page],
    )?;
    for row in &rows {
        let version = row.version(0)?;
        if row.opt_text(1)?.is_some_and(|url| url.parse::<url::Url>().is_err()) {
            found.push(format!("version {version}: its address"));
        }
        if let Err(StoreError::Damaged(what)) = near.read(session, row.int(2)?) {
            found.push(format!("version {version}: {what}"));
        }
    }
    let (last, head) = (row.version(6)?, row.opt_bytes(7)?);
    let stored =
        rows.last().map(|row| Ok::<_, StoreError>((row.version(0)?, row.opt_bytes(3)?))).transpose()?;
    if stored.map_or((0, None), |(version, hash)| (version, hash)) != (last, head) {
        found.push(format!("its last version is said to be {last}, and is not"));
    }
    Ok(found)
}

fn memory(session: &mut Session<'_>, page: PageId) -> Result<Vec<String>, StoreError> {
    let row = session.row("select body from memory where page = ?1", args![page])?;
    let Some(row) = row else { return Ok(Vec::new()) };
    let unpacked = frame::unpack_alone(row.bytes(0)?);
    Ok(unpacked.err().map(|reason| format!("its memory: {reason}")).into_iter().collect())
}

fn changes(session: &mut Session<'_>, page: PageId) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    for row in session.rows("select id, summary, script from change where page = ?1", args![page])? {
        let mut told = |what: &str| found.push(format!("change {}: {what}", row.int(0).unwrap_or_default()));
        match frame::unpack_alone(row.bytes(2)?) {
            Err(reason) => told(&reason),
            Ok(script) if script.is_empty() => {}
            Ok(script) => {
                if serde_json::from_slice::<serde::de::IgnoredAny>(&script).is_err() {
                    told("its script is no JSON");
                }
            }
        }
        if row.json::<serde::de::IgnoredAny>(1).is_err() {
            told("its summary is no JSON");
        }
    }
    Ok(found)
}

/// Values that only the program looks into.
fn values(session: &mut Session<'_>, page: PageId) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    for row in session.rows("select token, body from visit where page = ?1", args![page])? {
        if crate::visit::read(&row).is_err() {
            found.push(format!("visit {} cannot be read", row.int(0)?));
        }
    }
    for row in session.rows("select id, wish, reader from watch where page = ?1", args![page])? {
        if row.json::<Wish>(1).ok().is_none_or(|wish| row.text(2).is_ok_and(|reader| reader != wish.reader)) {
            found.push(format!("the wish of watch {} cannot be read, or is of another reader", row.int(0)?));
        }
    }
    let verdicts = "select v.change, v.standing, v.body from verdict v join change c on c.id = v.change where c.page = ?1";
    for row in session.rows(verdicts, args![page])? {
        let same = row
            .json::<Verdict>(2)
            .is_ok_and(|v| row.text(1).is_ok_and(|s| s == crate::change::standing(v.standing)));
        if !same {
            found.push(format!("a verdict on change {} cannot be read, or stands otherwise", row.int(0)?));
        }
    }
    Ok(found)
}
