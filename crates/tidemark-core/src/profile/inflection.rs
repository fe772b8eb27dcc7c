//! Inflected forms: the keys under which a word is compared, so that `storms` meets `storm`.
//!
//! Source: for English, WordNet's `morphy` (see `wordnet/morphy.rs`), and Porter's Snowball stemmer where WordNet has no base
//! form (`smartphones`); for other languages the Snowball stemmer (<https://snowballstem.org>, version 3). Cost: linear, and
//! words longer than `LONGEST` are compared as they stand, as stemmers copy the word at each of their steps.
//! We differ from search engines: English keys are base forms, not stems, since a stem throws `universe` and `university`
//! together, and a reader is told of a change only once too often.
//!
//! Diacritics: in English they come and go (`résumé`, `resume`; WordNet has the latter), so a word has its bare form as another
//! key. Elsewhere they tell words apart (`año` and `ano`) and stay in the folded form; a stemmer takes off those that
//! come and go in inflection (`Häuser`, `Haus`), and the German one so throws `schon` and `schön` together.

mod language;

pub use language::Language;

use super::wordnet::WordNet;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Longest word, in bytes, whose inflection is looked at.
const LONGEST: usize = 96;

/// A word as it is compared: lower case, no possessive, one spelling of what looks the same (NFKC), nothing invisible in it.
pub fn fold(word: &str) -> String {
    let mut folded: String = if word.is_ascii() {
        word.to_ascii_lowercase()
    } else {
        word.nfkc().flat_map(char::to_lowercase).filter_map(plain).nfc().collect()
    };
    let possessive = ["'s", "'"].iter().find_map(|ending| folded.strip_suffix(ending));
    if let Some(length) = possessive.map(str::len).filter(|&length| length > 0) {
        folded.truncate(length);
    }
    folded
}

/// The keys of a word, its folded form first, each once. Two words that share a key are taken for forms of one word.
pub fn keys(word: &str, language: Language) -> Vec<String> {
    let folded = fold(word);
    let mut keys = vec![folded];
    if keys[0].len() > LONGEST {
        return keys;
    }
    if language == Language::English {
        english(&mut keys);
    } else if let Some(stemmer) = language.stemmer() {
        let word = without_article(&keys[0], language).to_owned();
        let stem = stemmer.stem(&word).into_owned();
        keys.extend([word, stem]);
    }
    once(keys)
}

fn english(keys: &mut Vec<String>) {
    if !keys[0].is_ascii() {
        keys.push(keys[0].nfd().filter(|&letter| !is_combining_mark(letter)).nfc().collect());
    }
    let mut lemmas: Vec<String> = keys.iter().flat_map(|key| WordNet::get().lemmas(key)).collect();
    if lemmas.is_empty() {
        let stemmer = Language::English.stemmer();
        lemmas.extend(stemmer.zip(keys.last()).map(|(stemmer, word)| stemmer.stem(word).into_owned()));
    }
    keys.extend(lemmas);
}

/// `l'eau` is `eau`, `dell'acqua` is `acqua`: the rules for words of Unicode do not cut there.
fn without_article(word: &str, language: Language) -> &str {
    let elides = matches!(language, Language::French | Language::Italian | Language::Catalan);
    let cut =
        word.split_once('\'').filter(|(article, rest)| elides && article.len() <= 5 && !rest.is_empty());
    cut.map_or(word, |(_, rest)| rest)
}

/// One spelling of the apostrophe; soft hyphens and joiners are not seen.
fn plain(letter: char) -> Option<char> {
    match letter {
        '\u{2019}' | '\u{2018}' | '\u{2bc}' => Some('\''),
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => None,
        other => Some(other),
    }
}

fn once(keys: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::with_capacity(keys.len());
    for key in keys {
        if !key.is_empty() && !kept.contains(&key) {
            kept.push(key);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(left: &str, right: &str, language: Language) -> bool {
        keys(left, language).iter().any(|key| keys(right, language).contains(key))
    }

    #[test]
    fn one_spelling_of_what_looks_the_same() {
        for (word, folded) in [
            ("Storm's", "storm"),
            ("storms’", "storms"),
            ("\u{fb01}sh", "fish"),
            ("cafe\u{301}", "café"),
            ("Donau\u{ad}dampfer", "donaudampfer"),
            ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
            ("'", "'"),
            ("'s", "'s"),
            ("", ""),
        ] {
            assert_eq!(fold(word), folded);
        }
    }

    #[test]
    fn forms_of_one_word_meet() {
        for (left, right, language) in [
            ("Storms", "storm", Language::English),
            ("mice", "Mouse's", Language::English),
            ("smartphones", "Smartphone", Language::English),
            ("résumés", "resume", Language::English),
            ("Häuser", "Haus", Language::German),
            ("l’élection", "élections", Language::French),
            ("dell'elezione", "Elezioni", Language::Italian),
            ("выборов", "выборы", Language::Russian),
            ("日本", "日本", Language::Other),
        ] {
            assert!(
                meet(left, right, language),
                "{left} {right}: {:?} {:?}",
                keys(left, language),
                keys(right, language)
            );
        }
    }

    #[test]
    fn other_words_do_not_meet() {
        for (left, right, language) in [
            ("universe", "university", Language::English),
            ("news", "new", Language::English),
            ("schon", "schön", Language::Other),
            ("año", "ano", Language::Spanish),
            ("storms", "storm", Language::Other),
        ] {
            assert!(!meet(left, right, language), "{left} {right}");
        }
    }

    #[test]
    fn a_very_long_word_has_one_key() {
        let word = "ing".repeat(10_000);
        assert!(Language::KNOWN.iter().all(|&language| keys(&word, language) == [word.as_str()]));
    }
}
