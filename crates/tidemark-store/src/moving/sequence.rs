//! The last name that each table has given: a name that was given once is not given again, also elsewhere.

use crate::session::Session;
use crate::tables::{TABLES, Table};
use crate::value::args;
use std::collections::BTreeMap;
use tidemark_engine::store::StoreError;

/// The last name of each table that gives names.
pub(super) type Sequences = BTreeMap<String, i64>;

pub(super) fn read(session: &mut Session<'_>) -> Result<Sequences, StoreError> {
    numbered().map(|table| Ok((table.name.to_owned(), last(session, table)?))).collect()
}

/// Goes on behind these, and behind what there is.
pub(super) fn set(session: &mut Session<'_>, sequences: &Sequences) -> Result<(), StoreError> {
    for table in numbered() {
        let largest = largest(session, table)?;
        let last = sequences.get(table.name).copied().unwrap_or(0).max(largest);
        if session.is_postgres() {
            let sql = format!(
                "select setval(pg_get_serial_sequence('{}', 'id'), greatest(cast(?1 as bigint), 1), cast(?1 as bigint) > 0)",
                table.name
            );
            session.rows(&sql, args![last])?;
        } else if table.name != crate::tables::CONTENT && last > 0 {
            session.run("delete from sqlite_sequence where name = ?1", args![table.name])?;
            session
                .run("insert into sqlite_sequence (name, seq) values (?1, ?2)", args![table.name, last])?;
        }
    }
    Ok(())
}

fn last(session: &mut Session<'_>, table: &Table) -> Result<i64, StoreError> {
    let given = if session.is_postgres() {
        let sql = format!("select case when is_called then last_value else 0 end from {}_id_seq", table.name);
        session.row(&sql, &[])?
    } else {
        session.row("select seq from sqlite_sequence where name = ?1", args![table.name])?
    };
    let given = given.map(|row| row.int(0)).transpose()?.unwrap_or(0);
    Ok(given.max(largest(session, table)?))
}

fn largest(session: &mut Session<'_>, table: &Table) -> Result<i64, StoreError> {
    Ok(session.one(&format!("select max(id) from {}", table.name), &[])?.opt_int(0)?.unwrap_or(0))
}

fn numbered() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().filter(|table| table.numbered)
}
