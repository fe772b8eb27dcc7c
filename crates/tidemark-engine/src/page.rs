//! A page: a request that is made once for all who watch it, and what is known of it between two visits.

use crate::condition::Ailment;
use crate::fetch::Validators;
use crate::request::Request;
use crate::watch::{Watch, WatchId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tidemark_core::revisit::{Failures, Rate, Truth};
use url::Url;

/// Names a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PageId(pub i64);

/// A page as it is claimed for a visit: enough to fetch it and to see that nothing changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Its name.
    pub id: PageId,
    /// How it is asked for.
    pub request: Request,
    /// When it was first wished for.
    pub added: Timestamp,
    /// When it is to be visited, if at all: not so if all its watches rest.
    pub due: Option<Timestamp>,
    /// Why then, in words; empty before the first visit.
    pub why: String,
    /// What the server said of the last version.
    pub known: Validators,
    /// What is known of it besides. Small: it is read and written with every visit.
    pub state: PageState,
    /// Its last version.
    pub head: Option<Head>,
    /// Sources that hint at a change since the last visit.
    pub hints: Vec<String>,
    /// The feed it was found in, if nobody watches it for its own sake.
    pub entry_of: Option<PageId>,
}

/// The last version of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its number, from 1.
    pub version: u32,
    /// BLAKE3 of its bytes.
    pub hash: [u8; 32],
}

/// A page with all that a visit needs, and the right to record it.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// The page.
    pub page: Page,
    /// The right to record the visit.
    pub lease: Lease,
    /// Watches that do not rest.
    pub watches: Vec<Watch>,
    /// Its host.
    pub host: HostState,
}

/// The right to record one visit of a page. It ends by itself, so that the work of a process that died returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Whose: unique to the process.
    pub worker: String,
    /// A number that grows with each claim of the page.
    pub token: i64,
    /// Until when.
    pub until: Timestamp,
}

/// What is known of a page between two visits, besides its versions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageState {
    /// Looks that brought the page, changed or not.
    pub looks: u64,
    /// When the last of them was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<Timestamp>,
    /// When it was last asked for, whatever came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Timestamp>,
    /// How often it changes in a way worth telling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Visits in a row that brought nothing.
    pub failures: Failures,
    /// What is wrong with it, and since when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ailment: Option<(Ailment, Timestamp)>,
    /// Where the last version came from, after redirects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home: Option<Url>,
    /// Times its content changed, and times it went back to what it had been.
    pub changes: u32,
    /// The latter.
    pub flips: u32,
    /// The look at which it last went back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_flip: Option<u64>,
    /// A change that waits for a second look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<u32>,
    /// Watches whose zones were not found at the last look.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost_zones: Vec<WatchId>,
}

/// What is known of a host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HostState {
    /// The pause between two visits that its `robots.txt` asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crawl_delay: Option<Duration>,
    /// How truthful its `Last-Modified` dates have proved.
    pub truth: Truth,
}

/// One version of a page, byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Of which page.
    pub page: PageId,
    /// Its number, from 1.
    pub version: u32,
    /// When it was first seen.
    pub at: Timestamp,
    /// Its bytes.
    pub body: Vec<u8>,
    /// `Content-Type`, as it was sent.
    pub content_type: Option<String>,
    /// Where it came from, after redirects.
    pub url: Url,
}

/// A version without its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SnapshotLine {
    /// Its number, from 1.
    pub version: u32,
    /// When it was first seen.
    pub at: Timestamp,
    /// Its size in bytes.
    pub size: u64,
    /// Bytes it takes in the database; 0 for one whose bytes another version has too.
    pub stored: u64,
    /// BLAKE3 of its bytes, in hexadecimal.
    pub hash: String,
    /// `Content-Type`, as it was sent.
    pub content_type: Option<String>,
}

/// What a check of changed bytes starts from.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// The last version.
    pub baseline: Option<Snapshot>,
    /// What the engine remembers of the versions before: signatures, restless places. Opaque to the store.
    pub memory: Option<Vec<u8>>,
}
