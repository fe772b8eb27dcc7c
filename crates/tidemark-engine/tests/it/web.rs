//! A web of answers, a clock set by hand, and the engine between them.

use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tidemark_engine::check::{CheckReport, check};
use tidemark_engine::clock::Clock;
use tidemark_engine::extract::{Extractor, Nobody};
use tidemark_engine::fetch::{
    Answer, Failure, Fetched, Fetcher, Fetching, Outcome, Redirect, RetryAfter, Timing, Validators,
};
use tidemark_engine::record::{Cause, EventKind, Standing};
use tidemark_engine::request::Request;
use tidemark_engine::store::{Claim, EventFilter, Store};
use tidemark_engine::watch::{NewWatch, Watch, Wish};
use tidemark_engine::{Engine, Settings};

/// What a page answers, until it is told otherwise.
#[derive(Clone, Default)]
pub(crate) struct Said {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
    pub(crate) content_type: String,
    pub(crate) redirect: Option<String>,
    pub(crate) etag: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) fails: bool,
    pub(crate) panics: bool,
}

/// Pages by their address, and how often each was asked for.
#[derive(Default)]
pub(crate) struct Web {
    pages: Mutex<HashMap<String, Said>>,
    asked: Mutex<HashMap<String, usize>>,
}

impl Web {
    pub(crate) fn say(&self, url: &str, said: Said) {
        self.pages.lock().unwrap().insert(url.to_owned(), said);
    }

    pub(crate) fn html(&self, url: &str, html: &str) {
        self.say(
            url,
            Said { status: 200, body: html.into(), content_type: "text/html".into(), ..Said::default() },
        );
    }

    pub(crate) fn asked(&self, url: &str) -> usize {
        self.asked.lock().unwrap().get(url).copied().unwrap_or_default()
    }

    fn answer(&self, request: &Request, known: &Validators) -> Answer {
        let url = request.url.as_str();
        *self.asked.lock().unwrap().entry(url.to_owned()).or_default() += 1;
        let said = self.pages.lock().unwrap().get(url).cloned();
        let said = said.unwrap_or(Said { status: 404, content_type: "text/html".into(), ..Said::default() });
        assert!(!said.panics, "told to panic");
        let outcome = if said.fails {
            Outcome::Failed(Failure::Connect("refused".into()))
        } else if said.etag.is_some() && said.etag == known.etag {
            Outcome::Unchanged
        } else {
            Outcome::Page(Fetched {
                status: said.status,
                body: said.body.into(),
                content_type: Some(said.content_type),
                validators: Validators { etag: said.etag, ..Validators::default() },
                modified: None,
                picture: None,
            })
        };
        Answer {
            outcome,
            redirects: said
                .redirect
                .iter()
                .map(|to| Redirect { status: 302, to: to.parse().unwrap() })
                .collect(),
            timing: Timing::default(),
            received: 0,
            retry_after: said.retry_after.map(RetryAfter::In),
            crawl_delay: None,
        }
    }
}

impl Fetcher for Web {
    fn fetch<'a>(&'a self, request: &'a Request, known: &'a Validators) -> Fetching<'a> {
        Box::pin(async move { self.answer(request, known) })
    }
}

/// A clock set by hand.
pub(crate) struct Hands(Mutex<Timestamp>);

impl Clock for Hands {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

/// An engine in its world.
pub(crate) struct World {
    pub(crate) web: Arc<Web>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) engine: Arc<Engine>,
    clock: Arc<Hands>,
    runtime: tokio::runtime::Runtime,
    _folder: TempDir,
}

pub(crate) const PAGE: &str = "https://example.org/page";

impl World {
    pub(crate) fn new() -> Self {
        Self::with(Settings { spacing: Duration::ZERO, ..Settings::default() })
    }

    pub(crate) fn with(settings: Settings) -> Self {
        Self::made(settings, Nobody)
    }

    /// A world with somebody who reads documents.
    pub(crate) fn extracting(extractor: impl Extractor + 'static) -> Self {
        Self::made(Settings { spacing: Duration::ZERO, ..Settings::default() }, extractor)
    }

    fn made(settings: Settings, extractor: impl Extractor + 'static) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = tidemark_store::open(folder.path().join("t.db").to_str().unwrap()).unwrap();
        let (web, clock) =
            (Arc::new(Web::default()), Arc::new(Hands(Mutex::new("2026-03-02T12:00:00Z".parse().unwrap()))));
        let engine = Engine::new(store.clone(), web.clone(), clock.clone(), settings, "test".into()).unwrap();
        let engine = engine.with_extractor(Arc::new(extractor));
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        Self { web, store, engine: Arc::new(engine), clock, runtime, _folder: folder }
    }

    pub(crate) fn watch(&self, url: &str, wish: Wish) -> Watch {
        let request = Request::get(url).unwrap();
        self.store.add_watch(&NewWatch { request, wish }, self.clock.now()).unwrap()
    }

    pub(crate) fn pass(&self, seconds: i64) {
        let mut now = self.clock.0.lock().unwrap();
        *now += SignedDuration::from_secs(seconds);
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn claim(&self) -> Claim {
        let (now, lease) = (self.now(), Duration::from_mins(1));
        Claim { worker: "test".into(), now, lease, limit: 100, spacing: Duration::ZERO }
    }

    /// A minute later, looks at the page of a watch.
    pub(crate) fn look(&self, watch: &Watch) -> CheckReport {
        self.pass(60);
        self.engine.reckon().unwrap();
        let claimed = self.store.claim_pages(&[watch.page], &self.claim()).unwrap();
        let claimed = claimed.into_iter().next().expect("nobody else has it");
        self.runtime.block_on(check(&self.engine, claimed, Cause::Schedule)).unwrap()
    }

    /// Sets a page and looks at it.
    pub(crate) fn see(&self, watch: &Watch, html: &str) -> CheckReport {
        self.web.html(watch.url.as_str(), html);
        self.look(watch)
    }

    /// Checks all that is due; how many pages that was.
    pub(crate) fn work(&self) -> usize {
        let claims = self.store.claim(&self.claim()).unwrap();
        let count = claims.pages.len();
        for claimed in claims.pages {
            self.runtime.block_on(check(&self.engine, claimed, Cause::Schedule)).unwrap();
        }
        count
    }

    pub(crate) fn events(&self) -> Vec<EventKind> {
        let mut events = self.store.events(&EventFilter::default()).unwrap();
        events.reverse();
        events.into_iter().map(|event| event.kind).collect()
    }
}

/// The standing of the only watch.
pub(crate) fn standing(report: &CheckReport) -> Option<Standing> {
    assert!(report.verdicts.len() <= 1);
    report.verdicts.first().map(|(_, verdict)| verdict.standing)
}
