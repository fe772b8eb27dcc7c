//! What Tidemark keeps, in SQLite (one file, the default) or PostgreSQL (many machines). The only SQL there is.
//!
//! Each method of [`Store`] is written once, over a `session` of either database; what they have in common is in the tables,
//! `migrations/`. Versions are byte-exact and addressed by their BLAKE3: see `content`.

mod change;
mod channel;
mod claim;
mod content;
mod database;
mod event;
mod facts;
mod migrate;
mod moving;
mod note;
mod notice;
mod page;
mod picture;
mod postgres;
mod record;
mod remove;
mod retain;
mod session;
mod snapshot;
mod sqlite;
mod store;
mod stream;
mod tables;
mod tiding;
mod value;
mod verify;
mod visit;
mod watch;

pub use moving::{
    Backup, Copied, Exported, Imported, LINES, Progress, WARC, backup, canonical_hash, copy, export, import,
    restore,
};

use database::Database;
use std::path::Path;
use std::sync::Arc;
use tidemark_engine::store::{Store, StoreError};

/// How to open a database.
#[derive(Clone, Debug)]
pub struct Options {
    /// Only to look at: nothing is made and nothing is changed.
    pub read_only: bool,
    /// Connections to PostgreSQL at most.
    pub connections: usize,
    /// Pages that an SQLite file may grow to, of 4096 bytes; for tests of a full disk.
    pub max_pages: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self { read_only: false, connections: 8, max_pages: None }
    }
}

/// Opens the database that a text names: `postgres://…`, `sqlite:PATH` or a path. Makes a file that is not there, and the tables in an empty database.
pub fn open(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    open_with(url, &Options::default())
}

/// The same, with a say in how.
pub fn open_with(url: &str, options: &Options) -> Result<Arc<dyn Store>, StoreError> {
    Ok(Arc::new(store::Shelf::new(open_database(url, options)?)))
}

/// The database itself, for what goes past the port.
fn open_database(url: &str, options: &Options) -> Result<Database, StoreError> {
    Ok(if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        Database::Postgres(postgres::open(url, options)?)
    } else {
        let path = url.strip_prefix("sqlite:").unwrap_or(url);
        named(path)?;
        Database::Sqlite(sqlite::open(Path::new(path), options)?)
    })
}

/// Without a name, or with the one for memory, SQLite gives every connection a database of its own, which ends with it.
fn named(path: &str) -> Result<(), StoreError> {
    if path.trim().is_empty() || path == ":memory:" {
        let reason = "that names no file; give a path, or postgres://…".to_owned();
        return Err(StoreError::Other { attempt: format!("open '{path}'"), reason });
    }
    Ok(())
}
