//! PostgreSQL: any number of processes and machines on one database.

mod pool;
mod tls;

pub(crate) use pool::{Pg, open};

use crate::session::postgres_text;
use crate::value::{Arg, Row, Value};
use postgres::error::SqlState;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Error, Statement};
use std::collections::HashMap;
use std::error::Error as _;
use tidemark_engine::store::StoreError;

/// Statements a connection remembers; the queries with filters have many shapes.
const STATEMENTS: usize = 256;

/// A connection with the statements it knows.
pub(crate) struct Link {
    pub(crate) client: Client,
    statements: HashMap<String, Statement>,
    /// Whether it was made for the job at hand.
    pub(crate) fresh: bool,
}

impl Link {
    pub(crate) fn new(client: Client) -> Self {
        Self { client, statements: HashMap::new(), fresh: true }
    }

    pub(crate) fn run(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64, Error> {
        let statement = self.statement(sql)?;
        self.client.execute(&statement, &parameters(args))
    }

    pub(crate) fn rows(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<Vec<Row>, Error> {
        let statement = self.statement(sql)?;
        let rows = self.client.query(&statement, &parameters(args))?;
        rows.iter().map(row).collect()
    }

    fn statement(&mut self, sql: &str) -> Result<Statement, Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        if self.statements.len() >= STATEMENTS {
            self.statements.clear();
        }
        let statement = self.client.prepare(&postgres_text(sql))?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

/// What an error of PostgreSQL means to us.
pub(crate) fn explain(attempt: &str, error: &Error) -> StoreError {
    let reason = reason(error);
    let told = format!("{attempt}: {reason}");
    let Some(code) = error.code() else {
        return if is_lost(error) {
            StoreError::Unavailable(told)
        } else {
            StoreError::Other { attempt: attempt.to_owned(), reason }
        };
    };
    match (code, &code.code()[..2]) {
        (&SqlState::DISK_FULL, _) => StoreError::Full(told),
        (&SqlState::READ_ONLY_SQL_TRANSACTION, _) => StoreError::ReadOnly(told),
        (_, "XX") if matches!(code.code(), "XX001" | "XX002") => StoreError::Damaged(told),
        (_, "08" | "53" | "57" | "58" | "40" | "55") => StoreError::Unavailable(told),
        _ => StoreError::Other { attempt: attempt.to_owned(), reason },
    }
}

/// Whether all may go right if it is done again: two got in each other's way.
pub(crate) fn may_go_right(error: &Error) -> bool {
    error.code().is_some_and(|code| {
        [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::FOREIGN_KEY_VIOLATION,
            SqlState::UNIQUE_VIOLATION,
        ]
        .contains(code)
    })
}

/// Whether the connection is gone.
pub(crate) fn is_lost(error: &Error) -> bool {
    error.is_closed()
        || error.source().is_some_and(<dyn std::error::Error>::is::<std::io::Error>)
        || error.code().is_some_and(|code| {
            code.code().starts_with("08") || matches!(code.code(), "57P01" | "57P02" | "57P03")
        })
}

/// What the server said; the driver's own words say only that it said something.
fn reason(error: &Error) -> String {
    match error.as_db_error() {
        Some(told) => told.message().to_owned(),
        None => error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}")),
    }
}

fn parameters<'a>(args: &'a [Arg<'a>]) -> Vec<&'a (dyn ToSql + Sync)> {
    args.iter().map(|arg| arg as &(dyn ToSql + Sync)).collect()
}

fn row(row: &postgres::Row) -> Result<Row, Error> {
    let values = row.columns().iter().enumerate().map(|(at, column)| value(row, at, column.type_()));
    Ok(Row(values.collect::<Result<_, Error>>()?))
}

fn value(row: &postgres::Row, at: usize, kind: &Type) -> Result<Value, Error> {
    Ok(match *kind {
        Type::INT8 => row.try_get::<_, Option<i64>>(at)?.map_or(Value::Null, Value::Int),
        Type::INT4 => row.try_get::<_, Option<i32>>(at)?.map_or(Value::Null, |n| Value::Int(n.into())),
        Type::BOOL => row.try_get::<_, Option<bool>>(at)?.map_or(Value::Null, |b| Value::Int(b.into())),
        Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(at)?.map_or(Value::Null, Value::Bytes),
        _ => row.try_get::<_, Option<String>>(at)?.map_or(Value::Null, Value::Text),
    })
}

impl ToSql for Arg<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut postgres::types::private::BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(value) if *kind == Type::INT4 => i32::try_from(*value)?.to_sql(kind, out),
            Self::Int(value) => value.to_sql(kind, out),
            Self::Text(value) => value.to_sql(kind, out),
            Self::Bytes(value) => value.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
