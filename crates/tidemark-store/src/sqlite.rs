//! SQLite: one file, one writer at a time, many readers.

mod commit;
mod file;

pub(crate) use commit::Writer;
pub(crate) use file::{Lite, open};

use crate::value::{Arg, Row, Value};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Error, ErrorCode, ToSql, ffi};
use tidemark_engine::store::StoreError;

pub(crate) fn run(connection: &Connection, sql: &str, args: &[Arg<'_>]) -> Result<u64, Error> {
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.execute(rusqlite::params_from_iter(args))? as u64)
}

pub(crate) fn rows(connection: &Connection, sql: &str, args: &[Arg<'_>]) -> Result<Vec<Row>, Error> {
    let mut statement = connection.prepare_cached(sql)?;
    let columns = statement.column_count();
    let mut found = Vec::new();
    let mut rows = statement.query(rusqlite::params_from_iter(args))?;
    while let Some(row) = rows.next()? {
        let values = (0..columns).map(|column| Ok(value(row.get_ref(column)?)));
        found.push(Row(values.collect::<Result<_, Error>>()?));
    }
    Ok(found)
}

/// What an error of SQLite means to us.
pub(crate) fn explain(attempt: &str, error: &Error) -> StoreError {
    let reason = error.to_string();
    let told = format!("{attempt}: {reason}");
    let Error::SqliteFailure(failure, _) = error else {
        return StoreError::Other { attempt: attempt.to_owned(), reason };
    };
    match (failure.code, failure.extended_code) {
        (ErrorCode::DiskFull, _) | (_, ffi::SQLITE_IOERR_SHMSIZE) => StoreError::Full(told),
        (ErrorCode::ReadOnly | ErrorCode::PermissionDenied, _) => StoreError::ReadOnly(told),
        (ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::CannotOpen, _) => {
            StoreError::Unavailable(told)
        }
        (ErrorCode::DatabaseCorrupt, _) => StoreError::Damaged(told),
        _ => StoreError::Other { attempt: attempt.to_owned(), reason },
    }
}

impl ToSql for Arg<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
            Self::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(value) => Value::Int(value),
        // No statement of ours gives one.
        ValueRef::Real(value) => Value::Text(value.to_string()),
        ValueRef::Text(value) => Value::Text(String::from_utf8_lossy(value).into_owned()),
        ValueRef::Blob(value) => Value::Bytes(value.to_vec()),
    }
}
