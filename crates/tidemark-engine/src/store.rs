//! The port to what is kept. Calls block: the engine makes them on threads meant for it.

use crate::outbox::Outbox;
use crate::page::{Claimed, Page, PageId, Snapshot, SnapshotLine, Track};
use crate::record::{
    ChangeId, ChangedBox, EventKind, NewEvent, Record, Recorded, Standing, StreamKey, Verdict, Visit,
};
use crate::retention::{Freed, Retention};
use crate::watch::{NewWatch, Watch, WatchFilter, WatchId, Wish};
use jiff::Timestamp;
use serde::Serialize;
use std::time::Duration;

/// Pages, watches, visits, versions, changes, events: kept for years.
///
/// What a call has returned from is on disk and survives the process and the machine.
pub trait Store: Outbox {
    /// Adds a watch, and its page if nobody watches it yet; that is due at once.
    fn add_watch(&self, watch: &NewWatch, now: Timestamp) -> Result<Watch, StoreError>;
    /// One watch.
    fn watch(&self, id: WatchId) -> Result<Option<Watch>, StoreError>;
    /// Watches, in the order they were added.
    fn watches(&self, filter: &WatchFilter) -> Result<Vec<Watch>, StoreError>;
    /// Replaces what a watch wishes.
    fn change_wish(&self, id: WatchId, wish: &Wish) -> Result<(), StoreError>;
    /// Lets a watch rest, or wakes it; a page whose watches all rest is not visited. A page that wakes is due at once.
    fn pause(&self, id: WatchId, paused: bool, now: Timestamp) -> Result<(), StoreError>;
    /// Removes a watch with its verdicts, and its page with the whole track if nobody else watches it.
    fn remove_watch(&self, id: WatchId) -> Result<(), StoreError>;

    /// One page.
    fn page(&self, id: PageId) -> Result<Option<Page>, StoreError>;
    /// Pages in the order of their ids, behind one of them: to go through all, piece by piece.
    fn pages(&self, after: Option<PageId>, limit: usize) -> Result<Vec<Page>, StoreError>;

    /// Claims pages that are due, the longest due first, each with a slot of its host.
    fn claim(&self, claim: &Claim) -> Result<Claims, StoreError>;
    /// Claims these pages, due or not; those that another process has now, or that are not there, are left out.
    fn claim_pages(&self, pages: &[PageId], claim: &Claim) -> Result<Vec<Claimed>, StoreError>;
    /// Gives claims back unused, due again at the times given.
    fn release(&self, leases: &[(PageId, crate::page::Lease, Timestamp)]) -> Result<(), StoreError>;
    /// Brings a visit forward, for a hint or a wish; never puts one off.
    fn bring_forward(&self, page: PageId, due: Timestamp) -> Result<(), StoreError>;
    /// Takes note that a source hints at a change of a page; all sources that do, since its last visit.
    fn hint(&self, page: PageId, source: &str) -> Result<Vec<String>, StoreError>;
    /// What is to be done, at a glance; by indexes.
    fn pulse(&self, now: Timestamp) -> Result<Pulse, StoreError>;
    /// How many pages that are visited have each demand.
    fn demands(&self) -> Result<Vec<(i32, u64)>, StoreError>;

    /// What a check of changed bytes starts from.
    fn track(&self, page: PageId) -> Result<Track, StoreError>;
    /// Records a visit, whole or not at all.
    fn record(&self, record: &Record) -> Result<Recorded, StoreError>;

    /// The versions of a page, oldest first.
    fn snapshots(&self, page: PageId) -> Result<Vec<SnapshotLine>, StoreError>;
    /// One version, checked against its hash.
    fn snapshot(&self, page: PageId, version: u32) -> Result<Option<Snapshot>, StoreError>;
    /// The version that was there at a time.
    fn snapshot_at(&self, page: PageId, at: Timestamp) -> Result<Option<Snapshot>, StoreError>;
    /// How a version looks, if a browser showed it.
    fn picture(&self, page: PageId, version: u32) -> Result<Option<StoredPicture>, StoreError>;
    /// The latest visits of a page, latest first.
    fn visits(&self, page: PageId, limit: usize) -> Result<Vec<Visit>, StoreError>;
    /// Changes with a verdict, latest first.
    fn changes(&self, filter: &ChangeFilter) -> Result<Vec<ChangeLine>, StoreError>;
    /// The script of a change, as JSON.
    fn script(&self, change: ChangeId) -> Result<Option<Vec<u8>>, StoreError>;
    /// Events, latest first.
    fn events(&self, filter: &EventFilter) -> Result<Vec<Event>, StoreError>;

    /// Streams that have documents nobody has read yet.
    fn waiting_streams(&self, limit: usize) -> Result<Vec<StreamKey>, StoreError>;
    /// The state of a stream and its unread documents, at most so many.
    fn stream(&self, key: &StreamKey, limit: usize) -> Result<StreamWork, StoreError>;
    /// Stores the state of a stream after the document it has now read, with what that brought. Returns false, and stores nothing, if somebody else has read on
    /// from `from` in the meantime.
    fn advance_stream(&self, advance: &StreamAdvance) -> Result<bool, StoreError>;

    /// Learned state that belongs to no page: the trust in a source of hints, and the like. Small.
    fn note(&self, key: &str) -> Result<Option<String>, StoreError>;
    /// Replaces it.
    fn set_note(&self, key: &str, value: &str) -> Result<(), StoreError>;

    /// Lets go what a page need not keep any longer.
    fn retain(&self, page: PageId, retention: &Retention, now: Timestamp) -> Result<Freed, StoreError>;
    /// Gives free space back to the file system, a bounded piece at a time. Returns how many bytes.
    fn give_back(&self) -> Result<u64, StoreError>;
    /// Reads everything and checks every invariant. Told is each page gone through, of how many.
    fn verify(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<Vec<Fault>, StoreError>;
    /// About the database itself.
    fn facts(&self) -> Result<StoreFacts, StoreError>;
}

/// Why something could not be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The claim ran out, and somebody else has the page now. Nothing was recorded.
    #[error("the claim on page {} ran out; another process has it now", .0.0)]
    LeaseLost(PageId),
    /// No such thing.
    #[error("there is no {0}")]
    Missing(String),
    /// The disk is full.
    #[error("the disk is full: {0}; nothing was lost, work goes on when there is space again")]
    Full(String),
    /// The database may not be written to.
    #[error("the database cannot be written to: {0}; check who owns the file and how the disk is mounted")]
    ReadOnly(String),
    /// Somebody else holds it, or it cannot be reached now; trying again may help.
    #[error("the database is not to be reached: {0}")]
    Unavailable(String),
    /// What was read is not what was written.
    #[error("the database is damaged: {0}; run 'tidemark doctor --deep'")]
    Damaged(String),
    /// Made by a later program.
    #[error(
        "the database has version {found}, this program knows versions up to {known}: use a newer tidemark"
    )]
    TooNew {
        /// Of the database.
        found: i64,
        /// The latest we know.
        known: i64,
    },
    /// Anything else; told is what was attempted.
    #[error("{attempt}: {reason}")]
    Other {
        /// What was attempted.
        attempt: String,
        /// What the database said.
        reason: String,
    },
}

/// A claim on pages.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Who: unique to the process.
    pub worker: String,
    /// The time.
    pub now: Timestamp,
    /// How long the claim holds.
    pub lease: Duration,
    /// At most so many pages.
    pub limit: usize,
    /// The pause between two visits to one host, where it asks for no longer one.
    pub spacing: Duration,
}

/// What a claim gave.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// Pages to visit now.
    pub pages: Vec<Claimed>,
    /// Due pages that got a later slot of their host.
    pub deferred: usize,
}

/// What is to be done, at a glance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pulse {
    /// When the next page is due, if any.
    pub next: Option<Timestamp>,
    /// Pages due now, counted up to a thousand.
    pub due: u64,
}

/// A picture as it was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPicture {
    /// The picture.
    pub png: Vec<u8>,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Where its page changed since the version before.
    pub boxes: Vec<ChangedBox>,
}

/// Which changes to list.
#[derive(Clone, Debug, Default)]
pub struct ChangeFilter {
    /// Not before.
    pub since: Option<Timestamp>,
    /// Before.
    pub until: Option<Timestamp>,
    /// Only of this watch.
    pub watch: Option<WatchId>,
    /// Only of watches with this tag.
    pub tag: Option<String>,
    /// Only of watches of this reader.
    pub reader: Option<String>,
    /// Only with this standing.
    pub standing: Option<Standing>,
    /// Only older than this one, to go through all.
    pub before: Option<ChangeId>,
    /// At most so many.
    pub limit: Option<usize>,
}

/// A change as one watch sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangeLine {
    /// Its name.
    pub id: ChangeId,
    /// The page.
    pub page: PageId,
    /// The watch.
    pub watch: WatchId,
    /// When it was found.
    pub at: Timestamp,
    /// From this version.
    pub old: u32,
    /// To this one.
    pub new: u32,
    /// What to show in a list.
    pub summary: serde_json::Value,
    /// What it is to the watch.
    pub verdict: Verdict,
}

/// Which events to list.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    /// Not before.
    pub since: Option<Timestamp>,
    /// Only of this page.
    pub page: Option<PageId>,
    /// At most so many.
    pub limit: Option<usize>,
}

/// Something that happened to a page, or to a stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// Its number.
    pub id: i64,
    /// The page, where it is of one.
    pub page: Option<PageId>,
    /// The stream, where it is of one.
    pub stream: Option<StreamKey>,
    /// When.
    pub at: Timestamp,
    /// What.
    pub kind: EventKind,
    /// In words, with what is known about it.
    pub detail: serde_json::Value,
}

/// A stream, and what it has not read.
#[derive(Clone, Debug, Default)]
pub struct StreamWork {
    /// Its state, opaque to the store; none before the first document.
    pub state: Option<Vec<u8>>,
    /// The number of the last document it has read; 0 before the first.
    pub read: i64,
    /// Unread documents, in order: number, page, version.
    pub documents: Vec<(i64, PageId, u32)>,
}

/// A stream that has read on.
#[derive(Clone, Debug)]
pub struct StreamAdvance {
    /// Which.
    pub key: StreamKey,
    /// What it had read before.
    pub from: i64,
    /// What it has read now.
    pub to: i64,
    /// Its state now.
    pub state: Vec<u8>,
    /// What that brought.
    pub events: Vec<NewEvent>,
    /// The time.
    pub at: Timestamp,
}

/// Something found wrong by [`Store::verify`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Where.
    pub place: String,
    /// What.
    pub what: String,
}

/// About a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoreFacts {
    /// `SQLite 3.x` or `PostgreSQL 15.x`.
    pub engine: String,
    /// The version of its tables.
    pub schema: i64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Pages.
    pub pages: u64,
    /// Watches.
    pub watches: u64,
    /// Versions.
    pub versions: u64,
    /// Changes.
    pub changes: u64,
}
