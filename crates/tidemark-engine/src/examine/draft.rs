//! A record in the making.

use super::{Sight, Terms};
use crate::condition::{self, Ailment};
use crate::content::{Content, ContentKind};
use crate::extract::Extracting;
use crate::fetch::{Failure, Fetched, Validators};
use crate::page::{Head, PageState, Track};
use crate::record::{
    EventKind, NewEvent, NewSnapshot, Record, Settled, Standing, StreamKey, Visit, VisitResult,
};
use jiff::Timestamp;
use serde_json::json;
use std::time::Duration;
use tidemark_core::digest::Facet;
use tidemark_core::revisit::{Answer, Rate};
use tidemark_core::similarity::resemblance::{Aspect, resemblance};
use url::Url;

/// A page that moved says mostly what it said before.
const MOVED: f64 = 0.5;

/// A record in the making.
pub(super) struct Draft<'a> {
    pub(super) sight: &'a Sight,
    pub(super) terms: &'a Terms<'a>,
    pub(super) record: Record,
    /// Time since the page was last seen.
    pub(super) gap: Option<Duration>,
    /// A second look, so long from now.
    pub(super) confirm: Option<Duration>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(sight: &'a Sight, terms: &'a Terms<'a>) -> Self {
        let page = &sight.claimed.page;
        let gap = page.state.seen.map(|seen| sight.at.duration_since(seen).unsigned_abs());
        let answer = &sight.answer;
        let visit = Visit {
            at: sight.at,
            cause: sight.cause,
            result: VisitResult::Unchanged,
            status: None,
            timing: answer.timing,
            received: answer.received,
            version: page.head.as_ref().map(|head| head.version),
            log: Vec::new(),
        };
        let record = Record {
            page: page.id,
            lease: sight.claimed.lease.clone(),
            visit,
            known: page.known.clone(),
            state: PageState { asked: Some(sight.at), ..page.state.clone() },
            snapshot: None,
            picture: None,
            memory: None,
            change: None,
            settled: Vec::new(),
            events: Vec::new(),
            hints: page.hints.clone(),
            due: None,
            why: String::new(),
            demand: None,
            host: None,
            host_rests_until: None,
            streams: Vec::new(),
            entries: Vec::new(),
            quiet: false,
        };
        Self { sight, terms, record, gap, confirm: None }
    }

    /// The last version.
    pub(super) fn head(&self) -> Option<&'a Head> {
        self.sight.claimed.page.head.as_ref()
    }

    /// Bytes of the page, read as it is read.
    pub(super) fn read(&self, body: &[u8], content_type: Option<&str>) -> Content {
        Content::extracted(body, content_type, self.terms.limits, self.extracting())
    }

    /// The last version, read.
    pub(super) fn baseline(&self, track: &Track) -> Option<Content> {
        let (head, snapshot) = (self.head()?, track.baseline.as_ref()?);
        let read = || self.read(&snapshot.body, snapshot.content_type.as_deref());
        Some(self.terms.digests.get(&self.extracting().key(head.hash)).unwrap_or_else(read))
    }

    pub(super) fn log(&mut self, line: impl Into<String>) {
        self.record.visit.log.push(line.into());
    }

    /// What to name next time. Only a version that counts is named.
    pub(super) fn validators(&mut self, fetched: &Fetched) {
        self.record.known.clone_from(&fetched.validators);
        self.record.visit.status = Some(fetched.status);
    }

    /// The page as it was.
    pub(super) fn same(&mut self, why: &str) {
        self.log(why);
        self.well();
        self.settle_waiting(Standing::Told, "still there at the second look");
        self.seen(false, None);
    }

    /// What is wrong with what came back, in spite of a good status.
    pub(super) fn ailment(&self, content: &Content, baseline: Option<&Content>) -> Option<Ailment> {
        let page = &self.sight.claimed.page;
        let (Some(digest), false) = (&content.digest, self.takes_anything()) else {
            return None;
        };
        let before = baseline.and_then(|baseline| baseline.digest.as_deref());
        if content.kind == ContentKind::Html
            && let Some(ailment) = condition::of_words(digest)
        {
            let was_so = before.and_then(condition::of_words).is_some_and(|before| before.is_like(&ailment));
            return (!was_so).then_some(ailment);
        }
        let ailment =
            condition::of_way(page.state.home.as_ref()?, &self.sight.answer.redirects, &page.request.url)?;
        let is_alike = before.is_some_and(|before| {
            resemblance(before, digest, Aspect::Facet(Facet::Content)).value() >= MOVED
        });
        (!is_alike).then_some(ailment)
    }

    /// Nothing at all, which no reader wants to take for the page.
    pub(super) fn is_blank(&self, fetched: &Fetched) -> bool {
        fetched.body.trim_ascii().is_empty() && !self.takes_anything()
    }

    /// No answer that could be used.
    pub(super) fn failed(&mut self, failure: &Failure) {
        self.record.visit.result = VisitResult::Failed;
        self.ail(Ailment::Unreachable { reason: failure.to_string() });
    }

    /// An answer, but not the page.
    pub(super) fn unwell(&mut self, ailment: Ailment) {
        self.record.visit.result = VisitResult::Unwell;
        if let crate::fetch::Outcome::Page(fetched) = &self.sight.answer.outcome {
            self.record.visit.status = Some(fetched.status);
        }
        self.ail(ailment);
    }

    fn ail(&mut self, ailment: Ailment) {
        self.log(format!("{ailment}; it does not become the baseline"));
        self.record.visit.version = None;
        // The next look is to see the page itself.
        self.record.known = Validators::default();
        let answer = if ailment.is_gone() { Answer::Gone } else { Answer::Failed };
        self.record.state.failures.observe(answer);
        let passing =
            matches!(&ailment, Ailment::Unreachable { .. } | Ailment::Status { status: 429 | 500.. });
        let known = self.record.state.ailment.as_ref().is_some_and(|(known, _)| known.is_like(&ailment));
        if known || passing && self.record.state.failures.in_a_row() < 2 {
            return;
        }
        self.event(EventKind::Unwell, json!({ "ailment": ailment, "said": ailment.to_string() }));
        self.record.state.ailment = Some((ailment, self.sight.at));
    }

    /// The page is there.
    pub(super) fn well(&mut self) {
        self.record.state.failures.observe(Answer::Page);
        if let Some((ailment, since)) = self.record.state.ailment.take() {
            self.log(format!("it is well again; since {since} it was not: {ailment}"));
            self.event(
                EventKind::Well,
                json!({ "was": ailment, "since": since, "said": format!("well again, after: {ailment}") }),
            );
        }
    }

    /// A look that brought the page: learns how often it changes.
    pub(super) fn seen(&mut self, changed: bool, entries: Option<u32>) {
        let state = &mut self.record.state;
        state.looks += 1;
        state.seen = Some(self.sight.at);
        let category = self.sight.claimed.watches.iter().map(|watch| watch.wish.category);
        let category = category.min_by_key(|category| category.interval()).unwrap_or_default();
        let rate = state.rate.get_or_insert_with(|| Rate::new(category));
        let Some(gap) = self.gap else { return };
        let modified = match &self.sight.answer.outcome {
            crate::fetch::Outcome::Page(fetched) => fetched.modified,
            _ => None,
        };
        let hinted = !self.sight.claimed.page.hints.is_empty();
        match (entries, modified) {
            (Some(entries), _) => rate.count(gap, entries),
            // A visit that hints bought comes when the page has changed: it says when, not how long it was still.
            (None, _) if hinted => rate.count(gap, u32::from(changed)),
            (None, Some(modified)) if changed => {
                let weight = self.sight.claimed.host.truth.weight();
                rate.sharpen(Some(gap), age(self.sight.at, modified), weight);
            }
            _ => rate.observe(gap, changed),
        }
        if let Some(modified) = modified {
            let mut host = self.record.host.clone().unwrap_or_else(|| self.sight.claimed.host.clone());
            host.truth.observe(age(self.sight.at, modified) < gap, changed);
            self.record.host = Some(host);
        }
    }

    /// Bytes to be kept, as the next version.
    pub(super) fn keep(&mut self, fetched: &Fetched, hash: [u8; 32], content: &Content) {
        let url = self.end().clone();
        self.record.visit.version = Some(self.head().map_or(1, |head| head.version + 1));
        self.record.state.home = Some(url.clone());
        let (body, content_type) = (fetched.body.to_vec(), fetched.content_type.clone());
        // What could not be read now may be read the next time.
        if content.refused.is_none() {
            let key = self.extracting().key(hash);
            self.terms.digests.keep(key, content.clone(), content.weight(&body));
        }
        self.record.snapshot = Some(NewSnapshot { body, hash, content_type, url });
        if let Some(refused) = &content.refused {
            self.log(format!("compared by hash only: {refused}"));
        }
    }

    /// The version is the next document of a stream that is watched for redesigns.
    pub(super) fn enter_stream(&mut self, content: &Content) {
        if content.kind == ContentKind::Html {
            let page = &self.sight.claimed.page;
            let stream = page.entry_of.map_or_else(|| StreamKey::Host(page.request.host()), StreamKey::Feed);
            self.record.streams.push(stream);
        }
    }

    pub(super) fn event(&mut self, kind: EventKind, detail: serde_json::Value) {
        self.record.events.push(NewEvent { kind, detail });
    }

    /// What becomes of a change that waited for this look.
    pub(super) fn settle_waiting(&mut self, standing: Standing, reason: &str) {
        if let Some(version) = self.record.state.waiting.take() {
            self.log(format!("the change to version {version} waited for this look: {reason}"));
            self.record.settled.push(Settled { version, standing, reason: reason.to_owned() });
        }
    }

    /// Whether a reader wants whatever comes, or this is an entry that nobody asked for.
    fn takes_anything(&self) -> bool {
        self.sight.claimed.watches.iter().any(|watch| watch.wish.as_is)
    }

    fn extracting(&self) -> Extracting<'a> {
        Extracting { extractor: self.terms.extractor, jq: self.sight.claimed.page.request.jq.as_deref() }
    }

    /// Where the answer came from.
    fn end(&self) -> &Url {
        let asked = &self.sight.claimed.page.request.url;
        self.sight.answer.redirects.last().map_or(asked, |redirect| &redirect.to)
    }
}

fn age(now: Timestamp, then: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(then)).unwrap_or_default()
}
