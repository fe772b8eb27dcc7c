//! Claims: who visits what, and when the host may be asked.
//!
//! Pages that are due are found by an index, the longest due first. Each takes a slot of its host: the first time nobody else has. A page whose slot is now is
//! granted, with a lease; another gets its slot as its due time, and is granted then without taking a second one. A slot that passed unused, because nobody
//! was there, is worth nothing: else a host would be asked for a whole backlog at once.
//! Cost: by the pages claimed, not by the pages there are.

use crate::session::Session;
use crate::value::{args, json, micros, span, time};
use crate::{page, watch};
use std::collections::BTreeMap;
use tidemark_engine::page::{Claimed, HostState, Lease, PageId};
use tidemark_engine::store::{Claim, Claims, StoreError};

/// How often due pages are fetched in one claim, when most of them have to wait for their hosts.
const ROUNDS: usize = 4;

/// A slot may be this late at least, in microseconds; or twice the pause.
const LATE: i64 = 2_000_000;

/// A page that may be claimed.
struct Candidate {
    page: i64,
    due: i64,
    slotted: bool,
    host: String,
    token: i64,
}

/// A host and its next free slot.
struct Host {
    free_at: i64,
    pause: i64,
    state: HostState,
}

/// A page that was granted, its host, and its new token.
struct Grant {
    page: i64,
    host: String,
    token: i64,
}

/// Claims pages that are due.
pub(crate) fn claim(session: &mut Session<'_>, claim: &Claim) -> Result<Claims, StoreError> {
    let mut claims = Claims::default();
    for _ in 0..ROUNDS {
        let wanted = claim.limit.saturating_sub(claims.pages.len());
        let candidates = due(session, claim, wanted)?;
        let last = candidates.len() < wanted || wanted == 0;
        let (granted, deferred) = allot(session, claim, candidates)?;
        claims.deferred += deferred;
        claims.pages.extend(granted);
        if last {
            break;
        }
    }
    Ok(claims)
}

/// Claims these pages, whether they are due and whether their hosts are free or not.
pub(crate) fn claim_pages(
    session: &mut Session<'_>,
    pages: &[PageId],
    claim: &Claim,
) -> Result<Vec<Claimed>, StoreError> {
    let names = crate::content::sweep::list(pages.iter().map(|page| page.0));
    let rows = session.rows(
        "select id, coalesce(due, 0), slotted, host, token from page
          where id in (select cast(value->>0 as bigint) from {each ?1})
            and (worker is null or lease_until is null or lease_until <= ?2) order by id {skip}",
        args![&names, claim.now],
    )?;
    let candidates = rows.iter().map(candidate).collect::<Result<Vec<_>, _>>()?;
    let mut hosts = hosts(session, &candidates, claim)?;
    let mut granted = Vec::new();
    for candidate in candidates {
        if let Some(host) = hosts.get_mut(&candidate.host) {
            // Others keep away for as long as if the slot had been free.
            host.take_slot(micros(claim.now));
        }
        granted.push(Grant { page: candidate.page, host: candidate.host, token: candidate.token + 1 });
    }
    store_hosts(session, &hosts)?;
    grant(session, claim, &granted, &hosts)
}

fn due(session: &mut Session<'_>, claim: &Claim, limit: usize) -> Result<Vec<Candidate>, StoreError> {
    let rows = session.rows(
        "select id, due, slotted, host, token from page where due <= ?1 order by due limit ?2 {skip}",
        args![claim.now, limit],
    )?;
    rows.iter().map(candidate).collect()
}

fn candidate(row: &crate::value::Row) -> Result<Candidate, StoreError> {
    Ok(Candidate {
        page: row.int(0)?,
        due: row.int(1)?,
        slotted: row.int(2)? != 0,
        host: row.text(3)?.to_owned(),
        token: row.int(4)?,
    })
}

/// Gives each candidate a slot: now, and it is granted; or later.
fn allot(
    session: &mut Session<'_>,
    claim: &Claim,
    candidates: Vec<Candidate>,
) -> Result<(Vec<Claimed>, usize), StoreError> {
    let mut hosts = hosts(session, &candidates, claim)?;
    let now = micros(claim.now);
    let (mut granted, mut deferred) = (Vec::new(), Vec::new());
    for candidate in candidates {
        let Some(host) = hosts.get_mut(&candidate.host) else { continue };
        let in_time = candidate.slotted && now - candidate.due <= LATE.max(host.pause.saturating_mul(2));
        let slot = if in_time { now } else { host.take_slot(now) };
        if slot <= now {
            granted.push(Grant { page: candidate.page, host: candidate.host, token: candidate.token + 1 });
        } else {
            deferred.push((candidate.page, slot));
        }
    }
    store_hosts(session, &hosts)?;
    put_off(session, &deferred)?;
    Ok((grant(session, claim, &granted, &hosts)?, deferred.len()))
}

impl Host {
    /// Takes the next free slot.
    fn take_slot(&mut self, now: i64) -> i64 {
        let slot = self.free_at.max(now);
        self.free_at = slot.saturating_add(self.pause);
        slot
    }
}

/// The hosts of pages, locked, in one order for all who lock them.
fn hosts(
    session: &mut Session<'_>,
    candidates: &[Candidate],
    claim: &Claim,
) -> Result<BTreeMap<String, Host>, StoreError> {
    let mut names: Vec<[&str; 1]> = candidates.iter().map(|candidate| [candidate.host.as_str()]).collect();
    names.sort_unstable();
    names.dedup();
    let rows = session.rows(
        "select name, free_at, crawl_delay, state from host
          where name in (select value->>0 from {each ?1}) order by name {lock}",
        args![&json(&names)?],
    )?;
    let read = |row: &crate::value::Row| {
        let pause = row.int(2)?.max(span(claim.spacing));
        Ok((row.text(0)?.to_owned(), Host { free_at: row.int(1)?, pause, state: row.json(3)? }))
    };
    rows.iter().map(read).collect()
}

fn store_hosts(session: &mut Session<'_>, hosts: &BTreeMap<String, Host>) -> Result<(), StoreError> {
    let taken: Vec<(&str, i64)> = hosts.iter().map(|(name, host)| (name.as_str(), host.free_at)).collect();
    if taken.is_empty() {
        return Ok(());
    }
    session.run(
        "update host set free_at = t.free_at
           from (select value->>0 as name, cast(value->>1 as bigint) as free_at from {each ?1}) as t
          where host.name = t.name and host.free_at <> t.free_at",
        args![&json(&taken)?],
    )?;
    Ok(())
}

fn put_off(session: &mut Session<'_>, deferred: &[(i64, i64)]) -> Result<(), StoreError> {
    if deferred.is_empty() {
        return Ok(());
    }
    session.run(
        "update page set due = t.slot, slotted = 1
           from (select cast(value->>0 as bigint) as id, cast(value->>1 as bigint) as slot from {each ?1}) as t
          where page.id = t.id",
        args![&json(&deferred)?],
    )?;
    Ok(())
}

/// Grants pages, and reads all that a visit needs.
fn grant(
    session: &mut Session<'_>,
    claim: &Claim,
    granted: &[Grant],
    hosts: &BTreeMap<String, Host>,
) -> Result<Vec<Claimed>, StoreError> {
    if granted.is_empty() {
        return Ok(Vec::new());
    }
    let until = micros(claim.now).saturating_add(span(claim.lease));
    let names = crate::content::sweep::list(granted.iter().map(|grant| grant.page));
    session.run(
        "update page set due = case when due is null then null else cast(?2 as bigint) end,
                lease_until = ?2, worker = ?3, token = token + 1, slotted = 0
          where id in (select cast(value->>0 as bigint) from {each ?1})",
        args![&names, until, &claim.worker],
    )?;
    let sql = format!(
        "select {} from page p where id in (select cast(value->>0 as bigint) from {{each ?1}})",
        page::COLUMNS
    );
    let mut pages = BTreeMap::new();
    for row in session.rows(&sql, args![&names])? {
        pages.insert(row.int(0)?, page::read(&row)?);
    }
    let mut watches: BTreeMap<PageId, Vec<_>> = BTreeMap::new();
    for watch in watch::awake(session, &names)? {
        watches.entry(watch.page).or_default().push(watch);
    }
    let until = time(until).unwrap_or(claim.now);
    let claimed = granted.iter().filter_map(|grant| {
        let page = pages.remove(&grant.page)?;
        let watches = watches.remove(&page.id).unwrap_or_default();
        let lease = Lease { worker: claim.worker.clone(), token: grant.token, until };
        Some(Claimed { page, lease, watches, host: hosts.get(&grant.host)?.state.clone() })
    });
    Ok(claimed.collect())
}

/// Gives claims back unused.
pub(crate) fn release(
    session: &mut Session<'_>,
    leases: &[(PageId, Lease, jiff::Timestamp)],
) -> Result<(), StoreError> {
    let sql = format!(
        "update page set worker = null, lease_until = null, wanted = null,
                due = {} case when wanted < ?4 then wanted else ?4 end end
          where id = ?1 and worker = ?2 and token = ?3",
        page::UNLESS_RESTING
    );
    for (page, lease, due) in leases {
        session.run(&sql, args![*page, &lease.worker, lease.token, *due])?;
    }
    Ok(())
}
