//! Lets go what a page need not keep, makes the rest smaller in idle time, and gives the space back.

use crate::content::{repack, sweep};
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
    let saved = repack::repack(database)?;
    let given = match database {
        Database::Sqlite(lite) => lite.writer("give space back")?.alone(shrink)?,
        Database::Postgres(pg) => {
            let tables = database.read("look for dead rows", with_dead_rows)?;
            if !tables.is_empty() {
                pg.alone("give space back", &format!("vacuum {}", tables.join(", ")))?;
            }
            0
        }
    };
    Ok(saved + given)
}

/// Tables that have more dead rows than PostgreSQL itself would wait for.
fn with_dead_rows(session: &mut Session<'_>) -> Result<Vec<String>, StoreError> {
    let rows = session.rows(
        "select cast(relname as text) from pg_stat_user_tables
          where n_dead_tup > 1000 + n_live_tup / 20 and schemaname = current_schema()
            and relname in ('content', 'snapshot', 'visit', 'change', 'verdict', 'memory')",
        &[],
    )?;
    rows.iter().map(|row| row.text(0).map(str::to_owned)).collect()
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
