//! A watch: one reader's wish about a page.

use crate::request::Request;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use tidemark_core::page::zone::Zones;
use url::Url;

/// Names a watch; small numbers that a person can type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WatchId(pub i64);

/// One reader's wish about a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Watch {
    /// Its name.
    pub id: WatchId,
    /// The page it is about, which other watches may share.
    pub page: crate::page::PageId,
    /// The address of that page.
    pub url: Url,
    /// What is wished.
    pub wish: Wish,
    /// Whether it rests.
    pub paused: bool,
    /// Since when.
    pub added: Timestamp,
}

/// What a reader wishes to know about a page, and how often to look.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Wish {
    /// Whose it is; empty for the only reader there is.
    pub reader: String,
    /// What the reader calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// To find it among others.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub tags: BTreeSet<String>,
    /// The parts of the page that count.
    pub zones: Zones,
}

/// A watch to be.
#[derive(Clone, Debug, PartialEq)]
pub struct NewWatch {
    /// The page.
    pub request: Request,
    /// What is wished.
    pub wish: Wish,
}

/// Which watches to list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WatchFilter {
    /// Only of this reader.
    pub reader: Option<String>,
    /// Only with this tag.
    pub tag: Option<String>,
    /// Only of this page.
    pub page: Option<crate::page::PageId>,
    /// Only those behind this one, in their order.
    pub after: Option<WatchId>,
    /// At most so many.
    pub limit: Option<usize>,
}
