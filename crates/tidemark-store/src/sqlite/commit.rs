//! One writer at a time, and one wait for the disk for all who write at that time (group commit).
//!
//! Who wants to write waits for its turn, and runs its job as a savepoint of the transaction that is open. If somebody else waits for a turn, the commit is
//! left to them; the last in the row commits for all, and only then all return. So a job never travels to another thread, and a lone one commits at once.
//! A job that fails or panics is rolled back alone.

use crate::session::{Connection as Engine, Session};
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use tidemark_engine::store::StoreError;

/// Jobs in one transaction at most, so that the first need not wait for ever.
const BATCH: usize = 64;

/// The one connection that writes.
pub(crate) struct Writer {
    turn: Mutex<Turn>,
    committed: Condvar,
    /// Who has asked for a turn and has none yet.
    waiting: AtomicUsize,
}

struct Turn {
    connection: Connection,
    /// The open transaction: how many jobs it has, and what becomes of it.
    batch: Option<(usize, Arc<Outcome>)>,
}

/// What became of a transaction, once it is known.
type Outcome = OnceLock<Result<(), StoreError>>;

impl Writer {
    pub(crate) fn new(connection: Connection) -> Self {
        let turn = Turn { connection, batch: None };
        Self { turn: Mutex::new(turn), committed: Condvar::new(), waiting: AtomicUsize::new(0) }
    }

    /// Runs a job in a transaction; what it did is on disk when this returns.
    pub(crate) fn write<T>(
        &self,
        attempt: &'static str,
        job: &mut dyn FnMut(&mut Session<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut turn = self.take_turn();
        let outcome = turn.join(attempt)?;
        let result = catch_unwind(AssertUnwindSafe(|| turn.in_savepoint(attempt, job)));
        if turn.connection.is_autocommit() {
            // SQLite itself gave up the whole transaction: no space, no memory.
            let error = result.as_ref().map_or_else(
                |_| gave_up(attempt),
                |r| r.as_ref().err().map_or_else(|| gave_up(attempt), again),
            );
            self.settle(&mut turn, &outcome, Err(error));
        } else if self.waiting.load(Ordering::SeqCst) == 0 || turn.jobs() >= BATCH {
            let committed = turn.commit(attempt);
            self.settle(&mut turn, &outcome, committed);
        }
        match result {
            Err(panic) => {
                drop(turn);
                resume_unwind(panic)
            }
            Ok(Err(error)) => Err(error),
            Ok(Ok(value)) => self.wait(turn, &outcome).map(|()| value),
        }
    }

    /// Runs something outside of a transaction, with nobody else writing.
    pub(crate) fn alone<T>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut turn = self.take_turn();
        if let Some((_, outcome)) = turn.batch.clone() {
            let committed = turn.commit("commit");
            self.settle(&mut turn, &outcome, committed);
        }
        job(&turn.connection)
    }

    fn take_turn(&self) -> MutexGuard<'_, Turn> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        turn
    }

    fn settle(&self, turn: &mut Turn, outcome: &Outcome, result: Result<(), StoreError>) {
        turn.batch = None;
        let _ = outcome.set(result);
        self.committed.notify_all();
    }

    fn wait(&self, mut turn: MutexGuard<'_, Turn>, outcome: &Outcome) -> Result<(), StoreError> {
        loop {
            match outcome.get() {
                Some(result) => return result.as_ref().copied().map_err(again),
                None => turn = self.committed.wait(turn).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

impl Turn {
    /// Joins the open transaction, or opens one.
    fn join(&mut self, attempt: &'static str) -> Result<Arc<Outcome>, StoreError> {
        if let Some((jobs, outcome)) = &mut self.batch {
            *jobs += 1;
            return Ok(Arc::clone(outcome));
        }
        self.execute("begin immediate", attempt)?;
        let outcome = Arc::new(OnceLock::new());
        self.batch = Some((1, Arc::clone(&outcome)));
        Ok(outcome)
    }

    fn in_savepoint<T>(
        &self,
        attempt: &'static str,
        job: &mut dyn FnMut(&mut Session<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.execute("savepoint job", attempt)?;
        let mut session = Session { attempt, connection: Engine::Sqlite(&self.connection), again: false };
        let guard = Undo(&self.connection);
        let result = job(&mut session).and_then(|value| self.execute("release job", attempt).map(|()| value));
        if result.is_ok() {
            std::mem::forget(guard);
        }
        result
    }

    fn commit(&self, attempt: &'static str) -> Result<(), StoreError> {
        self.execute("commit", attempt).inspect_err(|_| {
            let _ = self.connection.execute_batch("rollback");
        })
    }

    fn jobs(&self) -> usize {
        self.batch.as_ref().map_or(0, |(jobs, _)| *jobs)
    }

    fn execute(&self, sql: &str, attempt: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(|error| super::explain(attempt, &error))
    }
}

/// Takes back what a job did, if it did not come to its end: also when it panics.
struct Undo<'a>(&'a Connection);

impl Drop for Undo<'_> {
    fn drop(&mut self) {
        if !self.0.is_autocommit() {
            let _ = self.0.execute_batch("rollback to job; release job");
        }
    }
}

fn gave_up(attempt: &str) -> StoreError {
    StoreError::Other { attempt: attempt.to_owned(), reason: "the transaction was given up".to_owned() }
}

/// The same error, for the next one who has to be told.
fn again(error: &StoreError) -> StoreError {
    match error {
        StoreError::LeaseLost(page) => StoreError::LeaseLost(*page),
        StoreError::Missing(what) => StoreError::Missing(what.clone()),
        StoreError::Full(told) => StoreError::Full(told.clone()),
        StoreError::ReadOnly(told) => StoreError::ReadOnly(told.clone()),
        StoreError::Unavailable(told) => StoreError::Unavailable(told.clone()),
        StoreError::Damaged(told) => StoreError::Damaged(told.clone()),
        StoreError::TooNew { found, known } => StoreError::TooNew { found: *found, known: *known },
        StoreError::Other { attempt, reason } => {
            StoreError::Other { attempt: attempt.clone(), reason: reason.clone() }
        }
    }
}
