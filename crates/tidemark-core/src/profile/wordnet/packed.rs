//! The packed file: WordNet as arrays that are read in place.
//!
//! Written by `tidemark-lab wordnet` from Princeton's WordNet 3.0, under the notice in `WORDNET-LICENSE`; [`FORMAT`] changes with
//! the layout. Numbers are little-endian.
//!
//! | part | what |
//! |---|---|
//! | head, 64 bytes | [`FORMAT`]; xxh3 of all that follows it; count of background words; counts; lengths of the parts |
//! | word index, word data | blocks of [`BLOCK`] words in byte order, each word told by what differs from the one before it |
//! | synset index, synset data | blocks of [`BLOCK`] synsets in the depth-first order of their hypernyms |
//!
//! A synset's kinds follow it directly, as in a page digest: the whole tree of hyponyms is the size of each subtree, and both
//! directions are read off it. The few synsets with a second hypernym list the other edges. Nouns come first, then verbs,
//! adjectives and adverbs; an adjective that is a satellite stands below its head.
//!
//! Cost: opening reads the head; a word is found by halving over the blocks and reading one of them.
//! Not taken: an `fst` of the lemmas, which needs 1.28 MB where these blocks need 1.09, and is slower at turning a number back
//! into a word, which is what expansion does most; and packing with zstd, 1 MB less for 7 to 18 ms at each start.

mod cursor;

use cursor::{Blocks, Cursor, Numbers};
use std::cmp::Ordering;
use xxhash_rust::xxh3::xxh3_64;

/// Magic and version.
pub const FORMAT: [u8; 8] = *b"tmwords\x01";
/// Bytes before the first part.
pub const HEAD: usize = 64;
/// Words or synsets to a block.
pub const BLOCK: usize = 16;
/// The share of a sense that is the only one.
pub const WHOLE_SHARE: u32 = 127;

/// The sum that a file must have: of all that follows the sum.
pub fn checksum(file: &[u8]) -> u64 {
    xxh3_64(file.get(FORMAT.len() + 8..).unwrap_or_default())
}

/// The parts of the file.
#[derive(Debug)]
pub(super) struct Packed {
    words: Blocks,
    synsets: Blocks,
    /// Words of the background text.
    pub(super) total: u64,
    /// The first synset of verbs, of adjectives, of adverbs, and the end.
    pub(super) bounds: [u32; 4],
}

/// A word of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) id: u32,
    pub(super) frequency: u32,
    senses: &'static [u8],
    exceptions: Cursor,
}

/// A synset of the file.
#[derive(Clone, Debug)]
pub(super) struct Synset {
    /// Itself and all kinds below it.
    pub(super) size: u32,
    /// Whether it is one thing with a name, such as Paris, and no kind.
    is_instance: bool,
    /// The numbers of its words.
    pub(super) words: Numbers,
    parent: Option<u32>,
    others_up: Numbers,
    others_down: Numbers,
}

impl Packed {
    /// A WordNet of no words.
    pub(super) const EMPTY: Self =
        Self { words: Blocks::EMPTY, synsets: Blocks::EMPTY, total: 0, bounds: [0; 4] };

    /// Opens a file, if it is one.
    pub(super) fn open(data: &'static [u8]) -> Option<Self> {
        if data.get(..8)? != FORMAT {
            return None;
        }
        let number = |at: usize| Some(u32::from_le_bytes(data.get(at..at + 4)?.try_into().ok()?));
        let mut start = HEAD;
        let mut part = |at: usize| {
            let end = start + number(at)? as usize;
            data.get(std::mem::replace(&mut start, end)..end)
        };
        Some(Self {
            words: Blocks { count: number(24)?, index: part(44)?, data: part(48)? },
            synsets: Blocks { count: number(28)?, index: part(52)?, data: part(56)? },
            total: u64::from(number(16)?) | u64::from(number(20)?) << 32,
            bounds: [number(32)?, number(36)?, number(40)?, number(28)?],
        })
    }

    /// The entry of a word, by its folded form.
    pub(super) fn find(&self, word: &str) -> Option<Entry> {
        let block = self.words.last_block(|mut cursor| cursor.word().1 <= word.as_bytes())?;
        let mut cursor = self.words.block(block);
        let mut same = 0; // letters shared with the word before, which comes before the one looked for
        for id in self.words.ids(block) {
            let (shared, suffix) = cursor.word();
            let entry = cursor.entry(id);
            match shared.cmp(&same) {
                Ordering::Less => return None,
                Ordering::Greater => continue,
                Ordering::Equal => {}
            }
            let rest = word.as_bytes().get(same..)?;
            match suffix.cmp(rest) {
                Ordering::Equal => return Some(entry),
                Ordering::Greater => return None,
                Ordering::Less => same += suffix.iter().zip(rest).take_while(|(a, b)| a == b).count(),
            }
        }
        None
    }

    /// The letters and the entry of a word, by its number.
    pub(super) fn word(&self, id: u32) -> Option<(String, Entry)> {
        if id >= self.words.count {
            return None;
        }
        let mut cursor = self.words.block(id as usize / BLOCK);
        let mut letters = Vec::new();
        for at in id - id % BLOCK as u32..=id {
            let (shared, suffix) = cursor.word();
            letters.truncate(shared);
            letters.extend_from_slice(suffix);
            let entry = cursor.entry(at);
            if at == id {
                return Some((String::from_utf8(letters).ok()?, entry));
            }
        }
        None
    }

    /// A synset by its number.
    pub(super) fn synset(&self, id: u32) -> Option<Synset> {
        if id >= self.synsets.count {
            return None;
        }
        let mut cursor = self.synsets.block(id as usize / BLOCK);
        for at in id - id % BLOCK as u32..id {
            cursor.synset(at);
        }
        Some(cursor.synset(id))
    }

    /// The kinds directly below a synset.
    pub(super) fn hyponyms(&self, id: u32) -> Vec<u32> {
        let Some(synset) = self.synset(id) else { return Vec::new() };
        let mut found = Vec::new();
        let mut at = id + 1;
        while at < id + synset.size {
            found.push(at);
            at += self.synset(at).map_or(1, |below| below.size.max(1));
        }
        found.extend(synset.others_down);
        found
    }

    /// What a synset is directly a kind of.
    pub(super) fn hypernyms(&self, id: u32) -> Vec<u32> {
        let synset = self.synset(id);
        synset.map(|synset| synset.parent.into_iter().chain(synset.others_up).collect()).unwrap_or_default()
    }

    /// Whether a synset is one thing with a name.
    pub(super) fn is_instance(&self, id: u32) -> bool {
        self.synset(id).is_some_and(|synset| synset.is_instance)
    }
}

impl Entry {
    /// Its senses with their shares, the most common first.
    pub(super) fn senses(&self) -> impl Iterator<Item = (u32, f64)> + use<> {
        self.senses.chunks_exact(3).map(|bytes| {
            let both = u32::from(bytes[0]) | u32::from(bytes[1]) << 8 | u32::from(bytes[2]) << 16;
            (both / (WHOLE_SHARE + 1), f64::from(both % (WHOLE_SHARE + 1)) / f64::from(WHOLE_SHARE))
        })
    }

    /// The words it is an irregular form of, each with its part of speech.
    pub(super) fn exceptions(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let mut cursor = self.exceptions;
        std::iter::from_fn(move || {
            let both = (!cursor.rest.is_empty()).then(|| cursor.number())?;
            Some((both % 4, both / 4))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::DATA;
    use super::*;

    fn packed() -> Packed {
        Packed::open(DATA).unwrap()
    }

    #[test]
    fn the_file_is_whole_and_of_this_format() {
        assert_eq!(DATA[..8], FORMAT);
        assert_eq!(u64::from_le_bytes(DATA[8..16].try_into().unwrap()), checksum(DATA));
        let packed = packed();
        assert_eq!(packed.bounds, [82_115, 95_882, 114_038, 117_659], "the synsets that wnstats(7WN) counts");
        let lengths = [&packed.words, &packed.synsets].map(|part| part.index.len() + part.data.len());
        assert_eq!(HEAD + lengths[0] + lengths[1], DATA.len());
        assert!(DATA.len() < 3_500_000);
    }

    #[test]
    fn another_format_or_half_a_file_is_refused() {
        let mut other = DATA[..HEAD].to_vec();
        assert!(Packed::open(other.clone().leak()).is_none(), "the parts are missing");
        other[7] += 1;
        assert!(Packed::open([&other, &DATA[HEAD..]].concat().leak()).is_none());
        assert!(Packed::open(&[]).is_none());
    }

    #[test]
    fn every_word_is_found_by_its_letters() {
        let packed = packed();
        let mut lemmas = 0;
        for id in 0..packed.words.count {
            let (word, entry) = packed.word(id).unwrap();
            assert_eq!(packed.find(&word).map(|found| found.id), Some(id), "{word}");
            assert!(packed.find(&format!("{word}\u{1}")).is_none(), "nothing is between a word and the next");
            lemmas += usize::from(entry.senses().next().is_some());
        }
        assert_eq!(lemmas, 147_306);
    }

    #[test]
    fn senses_and_words_name_each_other() {
        let packed = packed();
        let mut senses = 0;
        for id in 0..packed.synsets.count {
            for word in packed.synset(id).unwrap().words {
                let (word, entry) = packed.word(word).unwrap();
                assert!(entry.senses().any(|(sense, _)| sense == id), "{word} {id}");
                senses += 1;
            }
        }
        assert_eq!(senses, 206_941, "the senses that wnstats(7WN) counts");
    }

    #[test]
    fn kinds_and_what_they_are_kinds_of_name_each_other() {
        let packed = packed();
        let mut edges = [0, 0];
        for id in 0..packed.synsets.count {
            let (down, up) = (packed.hyponyms(id), packed.hypernyms(id));
            assert!(down.iter().all(|&below| packed.hypernyms(below).contains(&id)), "{id}");
            edges = [edges[0] + down.len(), edges[1] + up.len()];
        }
        assert_eq!(edges[0], edges[1]);
    }
}
