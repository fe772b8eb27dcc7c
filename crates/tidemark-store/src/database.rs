//! Either database.

use crate::postgres::Pg;
use crate::session::Session;
use crate::sqlite::Lite;
use tidemark_engine::store::StoreError;

pub(crate) enum Database {
    Sqlite(Lite),
    Postgres(Pg),
}

impl Database {
    /// Runs a job in one transaction. It may be run more than once, if others get in its way: then what it did before is undone.
    pub(crate) fn write<T>(
        &self,
        attempt: &'static str,
        mut job: impl FnMut(&mut Session<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match self {
            Self::Sqlite(lite) => lite.write(attempt, &mut job),
            Self::Postgres(pg) => pg.write(attempt, &mut job),
        }
    }

    /// Runs queries that all see the same state.
    pub(crate) fn read<T>(
        &self,
        attempt: &'static str,
        mut job: impl FnMut(&mut Session<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match self {
            Self::Sqlite(lite) => lite.read(attempt, &mut job),
            Self::Postgres(pg) => pg.read(attempt, &mut job),
        }
    }
}
