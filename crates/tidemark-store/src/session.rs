//! One connection while it works for us: the same statements for both databases.
//!
//! A statement is written with `?1`, and with a few words in braces where the two differ:
//!
//! | | SQLite | PostgreSQL |
//! |---|---|---|
//! | `{lock}` | | `for update` |
//! | `{skip}` | | `for update skip locked` |
//! | `{each ?1}`, rows of a JSON array | `json_each(?1)` | `jsonb_array_elements($1::text::jsonb)` |

use crate::postgres::Link;
use crate::value::{Arg, Row};
use std::borrow::Cow;
use tidemark_engine::store::StoreError;

/// A connection at work, and at what.
pub(crate) struct Session<'a> {
    pub(crate) attempt: &'static str,
    pub(crate) connection: Connection<'a>,
    /// Whether what went wrong may go right if all is done again.
    pub(crate) again: bool,
}

pub(crate) enum Connection<'a> {
    Sqlite(&'a rusqlite::Connection),
    Postgres(&'a mut Link),
}

impl Session<'_> {
    /// Runs a statement and says how many rows it touched.
    pub(crate) fn run(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64, StoreError> {
        match &mut self.connection {
            Connection::Sqlite(connection) => crate::sqlite::run(connection, &sqlite_text(sql), args)
                .map_err(|error| crate::sqlite::explain(self.attempt, &error)),
            Connection::Postgres(link) => {
                let result = link.run(sql, args);
                result.map_err(|error| self.postgres_error(&error))
            }
        }
    }

    /// Runs a query.
    pub(crate) fn rows(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<Vec<Row>, StoreError> {
        match &mut self.connection {
            Connection::Sqlite(connection) => crate::sqlite::rows(connection, &sqlite_text(sql), args)
                .map_err(|error| crate::sqlite::explain(self.attempt, &error)),
            Connection::Postgres(link) => {
                let result = link.rows(sql, args);
                result.map_err(|error| self.postgres_error(&error))
            }
        }
    }

    /// The first row of a query.
    pub(crate) fn row(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<Option<Row>, StoreError> {
        Ok(self.rows(sql, args)?.into_iter().next())
    }

    /// The row of a query that always has one.
    pub(crate) fn one(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<Row, StoreError> {
        self.row(sql, args)?.ok_or_else(|| StoreError::Other {
            attempt: self.attempt.to_owned(),
            reason: "the database gave no row where there is always one".to_owned(),
        })
    }

    /// Until the end of the transaction, nobody moves contents to other bases: so that what is stored of their depths stays true. Any number may hold this.
    pub(crate) fn hold_chains(&mut self) -> Result<(), StoreError> {
        self.advisory("select 1 from pg_advisory_xact_lock_shared(6072343347)")
    }

    /// The same for the one who moves them. To be called after rows of pages were locked, by all in this order.
    pub(crate) fn own_chains(&mut self) -> Result<(), StoreError> {
        self.advisory("select 1 from pg_advisory_xact_lock(6072343347)")
    }

    fn advisory(&mut self, sql: &str) -> Result<(), StoreError> {
        if self.is_postgres() { self.rows(sql, &[]).map(drop) } else { Ok(()) }
    }

    pub(crate) fn is_postgres(&self) -> bool {
        matches!(self.connection, Connection::Postgres(_))
    }

    fn postgres_error(&mut self, error: &postgres::Error) -> StoreError {
        self.again |= crate::postgres::may_go_right(error);
        crate::postgres::explain(self.attempt, error)
    }
}

/// A query that grows by what is asked for.
pub(crate) struct Query<'a> {
    pub(crate) sql: String,
    pub(crate) args: Vec<Arg<'a>>,
}

impl<'a> Query<'a> {
    pub(crate) fn new(sql: &str) -> Self {
        Self { sql: sql.to_owned(), args: Vec::new() }
    }

    /// Adds a clause with one argument, written `?`, if there is one.
    pub(crate) fn also(&mut self, clause: &str, arg: Option<impl Into<Arg<'a>>>) {
        if let Some(arg) = arg {
            self.args.push(arg.into());
            self.sql += &clause.replace('?', &format!("?{}", self.args.len()));
        }
    }
}

/// A statement as SQLite reads it.
fn sqlite_text(sql: &str) -> Cow<'_, str> {
    if !sql.contains('{') {
        return Cow::Borrowed(sql);
    }
    let plain = sql.replace("{lock}", "").replace("{skip}", "");
    Cow::Owned(replace_each(&plain, "json_each(", ")"))
}

/// A statement as PostgreSQL reads it.
pub(crate) fn postgres_text(sql: &str) -> String {
    let sql = sql.replace("{lock}", "for update").replace("{skip}", "for update skip locked");
    replace_each(&sql, "jsonb_array_elements(cast(", " as text)::jsonb)").replace('?', "$")
}

fn replace_each(sql: &str, open: &str, close: &str) -> String {
    let mut parts = sql.split("{each ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (argument, rest) = part.split_once('}').unwrap_or((part, ""));
        text.extend([open, argument, close, rest]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_for_both() {
        let sql = "select value->>0 from {each ?1} where x = ?2 {skip}";
        assert_eq!(sqlite_text(sql), "select value->>0 from json_each(?1) where x = ?2 ");
        assert_eq!(
            postgres_text(sql),
            "select value->>0 from jsonb_array_elements(cast($1 as text)::jsonb) where x = $2 for update skip locked"
        );
    }
}
