//! Base forms of English words.
//!
//! Source: WordNet's `morphy` (manual page morphy(7WN)): the lists of exceptions, then the rules of detachment, each result kept
//! only if WordNet has it in that part of speech. Cost: at most twenty lookups a word.
//! We differ: no ending is taken off twice, the word itself stays beside the base forms (`saw` is a tool and a form of `see`), all results are given
//! instead of the first, and of a collocation the last or the first word is inflected (`stock markets`, `carried on`).

use super::WordNet;
use super::packed::Entry;

/// Ending, what stands in its place in the base form, and the part of speech: 0 noun, 1 verb, 2 adjective.
const RULES: [(&str, &str, u32); 20] = [
    ("s", "", 0),
    ("ses", "s", 0),
    ("xes", "x", 0),
    ("zes", "z", 0),
    ("ches", "ch", 0),
    ("shes", "sh", 0),
    ("men", "man", 0),
    ("ies", "y", 0),
    ("s", "", 1),
    ("ies", "y", 1),
    ("es", "e", 1),
    ("es", "", 1),
    ("ed", "e", 1),
    ("ed", "", 1),
    ("ing", "e", 1),
    ("ing", "", 1),
    ("er", "", 2),
    ("est", "", 2),
    ("er", "e", 2),
    ("est", "e", 2),
];

/// Shorter words are not inflected.
const SHORTEST: usize = 3;

/// A word as common as this is no form of one of two letters: `was` is no plural of `WA`, nor `its` of `IT`.
const COMMON: u32 = 50;

/// The base forms of a folded word or collocation.
pub(super) fn lemmas(wordnet: &WordNet, folded: &str) -> Vec<String> {
    let mut found = single(wordnet, folded);
    if found.is_empty()
        && let Some((head, last)) = folded.rsplit_once(' ')
    {
        found = together(wordnet, single(wordnet, last).iter().map(|base| format!("{head} {base}")));
    }
    if found.is_empty()
        && let Some((first, tail)) = folded.split_once(' ')
    {
        found = together(wordnet, single(wordnet, first).iter().map(|base| format!("{base} {tail}")));
    }
    found
}

/// The collocations that are lemmas.
fn together(wordnet: &WordNet, candidates: impl Iterator<Item = String>) -> Vec<String> {
    candidates.filter(|words| wordnet.lemma(words).is_some()).collect()
}

fn single(wordnet: &WordNet, word: &str) -> Vec<String> {
    let entry = wordnet.packed.find(word);
    let mut found = Vec::new();
    if entry.is_some_and(|entry| entry.senses().next().is_some()) {
        found.push(word.to_owned());
    }
    for part in 0..4 {
        let irregular = entry.map(|entry| exceptions(wordnet, &entry, part)).unwrap_or_default();
        let forms = if irregular.is_empty() { detached(wordnet, word, part) } else { irregular };
        for form in forms {
            if !found.contains(&form) {
                found.push(form);
            }
        }
    }
    found
}

fn exceptions(wordnet: &WordNet, entry: &Entry, part: u32) -> Vec<String> {
    let of_part = entry.exceptions().filter(|&(of, _)| of == part);
    of_part.filter_map(|(_, id)| Some(wordnet.packed.word(id)?.0)).collect()
}

fn detached(wordnet: &WordNet, word: &str, part: u32) -> Vec<String> {
    // "ss" is no plural: "grass" is no form of "gras".
    if word.len() < SHORTEST || (part == 0 && word.ends_with("ss")) {
        return Vec::new();
    }
    let rules = RULES.iter().filter(|&&(_, _, of)| of == part);
    let forms = rules.filter_map(|(ending, base, _)| Some(word.strip_suffix(ending)?.to_owned() + base));
    let is_enough = |form: &String| match form.len() {
        SHORTEST.. => true,
        2 => wordnet.frequency(word) < COMMON,
        _ => false,
    };
    forms.filter(|form| is_enough(form) && wordnet.is_lemma(form, part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflected_words_have_their_base_forms() {
        for (word, bases) in [
            ("storms", &["storm"][..]),
            ("Storm", &["storm"]),
            ("leaves", &["leaf", "leave"]),
            ("mice", &["mouse"]),
            ("went", &["go"]),
            ("running", &["running", "run"]),
            ("saw", &["saw", "see"]),
            ("better", &["better", "good", "well"]),
            ("largest", &["large"]),
            ("churches", &["church"]),
            ("grass", &["grass"]),
            ("stock markets", &["stock market"]),
            ("carried on", &["carry on"]),
            ("xyzzy", &[]),
            ("", &[]),
        ] {
            let found = WordNet::get().lemmas(word);
            assert!(bases.iter().all(|base| found.iter().any(|one| one == base)), "{word}: {found:?}");
            assert!(!bases.is_empty() || found.is_empty(), "{word}: {found:?}");
        }
        assert_eq!(WordNet::get().lemmas("mice"), ["mouse"]);
        assert_eq!(WordNet::get().lemmas("was"), ["be"]);
        assert_eq!(WordNet::get().lemmas("TVs"), ["tv"]);
        assert_eq!(WordNet::get().lemmas("storms"), ["storm"]);
    }
}
