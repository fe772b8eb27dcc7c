//! Places on a page that change at nearly every visit: clocks, counters, tokens, adverts.
//!
//! A place is a block of the page by the names above it, its own id and its number among its like. Counted is at how many visits its words were other than at the
//! one before. Cost: a bounded number of places, each change looked up once. What is found restless is held back, never dropped; a watch that names a zone wants
//! what is in it and is not held back.

use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use tidemark_core::digest::PageDigest;
use tidemark_core::render::{Change, ChangeKind};

/// Most places that are remembered.
const MOST: usize = 256;
/// Changes before a place is judged.
const LEAST_CHANGES: u32 = 3;
/// Share of visits at which a restless place changes.
const SHARE: f64 = 0.7;
/// Levels above a place that name it.
const LEVELS: usize = 24;

/// Places with the visits they changed at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restless {
    /// In no order that matters.
    places: Vec<Place>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    key: u64,
    /// The first visit it changed at, and the last.
    first: u64,
    last: u64,
    /// Visits it changed at.
    changes: u32,
}

impl Place {
    fn was_restless_before(&self, visit: u64) -> bool {
        let changes = self.changes.saturating_sub(u32::from(self.last >= visit));
        let visits = visit.saturating_sub(self.first);
        changes >= LEAST_CHANGES && f64::from(changes) >= SHARE * visits as f64
    }
}

impl Restless {
    /// Takes note of the changes of a visit.
    pub fn note(&mut self, new: &PageDigest, changes: &[Change], visit: u64) {
        changes
            .iter()
            .filter(|change| change.seen)
            .filter_map(|change| key(new, change))
            .for_each(|key| self.note_one(key, visit));
    }

    /// Whether a change of this visit is in a place that was restless before it.
    pub fn is_restless(&self, new: &PageDigest, change: &Change, visit: u64) -> bool {
        let place = key(new, change).and_then(|key| self.places.iter().find(|place| place.key == key));
        place.is_some_and(|place| place.was_restless_before(visit))
    }

    fn note_one(&mut self, key: u64, visit: u64) {
        if let Some(place) = self.places.iter_mut().find(|place| place.key == key) {
            if place.last < visit {
                place.last = visit;
                place.changes = place.changes.saturating_add(1);
            }
            return;
        }
        if self.places.len() >= MOST {
            self.forget();
        }
        self.places.push(Place { key, first: visit, last: visit, changes: 1 });
    }

    /// Makes room: the places that changed longest ago.
    fn forget(&mut self) {
        self.places.sort_by_key(|place| std::cmp::Reverse(place.last));
        self.places.truncate(MOST / 2);
    }
}

/// What names a place: the same for as long as nothing around it is rebuilt.
fn key(page: &PageDigest, change: &Change) -> Option<u64> {
    let (ChangeKind::Changed, Some(node)) = (change.kind, change.new) else {
        return None;
    };
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    for above in std::iter::once(node).chain(page.ancestors(node)).take(LEVELS) {
        page.name(above).hash(&mut hasher);
        page.attribute(above, "id").hash(&mut hasher);
    }
    let mut before = page.previous_sibling(node);
    let mut number = 0u32;
    while let (Some(sibling), true) = (before, number < 512) {
        number += u32::from(page.name(sibling) == page.name(node));
        before = page.previous_sibling(sibling);
    }
    number.hash(&mut hasher);
    Some(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_core::diff::Difference;
    use tidemark_core::page::Reading;
    use tidemark_core::render::Changes;

    fn restless(versions: &[(u64, &str)]) -> Vec<Vec<bool>> {
        let page = |html: &str| PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap();
        let mut memory = Restless::default();
        let mut found = Vec::new();
        for pair in versions.windows(2) {
            let (old, new) = (page(pair[0].1), page(pair[1].1));
            let changes = Changes::of(&old, &new, &Difference::of(&old, &new));
            memory.note(&new, &changes.changes, pair[1].0);
            let is_restless = |change: &Change| memory.is_restless(&new, change, pair[1].0);
            found.push(changes.changes.iter().map(is_restless).collect());
        }
        found
    }

    #[test]
    fn a_clock_is_restless_from_its_fourth_change_on() {
        let pages: Vec<String> =
            (0..6).map(|hour| format!("<h1>News</h1><p>It is {hour} o'clock<p>Text")).collect();
        let versions: Vec<(u64, &str)> =
            pages.iter().enumerate().map(|(at, page)| (at as u64, page.as_str())).collect();
        assert_eq!(restless(&versions), [[false], [false], [false], [true], [true]]);
    }

    #[test]
    fn a_price_that_changes_now_and_then_is_not() {
        let pages: Vec<String> = (0..8).map(|price| format!("<p>It costs {price} euro")).collect();
        let versions: Vec<(u64, &str)> =
            pages.iter().enumerate().map(|(at, page)| (at as u64 * 5, page.as_str())).collect();
        assert!(restless(&versions).iter().flatten().all(|restless| !restless));
    }
}
