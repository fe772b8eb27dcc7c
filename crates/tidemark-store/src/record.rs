//! Records a visit: all of it, or nothing. Only who holds the lease may.

use crate::content::{self, Packed};
use crate::session::Session;
use crate::tiding::{self, News};
use crate::value::{args, json, micros, span};
use crate::{change, event, page, picture, stream, visit};
use tidemark_engine::page::HostState;
use tidemark_engine::record::{NewSnapshot, Record, Recorded};
use tidemark_engine::store::StoreError;

/// The bytes of a new version, packed before the transaction: that takes long, and the transaction has others waiting.
pub(crate) enum Ready {
    /// There is no new version.
    Nothing,
    /// Its bytes are there already.
    Known,
    /// To be stored.
    Packed(Packed),
}

/// What the page was when it was locked.
struct Locked {
    version: u32,
    url: String,
}

/// None if what was packed before no longer fits: pack again.
pub(crate) fn record(
    session: &mut Session<'_>,
    record: &Record,
    ready: &Ready,
) -> Result<Option<Recorded>, StoreError> {
    let locked = lock(session, record)?;
    let content = match (ready, &record.snapshot) {
        (Ready::Nothing, _) | (_, None) => None,
        (Ready::Known, Some(snapshot)) => Some(content::find(session, &snapshot.hash)?),
        (Ready::Packed(packed), Some(_)) => Some(content::put(session, packed)?),
    };
    let mut recorded = Recorded::default();
    if let (Some(content), Some(snapshot)) = (content, &record.snapshot) {
        let Some(content) = content else { return Ok(None) };
        let version = add_version(session, record, snapshot, content, &locked)?;
        if let Some(picture) = &record.picture {
            picture::add(session, record.page, version, picture)?;
        }
        recorded.version = Some(version);
    }
    if let Some(memory) = &record.memory {
        set_memory(session, record, memory)?;
    }
    let new = recorded.version.unwrap_or(locked.version);
    let mut news = Vec::new();
    if let Some(told) = &record.change {
        let id = change::add(session, record, told, new)?;
        let about = |(watch, verdict): &_| News::of_change(*watch, id, &told.summary, verdict);
        news.extend(told.verdicts.iter().filter_map(about));
        recorded.change = Some(id);
    }
    for settled in &record.settled {
        news.extend(change::settle(session, record.page, settled)?);
    }
    let ids = event::add(session, Some(record.page), None, record.visit.at, &record.events)?;
    let about = |(event, id)| News::of_event(event, id, record.change.is_some());
    news.extend(record.events.iter().zip(ids).filter_map(about));
    tiding::of_page(session, record, &news)?;
    for key in &record.streams {
        stream::queue(session, key, record.page, new)?;
    }
    for request in &record.entries {
        page::make(session, request, record.visit.at, Some(record.page))?;
    }
    visit::add(session, record)?;
    set_page(session, record, new)?;
    set_host(session, record)?;
    Ok(Some(recorded))
}

fn lock(session: &mut Session<'_>, record: &Record) -> Result<Locked, StoreError> {
    let row = session
        .row("select worker, token, version, request from page where id = ?1 {lock}", args![record.page])?;
    let row = row.ok_or_else(|| StoreError::Missing(format!("page {}", record.page.0)))?;
    let ours = row.opt_text(0)? == Some(record.lease.worker.as_str()) && row.int(1)? == record.lease.token;
    if !ours {
        return Err(StoreError::LeaseLost(record.page));
    }
    let request: tidemark_engine::request::Request = row.json(3)?;
    Ok(Locked { version: row.version(2)?, url: request.url.into() })
}

fn add_version(
    session: &mut Session<'_>,
    record: &Record,
    snapshot: &NewSnapshot,
    content: i64,
    locked: &Locked,
) -> Result<u32, StoreError> {
    let version = locked.version + 1;
    let url = Some(snapshot.url.as_str()).filter(|url| *url != locked.url);
    session.run(
        "insert into snapshot (page, version, at, content, content_type, url) values (?1, ?2, ?3, ?4, ?5, ?6)",
        args![record.page, version, record.visit.at, content, snapshot.content_type.as_deref(), url],
    )?;
    Ok(version)
}

fn set_memory(session: &mut Session<'_>, record: &Record, memory: &[u8]) -> Result<(), StoreError> {
    let packed = content::frame::pack(memory, None, content::frame::QUICK)?;
    session.run(
        "insert into memory (page, body) values (?1, ?2) on conflict (page) do update set body = ?2",
        args![record.page, &packed],
    )?;
    Ok(())
}

/// A page whose watches all rest by now is not due again, whatever the visit found; one that was brought forward in the meantime is due then.
fn set_page(session: &mut Session<'_>, record: &Record, version: u32) -> Result<(), StoreError> {
    let sql = format!(
        "update page set worker = null, lease_until = null, wanted = null, slotted = 0,
                known = ?2, state = ?3, why = ?4, demand = ?5, version = ?6,
                hints = case when hints = ?9 then '[]' else hints end,
                head = coalesce(?7, head),
                due = {} case when wanted < ?8 then wanted else ?8 end end
          where id = ?1",
        page::UNLESS_RESTING
    );
    session.run(
        &sql,
        args![
            record.page,
            &json(&record.known)?,
            &json(&record.state)?,
            &record.why,
            record.demand,
            version,
            record.snapshot.as_ref().map(|snapshot| &snapshot.hash),
            record.due,
            &json(&record.hints)?,
        ],
    )?;
    Ok(())
}

fn set_host(session: &mut Session<'_>, record: &Record) -> Result<(), StoreError> {
    let of_page = "where name = (select host from page where id = ?1)";
    if let Some(state) = &record.host {
        let sql = format!("update host set state = ?2, crawl_delay = ?3 {of_page}");
        session.run(&sql, args![record.page, &json(state)?, crawl_delay(state)])?;
    }
    if let Some(until) = record.host_rests_until {
        let sql = format!("update host set free_at = ?2 {of_page} and free_at < ?2");
        session.run(&sql, args![record.page, micros(until)])?;
    }
    Ok(())
}

fn crawl_delay(state: &HostState) -> i64 {
    state.crawl_delay.map_or(0, span)
}
