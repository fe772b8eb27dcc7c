//! Changes, and what each is to a watch.

use crate::content::frame;
use crate::session::{Query, Session};
use crate::tiding::News;
use crate::value::{Row, args, json, micros};
use tidemark_engine::page::PageId;
use tidemark_engine::record::{ChangeId, NewChange, Record, Settled, Standing, Verdict};
use tidemark_engine::store::{ChangeFilter, ChangeLine, StoreError};
use tidemark_engine::watch::WatchId;

/// Adds a change to a version, with a verdict for each watch that is still there.
pub(crate) fn add(
    session: &mut Session<'_>,
    record: &Record,
    change: &NewChange,
    new: u32,
) -> Result<ChangeId, StoreError> {
    let script = frame::pack(&change.script, None, frame::QUICK)?;
    let row = session.one(
        "insert into change (page, at, old_version, new_version, summary, script)
         values (?1, ?2, ?3, ?4, ?5, ?6) returning id",
        args![record.page, record.visit.at, new.saturating_sub(1), new, &json(&change.summary)?, &script],
    )?;
    let id = ChangeId(row.int(0)?);
    for (watch, verdict) in &change.verdicts {
        session.run(
            "insert into verdict (change, watch, standing, body)
             select cast(?1 as bigint), id, cast(?3 as text), cast(?4 as text) from watch where id = ?2 and page = ?5",
            args![id, *watch, standing(verdict.standing), &json(verdict)?, record.page],
        )?;
    }
    Ok(id)
}

/// What waited for a second look does no longer. Returns what is to be told after all.
pub(crate) fn settle(
    session: &mut Session<'_>,
    page: PageId,
    settled: &Settled,
) -> Result<Vec<News>, StoreError> {
    let mut news = Vec::new();
    let rows = session.rows(
        "select v.watch, v.body, v.change, c.summary from verdict v join change c on c.id = v.change
          where c.page = ?1 and c.new_version = ?2 and v.standing = 'waiting'",
        args![page, settled.version],
    )?;
    for row in rows {
        let mut verdict: Verdict = row.json(1)?;
        verdict.standing = settled.standing;
        verdict.reasons.push(settled.reason.clone());
        session.run(
            "update verdict set standing = ?3, body = ?4 where change = ?1 and watch = ?2",
            args![row.int(2)?, row.int(0)?, standing(verdict.standing), &json(&verdict)?],
        )?;
        let (watch, change) = (WatchId(row.int(0)?), ChangeId(row.int(2)?));
        news.extend(News::of_change(watch, change, &row.json(3)?, &verdict));
    }
    Ok(news)
}

/// Whole changes only: one that some watches are left of by the limit comes with the next call.
pub(crate) fn list(session: &mut Session<'_>, filter: &ChangeFilter) -> Result<Vec<ChangeLine>, StoreError> {
    let limit = filter.limit.unwrap_or(i64::MAX as usize - 1);
    let mut lines = query(session, filter, limit + 1)?;
    if lines.len() > limit {
        let cut = lines.pop();
        let whole = lines.iter().position(|line| cut.as_ref().is_some_and(|cut| cut.id == line.id));
        match whole {
            None => {}
            Some(0) => return of_one(session, filter, lines.first().map(|line| line.id)),
            Some(whole) => lines.truncate(whole),
        }
    }
    Ok(lines)
}

pub(crate) fn script(session: &mut Session<'_>, change: ChangeId) -> Result<Option<Vec<u8>>, StoreError> {
    let row = session.row("select script from change where id = ?1", args![change])?;
    let unpack = |row: Row| {
        frame::unpack_alone(row.bytes(0)?)
            .map_err(|reason| StoreError::Damaged(format!("the script of change {}: {reason}", change.0)))
    };
    row.map(unpack).transpose()
}

/// All lines of one change, although they are more than asked for: else nobody would get past it.
fn of_one(
    session: &mut Session<'_>,
    filter: &ChangeFilter,
    id: Option<ChangeId>,
) -> Result<Vec<ChangeLine>, StoreError> {
    let Some(id) = id else { return Ok(Vec::new()) };
    let filter = ChangeFilter { before: Some(ChangeId(id.0 + 1)), ..filter.clone() };
    let mut lines = query(session, &filter, 1 << 20)?;
    lines.retain(|line| line.id == id);
    Ok(lines)
}

fn query(
    session: &mut Session<'_>,
    filter: &ChangeFilter,
    limit: usize,
) -> Result<Vec<ChangeLine>, StoreError> {
    let mut query = Query::new(
        "select c.id, c.page, v.watch, c.at, c.old_version, c.new_version, c.summary, v.body
           from change c join verdict v on v.change = c.id where true",
    );
    query.also(" and c.at >= ?", filter.since.map(micros));
    query.also(" and c.at < ?", filter.until.map(micros));
    query.also(" and v.watch = ?", filter.watch);
    query.also(
        " and exists (select 1 from tag t where t.watch = v.watch and t.tag = ?)",
        filter.tag.as_deref(),
    );
    query.also(
        " and exists (select 1 from watch w where w.id = v.watch and w.reader = ?)",
        filter.reader.as_deref(),
    );
    query.also(" and v.standing = ?", filter.standing.map(standing));
    query.also(" and c.id < ?", filter.before);
    query.also(" order by c.id desc, v.watch limit ?", Some(limit));
    session.rows(&query.sql, &query.args)?.iter().map(line).collect()
}

pub(crate) fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Told => "told",
        Standing::Held => "held",
        Standing::Waiting => "waiting",
    }
}

fn line(row: &Row) -> Result<ChangeLine, StoreError> {
    Ok(ChangeLine {
        id: ChangeId(row.int(0)?),
        page: PageId(row.int(1)?),
        watch: WatchId(row.int(2)?),
        at: row.time(3)?,
        old: row.version(4)?,
        new: row.version(5)?,
        summary: row.json(6)?,
        verdict: row.json(7)?,
    })
}
