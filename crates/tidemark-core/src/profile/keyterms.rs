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
    /// Its words, folded and in base form.
    pub words: String,
    /// How often the page says it.
    pub count: u32,
    /// The log-likelihood ratio; for phrases as above.
    pub score: f64,
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
    let mut terms = scored(&counted(&runs), total as f64, language);
    terms.sort_by(|one, other| other.score.total_cmp(&one.score).then_with(|| one.words.cmp(&other.words)));
    independent(terms, most)
}

/// Words in a row that can be terms.
fn runs(text: &str, language: Language, common: &FxHashSet<&str>) -> Vec<Vec<String>> {
    let mut forms: FxHashMap<&str, Option<String>> = FxHashMap::default();
    let mut runs = vec![Vec::new()];
    for piece in pieces(text) {
        let is_word = piece.chars().any(char::is_alphanumeric);
        if !is_word && piece.chars().all(joins) {
            continue;
        }
        let form = forms.entry(piece).or_insert_with(|| base_form(piece, language, common));
        match (form, runs.last_mut()) {
            (Some(form), Some(run)) => run.push(form.clone()),
            _ => runs.push(Vec::new()),
        }
    }
    runs
}

/// A word in base form, unless it is common, short or a number.
fn base_form(word: &str, language: Language, common: &FxHashSet<&str>) -> Option<String> {
    let folded = fold(word);
    let letters = folded.chars().filter(|character| character.is_alphabetic()).count();
    let is_term = letters >= 3 && !folded.chars().any(char::is_numeric) && !common.contains(folded.as_str());
    let base = is_term.then(|| match language {
        // The shortest: "leaves" is of the leaf rather than of taking leave, and one of them must be chosen.
        Language::English => {
            let lemmas = WordNet::get().lemmas(&folded);
            lemmas.into_iter().min_by_key(|lemma| (lemma.len(), lemma.clone()))
        }
        _ => None,
    })?;
    Some(base.unwrap_or(folded)).filter(|base| !common.contains(base.as_str()))
}

/// How often each run of one to three words is said.
fn counted(runs: &[Vec<String>]) -> FxHashMap<&[String], u32> {
    let mut counts: FxHashMap<&[String], u32> = FxHashMap::default();
    for run in runs {
        for length in 1..=LONGEST_PHRASE {
            run.windows(length).for_each(|words| *counts.entry(words).or_default() += 1);
        }
    }
    counts
}

fn scored(counts: &FxHashMap<&[String], u32>, total: f64, language: Language) -> Vec<KeyTerm> {
    let term = |(words, count): (&&[String], &u32)| {
        let ratios = words.iter().map(|word| ratio(f64::from(*count), total, word, language));
        let weakest = ratios.fold(f64::INFINITY, f64::min);
        let is_key = *count >= 2 && weakest > BEYOND_CHANCE;
        let score = weakest * (words.len() as f64).sqrt();
        is_key.then(|| KeyTerm { words: words.join(" "), count: *count, score })
    };
    counts.iter().filter_map(term).collect()
}

/// Dunning's ratio for a word said so often in so many words; 0 if it is said less than elsewhere.
fn ratio(count: f64, total: f64, word: &str, language: Language) -> f64 {
    let wordnet = WordNet::get();
    let background = (wordnet.total() as f64).max(1e6);
    let known = match language {
        Language::English => f64::from(wordnet.frequency(word)),
        _ => MIDDLING * background,
    };
    let share = (count + known) / (total + background);
    let (expected, expected_known) = (total * share, background * share);
    if count <= expected {
        return 0.0;
    }
    let part = |seen: f64, expected: f64| if seen > 0.0 { seen * (seen / expected).ln() } else { 0.0 };
    2.0 * (part(count, expected) + part(known, expected_known))
}

/// The first terms, without those that are mostly said inside of another one.
fn independent(terms: Vec<KeyTerm>, most: usize) -> Vec<KeyTerm> {
    let mut inside: FxHashMap<String, u32> = FxHashMap::default();
    for term in &terms {
        let words: Vec<&str> = term.words.split(' ').collect();
        for length in 1..words.len() {
            for part in words.windows(length) {
                let count = inside.entry(part.join(" ")).or_default();
                *count = (*count).max(term.count);
            }
        }
    }
    let is_own = |term: &KeyTerm| {
        let within = inside.get(&term.words).copied().unwrap_or(0);
        f64::from(within) < 0.8 * f64::from(term.count)
    };
    terms.into_iter().filter(is_own).take(most).collect()
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
