//! Notices on their way out: claimed, delivered or given up.

use crate::session::{Query, Session};
use crate::value::{Row, args, json, micros, span};
use crate::{channel, watch};
use jiff::Timestamp;
use std::collections::BTreeMap;
use tidemark_engine::channel::{ChannelId, ChannelState, Kind};
use tidemark_engine::notice::{
    ClaimedNotice, Dispatch, Item, NoticeFilter, NoticeId, NoticeLine, NoticeState, What,
};
use tidemark_engine::record::ChangeId;
use tidemark_engine::store::{Claim, StoreError};
use tidemark_engine::watch::{Watch, WatchId};

/// More items of one notice are not read; they are counted.
const MOST_ITEMS: usize = 500;
/// Due notices are counted so far.
const MOST_COUNTED: i64 = 1000;

/// Those that a courier may still take.
const PENDING: &str = "state in ('open', 'sealed')";

pub(crate) fn claim(session: &mut Session<'_>, claim: &Claim) -> Result<Vec<ClaimedNotice>, StoreError> {
    let until = micros(claim.now).saturating_add(span(claim.lease));
    let sql = format!(
        "update notice set state = 'sealed', due = ?2, token = token + 1 where {PENDING} and due <= ?1 and id in
           (select (select n.id from notice n where n.channel = c.id and n.{PENDING} and n.due <= ?1 order by n.due, n.id limit 1)
              from channel c where c.rests_until <= ?1 order by c.id limit ?3)
         returning id, channel, slot, made, tries, token"
    );
    let rows = session.rows(&sql, args![claim.now, until, claim.limit])?;
    let instance = if rows.is_empty() { String::new() } else { instance(session)? };
    let mut claimed = Vec::new();
    for row in rows {
        claimed.extend(read_claimed(session, &row, &instance)?);
    }
    claimed.sort_by_key(|notice| notice.id);
    Ok(claimed)
}

/// How many are due in channels that do not rest.
pub(crate) fn due(session: &mut Session<'_>, now: Timestamp) -> Result<u64, StoreError> {
    let sql = format!(
        "select count(*) from (select 1 from notice n join channel c on c.id = n.channel
          where n.{PENDING} and n.due <= ?1 and c.rests_until <= ?1 limit ?2) as pending"
    );
    session.one(&sql, args![now, MOST_COUNTED])?.count(0)
}

/// A name of this database, that no other has.
fn instance(session: &mut Session<'_>) -> Result<String, StoreError> {
    let made = format!("{:032x}", fastrand::u128(..));
    session.run(
        "insert into meta (key, value) values ('instance', ?1) on conflict (key) do nothing",
        args![&made],
    )?;
    Ok(session.one("select value from meta where key = 'instance'", &[])?.text(0)?.to_owned())
}

fn read_claimed(
    session: &mut Session<'_>,
    row: &Row,
    instance: &str,
) -> Result<Option<ClaimedNotice>, StoreError> {
    let id = row.int(0)?;
    let Some(channel) = channel::one(session, ChannelId(row.int(1)?))? else { return Ok(None) };
    Ok(Some(ClaimedNotice {
        id: NoticeId(id),
        key: format!("{instance}-{id}"),
        channel,
        slot: row.text(2)?.to_owned(),
        made: row.time(3)?,
        tries: u32::try_from(row.int(4)?).unwrap_or(u32::MAX),
        token: row.int(5)?,
        items: items(session, id)?,
    }))
}

fn items(session: &mut Session<'_>, notice: i64) -> Result<Vec<Item>, StoreError> {
    let rows = session.rows(
        "select i.watch, i.kind, i.at, i.change, c.old_version, c.new_version, c.summary, v.body, e.detail
           from item i left join change c on c.id = i.change
                left join verdict v on v.change = i.change and v.watch = i.watch
                left join event e on e.id = i.event
          where i.notice = ?1 order by i.id limit ?2",
        args![notice, MOST_ITEMS],
    )?;
    let (mut watches, mut items) = (BTreeMap::new(), Vec::new());
    for row in &rows {
        let id = row.int(0)?;
        if let std::collections::btree_map::Entry::Vacant(place) = watches.entry(id) {
            place.insert(watch::one(session, WatchId(id))?);
        }
        let watch: Option<&Watch> = watches.get(&id).and_then(Option::as_ref);
        if let (Some(watch), Some(kind), Some(what)) = (watch, Kind::parse(row.text(1)?), what(row)?) {
            items.push(Item { watch: watch.clone(), kind, at: row.time(2)?, what });
        }
    }
    Ok(items)
}

fn what(row: &Row) -> Result<Option<What>, StoreError> {
    if let Some(change) = row.opt_int(3)? {
        // A watch that is new to the page since then has no verdict.
        if row.opt_text(7)?.is_none() {
            return Ok(None);
        }
        let (old, new) = (row.version(4)?, row.version(5)?);
        return Ok(Some(What::Change {
            id: ChangeId(change),
            old,
            new,
            summary: row.json(6)?,
            verdict: row.json(7)?,
        }));
    }
    Ok(if row.opt_text(8)?.is_some() { Some(What::Event(row.json(8)?)) } else { None })
}

pub(crate) fn dispatch(session: &mut Session<'_>, dispatch: &Dispatch) -> Result<bool, StoreError> {
    let row = session.row(
        "update notice set state = ?3, due = ?4, trouble = ?5, tries = tries + 1
          where id = ?1 and token = ?2 and state = 'sealed' returning channel",
        args![
            dispatch.id.0,
            dispatch.token,
            dispatch.state.name(),
            dispatch.due,
            dispatch.trouble.as_deref()
        ],
    )?;
    let Some(row) = row else { return Ok(false) };
    channel::set_state(session, row.int(0)?, &dispatch.channel)?;
    Ok(true)
}

pub(crate) fn list(session: &mut Session<'_>, filter: &NoticeFilter) -> Result<Vec<NoticeLine>, StoreError> {
    let mut query = Query::new(
        "select id, channel, slot, state, made, due, tries, trouble, items from notice where true",
    );
    query.also(" and channel = ?", filter.channel.map(|channel| channel.0));
    query.also(" and state = ?", filter.state.map(NoticeState::name));
    query.also(" order by id desc limit ?", Some(filter.limit.unwrap_or(i64::MAX as usize)));
    session.rows(&query.sql, &query.args)?.iter().map(line).collect()
}

pub(crate) fn retry(session: &mut Session<'_>, id: NoticeId, now: Timestamp) -> Result<bool, StoreError> {
    let row = session.row(
        "update notice set state = case when state = 'dead' then 'sealed' else state end, due = ?2,
                tries = 0, token = token + 1
          where id = ?1 and state <> 'delivered' returning channel",
        args![id.0, now],
    )?;
    let Some(row) = row else { return Ok(false) };
    let channel = row.int(0)?;
    let known = session.one("select state from channel where id = ?1", args![channel])?;
    let known: ChannelState = known.json(0)?;
    let state = ChannelState { rests_until: None, failures: 0, ..known };
    channel::set_state(session, channel, &state)?;
    Ok(true)
}

pub(crate) fn remove(session: &mut Session<'_>, id: NoticeId) -> Result<bool, StoreError> {
    Ok(session.run("delete from notice where id = ?1", args![id.0])? > 0)
}

pub(crate) fn forget(session: &mut Session<'_>, before: Timestamp) -> Result<u64, StoreError> {
    session.run("delete from notice where state = 'delivered' and due < ?1", args![before])
}

fn line(row: &Row) -> Result<NoticeLine, StoreError> {
    let state = row.text(3)?;
    let state = NoticeState::parse(state).ok_or_else(|| {
        StoreError::Damaged(format!("a notice has the unknown state {}", json(&state).unwrap_or_default()))
    })?;
    Ok(NoticeLine {
        id: NoticeId(row.int(0)?),
        channel: ChannelId(row.int(1)?),
        slot: row.text(2)?.to_owned(),
        state,
        made: row.time(4)?,
        due: row.time(5)?,
        tries: u32::try_from(row.int(6)?).unwrap_or(u32::MAX),
        trouble: row.opt_text(7)?.map(str::to_owned),
        items: u32::try_from(row.int(8)?).unwrap_or(u32::MAX),
    })
}
