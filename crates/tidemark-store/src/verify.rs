//! Reads everything and checks every invariant.
//!
//! Cost: each content is unpacked once where its base was unpacked shortly before, which is so in the order of versions.

mod pages;
mod tables;

use crate::database::Database;
use crate::session::Session;
use tidemark_engine::store::{Fault, StoreError};

/// Pages looked at in one transaction.
const CHUNK: usize = 50;

pub(crate) fn verify(
    database: &Database,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Vec<Fault>, StoreError> {
    let mut faults = Faults::default();
    for check in tables::CHECKS {
        faults.keep("the tables", database.read("check the tables", check))?;
    }
    let all = database.read("count pages", |session| session.one("select count(*) from page", &[])?.count(0));
    let (mut seen, mut after) = (0, i64::MIN);
    let all = all?;
    loop {
        let (found, last, count) =
            database.read("check pages", |session| pages::check(session, after, CHUNK))?;
        faults.found.extend(found);
        seen += count;
        progress(seen, all.max(seen));
        match last {
            Some(last) => after = last,
            None => return Ok(faults.found),
        }
    }
}

/// The same within a transaction, for what is about to become valid.
pub(crate) fn within(
    session: &mut Session<'_>,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<Fault>, StoreError> {
    let mut faults = Faults::default();
    for check in tables::CHECKS {
        faults.keep("the tables", check(session))?;
    }
    let (mut seen, mut after) = (0, i64::MIN);
    loop {
        let (found, last, count) = pages::check(session, after, CHUNK)?;
        faults.found.extend(found);
        seen += count;
        progress(seen);
        match last {
            Some(last) => after = last,
            None => return Ok(faults.found),
        }
    }
}

/// What was found wrong.
#[derive(Default)]
struct Faults {
    found: Vec<Fault>,
}

/// A check of whole tables.
type Check = fn(&mut Session<'_>) -> Result<Vec<Fault>, StoreError>;

impl Faults {
    /// Damage that stops a check is a fault too.
    fn keep(&mut self, place: &str, found: Result<Vec<Fault>, StoreError>) -> Result<(), StoreError> {
        match found {
            Ok(found) => self.found.extend(found),
            Err(StoreError::Damaged(what)) => self.found.push(fault(place, what)),
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

fn fault(place: impl Into<String>, what: impl Into<String>) -> Fault {
    Fault { place: place.into(), what: what.into() }
}
