//! Witnesses: what says *this is the node*, where evidence says only *it looks like it*.
//!
//! | witness | strength | holds if |
//! |---|---|---|
//! | id | 1 | the node alone had the id, and the candidate alone has it |
//! | text | 0.5 to 0.9 | at least half of the words that stood nowhere else, in a text of like size; or the same text, said once |
//! | attributes | 0.7 | the same attributes, which no other node of its name had |
//! | surroundings | 0.6 | the nearest words on both sides are the same, and there is text or there is none, as before |
//!
//! Cost: a pass over the words to prepare; then each candidate in the time of its attributes.

use super::super::wording::{Rolled, Wording};
use super::{Anchor, NEIGHBOURS, WORDS, after, attributes_hash, before};
use crate::digest::{NodeId, PageDigest};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A word that stood once elsewhere weighs half as much as one that did not, and so on.
const WEIGHT: u64 = 1 << 20;
/// Least share of the node's own words.
const OWN_WORDS: f64 = 0.5;
/// Least ratio of sizes, smaller to larger.
const LIKE_SIZE: f64 = 0.5;
/// Words on each side that must be the same.
const NEAREST: usize = 4;

/// A page with what an anchor asks of it.
pub(super) struct Scene<'a> {
    pub(super) anchor: &'a Anchor,
    pub(super) digest: &'a PageDigest,
    pub(super) wording: &'a Wording,
    rolled: Rolled,
    /// Weight of the anchor's words before each word of the page, and number of its own ones.
    hits: Vec<(u64, u32)>,
    /// The only node with the anchor's id.
    id_holder: Option<NodeId>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(anchor: &'a Anchor, digest: &'a PageDigest, wording: &'a Wording) -> Self {
        let id_holder = anchor.id.as_deref().and_then(|id| only_holder(digest, id));
        Self { anchor, digest, wording, rolled: wording.rolled(), hits: hits(anchor, wording), id_holder }
    }

    /// The strongest witness for a node; none if nothing identifies it.
    pub(super) fn witness(&self, node: NodeId) -> Option<f64> {
        let strengths =
            [self.by_id(node), self.by_text(node), self.by_attributes(node), self.by_surroundings(node)];
        strengths.into_iter().flatten().max_by(f64::total_cmp)
    }

    pub(super) fn by_id(&self, node: NodeId) -> Option<f64> {
        (self.id_holder == Some(node)).then_some(1.0)
    }

    fn by_text(&self, node: NodeId) -> Option<f64> {
        if self.anchor.text.unique && self.same_text(node) {
            return Some(0.9);
        }
        let range = self.range(node);
        let own: u32 = self.own_words().map(|word| word.inside).fold(0, u32::saturating_add);
        let found = (self.hits[range.end].1 - self.hits[range.start].1).min(own);
        let share = f64::from(found) / f64::from(own.max(1));
        (own > 0 && share >= OWN_WORDS && self.size_ratio(node) >= LIKE_SIZE)
            .then(|| 0.5 + 0.4 * self.text_likeness(node))
    }

    fn by_attributes(&self, node: NodeId) -> Option<f64> {
        (self.anchor.all_attributes.unique && self.same_attributes(node)).then_some(0.7)
    }

    fn by_surroundings(&self, node: NodeId) -> Option<f64> {
        let as_before = self.range(node).is_empty() == (self.anchor.word_count == 0);
        (as_before && self.same_surroundings(node, NEAREST)).then_some(0.6)
    }

    pub(super) fn same_text(&self, node: NodeId) -> bool {
        let range = self.range(node);
        range.len() == self.anchor.word_count as usize && self.rolled.hash(range) == self.anchor.text.hash
    }

    pub(super) fn same_attributes(&self, node: NodeId) -> bool {
        attributes_hash(self.digest, node) == self.anchor.all_attributes.hash
    }

    /// Whether up to so many words on each side are the same. Where the page begins or ends, it must do so now; but a node
    /// that is all of the page has no surroundings.
    pub(super) fn same_surroundings(&self, node: NodeId, words: usize) -> bool {
        let range = self.range(node);
        let words = words.min(NEIGHBOURS);
        let same = |remembered: &[u64], now: &mut dyn Iterator<Item = u64>| {
            remembered.iter().copied().take(words).eq(now.take(words))
        };
        let any = !self.anchor.before.is_empty() || !self.anchor.after.is_empty();
        any && same(&self.anchor.before, &mut before(self.wording, range.start))
            && same(&self.anchor.after, &mut after(self.wording, range.end))
    }

    /// How much of the text is the same, rare words first, in [0, 1].
    pub(super) fn text_likeness(&self, node: NodeId) -> f64 {
        let range = self.range(node);
        if self.anchor.word_count == 0 || range.is_empty() {
            return f64::from(u8::from(self.anchor.word_count == 0 && range.is_empty()));
        }
        let words = self.anchor.words.iter().take(WORDS);
        let all = words
            .map(|word| weight(word.elsewhere).saturating_mul(word.inside.into()))
            .fold(0, u64::saturating_add);
        let found = self.hits[range.end].0 - self.hits[range.start].0;
        ratio(found, all) * self.size_ratio(node).sqrt()
    }

    fn size_ratio(&self, node: NodeId) -> f64 {
        ratio(self.range(node).len() as u64, self.anchor.word_count.into())
    }

    pub(super) fn range(&self, node: NodeId) -> Range<usize> {
        self.wording.range(self.digest, node)
    }

    /// Words that stood nowhere else on the page.
    fn own_words(&self) -> impl Iterator<Item = &super::Word> {
        self.anchor.words.iter().take(WORDS).filter(|word| word.elsewhere == 0)
    }
}

fn only_holder(digest: &PageDigest, id: &str) -> Option<NodeId> {
    let mut holders = digest.depth_first().filter(|&node| digest.attribute(node, "id") == Some(id));
    let first = holders.next();
    first.filter(|_| holders.next().is_none())
}

fn weight(elsewhere: u32) -> u64 {
    WEIGHT / (1 + u64::from(elsewhere))
}

/// Smaller to larger, in [0, 1].
fn ratio(one: u64, other: u64) -> f64 {
    one.min(other) as f64 / one.max(other).max(1) as f64
}

/// Sums over the words of the page, so that the sum below any node is a difference.
fn hits(anchor: &Anchor, wording: &Wording) -> Vec<(u64, u32)> {
    let words: FxHashMap<u64, u32> =
        anchor.words.iter().take(WORDS).map(|word| (word.hash, word.elsewhere)).collect();
    let mut hits = Vec::with_capacity(wording.words.len() + 1);
    let mut sum = (0, 0);
    hits.push(sum);
    for hash in &wording.words {
        if let Some(&elsewhere) = words.get(hash) {
            sum = (sum.0 + weight(elsewhere), sum.1 + u32::from(elsewhere == 0));
        }
        hits.push(sum);
    }
    hits
}
