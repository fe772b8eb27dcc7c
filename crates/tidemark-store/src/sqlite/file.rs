//! Opens the file, makes it ours if it is new, and keeps a few connections to read with.

use super::{Writer, explain};
use crate::session::{Connection as Engine, Session};
use crate::{Options, migrate};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tidemark_engine::store::StoreError;

/// Marks a file as ours: `Tdmk`.
const APPLICATION: i64 = 0x5464_6d6b;

/// Connections kept to read with; more than that read at a time with connections of their own.
const READERS: usize = 4;

/// How long we wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(20);

/// What holds for every connection. Memory stays small: the operating system caches the file anyway.
const SETTINGS: &str = "pragma foreign_keys = on; pragma temp_store = memory; pragma mmap_size = 0;";

/// An open file.
pub(crate) struct Lite {
    path: PathBuf,
    /// None if it is open for reading only.
    writer: Option<Writer>,
    readers: Mutex<Vec<Connection>>,
}

/// Opens a file, and makes it if it is not there.
pub(crate) fn open(path: &Path, options: &Options) -> Result<Lite, StoreError> {
    let writer = if options.read_only { None } else { Some(Writer::new(open_to_write(path, options)?)) };
    let lite = Lite { path: path.to_owned(), writer, readers: Mutex::new(Vec::new()) };
    if options.read_only {
        check_ours(&lite.open_to_read()?, path)?;
        lite.read("open the database", &mut migrate::require_current)?;
    }
    Ok(lite)
}

impl Lite {
    pub(crate) fn write<T>(
        &self,
        attempt: &'static str,
        job: &mut dyn FnMut(&mut Session<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.writer(attempt)?.write(attempt, job)
    }

    /// Runs queries that all see the same state.
    pub(crate) fn read<T>(
        &self,
        attempt: &'static str,
        job: &mut dyn FnMut(&mut Session<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let connection = match self.idle().pop() {
            Some(connection) => connection,
            None => self.open_to_read()?,
        };
        connection.execute_batch("begin").map_err(|error| explain(attempt, &error))?;
        let mut session = Session { attempt, connection: Engine::Sqlite(&connection), again: false };
        let result = job(&mut session);
        if connection.execute_batch("rollback").is_ok() && self.idle().len() < READERS {
            self.idle().push(connection);
        }
        result
    }

    pub(crate) fn writer(&self, attempt: &str) -> Result<&Writer, StoreError> {
        self.writer
            .as_ref()
            .ok_or_else(|| StoreError::ReadOnly(format!("{attempt}: it was opened for reading only")))
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_to_read(&self) -> Result<Connection, StoreError> {
        let attempt = "open the database";
        let told = |error| explain(attempt, &error);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags).map_err(told)?;
        connection.busy_timeout(PATIENCE).map_err(told)?;
        connection.execute_batch(SETTINGS).map_err(told)?;
        connection.execute_batch("pragma cache_size = -1000; pragma query_only = on").map_err(told)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(connection)
    }
}

fn open_to_write(path: &Path, options: &Options) -> Result<Connection, StoreError> {
    let told = |error| explain_open(path, &error);
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(told)?;
    connection.busy_timeout(PATIENCE).map_err(told)?;
    connection.execute_batch(SETTINGS).map_err(told)?;
    check_ours(&connection, path)?;
    // The first holds for a file without tables only.
    connection
        .execute_batch(
            "pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma synchronous = full",
        )
        .map_err(told)?;
    connection
        .execute_batch("pragma cache_size = -8000; pragma journal_size_limit = 67108864")
        .map_err(told)?;
    if let Some(pages) = options.max_pages {
        connection.execute_batch(&format!("pragma max_page_count = {pages}")).map_err(told)?;
    }
    connection.set_prepared_statement_cache_capacity(128);
    make_current(&connection, path)?;
    Ok(connection)
}

/// Brings the tables to the version we know, one process at a time.
fn make_current(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let told = |error| explain_open(path, &error);
    if version(connection).is_ok_and(|version| version == migrate::KNOWN) {
        return Ok(());
    }
    connection.execute_batch("begin immediate").map_err(told)?;
    let attempt = "prepare the tables";
    let mut session = Session { attempt, connection: Engine::Sqlite(connection), again: false };
    let made = migrate::migrate(&mut session)
        .and_then(|()| connection.pragma_update(None, "application_id", APPLICATION).map_err(told))
        .and_then(|()| connection.execute_batch("commit").map_err(told));
    if made.is_err() {
        let _ = connection.execute_batch("rollback");
    }
    made
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("select cast(value as integer) from meta where key = 'schema'", [], |row| row.get(0))
}

/// An empty file may become ours; one with tables of somebody else may not.
fn check_ours(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let told = |error| explain_open(path, &error);
    let mark: i64 = connection.query_row("pragma application_id", [], |row| row.get(0)).map_err(told)?;
    let tables: i64 =
        connection.query_row("select count(*) from sqlite_schema", [], |row| row.get(0)).map_err(told)?;
    if tables > 0 && mark != APPLICATION {
        return Err(migrate::not_ours(&path.display().to_string()));
    }
    Ok(())
}

fn explain_open(path: &Path, error: &rusqlite::Error) -> StoreError {
    let attempt = format!("open {}", path.display());
    let code = error.sqlite_error_code();
    if code == Some(ErrorCode::NotADatabase) {
        return StoreError::Other { attempt, reason: "it is no SQLite database".to_owned() };
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if code == Some(ErrorCode::CannotOpen) && folder.is_some_and(|folder| !folder.is_dir()) {
        return StoreError::Other { attempt, reason: "its folder is not there".to_owned() };
    }
    if code == Some(ErrorCode::CannotOpen) {
        return StoreError::ReadOnly(format!("{attempt}: the file cannot be opened or made"));
    }
    explain(&attempt, error)
}
