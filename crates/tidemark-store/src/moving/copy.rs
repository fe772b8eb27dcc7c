//! A whole database into an empty one, of either kind: every row as it is, versions in the frames they are kept in.

use super::walk::{View, Walk};
use super::{Progress, put, sequence};
use crate::database::Database;
use crate::session::Session;
use crate::tables::{self, TABLES};
use crate::value::{Row, Value};
use crate::{Options, open_database};
use tidemark_engine::store::StoreError;

/// What was copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Rows of all tables.
    pub rows: u64,
    /// BLAKE3 over all rows in their order, equal on both sides.
    pub hash: [u8; 32],
}

/// Copies a database into an empty one. Others may go on to write to the first one: what is copied is how it was at the beginning.
///
/// Both sides are hashed before anything becomes valid: a copy is whole and the same, or not there.
pub fn copy(from: &str, to: &str, progress: Progress<'_>) -> Result<Copied, StoreError> {
    let from = open_database(from, &Options { read_only: true, ..Options::default() })?;
    let to = open_database(to, &Options::default())?;
    between(&from, &to, progress)
}

/// The same, between databases that are open.
pub(super) fn between(from: &Database, to: &Database, progress: Progress<'_>) -> Result<Copied, StoreError> {
    from.read("read the database", |source| {
        to.write("fill the database", |target| whole(source, target, progress))
    })
}

fn whole(
    source: &mut Session<'_>,
    target: &mut Session<'_>,
    progress: Progress<'_>,
) -> Result<Copied, StoreError> {
    put::prepare(target)?;
    let rows = tables::count(source)?;
    let mut sum = Sum::default();
    for table in TABLES {
        let columns: Vec<&str> = table.columns.iter().map(|column| column.0).collect();
        let mut walk = Walk::new(table, View::Raw);
        loop {
            let batch = walk.next(source)?;
            if batch.is_empty() {
                break;
            }
            put::rows(target, table, &columns, &batch)?;
            sum.take(&batch);
            progress("rows copied", sum.rows, rows);
        }
    }
    put::settle(target)?;
    sequence::set(target, &sequence::read(source)?)?;
    let (copied, found) = (sum.end(), reread(target, rows, progress)?);
    if copied != found {
        return Err(StoreError::Damaged("what was written is not what was read".to_owned()));
    }
    Ok(copied)
}

/// What is there now, read again.
fn reread(session: &mut Session<'_>, rows: u64, progress: Progress<'_>) -> Result<Copied, StoreError> {
    let mut sum = Sum::default();
    for table in TABLES {
        let mut walk = Walk::new(table, View::Raw);
        loop {
            let batch = walk.next(session)?;
            if batch.is_empty() {
                break;
            }
            sum.take(&batch);
            progress("rows compared", sum.rows, rows);
        }
    }
    Ok(sum.end())
}

/// A sum over rows: of each value its kind, its length and its bytes.
#[derive(Default)]
struct Sum {
    hasher: blake3::Hasher,
    rows: u64,
}

impl Sum {
    fn take(&mut self, rows: &[Row]) {
        self.rows += rows.len() as u64;
        for value in rows.iter().flat_map(|row| &row.0) {
            let (kind, bytes): (u8, &[u8]) = match value {
                Value::Null => (0, &[]),
                Value::Int(value) => (1, &value.to_le_bytes()),
                Value::Text(text) => (2, text.as_bytes()),
                Value::Bytes(bytes) => (3, bytes),
            };
            self.hasher.update(&[kind]).update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        }
    }

    fn end(self) -> Copied {
        Copied { rows: self.rows, hash: *self.hasher.finalize().as_bytes() }
    }
}
