//! Channels: where readers are told.

use crate::session::Session;
use crate::value::{Row, args, json, micros};
use jiff::Timestamp;
use tidemark_engine::channel::{Channel, ChannelId, ChannelState, ChannelTerms, NewChannel};
use tidemark_engine::secret::Sealed;
use tidemark_engine::store::StoreError;

const COLUMNS: &str = "id, terms, target, shown, added, state";

pub(crate) fn add(
    session: &mut Session<'_>,
    new: &NewChannel,
    now: Timestamp,
) -> Result<Channel, StoreError> {
    let sql = format!(
        "insert into channel (reader, terms, target, shown, added, state) values (?1, ?2, ?3, ?4, ?5, ?6) returning {COLUMNS}"
    );
    let (terms, target, state) = (json(&new.terms)?, json(&new.target)?, json(&ChannelState::default())?);
    let row = session.one(&sql, args![&new.terms.reader, &terms, &target, &new.shown, now, &state])?;
    read(&row)
}

pub(crate) fn list(session: &mut Session<'_>) -> Result<Vec<Channel>, StoreError> {
    let sql = format!("select {COLUMNS} from channel order by id");
    session.rows(&sql, &[])?.iter().map(read).collect()
}

/// The channels of some readers.
pub(crate) fn of_readers(
    session: &mut Session<'_>,
    readers: &[[&str; 1]],
) -> Result<Vec<Channel>, StoreError> {
    let sql = format!(
        "select {COLUMNS} from channel where reader in (select value->>0 from {{each ?1}}) order by id"
    );
    session.rows(&sql, args![&json(&readers)?])?.iter().map(read).collect()
}

pub(crate) fn one(session: &mut Session<'_>, id: ChannelId) -> Result<Option<Channel>, StoreError> {
    let sql = format!("select {COLUMNS} from channel where id = ?1");
    session.row(&sql, args![id.0])?.as_ref().map(read).transpose()
}

pub(crate) fn change(
    session: &mut Session<'_>,
    id: ChannelId,
    terms: &ChannelTerms,
) -> Result<(), StoreError> {
    let changed = session.run(
        "update channel set terms = ?2, reader = ?3 where id = ?1",
        args![id.0, &json(terms)?, &terms.reader],
    )?;
    found(id, changed)
}

pub(crate) fn remove(session: &mut Session<'_>, id: ChannelId) -> Result<(), StoreError> {
    let removed = session.run("delete from channel where id = ?1", args![id.0])?;
    found(id, removed)
}

/// Stores what is known of its deliveries.
pub(crate) fn set_state(session: &mut Session<'_>, id: i64, state: &ChannelState) -> Result<(), StoreError> {
    session.run(
        "update channel set state = ?2, rests_until = ?3 where id = ?1",
        args![id, &json(state)?, state.rests_until.map_or(0, micros)],
    )?;
    Ok(())
}

fn found(id: ChannelId, rows: u64) -> Result<(), StoreError> {
    if rows == 0 { Err(StoreError::Missing(format!("channel {}", id.0))) } else { Ok(()) }
}

fn read(row: &Row) -> Result<Channel, StoreError> {
    let target: Sealed = row.json(2)?;
    Ok(Channel {
        id: ChannelId(row.int(0)?),
        terms: row.json(1)?,
        target: Some(target),
        shown: row.text(3)?.to_owned(),
        added: row.time(4)?,
        state: row.json(5)?,
    })
}
