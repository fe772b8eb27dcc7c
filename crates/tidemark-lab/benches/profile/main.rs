//! What reader profiles cost: opening WordNet, and each question to it, by `cargo bench -p tidemark-lab --bench profile`.

use std::hint::black_box;
use std::time::{Duration, Instant};
use tidemark_core::profile::inflection::{Language, keys};
use tidemark_core::profile::wordnet::{Reach, WordNet};

const ROUNDS: usize = 31;

const TERMS: [&str; 12] = [
    "storm",
    "dog",
    "car",
    "bank",
    "climate change",
    "elections",
    "city",
    "person",
    "inflation",
    "stock markets",
    "angry",
    "music",
];

const WORDS: [&str; 12] = [
    "the",
    "storms",
    "leaves",
    "was",
    "running",
    "government",
    "children",
    "announced",
    "hurricane",
    "smartphones",
    "Zürich",
    "better",
];

fn main() {
    let start = Instant::now();
    let wordnet = WordNet::get();
    println!("open       {:?}", start.elapsed());
    let reach = Reach::default();
    let wide = Reach { senses: 9, down: 9, up: 9, most: 4096 };
    report("related", &TERMS, |term| wordnet.related(term, &reach).len());
    report("…, widest", &["animal", "plant", "food"], |term| wordnet.related(term, &wide).len());
    report("lemmas", &WORDS, |word| wordnet.lemmas(word).len());
    report("keys", &WORDS, |word| keys(word, Language::English).len());
    report("…, German", &WORDS, |word| keys(word, Language::German).len());
    report("frequency", &WORDS, |word| wordnet.frequency(word) as usize);
}

/// Prints the median time of a question.
fn report(name: &str, asked: &[&str], question: impl Fn(&str) -> usize) {
    let round = || {
        let start = Instant::now();
        for one in asked {
            black_box(question(black_box(one)));
        }
        start.elapsed() / asked.len() as u32
    };
    let mut times: Vec<Duration> = (0..ROUNDS).map(|_| round()).collect();
    times.sort_unstable();
    println!("{name:10} {:?} a call", times[ROUNDS / 2]);
}
