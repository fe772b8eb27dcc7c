//! What a record has to tell joins the outbox, in the transaction that records it.
//!
//! Each thing joins the open notice of its channel and slot by one statement: either the notice is open and cannot be sealed before we are done, or it is sealed
//! and another one is opened. Cost: two queries for a record that has something to tell, then one statement for each thing and channel.

use crate::session::Session;
use crate::value::{args, micros};
use crate::{channel, watch};
use jiff::Timestamp;
use tidemark_engine::channel::{Channel, Kind, Slot, Tiding};
use tidemark_engine::record::{ChangeId, EventKind, NewEvent, Record, Standing, StreamKey, Verdict};
use tidemark_engine::store::StoreError;
use tidemark_engine::watch::{Watch, WatchFilter, WatchId};

/// Something that was recorded and is to be told.
pub(crate) struct News {
    /// For this watch alone, or for all of the page that do not rest.
    pub(crate) watch: Option<WatchId>,
    pub(crate) kind: Kind,
    pub(crate) severity: f64,
    pub(crate) interest: f64,
    pub(crate) change: Option<ChangeId>,
    pub(crate) event: Option<i64>,
}

impl News {
    /// A change, if it is told.
    pub(crate) fn of_change(
        watch: WatchId,
        change: ChangeId,
        summary: &serde_json::Value,
        verdict: &Verdict,
    ) -> Option<Self> {
        (verdict.standing == Standing::Told).then(|| Self {
            watch: Some(watch),
            kind: Kind::of_change(summary),
            severity: verdict.severity,
            interest: verdict.interest,
            change: Some(change),
            event: None,
        })
    }

    /// An event; a redesign that is a change is told as one.
    pub(crate) fn of_event(event: &NewEvent, id: i64, is_change: bool) -> Option<Self> {
        let watch = event.detail.get("watch").and_then(serde_json::Value::as_i64).map(WatchId);
        let told = !(is_change && event.kind == EventKind::Redesigned);
        told.then(|| Self {
            watch,
            kind: event.kind.into(),
            severity: 1.0,
            interest: 0.0,
            change: None,
            event: Some(id),
        })
    }
}

/// Puts news of a page into the outbox.
pub(crate) fn of_page(session: &mut Session<'_>, record: &Record, news: &[News]) -> Result<(), StoreError> {
    if news.is_empty() || record.quiet {
        return Ok(());
    }
    let filter = WatchFilter { page: Some(record.page), ..WatchFilter::default() };
    let watches = watch::list(session, &filter)?;
    put(session, record.visit.at, &watches, news)
}

/// Puts news of a stream into the outbox: told once for each reader, through one of the watches it is about.
pub(crate) fn of_stream(
    session: &mut Session<'_>,
    key: &StreamKey,
    at: Timestamp,
    news: &[News],
) -> Result<(), StoreError> {
    if news.is_empty() {
        return Ok(());
    }
    let (host, page) = match key {
        StreamKey::Host(host) => (Some(host.as_str()), None),
        StreamKey::Feed(page) => (None, Some(page.0)),
    };
    let rows = session.rows(
        "select min(w.id) from watch w join page p on p.id = w.page
          where w.paused = 0 and (p.host = ?1 or p.id = ?2) group by w.reader order by 1",
        args![host, page],
    )?;
    let mut watches = Vec::new();
    for row in rows {
        watches.extend(watch::one(session, WatchId(row.int(0)?))?);
    }
    put(session, at, &watches, news)
}

fn put(session: &mut Session<'_>, at: Timestamp, watches: &[Watch], news: &[News]) -> Result<(), StoreError> {
    let mut readers: Vec<[&str; 1]> = watches.iter().map(|watch| [watch.wish.reader.as_str()]).collect();
    readers.sort_unstable();
    readers.dedup();
    let channels = if readers.is_empty() { Vec::new() } else { channel::of_readers(session, &readers)? };
    for (channel, watch, news) in each(&channels, watches, news) {
        let tiding = Tiding { watch, kind: news.kind, severity: news.severity, interest: news.interest, at };
        if let Some(slot) = channel.slot(&tiding) {
            join(session, channel, &slot, &tiding, news)?;
        }
    }
    Ok(())
}

/// Every channel with every watch and all that is news to it.
fn each<'a>(
    channels: &'a [Channel],
    watches: &'a [Watch],
    news: &'a [News],
) -> impl Iterator<Item = (&'a Channel, &'a Watch, &'a News)> {
    let about = |watch: &Watch, news: &News| news.watch.map_or(!watch.paused, |id| id == watch.id);
    channels.iter().flat_map(move |channel| {
        watches.iter().flat_map(move |watch| {
            news.iter().filter(move |news| about(watch, news)).map(move |news| (channel, watch, news))
        })
    })
}

fn join(
    session: &mut Session<'_>,
    channel: &Channel,
    slot: &Slot,
    tiding: &Tiding<'_>,
    news: &News,
) -> Result<(), StoreError> {
    let due = calm(session, channel, slot)?;
    let row = session.one(
        "insert into notice (channel, slot, state, made, due, items) values (?1, ?2, 'open', ?3, ?4, 1)
         on conflict (channel, slot) where state = 'open' do update set items = notice.items + 1 returning id",
        args![channel.id.0, &slot.key, tiding.at, due],
    )?;
    session.run(
        "insert into item (notice, watch, kind, at, change, event) values (?1, ?2, ?3, ?4, ?5, ?6)",
        args![
            row.int(0)?,
            tiding.watch.id,
            tiding.kind.name(),
            tiding.at,
            news.change.map(|id| id.0),
            news.event
        ],
    )?;
    Ok(())
}

/// When a new notice of the slot is due: not too soon after the last one of the same slot.
fn calm(session: &mut Session<'_>, channel: &Channel, slot: &Slot) -> Result<i64, StoreError> {
    let due = micros(slot.due);
    let Some(pause) = slot.pause else { return Ok(due) };
    let last = session.one(
        "select max(made) from notice where channel = ?1 and slot = ?2 and state <> 'open'",
        args![channel.id.0, &slot.key],
    )?;
    let pause = i64::try_from(pause.as_micros()).unwrap_or(0);
    Ok(last
        .opt_int(0)?
        .map_or(due, |last| due.max(last.saturating_add(pause).min(due.saturating_add(pause)))))
}
