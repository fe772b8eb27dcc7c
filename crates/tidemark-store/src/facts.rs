//! About the database itself.

use crate::session::Session;
use tidemark_engine::store::{StoreError, StoreFacts};

pub(crate) fn facts(session: &mut Session<'_>) -> Result<StoreFacts, StoreError> {
    let (engine, bytes) = if session.is_postgres() {
        (
            "select 'PostgreSQL ' || current_setting('server_version')",
            "select pg_database_size(current_database())",
        )
    } else {
        (
            "select 'SQLite ' || sqlite_version()",
            "select page_count * page_size from pragma_page_count, pragma_page_size",
        )
    };
    let mut count = |sql: &str| session.one(sql, &[]).and_then(|row| row.count(0));
    let bytes = count(bytes)?;
    let pages = count("select count(*) from page")?;
    let watches = count("select count(*) from watch")?;
    let versions = count("select count(*) from snapshot")?;
    let changes = count("select count(*) from change")?;
    let engine = session.one(engine, &[])?.text(0)?.to_owned();
    let schema = session.one("select cast(value as bigint) from meta where key = 'schema'", &[])?.int(0)?;
    Ok(StoreFacts { engine, schema, bytes, pages, watches, versions, changes })
}
