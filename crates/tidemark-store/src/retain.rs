//! Lets go what a page need not keep, makes the rest smaller in idle time, and gives the space back.

use crate::content::{self, frame, sweep};
use crate::database::Database;
use crate::session::Session;
use crate::value::{args, micros, span};
use jiff::Timestamp;
use std::collections::BTreeSet;
use tidemark_engine::page::PageId;
use tidemark_engine::retention::{Freed, Kept, Retention};
use tidemark_engine::store::StoreError;

/// What is left of a page can take more than before, by versions that lost what they were a difference from: look again, so often.
const ROUNDS: usize = 4;

/// Pages of an SQLite file given back at a time: 4 MB.
const PIECE: u32 = 1024;

/// Contents made smaller at a time, and bytes unpacked for that.
const CONTENTS: usize = 64;
const UNPACKED: usize = 8 << 20;

pub(crate) fn retain(
    session: &mut Session<'_>,
    page: PageId,
    retention: &Retention,
    now: Timestamp,
) -> Result<Freed, StoreError> {
    let known = session.row("select id from page where id = ?1 {lock}", args![page])?;
    known.ok_or_else(|| StoreError::Missing(format!("page {}", page.0)))?;
    let mut freed = Freed::default();
    for _ in 0..ROUNDS {
        let gone = retention.let_go(&kept(session, page)?, now);
        if gone.is_empty() {
            break;
        }
        freed.versions += gone.len() as u64;
        freed.bytes += u64::try_from(drop_versions(session, page, &gone)?).unwrap_or(0);
    }
    if let Some(age) = retention.visits {
        let (visits, bytes) = drop_visits(session, page, micros(now).saturating_sub(span(age)))?;
        freed.visits = visits;
        freed.bytes += bytes;
    }
    Ok(freed)
}

/// The versions of a page; those that a stream has not read yet are not to be let go.
fn kept(session: &mut Session<'_>, page: PageId) -> Result<Vec<Kept>, StoreError> {
    let rows = session.rows("select version from document where page = ?1", args![page])?;
    let unread = rows.iter().map(|row| row.version(0)).collect::<Result<BTreeSet<_>, _>>()?;
    let lines = crate::snapshot::lines(session, page)?;
    let kept = lines.into_iter().map(|line| Kept {
        version: line.version,
        at: line.at,
        bytes: line.stored,
        needed: unread.contains(&line.version),
    });
    Ok(kept.collect())
}

fn drop_versions(session: &mut Session<'_>, page: PageId, versions: &[u32]) -> Result<i64, StoreError> {
    let names = sweep::list(versions.iter().map(|version| i64::from(*version)));
    let these = "page = ?1 and version in (select cast(value->>0 as bigint) from {each ?2})";
    let rows = session.rows(&format!("select content from snapshot where {these}"), args![page, &names])?;
    let contents = rows.iter().map(|row| row.int(0)).collect::<Result<BTreeSet<_>, _>>()?;
    session.run(&format!("delete from snapshot where {these}"), args![page, &names])?;
    sweep::sweep(session, &contents)
}

fn drop_visits(session: &mut Session<'_>, page: PageId, before: i64) -> Result<(u64, u64), StoreError> {
    let row = session.one(
        "select count(*), cast(coalesce(sum(length(body)), 0) as bigint) from visit where page = ?1 and at < ?2",
        args![page, before],
    )?;
    session.run("delete from visit where page = ?1 and at < ?2", args![page, before])?;
    Ok((row.count(0)?, row.count(1)?))
}

/// Makes some contents smaller and gives some space back. Returns how many bytes both gave.
pub(crate) fn give_back(database: &Database) -> Result<u64, StoreError> {
    let saved = pack_more(database)?;
    let given = match database {
        Database::Sqlite(lite) => lite.writer("give space back")?.alone(shrink)?,
        Database::Postgres(pg) => {
            pg.alone("give space back", "vacuum content, snapshot, visit, change, verdict, memory")?;
            0
        }
    };
    Ok(saved + given)
}

/// Packs contents again that were packed while somebody waited, against the same base: the chain stays as it is.
fn pack_more(database: &Database) -> Result<u64, StoreError> {
    let loose = database.read("look for what can be packed", |session| {
        let sql = "select id from content where packed = 0 order by id limit ?1";
        session.rows(sql, args![CONTENTS])?.iter().map(|row| row.int(0)).collect::<Result<Vec<_>, _>>()
    })?;
    let (mut saved, mut unpacked) = (0, 0);
    for id in loose {
        let Some(again) = pack_again(database, id)? else { continue };
        saved += again.saved;
        unpacked += again.unpacked;
        if unpacked > UNPACKED {
            break;
        }
    }
    Ok(saved)
}

struct Again {
    saved: u64,
    unpacked: usize,
}

fn pack_again(database: &Database, id: i64) -> Result<Option<Again>, StoreError> {
    let read = database.read("pack a version", |session| {
        let Some(row) = session.row("select base, length(frame) from content where id = ?1", args![id])?
        else {
            return Ok(None);
        };
        let base = row.opt_int(0)?;
        let base_bytes = base.map(|base| content::read(session, base)).transpose()?;
        Ok(Some((base, row.count(1)?, base_bytes, content::read(session, id)?)))
    });
    let (base, old, base_bytes, bytes) = match read {
        Ok(Some(read)) => read,
        Ok(None) => return Ok(None),
        // What is damaged is for the doctor to tell; here it must not come up for ever.
        Err(StoreError::Damaged(_)) => (None, 0, None, Vec::new()),
        Err(error) => return Err(error),
    };
    let frame = frame::pack(&bytes, base_bytes.as_deref(), frame::THOROUGH)?;
    let smaller = (frame.len() as u64) < old;
    database.write("pack a version", |session| {
        session.run("update content set packed = 1 where id = ?1", args![id])?;
        if smaller {
            let same = "update content set frame = ?2 where id = ?1 and coalesce(base, 0) = ?3";
            session.run(same, args![id, &frame, base.unwrap_or(0)])?;
        }
        Ok(())
    })?;
    let saved = if smaller { old - frame.len() as u64 } else { 0 };
    Ok(Some(Again { saved, unpacked: bytes.len() }))
}

/// A piece of the free pages at the end of the file; no file is ever written anew for this.
fn shrink(connection: &rusqlite::Connection) -> Result<u64, StoreError> {
    let told = |error| crate::sqlite::explain("give space back", &error);
    let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0)).map_err(told);
    let before = number("pragma page_count")?;
    if number("pragma freelist_count")? > 0 {
        connection.execute_batch(&format!("pragma incremental_vacuum({PIECE})")).map_err(told)?;
        connection.execute_batch("pragma wal_checkpoint(passive)").map_err(told)?;
    }
    let pages = before - number("pragma page_count")?;
    Ok(u64::try_from(pages * number("pragma page_size")?).unwrap_or(0))
}
