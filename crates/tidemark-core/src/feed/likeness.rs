//! How alike two items are.
//!
//! Source: Artail & Fawaz (2008), equation (1) over the word sets of title and description, weighted 30 and 70 % (4.3) and
//! brought to [-1, 1] as in (4). Cost: linear in the words.
//! We differ: a field that both items lack has no weight; taken literally, two unrelated headlines without descriptions
//! would have 0.7 in common. An item without description is compared by its content.

use super::Item;
use crate::page::words::words;
use crate::similarity::Coefficient;
use crate::similarity::nearest::overlap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Share of the title in the likeness of two items; the rest is the description's.
const TITLE: f64 = 0.3;

/// How alike two items are: `-1 + 2 × (0.3 × title + 0.7 × description)`.
pub fn likeness(old: &Item, new: &Item) -> Coefficient {
    Prepared::new(old).likeness(&Prepared::new(new))
}

/// The word sets of an item, as sorted hashes.
#[derive(Clone)]
pub(super) struct Prepared {
    title: Vec<u64>,
    description: Vec<u64>,
    pub(super) has_id: bool,
}

impl Prepared {
    pub(super) fn new(item: &Item) -> Self {
        let said = if item.description.text.is_empty() { &item.content } else { &item.description };
        let title = word_set(&item.title.text, 0);
        Self { title, description: word_set(&said.text, 1), has_id: item.id.is_some() }
    }

    /// All words, those of the title apart from those of the description. Items without any share one feature.
    pub(super) fn features(&self) -> Vec<u64> {
        let mut features = [self.title.as_slice(), &self.description].concat();
        if features.is_empty() {
            features.push(0);
        }
        features.sort_unstable();
        features.dedup();
        features
    }

    pub(super) fn likeness(&self, new: &Self) -> Coefficient {
        let (mut likeness, mut weights) = (0.0, 0.0);
        let fields = [(TITLE, &self.title, &new.title), (1.0 - TITLE, &self.description, &new.description)];
        for (weight, old, new) in fields {
            let (both, together) = overlap(old, new);
            if together > 0 {
                likeness += weight * both as f64 / together as f64;
                weights += weight;
            }
        }
        if weights == 0.0 { Coefficient::EQUAL } else { Coefficient::new(-1.0 + 2.0 * likeness / weights) }
    }
}

fn word_set(text: &str, field: u64) -> Vec<u64> {
    let mut set: Vec<u64> = words(text).map(|word| xxh3_64_with_seed(word.as_bytes(), field)).collect();
    set.sort_unstable();
    set.dedup();
    set
}
