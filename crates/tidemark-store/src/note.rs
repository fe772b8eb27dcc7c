//! Learned state that belongs to no page.

use crate::session::Session;
use crate::value::args;
use tidemark_engine::store::StoreError;

pub(crate) fn get(session: &mut Session<'_>, key: &str) -> Result<Option<String>, StoreError> {
    let row = session.row("select value from note where key = ?1", args![key])?;
    row.map(|row| row.text(0).map(str::to_owned)).transpose()
}

pub(crate) fn set(session: &mut Session<'_>, key: &str, value: &str) -> Result<(), StoreError> {
    session.run(
        "insert into note (key, value) values (?1, ?2) on conflict (key) do update set value = ?2",
        args![key, value],
    )?;
    Ok(())
}
