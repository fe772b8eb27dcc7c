//! How alike two rows are.
//!
//! Source: the weighted Jaccard coefficient; a feature weighs one over the number of rows that have it, so that what all
//! rows share says nothing. Cost: linear in the words of the rows.

use super::Row;
use crate::page::words::words;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What a row can share with another: whole fields in their places, and words anywhere.
pub(super) fn features(row: &Row) -> Vec<u64> {
    let mut features = Vec::new();
    for field in &row.fields {
        let place = xxh3_64_with_seed(field.path.as_bytes(), 1);
        features.push(xxh3_64_with_seed(field.text.as_bytes(), place));
        if !field.path.contains('@') {
            features.extend(words(&field.text).map(|word| xxh3_64_with_seed(word.as_bytes(), 0)));
        }
    }
    features.sort_unstable();
    features.dedup();
    features
}

/// One over the number of rows with a feature, in the list that has more of them: what all rows share says nothing.
pub(super) fn weights(old: &[Vec<u64>], new: &[Vec<u64>]) -> FxHashMap<u64, f64> {
    let mut counts = FxHashMap::<u64, [u32; 2]>::default();
    for (side, rows) in [old, new].into_iter().enumerate() {
        rows.iter().flatten().for_each(|&feature| counts.entry(feature).or_default()[side] += 1);
    }
    counts.into_iter().map(|(feature, [old, new])| (feature, 1.0 / f64::from(old.max(new)))).collect()
}

/// Weight of what two rows share over the weight of what they have together.
pub(super) fn weighted(old: &[u64], new: &[u64], weights: &FxHashMap<u64, f64>) -> f64 {
    let (mut left, mut right, mut both, mut together) = (0, 0, 0.0, 0.0);
    while left < old.len() || right < new.len() {
        let (a, b) = (old.get(left), new.get(right));
        let feature = a.into_iter().chain(b).min().copied().unwrap_or_default();
        let (in_old, in_new) = (a == Some(&feature), b == Some(&feature));
        let weight = weights.get(&feature).copied().unwrap_or(1.0);
        together += weight;
        both += if in_old && in_new { weight } else { 0.0 };
        left += usize::from(in_old);
        right += usize::from(in_new);
    }
    if together == 0.0 { 0.0 } else { both / together }
}
