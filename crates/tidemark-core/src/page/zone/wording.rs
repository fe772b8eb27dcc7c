//! The words of a page in order, with the nodes they stand in: the words below a node are one range, as its nodes are.
//!
//! Cost: one pass over the text, 8 bytes a word. Words are kept as hashes; two that collide are taken for one, which can
//! mislead a score by one word in 2^64, never crash.

use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::words::words;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// The words a reader of the page sees.
pub(super) struct Wording {
    /// Hash of each word.
    pub(super) words: Vec<u64>,
    /// Number of words before each node, and at last of all.
    starts: Vec<u32>,
}

impl Wording {
    pub(super) fn of(digest: &PageDigest) -> Self {
        let mut wording = Self { words: Vec::new(), starts: Vec::with_capacity(digest.len() + 1) };
        for node in digest.depth_first() {
            wording.starts.push(wording.words.len() as u32);
            if matches!(digest.kind(node), Kind::Text | Kind::Cdata) {
                wording.words.extend(hashes(digest.content(node).unwrap_or_default()));
            }
        }
        wording.starts.push(wording.words.len() as u32);
        wording
    }

    /// Places of the words in a node and below it.
    pub(super) fn range(&self, digest: &PageDigest, node: NodeId) -> Range<usize> {
        self.starts[node.index()] as usize..self.starts[digest.end(node) as usize] as usize
    }

    /// The node in which a word stands.
    pub(super) fn node_of(&self, word: usize) -> NodeId {
        let behind = self.starts.partition_point(|&start| start as usize <= word);
        NodeId(behind.saturating_sub(1) as u32)
    }

    /// Prepares the hashes of all runs of words.
    pub(super) fn rolled(&self) -> Rolled {
        let (mut sum, mut power) = (0, 1);
        let mut rolled = Rolled { sums: vec![sum], powers: vec![power] };
        for word in &self.words {
            sum = (times(sum, BASE) + word % PRIME) % PRIME;
            power = times(power, BASE);
            rolled.sums.push(sum);
            rolled.powers.push(power);
        }
        rolled
    }

    /// Where a phrase begins, at or behind a place.
    pub(super) fn find(&self, phrase: &[u64], from: usize) -> Option<usize> {
        let words = self.words.get(from..)?;
        // Phrases are short: the bound on their length keeps this linear.
        words.windows(phrase.len().max(1)).position(|window| window == phrase).map(|at| from + at)
    }
}

/// Hashes of the words of a text.
pub(super) fn hashes(text: &str) -> impl Iterator<Item = u64> {
    words(text).map(|word| xxh3_64(word.as_bytes()))
}

/// Hashes of all runs of words, by sums that roll: that of a run is a difference (Karp & Rabin, 1987), modulo 2^61 - 1.
pub(super) struct Rolled {
    sums: Vec<u64>,
    powers: Vec<u64>,
}

const PRIME: u64 = (1 << 61) - 1;
const BASE: u64 = 0x0f1e_2d3c_4b5a_6978;

impl Rolled {
    pub(super) fn hash(&self, range: Range<usize>) -> u64 {
        let before = times(self.sums[range.start], self.powers[range.len()]);
        (self.sums[range.end] + PRIME - before) % PRIME
    }
}

fn times(one: u64, other: u64) -> u64 {
    (u128::from(one) * u128::from(other) % u128::from(PRIME)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    #[test]
    fn equal_runs_have_equal_hashes() {
        let digest = PageDigest::encode(b"a b c x a b c b", &Reading::default()).unwrap();
        let wording = Wording::of(&digest);
        let rolled = wording.rolled();
        assert_eq!(rolled.hash(0..3), rolled.hash(4..7));
        assert_eq!(rolled.hash(1..2), rolled.hash(7..8));
        assert_ne!(rolled.hash(0..2), rolled.hash(1..3));
        assert_eq!(rolled.hash(3..3), rolled.hash(0..0));
    }

    #[test]
    fn words_know_their_nodes() {
        let page = "<p>one <b>two</b> three</p><script>no</script><p></p><p>four";
        let digest = PageDigest::encode(page.as_bytes(), &Reading::default()).unwrap();
        let wording = Wording::of(&digest);
        assert_eq!(wording.words.len(), 4);
        let contents: Vec<_> = (0..4).map(|word| digest.content(wording.node_of(word)).unwrap()).collect();
        assert_eq!(contents, ["one ", "two", " three", "four"]);
        let bold = digest.tagged("b").next().unwrap();
        assert_eq!(wording.range(&digest, bold), 1..2);
        assert_eq!(wording.range(&digest, NodeId::ROOT), 0..4);
        let phrase: Vec<u64> = hashes("two, three!").collect();
        assert_eq!(wording.find(&phrase, 0), Some(1));
        assert_eq!(wording.find(&phrase, 2), None);
        assert_eq!(wording.find(&phrase, 9), None);
    }
}
