//! A bounded set of hashes, and how much two of them share.
//!
//! Source: Gottron, section 3: what both sets have over the size of the larger one. Cost: one sort to make it, one merge to compare.
//! We differ: a set beyond its bound keeps its smallest hashes (Broder's minimum-wise sample), and two such sets are compared as far as
//! both are complete. So a hostile page of a million different tags costs no more memory than a large one, and sets below the bound,
//! which is nearly all, are exact.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// A set of hashes, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Sketch {
    hashes: Vec<u64>,
    /// Whether larger hashes were left out.
    cut: bool,
}

impl Sketch {
    /// The set of these hashes; of more than `most`, the smallest.
    pub fn of(mut hashes: Vec<u64>, most: usize) -> Self {
        hashes.sort_unstable();
        hashes.dedup();
        let cut = hashes.len() > most;
        hashes.truncate(most);
        hashes.shrink_to_fit();
        Self { hashes, cut }
    }

    /// Number of hashes kept.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// What both have over what the larger one has, in [0, 1]; 1 for two empty sets.
    pub fn similarity(&self, other: &Self) -> f64 {
        let bound = self.bound().min(other.bound());
        let (left, right) = (self.up_to(bound), other.up_to(bound));
        match left.len().max(right.len()) {
            0 => 1.0,
            larger => common(left, right) as f64 / larger as f64,
        }
    }

    /// Up to where the set is complete.
    fn bound(&self) -> u64 {
        if self.cut { self.hashes.last().copied().unwrap_or(0) } else { u64::MAX }
    }

    fn up_to(&self, bound: u64) -> &[u64] {
        &self.hashes[..self.hashes.partition_point(|&hash| hash <= bound)]
    }
}

/// Hashes in both.
fn common(left: &[u64], right: &[u64]) -> usize {
    let (mut at, mut there, mut both) = (0, 0, 0);
    while let (Some(a), Some(b)) = (left.get(at), right.get(there)) {
        let order = a.cmp(b);
        at += usize::from(order != Ordering::Greater);
        there += usize::from(order != Ordering::Less);
        both += usize::from(order == Ordering::Equal);
    }
    both
}

/// How a set is stored; what comes back is put in order, whoever wrote it.
#[derive(Serialize, Deserialize)]
struct Stored {
    hashes: Vec<u64>,
    cut: bool,
}

impl From<Stored> for Sketch {
    fn from(stored: Stored) -> Self {
        Self { cut: stored.cut, ..Self::of(stored.hashes, usize::MAX) }
    }
}

impl From<Sketch> for Stored {
    fn from(sketch: Sketch) -> Self {
        Self { hashes: sketch.hashes, cut: sketch.cut }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(old: &[u64], new: &[u64], most: usize) -> f64 {
        Sketch::of(old.to_vec(), most).similarity(&Sketch::of(new.to_vec(), most))
    }

    fn assert_close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-12, "{found} instead of {wanted}");
    }

    #[test]
    fn worked_by_hand() {
        assert_close(alike(&[1, 2, 3, 3], &[2, 3, 4, 5], 9), 0.5);
        assert_close(alike(&[1], &[1, 2, 3, 4], 9), 0.25);
        assert_close(alike(&[], &[1], 9), 0.0);
        assert_close(alike(&[], &[], 9), 1.0);
    }

    #[test]
    fn sets_beyond_the_bound_are_compared_as_far_as_both_are_complete() {
        // Kept are 1 2 3 and 1 3 5: complete up to 3, where they have 1 2 3 and 1 3.
        assert_close(alike(&[1, 2, 3, 4], &[1, 3, 5, 7], 3), 2.0 / 3.0);
    }

    #[test]
    fn what_was_stored_out_of_order_is_put_in_order() {
        let sketch: Sketch = serde_json::from_str(r#"{"hashes":[3,1,3,2],"cut":false}"#).unwrap();
        assert_eq!(sketch, Sketch::of(vec![1, 2, 3], 9));
    }
}
