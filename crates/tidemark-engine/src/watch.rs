//! A watch: one reader's wish about a page.

use crate::request::Request;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use tidemark_core::page::zone::Zones;
use tidemark_core::revisit::{Bounds, Category, Hours};
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// How much words, attributes and places count in the severity of a change; the greatest counts in full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<Shares>,
    /// Changes of a severity below this are held back, from 0 to 1.
    pub threshold: f64,
    /// Terms of interest, written as in `docs/profiles.md`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub interests: String,
    /// Whether only what is of interest is told; otherwise it only comes first.
    pub only_interests: bool,
    /// How soon and how late to look again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// When to look at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hours: Option<Hours>,
    /// What kind of page it is, for the first guess how often it changes.
    pub category: Category,
    /// How much it matters beside others; 1 is ordinary.
    pub importance: f64,
    /// Whether what comes back is taken as it is: log-in pages and error texts too.
    pub as_is: bool,
}

/// How much words, attributes and places count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shares {
    /// Words that came or went.
    pub words: f64,
    /// Attributes that changed.
    pub attributes: f64,
    /// Blocks that went to another place.
    pub places: f64,
}

impl Default for Wish {
    fn default() -> Self {
        Self {
            reader: String::new(),
            name: None,
            tags: BTreeSet::new(),
            zones: Zones::default(),
            weights: None,
            threshold: 0.0,
            interests: String::new(),
            only_interests: false,
            bounds: None,
            hours: None,
            category: Category::default(),
            importance: 1.0,
            as_is: false,
        }
    }
}

impl Wish {
    /// Whether the reader has named parts of the page.
    pub fn has_zones(&self) -> bool {
        !self.zones.include.is_empty() || !self.zones.exclude.is_empty()
    }
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
