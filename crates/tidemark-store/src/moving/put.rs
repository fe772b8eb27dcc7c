//! Rows into a table.

use crate::session::Session;
use crate::tables::{TABLES, Table};
use crate::value::{Arg, Row, Value};
use tidemark_engine::store::StoreError;

/// Rows in one statement where each costs a way to the server and back.
const TOGETHER: usize = 50;

/// Keeps everybody else out of an empty database until the transaction ends, and lets rows come before those that they refer to.
pub(super) fn prepare(session: &mut Session<'_>) -> Result<(), StoreError> {
    if session.is_postgres() {
        let names: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
        session.run(&format!("lock table {} in exclusive mode", names.join(", ")), &[])?;
        session.run(
            "alter table content alter constraint content_base_fkey deferrable initially deferred",
            &[],
        )?;
    } else {
        session.rows("pragma defer_foreign_keys = on", &[])?;
    }
    crate::tables::require_empty(session)
}

/// Everything is in: now all that is referred to must be there.
pub(super) fn settle(session: &mut Session<'_>) -> Result<(), StoreError> {
    if session.is_postgres() {
        session.run("set constraints all immediate", &[])?;
        session.run("alter table content alter constraint content_base_fkey not deferrable", &[])?;
    }
    Ok(())
}

/// Puts rows into these columns of a table.
pub(super) fn rows(
    session: &mut Session<'_>,
    table: &Table,
    columns: &[&str],
    rows: &[Row],
) -> Result<(), StoreError> {
    let together = if session.is_postgres() { TOGETHER } else { 1 };
    let (whole, rest) = rows.split_at(rows.len() - rows.len() % together);
    for (rows, at_once) in [(whole, together), (rest, 1)] {
        let sql = statement(table, columns, at_once);
        for chunk in rows.chunks(at_once) {
            let args: Vec<Arg<'_>> = chunk.iter().flat_map(|row| row.0.iter().map(Value::as_arg)).collect();
            session.run(&sql, &args)?;
        }
    }
    Ok(())
}

fn statement(table: &Table, columns: &[&str], rows: usize) -> String {
    let row = |row: usize| {
        let places: Vec<String> =
            (1..=columns.len()).map(|at| format!("?{}", row * columns.len() + at)).collect();
        format!("({})", places.join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!("insert into {} ({}) values {}", table.name, columns.join(", "), rows.join(", "))
}
