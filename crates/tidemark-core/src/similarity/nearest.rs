//! Each old thing and its nearest new one, one to one, best pairs first.
//!
//! Source: the mapping of Artail & Fawaz (2008), 4.3, which compares all with all.
//! Cost: pairs that share a feature, found by an index from features to things; never more than [`BUDGET`] steps.
//! We differ: one to one, so that nothing is told twice. Pairs that share nothing are never looked at. Beyond the
//! budget the commonest features are left out of the search and only the most promising partners are scored;
//! the result then says that it is coarse.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Steps a search may take: some hundredths of a second, and at most as many pairs in memory.
pub(crate) const BUDGET: usize = 4_000_000;

/// Partners scored for one thing when the budget does not allow all.
const SHORTLIST: usize = 16;

/// Who goes with whom.
#[derive(Debug, Default)]
pub(crate) struct Nearest {
    /// Place in old, place in new, score; best first.
    pub(crate) pairs: Vec<(usize, usize, f64)>,
    /// Whether the budget was reached, so that a nearer partner may have been missed.
    pub(crate) coarse: bool,
}

/// The features of each thing, sorted and without repetition.
pub(crate) type Features = [Vec<u64>];

/// Pairs things that share a feature, the highest score first; pairs with no score are no pairs.
/// Equal scores go in the order of old, then of new.
pub(crate) fn nearest(
    old: &Features,
    new: &Features,
    budget: usize,
    score: impl Fn(usize, usize) -> Option<f64>,
) -> Nearest {
    let (mut candidates, left_out) = candidates(old, new, budget);
    let cost = candidates.iter().map(|&(left, right, _)| old[left].len() + new[right].len()).sum::<usize>();
    let coarse = left_out || cost > budget;
    if coarse {
        shorten(&mut candidates);
    }
    let scored = candidates
        .into_iter()
        .filter_map(|(left, right, _)| score(left, right).map(|score| (left, right, score)));
    Nearest { pairs: best_first(scored.collect(), old.len(), new.len()), coarse }
}

/// Pairs with the number of features they share, in order, and whether features were left out.
fn candidates(old: &Features, new: &Features, budget: usize) -> (Vec<(usize, usize, u32)>, bool) {
    let mut news = postings(new);
    let left_out = leave_out(&postings(old), &mut news, budget);
    let (mut pairs, mut counts) = (Vec::new(), vec![0u32; new.len()]);
    for (left, features) in old.iter().enumerate() {
        let mut touched = Vec::new();
        for &right in features.iter().filter_map(|feature| news.get(feature)).flatten() {
            if counts[right] == 0 {
                touched.push(right);
            }
            counts[right] += 1;
        }
        touched.sort_unstable();
        pairs.extend(touched.into_iter().map(|right| (left, right, std::mem::take(&mut counts[right]))));
    }
    (pairs, left_out)
}

/// Drops the commonest features until the search fits into the budget; tells whether it had to.
fn leave_out(olds: &Postings, news: &mut Postings, budget: usize) -> bool {
    let mut shared: Vec<(usize, u64)> = olds
        .iter()
        .filter_map(|(feature, list)| Some((list.len() * news.get(feature)?.len(), *feature)))
        .collect();
    shared.sort_unstable();
    let mut spent = 0;
    let within = shared.iter().take_while(|(cost, _)| {
        spent += cost;
        spent <= budget
    });
    let within = within.count();
    shared[within..].iter().for_each(|(_, feature)| drop(news.remove(feature)));
    within < shared.len()
}

type Postings = FxHashMap<u64, Vec<usize>>;

fn postings(things: &Features) -> Postings {
    let mut lists = Postings::default();
    for (place, features) in things.iter().enumerate() {
        features.iter().for_each(|&feature| lists.entry(feature).or_default().push(place));
    }
    lists
}

/// Keeps the few partners of each old thing that share most with it.
fn shorten(candidates: &mut Vec<(usize, usize, u32)>) {
    candidates.sort_unstable_by_key(|&(left, right, count)| (left, Reverse(count), right));
    let (mut current, mut kept) = (usize::MAX, 0);
    candidates.retain(|&(left, _, _)| {
        kept = if left == current { kept + 1 } else { 1 };
        current = left;
        kept <= SHORTLIST
    });
}

fn best_first(mut scored: Vec<(usize, usize, f64)>, olds: usize, news: usize) -> Vec<(usize, usize, f64)> {
    scored.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
    let (mut old_taken, mut new_taken) = (vec![false; olds], vec![false; news]);
    scored.retain(|&(left, right, _)| {
        let free = !old_taken[left] && !new_taken[right];
        old_taken[left] |= free;
        new_taken[right] |= free;
        free
    });
    scored
}

/// What two sorted sets share, and what they have together.
pub(crate) fn overlap(old: &[u64], new: &[u64]) -> (usize, usize) {
    let (mut left, mut right, mut both) = (0, 0, 0);
    while let (Some(a), Some(b)) = (old.get(left), new.get(right)) {
        left += usize::from(a <= b);
        right += usize::from(b <= a);
        both += usize::from(a == b);
    }
    (both, old.len() + new.len() - both)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired(old: &Features, new: &Features, budget: usize) -> Nearest {
        nearest(old, new, budget, |left, right| {
            let (both, together) = overlap(&old[left], &new[right]);
            Some(both as f64 / together as f64)
        })
    }

    fn places(nearest: &Nearest) -> Vec<(usize, usize)> {
        nearest.pairs.iter().map(|&(left, right, _)| (left, right)).collect()
    }

    #[test]
    fn the_best_pair_goes_first_and_nobody_goes_twice() {
        let old = [vec![1, 2, 3], vec![1, 2], vec![9]];
        let new = [vec![1, 2], vec![1, 2, 3, 4], vec![8]];
        let found = paired(&old, &new, BUDGET);
        assert_eq!(places(&found), [(1, 0), (0, 1)]);
        assert!(!found.coarse);
    }

    #[test]
    fn beyond_the_budget_rare_features_still_pair() {
        let things: Vec<Vec<u64>> = (1..200).map(|place| vec![0, place]).collect();
        let found = paired(&things, &things, 1000);
        assert!(found.coarse);
        assert_eq!(places(&found), (0..199).map(|place| (place, place)).collect::<Vec<_>>());
    }
}
