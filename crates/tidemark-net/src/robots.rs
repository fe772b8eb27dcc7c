//! `robots.txt`: what a host asks of programs, looked up once a day and kept in memory within bounds.
//!
//! Source: RFC 9309. A file that is not there (4xx) forbids nothing. One that cannot be had (5xx, time-out, broken off) forbids all, or what it
//! forbade before if that is known, until it can: we ask again after ten minutes, and after a day of this take it for missing (section 2.3.1.4 lets a
//! program choose "a reasonably long period"; a watcher visits a few pages it was told of, so a day is). Where we differ: 429 counts as 5xx,
//! since it is no statement about the file; and if the host cannot be reached at all, that is what the visit reports, not the missing file.

mod rules;

use rules::Rules;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tidemark_engine::fetch::{Answer, Failure, Outcome, Phase};
use tidemark_engine::request::host_of;
use tokio::sync::Mutex as Turn;
use tokio::time::Instant;
use url::Url;

/// Section 2.5: parsers must read at least 500 KiB. Reading ends with a whole piece of the body, so a little more.
pub(crate) const LONGEST: u64 = 640 << 10;

/// Section 2.4: no copy is used longer than a day.
const FRESH: Duration = Duration::from_hours(24);
const RETRY: Duration = Duration::from_mins(10);
const MOMENT: Duration = Duration::from_secs(3);
const PATIENCE: Duration = Duration::from_hours(24);

/// So many hosts are remembered, and so many bytes of their rules.
const HOSTS: usize = 4096;
const BYTES: usize = 4 << 20;

/// What is known of the hosts.
#[derive(Default)]
pub(crate) struct Robots {
    hosts: Mutex<HashMap<String, Arc<Host>>>,
}

/// One host; the turn is held while its file is fetched, so that it is fetched once.
struct Host {
    known: Turn<Option<Known>>,
    /// When it was learnt, and its bytes.
    note: Mutex<(Instant, usize)>,
}

struct Known {
    rules: Arc<Rules>,
    until: Instant,
    /// Since when the file cannot be had.
    missing_since: Option<Instant>,
    /// Why the host itself cannot be reached.
    failure: Option<Failure>,
}

impl Robots {
    /// Whether a page may be visited, and the pause its host asks for. `fetch` gets the file if it is not known.
    pub(crate) async fn check<F>(&self, url: &Url, fetch: F) -> Result<Option<Duration>, Failure>
    where
        F: Future<Output = Answer>,
    {
        let key = format!("{}://{}", url.scheme(), host_of(url));
        let host = self.host(&key);
        let rules = self.rules(&host, fetch).await?;
        match rules.forbid(url) {
            Some(rule) => Err(Failure::Robots { host: host_of(url), rule: rule.to_owned() }),
            None => Ok(rules.delay()),
        }
    }

    async fn rules<F>(&self, host: &Host, fetch: F) -> Result<Arc<Rules>, Failure>
    where
        F: Future<Output = Answer>,
    {
        let mut known = host.known.lock().await;
        if known.as_ref().is_none_or(|known| known.until <= Instant::now()) {
            // In this order: who goes away while waiting takes nothing with him.
            let answer = fetch.await;
            *known = Some(self.learn(host, known.take(), answer));
        }
        let Some(current) = known.as_ref() else { return Ok(Arc::default()) };
        current.failure.clone().map_or_else(|| Ok(Arc::clone(&current.rules)), Err)
    }

    fn learn(&self, host: &Host, before: Option<Known>, answer: Answer) -> Known {
        let learnt = learn(before.as_ref(), answer).unwrap_or_else(|failure| out_of_reach(before, failure));
        self.make_room(host, learnt.rules.size());
        learnt
    }

    fn host(&self, key: &str) -> Arc<Host> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = || Arc::new(Host { known: Turn::default(), note: Mutex::new((Instant::now(), 0)) });
        Arc::clone(hosts.entry(key.to_owned()).or_insert_with(fresh))
    }

    /// Notes how large a host is, and forgets those learnt longest ago once there are too many.
    fn make_room(&self, host: &Host, size: usize) {
        let note = |host: &Host| *host.note.lock().unwrap_or_else(PoisonError::into_inner);
        *host.note.lock().unwrap_or_else(PoisonError::into_inner) = (Instant::now(), size);
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: usize = hosts.values().map(|host| note(host).1).sum();
        if hosts.len() > HOSTS || bytes > BYTES {
            let mut learnt: Vec<Instant> = hosts.values().map(|host| note(host).0).collect();
            learnt.sort_unstable();
            let middle = learnt[learnt.len() / 2];
            hosts.retain(|_, host| note(host).0 >= middle);
        }
    }
}

/// What an answer says of the rules.
fn learn(before: Option<&Known>, answer: Answer) -> Result<Known, Failure> {
    let now = Instant::now();
    let known =
        |rules| Ok(Known { rules: Arc::new(rules), until: now + FRESH, missing_since: None, failure: None });
    let away = !answer.redirects.is_empty();
    match answer.outcome {
        Outcome::Page(page) if (200..300).contains(&page.status) => known(Rules::parse(&page.body)),
        Outcome::Page(page) if page.status < 500 && page.status != 429 => known(Rules::default()),
        Outcome::Page(page) => {
            Ok(missing(before, &format!("robots.txt cannot be had: status {}", page.status)))
        }
        Outcome::Failed(Failure::Redirects(_) | Failure::Astray(_)) => known(Rules::default()),
        Outcome::Failed(failure) if !away && says_it_all(&failure) => Err(failure),
        Outcome::Failed(failure) => Ok(missing(before, &format!("robots.txt cannot be had: {failure}"))),
        Outcome::Unchanged => Ok(missing(before, "robots.txt cannot be had: status 304")),
    }
}

/// The page would fail in the same way: nobody is there, or we must not go.
fn says_it_all(failure: &Failure) -> bool {
    matches!(
        failure,
        Failure::Unresolved { .. }
            | Failure::Refused(_)
            | Failure::Connect(_)
            | Failure::Tls(_)
            | Failure::Unsendable(_)
            | Failure::TimedOut { phase: Phase::Connection, .. }
    )
}

/// What was known stays known. The failure is told to all who wait for the file, and then forgotten.
fn out_of_reach(before: Option<Known>, failure: Failure) -> Known {
    let unknown = || (Arc::new(Rules::forbid_all("robots.txt was never had")), None);
    let (rules, missing_since) = before.map_or_else(unknown, |before| (before.rules, before.missing_since));
    Known { rules, until: Instant::now() + MOMENT, missing_since, failure: Some(failure) }
}

fn missing(before: Option<&Known>, reason: &str) -> Known {
    let now = Instant::now();
    let since = before.and_then(|before| before.missing_since).unwrap_or(now);
    let kept = before.filter(|before| before.rules.is_from_host());
    let rules = match kept {
        _ if now.duration_since(since) > PATIENCE => Arc::default(),
        Some(before) => Arc::clone(&before.rules),
        None => Arc::new(Rules::forbid_all(reason)),
    };
    Known { rules, until: now + RETRY, missing_since: Some(since), failure: None }
}

#[cfg(test)]
mod tests;
