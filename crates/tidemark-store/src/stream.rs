//! Streams: documents in a row, read one after the other by whoever comes first.

use crate::event;
use crate::session::Session;
use crate::tiding::{self, News};
use crate::value::args;
use tidemark_engine::page::PageId;
use tidemark_engine::record::StreamKey;
use tidemark_engine::store::{StoreError, StreamAdvance, StreamWork};

/// Puts a version behind the last document of a stream.
pub(crate) fn queue(
    session: &mut Session<'_>,
    key: &StreamKey,
    page: PageId,
    version: u32,
) -> Result<(), StoreError> {
    let key = key.to_string();
    session.run("insert into stream (key) values (?1) on conflict (key) do nothing", args![&key])?;
    let row = session.one(
        "update stream set last = last + 1, waiting = waiting + 1 where key = ?1 returning last",
        args![&key],
    )?;
    session.run(
        "insert into document (stream, number, page, version) values (?1, ?2, ?3, ?4)",
        args![&key, row.int(0)?, page, version],
    )?;
    Ok(())
}

pub(crate) fn waiting(session: &mut Session<'_>, limit: usize) -> Result<Vec<StreamKey>, StoreError> {
    let rows =
        session.rows("select key from stream where waiting > 0 order by key limit ?1", args![limit])?;
    rows.iter().map(|row| Ok(StreamKey::parse(row.text(0)?))).filter_map(Result::transpose).collect()
}

pub(crate) fn work(
    session: &mut Session<'_>,
    key: &StreamKey,
    limit: usize,
) -> Result<StreamWork, StoreError> {
    let key = key.to_string();
    let Some(row) = session.row("select state, done from stream where key = ?1", args![&key])? else {
        return Ok(StreamWork::default());
    };
    let documents = session.rows(
        "select number, page, version from document where stream = ?1 order by number limit ?2",
        args![&key, limit],
    )?;
    let documents = documents.iter().map(|row| Ok((row.int(0)?, PageId(row.int(1)?), row.version(2)?)));
    Ok(StreamWork {
        state: row.opt_bytes(0)?.map(<[u8]>::to_vec),
        read: row.int(1)?,
        documents: documents.collect::<Result<_, StoreError>>()?,
    })
}

pub(crate) fn advance(session: &mut Session<'_>, advance: &StreamAdvance) -> Result<bool, StoreError> {
    let key = advance.key.to_string();
    let moved = session.run(
        "update stream set done = ?3, state = ?4 where key = ?1 and done = ?2",
        args![&key, advance.from, advance.to, &advance.state],
    )?;
    if moved == 0 {
        return Ok(false);
    }
    let read =
        session.run("delete from document where stream = ?1 and number <= ?2", args![&key, advance.to])?;
    session
        .run("update stream set waiting = waiting - ?2 where key = ?1", args![&key, read.cast_signed()])?;
    let ids = event::add(session, None, Some(&advance.key), advance.at, &advance.events)?;
    let news: Vec<News> =
        advance.events.iter().zip(ids).filter_map(|(event, id)| News::of_event(event, id, false)).collect();
    tiding::of_stream(session, &advance.key, advance.at, &news)?;
    Ok(true)
}

/// Takes the documents of a page out of all streams.
pub(crate) fn take_out(session: &mut Session<'_>, page: PageId) -> Result<(), StoreError> {
    session.run(
        "update stream set waiting = waiting - (select count(*) from document d where d.stream = stream.key and d.page = ?1)
          where key in (select stream from document where page = ?1)",
        args![page],
    )?;
    session.run("delete from document where page = ?1", args![page])?;
    Ok(())
}

/// Forgets a stream that has no source any longer.
pub(crate) fn forget(session: &mut Session<'_>, key: &StreamKey) -> Result<(), StoreError> {
    let key = key.to_string();
    session.run("delete from event where stream = ?1", args![&key])?;
    session.run("delete from stream where key = ?1", args![&key])?;
    Ok(())
}
