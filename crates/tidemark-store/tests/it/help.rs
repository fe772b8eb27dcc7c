//! Short words for what most tests do.

use jiff::Timestamp;
use std::time::Duration;
use tidemark_engine::fetch::{Timing, Validators};
use tidemark_engine::page::{Claimed, PageId, PageState};
use tidemark_engine::passage::{ChangeKind, Passage};
use tidemark_engine::record::{Cause, NewChange, NewSnapshot, Record, Standing, Verdict, Visit, VisitResult};
use tidemark_engine::request::Request;
use tidemark_engine::store::{Claim, Store};
use tidemark_engine::watch::{NewWatch, Watch, WatchId, Wish};

/// Seconds after the day all tests begin.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + seconds).unwrap()
}

pub(crate) fn new_watch(url: &str, reader: &str) -> NewWatch {
    let wish = Wish { reader: reader.to_owned(), ..Wish::default() };
    NewWatch { request: Request::get(url).unwrap(), wish }
}

pub(crate) fn add(store: &dyn Store, url: &str) -> Watch {
    store.add_watch(&new_watch(url, ""), at(0)).unwrap()
}

/// A claim of one hour, without pauses between visits.
pub(crate) fn claim(worker: &str, seconds: i64, limit: usize) -> Claim {
    Claim {
        worker: worker.to_owned(),
        now: at(seconds),
        lease: Duration::from_hours(1),
        limit,
        spacing: Duration::ZERO,
    }
}

pub(crate) fn claim_page(store: &dyn Store, page: PageId, seconds: i64) -> Claimed {
    let mut claimed = store.claim_pages(&[page], &claim("w", seconds, 1)).unwrap();
    assert_eq!(claimed.len(), 1, "page {page:?} can be claimed");
    claimed.remove(0)
}

/// A visit that found nothing new; due again in an hour.
pub(crate) fn quiet(claimed: &Claimed, seconds: i64) -> Record {
    Record {
        page: claimed.page.id,
        lease: claimed.lease.clone(),
        visit: Visit {
            at: at(seconds),
            cause: Cause::Schedule,
            result: VisitResult::Unchanged,
            status: Some(200),
            timing: Timing::default(),
            received: 0,
            version: claimed.page.head.as_ref().map(|head| head.version),
            log: vec!["nothing new".to_owned()],
        },
        known: Validators::default(),
        state: PageState::default(),
        snapshot: None,
        picture: None,
        memory: None,
        change: None,
        settled: Vec::new(),
        events: Vec::new(),
        due: Some(at(seconds + 3600)),
        why: "in an hour".to_owned(),
        demand: None,
        host: None,
        host_rests_until: None,
        streams: Vec::new(),
        entries: Vec::new(),
        quiet: false,
        hints: Vec::new(),
    }
}

/// A visit that found these bytes.
pub(crate) fn with_bytes(claimed: &Claimed, seconds: i64, body: &[u8]) -> Record {
    let snapshot = NewSnapshot {
        body: body.to_vec(),
        hash: *blake3::hash(body).as_bytes(),
        content_type: Some("text/html".to_owned()),
        url: claimed.page.request.url.clone(),
    };
    Record { snapshot: Some(snapshot), ..quiet(claimed, seconds) }
}

/// Claims a page and records these bytes as a new version.
pub(crate) fn visit(store: &dyn Store, page: PageId, seconds: i64, body: &[u8]) -> u32 {
    let claimed = claim_page(store, page, seconds);
    store.record(&with_bytes(&claimed, seconds, body)).unwrap().version.unwrap()
}

pub(crate) fn change(watches: &[WatchId], standing: Standing) -> NewChange {
    let verdict = Verdict {
        standing,
        reasons: vec!["it changed".to_owned()],
        severity: 0.25,
        interest: 0.0,
        told: 1,
        held: 0,
        passages: vec![Passage::plain(ChangeKind::Changed, "it changed")],
        more: 0,
    };
    NewChange {
        script: br#"{"edits":[]}"#.to_vec(),
        summary: serde_json::json!({"text": "changed"}),
        verdicts: watches.iter().map(|watch| (*watch, verdict.clone())).collect(),
    }
}

/// A page of about so many bytes, each version a little different from the one before.
pub(crate) fn body(seed: u64, version: u32, size: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    let words: Vec<String> = (0..500).map(|_| format!("w{}", random.u32(..100_000))).collect();
    let mut text = String::new();
    while text.len() < size {
        let paragraph = format!("<p id={}>{}</p>\n", text.len(), words[random.usize(..words.len())]);
        text.push_str(&paragraph);
    }
    for edit in 0..version {
        let mut random = fastrand::Rng::with_seed(seed ^ (u64::from(edit) << 20));
        let place = random.usize(..text.len());
        text.insert_str(place, &format!("<b>{}</b>", random.u64(..)));
    }
    text.into_bytes()
}

pub(crate) fn assert_sound(store: &dyn Store) {
    let faults = store.verify(&mut |_, _| {}).unwrap();
    assert!(faults.is_empty(), "{faults:#?}");
}
