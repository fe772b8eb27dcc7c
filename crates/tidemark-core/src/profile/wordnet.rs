//! WordNet inside the program: synonyms, kinds and generalisations of a term, base forms of a word, and how common it is.

mod morphy;
mod packed;
mod related;

pub use packed::{BLOCK, FORMAT, HEAD, WHOLE_SHARE, checksum};

use super::inflection::fold;
use packed::{Entry, Packed};
use std::sync::OnceLock;

/// WordNet, read in place from data that is part of the program.
#[derive(Debug)]
pub struct WordNet {
    packed: Packed,
}

const DATA: &[u8] = include_bytes!("wordnet/wordnet.bin");

/// How a word is related to the term that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// It means the same, or nearly so.
    Synonym,
    /// It is a kind of it.
    Hyponym,
    /// It is what the term is a kind of.
    Hypernym,
}

/// How far a term is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Senses of the term that are looked at, the most common first.
    pub senses: usize,
    /// Steps down to kinds, and kinds of kinds.
    pub down: usize,
    /// Steps up to what is more general.
    pub up: usize,
    /// Most words in the answer; those of the highest weight stay.
    pub most: usize,
}

impl Default for Reach {
    fn default() -> Self {
        Self { senses: 2, down: 3, up: 1, most: 200 }
    }
}

/// A word that speaks of a term.
#[derive(Clone, Debug, PartialEq)]
pub struct Related {
    /// The word in lower case, or several with single spaces between them.
    pub words: String,
    /// How it is related to the term.
    pub relation: Relation,
    /// Steps between their meanings; 0 for a synonym.
    pub depth: u8,
    /// The sense of the term, 1 being the most common.
    pub sense: u8,
    /// How much it says about the term, between 0 and 1.
    pub weight: f64,
}

impl WordNet {
    /// The one WordNet.
    pub fn get() -> &'static Self {
        static WORDNET: OnceLock<WordNet> = OnceLock::new();
        WORDNET.get_or_init(|| Self::open(DATA).unwrap_or(Self { packed: Packed::EMPTY }))
    }

    /// Opens packed data, if it is of this [`FORMAT`].
    pub fn open(data: &'static [u8]) -> Option<Self> {
        Some(Self { packed: Packed::open(data)? })
    }

    /// Words that speak of a term, those of the highest weight first, each once.
    pub fn related(&self, term: &str, reach: &Reach) -> Vec<Related> {
        related::related(self, &fold_words(term), reach)
    }

    /// The base forms of an English word that WordNet knows, each once: `leaves` is a form of `leaf` and of `leave`.
    pub fn lemmas(&self, word: &str) -> Vec<String> {
        morphy::lemmas(self, &fold_words(word))
    }

    /// How often a word form occurs in the background text: the definitions and examples of WordNet.
    /// Forms that occur once or twice and are no lemma count as unseen.
    pub fn frequency(&self, word: &str) -> u32 {
        self.packed.find(&fold_words(word)).map_or(0, |entry| entry.frequency)
    }

    /// How many words the background text has.
    pub fn total(&self) -> u64 {
        self.packed.total
    }

    /// The entry of a word that has a meaning.
    fn lemma(&self, word: &str) -> Option<Entry> {
        self.packed.find(word).filter(|entry| entry.senses().next().is_some())
    }

    /// Whether a word has a meaning as noun (0), verb, adjective or adverb.
    fn is_lemma(&self, word: &str, part: u32) -> bool {
        let of_part = |(synset, _)| self.part(synset) == part;
        self.packed.find(word).is_some_and(|entry| entry.senses().any(of_part))
    }

    fn part(&self, synset: u32) -> u32 {
        self.packed.bounds.iter().take(3).filter(|&&bound| synset >= bound).count() as u32
    }

    fn is_adjective(&self, synset: u32) -> bool {
        self.part(synset) == 2
    }

    /// How much a synset says: 1 with nothing below it, 0 if all of its part of speech were.
    fn content(&self, synset: u32) -> f64 {
        let part = self.part(synset) as usize;
        let start = part.checked_sub(1).map_or(0, |before| self.packed.bounds[before]);
        let all = f64::from(self.packed.bounds[part].saturating_sub(start));
        let below = self.packed.synset(synset).map_or(1.0, |synset| f64::from(synset.size));
        1.0 - below.ln() / all.max(2.0).ln()
    }
}

/// Each word folded, single spaces between them.
fn fold_words(text: &str) -> String {
    let is_gap = |c: char| c.is_whitespace() || c == '_';
    let words = text.split(is_gap).map(fold).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
