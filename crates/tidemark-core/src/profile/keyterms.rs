//! What a page is about: words and phrases that it says far more often than other texts do.
//!
//! Source: the log-likelihood ratio of Dunning, "Accurate methods for the statistics of surprise and coincidence" (1993), of the page against the
//! word counts of WordNet's texts; the paper only says that key terms are extracted. Cost: linear in the page, and a sort of what it repeats.
//!
//! - A word counts in all its forms together, if it is said twice at least and the ratio is beyond chance (10.83, one in a thousand).
//! - A phrase is two or three words in a row with no common word, number or mark between them. It is as surprising as its weakest word would be, said as
//!   often as the phrase, times the root of its length; so `last year` is none, however often it is said. Words said mostly in a chosen phrase are left out.
//! - A word that the background does not know, such as a name, is as surprising as can be.
//! - Other languages have no background here: every word is taken to be of the same middling frequency, and what remains of the common words goes by a
//!   short list. A language without a list gives no terms, since its commonest words would be all of them.

use super::inflection::{Language, fold};
use super::matcher::joins;
use super::wordnet::WordNet;
use crate::page::words::pieces;
use rustc_hash::{FxHashMap, FxHashSet};

/// A term that a page is about.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyTerm {
    /// Its words in lower case, in the form that the page says first.
    pub words: String,
    /// How often the page says it.
    pub count: u32,
    /// The log-likelihood ratio; for phrases as above.
    pub score: f64,
}

/// A word that can be part of a term: its base form and as it is said.
#[derive(Clone, Debug)]
struct Word {
    base: String,
    said: String,
}

/// A term with its base form, under which it is counted.
struct Candidate<'a> {
    base: Vec<&'a str>,
    term: KeyTerm,
}

/// One in a thousand by chance.
const BEYOND_CHANCE: f64 = 10.83;
const LONGEST_PHRASE: usize = 3;
/// A word in ten thousand: what a word of an unknown language is taken for.
const MIDDLING: f64 = 1e-4;

/// The commonest words of some languages, written for this purpose.
const COMMON: [(&str, &str); 7] = [
    ("en", include_str!("common/en.txt")),
    ("de", include_str!("common/de.txt")),
    ("fr", include_str!("common/fr.txt")),
    ("es", include_str!("common/es.txt")),
    ("it", include_str!("common/it.txt")),
    ("nl", include_str!("common/nl.txt")),
    ("pt", include_str!("common/pt.txt")),
];

/// The key terms of a text, the most typical first.
pub fn key_terms(text: &str, language: Language, most: usize) -> Vec<KeyTerm> {
    let Some(common) = common(language) else { return Vec::new() };
    let runs = runs(text, language, &common);
    let total = pieces(text).filter(|piece| piece.chars().any(char::is_alphanumeric)).count();
    let mut found = candidates(&runs, total as f64, language);
    found.sort_by(|one, other| {
        other.term.score.total_cmp(&one.term.score).then_with(|| one.base.cmp(&other.base))
    });
    independent(&found, most)
}

/// Words in a row that can be terms.
fn runs(text: &str, language: Language, common: &FxHashSet<&str>) -> Vec<Vec<Word>> {
    let mut known: FxHashMap<&str, Option<Word>> = FxHashMap::default();
    let mut runs = vec![Vec::new()];
    for piece in pieces(text) {
        let is_word = piece.chars().any(char::is_alphanumeric);
        if !is_word && piece.chars().all(joins) {
            continue;
        }
        let word = known.entry(piece).or_insert_with(|| word(piece, language, common));
        match (word, runs.last_mut()) {
            (Some(word), Some(run)) => run.push(word.clone()),
            _ => runs.push(Vec::new()),
        }
    }
    runs
}

/// A word, unless it is common, short or a number.
fn word(piece: &str, language: Language, common: &FxHashSet<&str>) -> Option<Word> {
    let said = fold(piece);
    let letters = said.chars().filter(|character| character.is_alphabetic()).count();
    if letters < 3 || said.chars().any(char::is_numeric) || common.contains(said.as_str()) {
        return None;
    }
    let lemmas = if language == Language::English { WordNet::get().lemmas(&said) } else { Vec::new() };
    // One of them must be chosen: the shortest is the plainest.
    let base = lemmas.into_iter().min_by_key(|lemma| (lemma.len(), lemma.clone()));
    let base = base.unwrap_or_else(|| said.clone());
    (!common.contains(base.as_str())).then_some(Word { base, said })
}

/// Runs of one to three words that are said twice at least and beyond chance.
fn candidates(runs: &[Vec<Word>], total: f64, language: Language) -> Vec<Candidate<'_>> {
    let mut counts: FxHashMap<Vec<&str>, (u32, &[Word])> = FxHashMap::default();
    for run in runs {
        for words in (1..=LONGEST_PHRASE).flat_map(|length| run.windows(length)) {
            let base = words.iter().map(|word| word.base.as_str()).collect();
            counts.entry(base).or_insert((0, words)).0 += 1;
        }
    }
    let often = counts.into_iter().filter(|(_, (count, _))| *count >= 2);
    let scored =
        often.map(|(base, (count, words))| Candidate { base, term: scored(words, count, total, language) });
    scored.filter(|candidate| candidate.term.score > 0.0).collect()
}

/// A run of words with its score; 0 if one of them is no more than chance.
fn scored(words: &[Word], count: u32, total: f64, language: Language) -> KeyTerm {
    let ratios = words.iter().map(|word| ratio(f64::from(count), total, word, language));
    let weakest = ratios.fold(f64::INFINITY, f64::min);
    let score = if weakest > BEYOND_CHANCE { weakest * (words.len() as f64).sqrt() } else { 0.0 };
    let words = words.iter().map(|word| word.said.as_str()).collect::<Vec<_>>().join(" ");
    KeyTerm { words, count, score }
}

/// Dunning's ratio for a word said so often in so many words; 0 if it is said less than elsewhere.
fn ratio(count: f64, total: f64, word: &Word, language: Language) -> f64 {
    let background = (WordNet::get().total() as f64).max(1e6);
    let known = known(word, language, background);
    let share = (count + known) / (total + background);
    let (expected, expected_known) = (total * share, background * share);
    if count <= expected {
        return 0.0;
    }
    let part = |seen: f64, expected: f64| if seen > 0.0 { seen * (seen / expected).ln() } else { 0.0 };
    2.0 * (part(count, expected) + part(known, expected_known))
}

/// How often the background says a word, in both forms that are known of it.
fn known(word: &Word, language: Language, background: f64) -> f64 {
    if language != Language::English {
        return MIDDLING * background;
    }
    let frequency = |form: &str| f64::from(WordNet::get().frequency(form));
    let said = if word.said == word.base { 0.0 } else { frequency(&word.said) };
    frequency(&word.base) + said
}

/// The first terms, without those that are mostly said inside of another one.
fn independent(found: &[Candidate<'_>], most: usize) -> Vec<KeyTerm> {
    let mut inside: FxHashMap<&[&str], u32> = FxHashMap::default();
    for Candidate { base, term } in found {
        for part in (1..base.len()).flat_map(|length| base.windows(length)) {
            let count = inside.entry(part).or_default();
            *count = (*count).max(term.count);
        }
    }
    let is_own = |candidate: &&Candidate<'_>| {
        let within = inside.get(&candidate.base[..]).copied().unwrap_or(0);
        f64::from(within) < 0.8 * f64::from(candidate.term.count)
    };
    found.iter().filter(is_own).take(most).map(|candidate| candidate.term.clone()).collect()
}

/// The commonest words of a language, folded; none for a language without a list.
fn common(language: Language) -> Option<FxHashSet<&'static str>> {
    let is_its = |(tag, _): &&(&str, &str)| language != Language::Other && Language::of(tag) == language;
    let (_, list) = COMMON.iter().find(is_its)?;
    Some(list.split_whitespace().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "The kettle is blue. Our kettles boil water in a minute; a kettle from Zarnitz boils it \
        faster. Every year we test kettles, and this year Zarnitz won. The heating element is new. A heating element \
        should last. In 2024, 2024 and 2024 it did.";

    fn words(text: &str, language: Language) -> Vec<String> {
        key_terms(text, language, 10).into_iter().map(|term| term.words).collect()
    }

    #[test]
    fn a_page_is_about_what_it_repeats_and_others_do_not() {
        let found = words(PAGE, Language::English);
        for term in ["kettle", "zarnitz", "heating element"] {
            assert!(found.iter().any(|word| word == term), "{term}: {found:?}");
        }
        for term in ["the", "year", "2024", "element"] {
            assert!(!found.iter().any(|word| word == term), "{term}: {found:?}");
        }
    }

    #[test]
    fn the_answer_repeats_and_is_bounded() {
        assert_eq!(key_terms(PAGE, Language::English, 10), key_terms(PAGE, Language::English, 10));
        assert_eq!(key_terms(PAGE, Language::English, 1).len(), 1);
        assert_eq!(key_terms("", Language::English, 9), []);
    }

    #[test]
    fn other_languages_go_by_a_list_of_common_words() {
        let german =
            "Die Sturmflut kam in der Nacht. Nach der Sturmflut war die Stadt nass, und die Sturmflut ging.";
        assert_eq!(words(german, Language::of("de")), ["sturmflut"]);
        assert_eq!(words("дождь дождь дождь", Language::Other), [""; 0]);
    }
}
