//! What a visit leaves behind: recorded in one transaction, or not at all.

use crate::fetch::{Area, Timing, Validators};
use crate::page::{HostState, Lease, PageId, PageState};
use crate::passage::{self, Passage};
use crate::request::Request;
use crate::watch::WatchId;
use bytes::Bytes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use url::Url;

/// All that one visit leaves behind.
#[derive(Clone, Debug)]
pub struct Record {
    /// The page.
    pub page: PageId,
    /// The right to record.
    pub lease: Lease,
    /// The visit itself.
    pub visit: Visit,
    /// For the next visit.
    pub known: Validators,
    /// What is known of the page now.
    pub state: PageState,
    /// A new version, if the bytes are new.
    pub snapshot: Option<NewSnapshot>,
    /// How it looks, if a browser showed it.
    pub picture: Option<NewPicture>,
    /// What the engine remembers of all versions now, if that changed.
    pub memory: Option<Vec<u8>>,
    /// The change, if there is one.
    pub change: Option<NewChange>,
    /// Verdicts that waited for a second look, and what became of them.
    pub settled: Vec<Settled>,
    /// What else happened.
    pub events: Vec<NewEvent>,
    /// Sources whose hints this visit has followed.
    pub hints: Vec<String>,
    /// When to visit it next; never, for an entry of a feed.
    pub due: Option<Timestamp>,
    /// Why then.
    pub why: String,
    /// Its place in the histogram of demands.
    pub demand: Option<i32>,
    /// What is known of its host now, if that changed.
    pub host: Option<HostState>,
    /// No page of the host is to be visited before.
    pub host_rests_until: Option<Timestamp>,
    /// Streams that this version is the next document of.
    pub streams: Vec<StreamKey>,
    /// Pages to be visited once: new entries of a feed.
    pub entries: Vec<Request>,
    /// History: nobody is told.
    pub quiet: bool,
}

/// One look at a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// When it began.
    pub at: Timestamp,
    /// Why it was made.
    pub cause: Cause,
    /// What it brought, in a word.
    pub result: VisitResult,
    /// The status of the last answer, if there was one.
    pub status: Option<u16>,
    /// How long it took.
    pub timing: Timing,
    /// Bytes received on the wire.
    pub received: u64,
    /// The version it saw, if it saw one that counts.
    pub version: Option<u32>,
    /// Why things were decided as they were, step by step.
    pub log: Vec<String>,
}

/// Why a visit is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// It was due.
    #[default]
    Schedule,
    /// Somebody asked for it.
    Asked,
    /// A second look at something that may be gone again.
    Confirm,
    /// A hint.
    Hint,
    /// A new entry of a feed.
    Entry,
}

/// What a visit brought, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VisitResult {
    /// The first version.
    First,
    /// The same bytes, or the server's word for it.
    Unchanged,
    /// Other bytes, the same page.
    Respelled,
    /// Another page.
    Changed,
    /// The page was in a bad condition: an error, a wall, nothing at all.
    Unwell,
    /// No answer that could be used.
    Failed,
}

/// Bytes to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSnapshot {
    /// The bytes.
    pub body: Vec<u8>,
    /// BLAKE3 of them.
    pub hash: [u8; 32],
    /// `Content-Type`, as it was sent.
    pub content_type: Option<String>,
    /// Where they came from, after redirects.
    pub url: Url,
}

/// A picture to be kept with the new version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPicture {
    /// The picture.
    pub png: Bytes,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Where it changed.
    pub boxes: Vec<ChangedBox>,
}

/// A place on a picture where its page changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedBox {
    /// What happened there: added, changed or moved.
    pub kind: String,
    /// Where.
    #[serde(flatten)]
    pub area: Area,
}

/// A change between the last version and the new one.
#[derive(Clone, Debug, PartialEq)]
pub struct NewChange {
    /// The script, as JSON. Empty where there is none: for files that are compared by hash.
    pub script: Vec<u8>,
    /// What to show in a list. Opaque to the store.
    pub summary: serde_json::Value,
    /// For each watch, whether it is worth telling.
    pub verdicts: Vec<(WatchId, Verdict)>,
}

/// Names a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChangeId(pub i64);

/// What a change is to one watch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether it is told.
    pub standing: Standing,
    /// Why, in words; the last one decided.
    pub reasons: Vec<String>,
    /// How much of what the watch looks at changed, from 0 to 1.
    pub severity: f64,
    /// How much of it is of interest to the reader; 0 without a profile.
    pub interest: f64,
    /// Changes that the watch tells of.
    pub told: u32,
    /// Changes that it holds back.
    pub held: u32,
    /// What is told, piece by piece, made from the script.
    #[serde(default)]
    pub passages: Vec<Passage>,
    /// Pieces that are not among them because there are too many.
    #[serde(default)]
    pub more: u32,
}

impl Verdict {
    /// What is told, line by line.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = passage::lines(&self.passages);
        if self.more > 0 {
            lines.push(format!("… {} more", self.more));
        }
        lines
    }
}

/// Whether a change is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Worth telling.
    Told,
    /// Kept, and not told.
    Held,
    /// Waits for a second look.
    Waiting,
}

/// A verdict that waited and does no longer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settled {
    /// The version that the change made.
    pub version: u32,
    /// Told, or held after all.
    pub standing: Standing,
    /// Why; joins the reasons.
    pub reason: String,
}

/// Something that happened to a page besides a change of its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewEvent {
    /// What.
    pub kind: EventKind,
    /// In words, with what is known about it.
    pub detail: serde_json::Value,
}

/// What can happen to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// It cannot be looked at any more.
    Unwell,
    /// It can again.
    Well,
    /// It has another design.
    Redesigned,
    /// A zone of a watch is no longer found on it.
    ZoneLost,
    /// It is found again.
    ZoneFound,
}

/// A stream of documents that is watched for redesigns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StreamKey {
    /// The watched pages of one host.
    Host(String),
    /// The entries of a watched feed.
    Feed(PageId),
}

/// What recording gave things for names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The number of the new version.
    pub version: Option<u32>,
    /// The name of the change.
    pub change: Option<ChangeId>,
}

impl fmt::Display for StreamKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(host) => write!(f, "host:{host}"),
            Self::Feed(page) => write!(f, "feed:{}", page.0),
        }
    }
}

impl StreamKey {
    /// The inverse of its text.
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once(':')? {
            ("host", host) => Some(Self::Host(host.to_owned())),
            ("feed", page) => Some(Self::Feed(PageId(page.parse().ok()?))),
            _ => None,
        }
    }
}
