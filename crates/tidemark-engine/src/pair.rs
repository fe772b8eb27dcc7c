//! Two versions of a page, read and compared once for all who watch it.

use crate::content::{Content, ContentKind};
use crate::memory::Memory;
use std::sync::Arc;
use tidemark_core::diff::{Difference, Patch};
use tidemark_core::digest::{Facets, PageDigest};
use tidemark_core::feed::{self, Feed, FeedDiff};
use tidemark_core::redesign::{ContentDiff, Fingerprint, Shingling, Templates};
use tidemark_core::render::Changes;
use tidemark_core::segment::{Advance, Fate, Place, SignatureMatrix};

/// Two versions of one template are more alike than this.
const ONE_TEMPLATE: f64 = 0.45;
/// Below this share of nodes touched, no redesign is looked for.
const TOUCHED: f64 = 0.3;

/// Two versions and what is between them.
pub struct Pair {
    /// The version before.
    pub old: Arc<PageDigest>,
    /// The version now.
    pub new: Arc<PageDigest>,
    /// In what they differ.
    pub facets: Facets,
    /// What was done to the old one.
    pub difference: Difference,
    /// That as a reader sees it, for readers without interests.
    pub changes: Changes,
    /// Entries of a feed.
    pub feed: Option<Entries>,
    /// The content across a redesign, if this is one.
    pub redesign: Option<ContentDiff>,
    /// Whether all that changed went back to what it had been before.
    pub went_back: bool,
}

/// Two versions of a feed.
pub struct Entries {
    /// The version before.
    pub old: Feed,
    /// The version now.
    pub new: Feed,
    /// What became of the entries.
    pub diff: FeedDiff,
}

/// Bytes with what was said of them.
#[derive(Clone, Copy)]
pub struct Raw<'a> {
    /// The bytes.
    pub body: &'a [u8],
    /// `Content-Type`, as it was sent.
    pub content_type: Option<&'a str>,
}

impl Pair {
    /// Compares two versions. `None` if they are the same page in other bytes, or cannot be compared as pages.
    pub fn compare(old: &Content, new: &Content) -> Option<Self> {
        let (before, now) = (Arc::clone(old.digest.as_ref()?), Arc::clone(new.digest.as_ref()?));
        let facets = before.changed(&now);
        if facets.is_empty() {
            return None;
        }
        let difference = Difference::of(&before, &now);
        let changes = Changes::of(&before, &now, &difference);
        let redesign =
            (new.kind == ContentKind::Html).then(|| redesign(&before, &now, &difference)).flatten();
        Some(Self {
            old: before,
            new: now,
            facets,
            difference,
            changes,
            feed: None,
            redesign,
            went_back: false,
        })
    }

    /// Looks at the entries, if both are feeds.
    #[must_use]
    pub fn with_entries(mut self, contents: [&Content; 2], raw: [Raw<'_>; 2]) -> Self {
        let [old, new] = [0, 1].map(|at| contents[at].feed(raw[at].body, raw[at].content_type));
        self.feed = old.zip(new).map(|(old, new)| Entries { diff: feed::compare(&old, &new), old, new });
        self
    }

    /// Takes the new version into what is remembered.
    pub fn remember(&mut self, memory: &mut Memory, look: u64) {
        let advance = memory.evolution.advance(&self.new);
        self.went_back = went_back(memory.evolution.matrix(), &advance);
        // What goes to and fro is no clock.
        if !self.went_back {
            memory.restless.note(&self.new, &self.changes.changes, look);
        }
    }

    /// The script, as JSON.
    pub fn script(&self) -> Vec<u8> {
        serde_json::to_vec(&Patch::of(&self.old, &self.new, &self.difference)).unwrap_or_default()
    }
}

/// The content, if the page is made with another template than before.
fn redesign(old: &PageDigest, new: &PageDigest, difference: &Difference) -> Option<ContentDiff> {
    if (difference.script.len() as f64) < TOUCHED * old.len().min(new.len()) as f64 / 4.0 {
        return None;
    }
    let [before, now] = [old, new].map(|page| Fingerprint::of(page, Shingling::default()));
    let is_other = before.likeness(&now) < ONE_TEMPLATE && before.surroundings(&now) < ONE_TEMPLATE;
    is_other.then(|| ContentDiff::across(old, new, &Templates { old: &[], new: &[] }))
}

/// Whether all that changed, but for restless segments, is as it had been before.
fn went_back(matrix: &SignatureMatrix, advance: &Advance) -> bool {
    let is_restless = |place: &Place| place.volatility() > 0.7 && place.news > 3;
    let mut back = false;
    for &(column, fate) in advance.fates.iter().filter(|(_, fate)| fate.is_change()) {
        let place = matrix.place(column);
        match fate {
            Fate::Flip(_) | Fate::Back(_) => back = true,
            Fate::Lost if place.is_some_and(|place| place.flips > 0) => {}
            _ if place.is_some_and(is_restless) => {}
            _ => return false,
        }
    }
    back
}
