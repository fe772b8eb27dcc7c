//! The rows of a table in the order of its key, the same in both databases, a batch at a time.
//!
//! A batch is looked at before it is read: its keys and sizes first, then as many rows as fit. So memory is bounded however large the rows are.

use crate::session::Session;
use crate::tables::{Column, Kind, Table};
use crate::value::{Arg, Row, Value};
use tidemark_engine::store::StoreError;

/// Bytes of a batch, unless one row alone has more.
const BATCH: i64 = 4 << 20;
/// Rows of a batch.
const ROWS: usize = 5000;

/// How rows are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// As they are.
    Raw,
    /// As they are told: a content by its hash, and nothing of who works on what.
    Told,
}

/// Where a walk has come to.
pub(super) struct Walk {
    table: &'static Table,
    view: View,
    after: Option<Vec<Value>>,
}

impl Walk {
    pub(super) fn new(table: &'static Table, view: View) -> Self {
        Self { table, view, after: None }
    }

    /// The next rows; none at the end.
    pub(super) fn next(&mut self, session: &mut Session<'_>) -> Result<Vec<Row>, StoreError> {
        let Some(upto) = self.upto(session)? else { return Ok(Vec::new()) };
        let tuple = self.tuple(session);
        let mut sql = format!("select {} from {} where ", self.selected(), self.table.name);
        let mut args: Vec<Arg<'_>> = Vec::new();
        if let Some(after) = &self.after {
            sql = format!("{sql}{tuple} > {} and ", places(1, after.len()));
            args.extend(after.iter().map(Value::as_arg));
        }
        sql = format!(
            "{sql}{tuple} <= {} order by {}",
            places(args.len() + 1, upto.len()),
            self.order(session)
        );
        args.extend(upto.iter().map(Value::as_arg));
        let rows = session.rows(&sql, &args)?;
        self.after = Some(upto);
        Ok(rows)
    }

    /// The key of the last row that fits into the next batch.
    fn upto(&self, session: &mut Session<'_>) -> Result<Option<Vec<Value>>, StoreError> {
        let keys: Vec<&str> = self.table.keys().iter().map(|key| key.0).collect();
        let mut sql = format!("select {}, {} from {}", keys.join(", "), self.size(), self.table.name);
        let mut args: Vec<Arg<'_>> = Vec::new();
        if let Some(after) = &self.after {
            sql = format!("{sql} where {} > {}", self.tuple(session), places(1, after.len()));
            args.extend(after.iter().map(Value::as_arg));
        }
        sql = format!("{sql} order by {} limit {ROWS}", self.order(session));
        let mut size = 0;
        let mut last = None;
        for mut row in session.rows(&sql, &args)? {
            size += row.int(self.table.key)?;
            if last.is_some() && size > BATCH {
                break;
            }
            row.0.truncate(self.table.key);
            last = Some(row.0);
        }
        Ok(last)
    }

    /// What is selected.
    fn selected(&self) -> String {
        let told = |column: &Column| match (self.view, column.1) {
            (View::Told, Kind::Content) => {
                format!("(select c.hash from content c where c.id = {}.{})", self.table.name, column.0)
            }
            _ => column.0.to_owned(),
        };
        columns(self.table, self.view).map(told).collect::<Vec<_>>().join(", ")
    }

    /// The size of a row.
    fn size(&self) -> String {
        let long = self.table.columns.iter().filter(|column| column.1.is_long());
        let sizes: Vec<String> =
            long.map(|column| format!("cast(coalesce(octet_length({}), 0) as bigint)", column.0)).collect();
        if sizes.is_empty() { "cast(0 as bigint)".to_owned() } else { sizes.join(" + ") }
    }

    fn tuple(&self, session: &Session<'_>) -> String {
        format!("({})", self.order(session))
    }

    /// The key, with texts in the order of their bytes, whatever language the server speaks.
    fn order(&self, session: &Session<'_>) -> String {
        let key = |column: &Column| {
            if column.1.is_text() && session.is_postgres() {
                format!("{} collate \"C\"", column.0)
            } else {
                column.0.to_owned()
            }
        };
        self.table.keys().iter().map(key).collect::<Vec<_>>().join(", ")
    }
}

/// The columns of a view.
pub(super) fn columns(table: &'static Table, view: View) -> impl Iterator<Item = &'static Column> {
    table.columns.iter().filter(move |column| view == View::Raw || column.1 != Kind::Lease)
}

fn places(from: usize, count: usize) -> String {
    let places: Vec<String> = (from..from + count).map(|place| format!("?{place}")).collect();
    format!("({})", places.join(", "))
}
