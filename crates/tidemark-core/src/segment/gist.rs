//! The gist of a block: its words at a glance, to know it again after it was edited.
//!
//! Source: min-wise hashing in one pass (Li, Owen & Zhang, *One permutation hashing*, 2012). Cost: each word once; a comparison is a few instructions.
//! Road not taken: the bit sets that compare nodes of two whole pages, which fill up in blocks of more than a few hundred words.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

const BINS: usize = 16;

/// For each bin of hashes the smallest; none where no word fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Gist([u32; BINS]);

impl Gist {
    pub(crate) fn of(text: &str) -> Self {
        let Self(mut bins) = Self::EMPTY;
        for word in text.split_ascii_whitespace() {
            let hash = xxh3_64(word.as_bytes());
            let bin = &mut bins[(hash >> 60) as usize];
            *bin = (*bin).min((hash >> 16) as u32);
        }
        Self(bins)
    }

    /// The gist of nothing.
    pub(crate) const EMPTY: Self = Self([u32::MAX; BINS]);

    /// Adds the words of another text.
    pub(crate) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(bin, other)| *bin = (*bin).min(*other));
    }

    /// About which share of the words of both, both have.
    pub(crate) fn likeness(&self, other: &Self) -> f32 {
        let pairs = || self.0.iter().zip(&other.0);
        let any = pairs().filter(|&(a, b)| a.min(b) != &u32::MAX).count();
        let same = pairs().filter(|&(a, b)| a == b && *a != u32::MAX).count();
        if any == 0 { 0.0 } else { same as f32 / any as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::Gist;

    #[test]
    fn an_edited_text_is_like_itself_and_unlike_others() {
        let words = |from: usize, to: usize| (from..to).map(|at| format!("word{at} ")).collect::<String>();
        let (old, edited, other) = (words(0, 300), words(15, 310), words(400, 700));
        let gist = |text: &str| Gist::of(text);
        assert!(gist(&old).likeness(&gist(&edited)) > 0.6);
        assert!(gist(&old).likeness(&gist(&other)) < 0.2);
        assert!((gist(&old).likeness(&gist(&old)) - 1.0).abs() < 1e-6);
        assert!(gist("").likeness(&gist("")).abs() < 1e-6);
    }
}
