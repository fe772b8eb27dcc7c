//! A few connections, made again when the server was away.

use super::{Link, explain, is_lost};
use crate::session::{Connection, Session};
use crate::{Options, migrate};
use postgres::Config;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tidemark_engine::store::StoreError;

/// The oldest server we know to work.
const OLDEST: i64 = 140_000;

/// How often a job is done again when two got in each other's way.
const TRIES: usize = 8;

/// What migrations lock: any number that is ours.
const LOCK: &str = "select pg_advisory_xact_lock(6072343346)";

/// A database that is reached by a few connections.
pub(crate) struct Pg {
    config: Config,
    read_only: bool,
    idle: Mutex<Idle>,
    returned: Condvar,
}

struct Idle {
    links: Vec<Link>,
    /// How many more may be made.
    spare: usize,
}

pub(crate) fn open(url: &str, options: &Options) -> Result<Pg, StoreError> {
    let config = configuration(url)?;
    let idle = Idle { links: Vec::new(), spare: options.connections.max(1) };
    let pg = Pg { config, read_only: options.read_only, idle: Mutex::new(idle), returned: Condvar::new() };
    pg.read("look at the server", &mut check_server)?;
    if options.read_only {
        pg.read("open the database", &mut migrate::require_current)?;
    } else if pg.read("open the database", &mut migrate::require_current).is_err() {
        pg.write("prepare the tables", &mut |session| {
            lock_out(session)?;
            migrate::migrate(session)
        })?;
    }
    Ok(pg)
}

impl Pg {
    /// Runs a job in a transaction, again if others got in its way.
    pub(crate) fn write<T>(
        &self,
        attempt: &'static str,
        job: &mut dyn FnMut(&mut Session<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.read_only {
            return Err(StoreError::ReadOnly(format!("{attempt}: it was opened for reading only")));
        }
        self.transaction(attempt, "begin", job)
    }

    /// Runs queries that all see the same state.
    pub(crate) fn read<T>(
        &self,
        attempt: &'static str,
        job: &mut dyn FnMut(&mut Session<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.transaction(attempt, "begin isolation level repeatable read read only", job)
    }

    /// Runs something outside of a transaction.
    pub(crate) fn alone(&self, attempt: &'static str, sql: &str) -> Result<(), StoreError> {
        let mut link = self.take(attempt)?;
        let result = link.client.batch_execute(sql).map_err(|error| explain(attempt, &error));
        self.give(link);
        result
    }

    fn transaction<T>(
        &self,
        attempt: &'static str,
        begin: &str,
        job: &mut dyn FnMut(&mut Session<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let mut link = self.begin(attempt, begin)?;
            let mut session = Session { attempt, connection: Connection::Postgres(&mut link), again: false };
            let result = catch_unwind(AssertUnwindSafe(|| job(&mut session)));
            let again = session.again && tries < TRIES;
            let done = matches!(result, Ok(Ok(_)));
            let ended = link.client.batch_execute(if done { "commit" } else { "rollback" });
            self.give(link);
            let result = result.unwrap_or_else(|panic| resume_unwind(panic));
            match (result, ended) {
                (Ok(value), Ok(())) => return Ok(value),
                (Ok(_), Err(error)) if super::may_go_right(&error) && tries < TRIES => {}
                (Ok(_), Err(error)) => return Err(explain(attempt, &error)),
                (Err(_), _) if again => {}
                (Err(error), _) => return Err(error),
            }
            std::thread::sleep(Duration::from_millis(1 << tries));
        }
    }

    /// A connection in a transaction. One that has died in its sleep is let go with all that slept beside it.
    fn begin(&self, attempt: &'static str, begin: &str) -> Result<Link, StoreError> {
        loop {
            let mut link = self.take(attempt)?;
            let Err(error) = link.client.batch_execute(begin) else { return Ok(link) };
            let lost = is_lost(&error);
            let fresh = link.fresh;
            self.give(link);
            if !lost || fresh {
                return Err(explain(attempt, &error));
            }
            self.forget_idle();
        }
    }

    fn take(&self, attempt: &'static str) -> Result<Link, StoreError> {
        let mut idle = self.idle();
        loop {
            if let Some(mut link) = idle.links.pop() {
                link.fresh = false;
                return Ok(link);
            }
            if idle.spare > 0 {
                idle.spare -= 1;
                break;
            }
            idle = self.returned.wait(idle).unwrap_or_else(PoisonError::into_inner);
        }
        drop(idle);
        self.connect(attempt).inspect_err(|_| self.release_one())
    }

    fn connect(&self, attempt: &'static str) -> Result<Link, StoreError> {
        let tls = super::tls::connector(self.config.get_ssl_mode())
            .map_err(|error| StoreError::Unavailable(format!("{attempt}: {error}")))?;
        let client = self.config.connect(tls).map_err(|error| match error.as_db_error() {
            Some(_) => explain(attempt, &error),
            None => StoreError::Unavailable(format!("{attempt}: {}", super::reason(&error))),
        })?;
        Ok(Link::new(client))
    }

    /// Takes a connection back, or forgets it if it is gone.
    fn give(&self, link: Link) {
        if link.client.is_closed() {
            self.release_one();
            return drop_elsewhere(vec![link]);
        }
        self.idle().links.push(link);
        self.returned.notify_one();
    }

    fn release_one(&self) {
        self.idle().spare += 1;
        self.returned.notify_one();
    }

    fn forget_idle(&self) {
        let mut idle = self.idle();
        let links = std::mem::take(&mut idle.links);
        idle.spare += links.len();
        drop(idle);
        drop_elsewhere(links);
        self.returned.notify_all();
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pg {
    fn drop(&mut self) {
        self.forget_idle();
    }
}

/// A connection ends with the small runtime it has inside, which may not end inside of another one.
fn drop_elsewhere(links: Vec<Link>) {
    if !links.is_empty() {
        let _ = std::thread::spawn(move || drop(links)).join();
    }
}

fn configuration(url: &str) -> Result<Config, StoreError> {
    // The driver's own error may repeat the text, with its password.
    let url = url.replace("sslmode=verify-full", "sslmode=require");
    let mut config: Config = url.parse().map_err(|_| StoreError::Other {
        attempt: "read the address of the database".to_owned(),
        reason: "it is not of the form postgres://user@host/name".to_owned(),
    })?;
    config.application_name("tidemark").keepalives_idle(Duration::from_secs(30));
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(Duration::from_secs(10));
    }
    Ok(config)
}

fn check_server(session: &mut Session<'_>) -> Result<(), StoreError> {
    let row = session.one("select cast(current_setting('server_version_num') as bigint), cast(current_setting('server_encoding') as text)", &[])?;
    let trouble = if row.int(0)? < OLDEST {
        "the server is older than PostgreSQL 14"
    } else if row.text(1)? != "UTF8" {
        "the database is not encoded in UTF-8"
    } else {
        return Ok(());
    };
    Err(StoreError::Other { attempt: "open the database".to_owned(), reason: trouble.to_owned() })
}

fn lock_out(session: &mut Session<'_>) -> Result<(), StoreError> {
    let Connection::Postgres(link) = &mut session.connection else { return Ok(()) };
    link.client.batch_execute(LOCK).map_err(|error| explain("prepare the tables", &error))
}
