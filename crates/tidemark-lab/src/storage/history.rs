//! Pages with their versions, and the visits that record them.

use crate::generate;
use anyhow::{Context, Result};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use tidemark_engine::fetch::{Timing, Validators};
use tidemark_engine::page::{Claimed, PageId, PageState};
use tidemark_engine::record::{Cause, NewSnapshot, Record, Visit, VisitResult};
use tidemark_engine::request::Request;
use tidemark_engine::store::{Claim, Store};
use tidemark_engine::watch::{NewWatch, Wish};

/// A page through time.
pub(super) struct History {
    pub(super) name: String,
    pub(super) versions: Vec<Vec<u8>>,
}

/// The histories of the corpus, or of a folder that has a folder for each page.
pub(super) fn histories(folder: Option<&Path>) -> Result<Vec<History>> {
    let mut pages: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    match folder {
        None => {
            for document in super::documents()? {
                let name = document.name.rsplit_once('/').map_or("", |(folder, _)| folder);
                pages.entry(name.to_owned()).or_default().push(document.bytes);
            }
        }
        Some(folder) => {
            for path in sorted(folder)?.into_iter().filter(|path| path.is_dir()) {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let versions = sorted(&path)?.iter().map(std::fs::read).collect::<Result<_, _>>()?;
                pages.insert(format!("{}/{name}", folder.display()), versions);
            }
        }
    }
    Ok(pages.into_iter().map(|(name, versions)| History { name, versions }).collect())
}

fn sorted(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

impl History {
    /// A page of about so many bytes, with a few edits in each version.
    pub(super) fn generated(size: usize, versions: u32) -> Self {
        let mut page = Vec::new();
        let mut seed = 1;
        while page.len() < size {
            page.extend(generate::soup(3000, seed));
            seed += 1;
        }
        let mut random = fastrand::Rng::with_seed(1);
        let versions = (0..versions).map(|_| {
            for _ in 0..5 {
                let text = format!("<p>edit {}</p>", random.u32(..));
                let at = random.usize(..page.len() - 100);
                page.splice(at..at + random.usize(..60), text.bytes());
            }
            page.clone()
        });
        Self { name: "generated/long".to_owned(), versions: versions.collect() }
    }

    pub(super) fn watch(&self, store: &dyn Store) -> Result<PageId> {
        let request = Request::get(&format!("https://example.org/{}", self.name.trim_start_matches('/')))?;
        Ok(store.add_watch(&NewWatch { request, wish: Wish::default() }, time(0)?)?.page)
    }
}

/// What a visit that found these bytes leaves behind.
pub(super) fn record(store: &dyn Store, page: PageId, number: i64, body: &[u8]) -> Result<Record> {
    let now = time(number)?;
    let claim = Claim {
        worker: "lab".to_owned(),
        now,
        lease: Duration::from_mins(1),
        limit: 1,
        spacing: Duration::ZERO,
    };
    let claimed = store.claim_pages(&[page], &claim)?.pop().context("the page can be claimed")?;
    let url = claimed.page.request.url.clone();
    let hash = *blake3::hash(body).as_bytes();
    let snapshot = NewSnapshot { body: body.to_vec(), hash, content_type: Some("text/html".to_owned()), url };
    Ok(Record { snapshot: Some(snapshot), ..quiet(&claimed, now) })
}

/// What a visit that found nothing leaves behind.
pub(crate) fn quiet(claimed: &Claimed, now: Timestamp) -> Record {
    let visit = Visit {
        at: now,
        cause: Cause::Schedule,
        result: VisitResult::Unchanged,
        status: Some(200),
        timing: Timing::default(),
        received: 0,
        version: None,
        log: Vec::new(),
    };
    Record {
        page: claimed.page.id,
        lease: claimed.lease.clone(),
        visit,
        known: Validators::default(),
        state: PageState::default(),
        snapshot: None,
        picture: None,
        memory: None,
        change: None,
        settled: Vec::new(),
        events: Vec::new(),
        due: Some(now + Duration::from_hours(1)),
        why: String::new(),
        demand: None,
        host: None,
        host_rests_until: None,
        streams: Vec::new(),
        entries: Vec::new(),
        quiet: false,
        hints: Vec::new(),
    }
}

fn time(number: i64) -> Result<Timestamp> {
    Ok(Timestamp::from_second(1_767_225_600 + number * 3600)?)
}
