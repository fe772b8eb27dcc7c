//! Where a text speaks of the terms of a profile.
//!
//! Source: Kuppusamy & Aghila, eq. 14 and 16: changed words are compared with terms. Cost: the words of a text are looked up once each, whatever the size of
//! the profile; from each, phrases are followed as far as they fit, at most 32 words. We differ: words are compared in all their inflected
//! forms, phrases as phrases, and negative terms take matches away.
//!
//! A negative phrase that shares words with matches takes those away: with `-hurricane lamp`, the hurricane of a hurricane lamp is none. A negative term that
//! stands by itself says what the whole text is about: with `jaguar` and `-car`, a text that mentions a car has no match at all.

use super::Profile;
use super::inflection::{Language, fold, keys};
use super::term::{MOST_WORDS, Origin, Term};
use crate::page::words::pieces;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Most phrases that are followed at once: more than any real profile has with the same first words in other forms.
const MOST_STATES: usize = 64;

/// A profile made ready to be looked for. The default one finds nothing.
#[derive(Clone, Debug, Default)]
pub struct Matcher {
    terms: Vec<Arc<Term>>,
    /// Languages of the terms, each once.
    languages: Vec<Language>,
    /// Words of terms by their keys.
    words: FxHashMap<(Language, String), Vec<u32>>,
    /// Which state follows a state at a word; 0 is the beginning.
    next: FxHashMap<(u32, u32), u32>,
    /// For each state the terms that end there.
    ends: Vec<Vec<u32>>,
}

/// A place where a text speaks of a term.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The bytes of the text, whole words.
    pub range: Range<usize>,
    /// The term.
    pub term: Arc<Term>,
}

/// What a text says about a profile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Matches in the order of the text; no two share a byte.
    pub matches: Vec<Match>,
    /// Negative terms in the text, in its order.
    pub unwanted: Vec<Match>,
}

impl Match {
    /// Why it matches: `hurricane ← storm, hyponym`.
    pub fn reason(&self, text: &str) -> String {
        self.term.reason(text.get(self.range.clone()).unwrap_or_default())
    }
}

/// How much matches say together: of each interest the strongest match counts, so that a word said often is no more than a word said once.
pub fn weight<'a>(terms: impl Iterator<Item = &'a Term>) -> f64 {
    let mut best: FxHashMap<&str, f64> = FxHashMap::default();
    let mut order = Vec::new();
    for term in terms {
        let strongest = best.entry(term.interest()).or_insert_with(|| {
            order.push(term.interest());
            0.0
        });
        *strongest = strongest.max(term.weight);
    }
    order.iter().map(|interest| best[interest]).sum()
}

impl Matcher {
    /// Makes a profile ready. Related words are looked for if it was [expanded](Profile::expand).
    pub fn new(profile: &Profile) -> Self {
        let mut matcher = Self { ends: vec![Vec::new()], ..Self::default() };
        let mut known = Known::default();
        for term in &profile.terms {
            matcher.insert(term, &mut known);
        }
        matcher
    }

    /// Whether it can find nothing.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Finds the terms in a text.
    pub fn find(&self, text: &str) -> Found {
        if self.is_empty() {
            return Found::default();
        }
        let (unwanted, wanted) = self.candidates(text).into_iter().partition(|found| found.term.negative);
        let (unwanted, mut matches) = (chosen(unwanted), chosen(wanted));
        let is_alone = |found: &Match| !overlaps(&matches, &found.range);
        if unwanted.iter().any(is_alone) {
            matches.clear();
        }
        matches.retain(|found| !overlaps(&unwanted, &found.range));
        Found { matches, unwanted }
    }

    fn insert(&mut self, term: &Term, known: &mut Known) {
        let mut state = 0;
        for word in pieces(&term.words).filter(|piece| is_word(piece)).take(MOST_WORDS) {
            let word = self.word(word, term, known);
            let fresh = self.ends.len() as u32;
            state = *self.next.entry((state, word)).or_insert(fresh);
            if state == fresh {
                self.ends.push(Vec::new());
            }
        }
        if state != 0 {
            self.ends[state as usize].push(self.terms.len() as u32);
            self.terms.push(Arc::new(term.clone()));
        }
    }

    /// The number of a word of a term.
    ///
    /// What a reader wrote may be any form of a word. What WordNet brings is a base form and stands for itself: `singles` are a kind of tennis, and `single`
    /// is not, though it would be their base form.
    fn word(&mut self, word: &str, term: &Term, known: &mut Known) -> u32 {
        let (language, is_base) = (term.language, matches!(term.origin, Origin::Expanded { .. }));
        let keys = if is_base { vec![fold(word)] } else { keys(word, language) };
        let folded = keys.first().cloned().unwrap_or_default();
        let fresh = known.len() as u32;
        let number = *known.entry((language, is_base, folded)).or_insert(fresh);
        if number == fresh {
            keys.into_iter().for_each(|key| self.words.entry((language, key)).or_default().push(number));
            if !self.languages.contains(&language) {
                self.languages.push(language);
            }
        }
        number
    }

    /// The words of terms that a word of a text is a form of.
    fn known(&self, word: &str) -> Vec<u32> {
        let mut found = Vec::new();
        for &language in &self.languages {
            for key in keys(word, language) {
                found.extend(self.words.get(&(language, key)).into_iter().flatten());
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Every place of every term.
    fn candidates(&self, text: &str) -> Vec<Match> {
        let tokens = self.tokens(text);
        let mut found = Vec::new();
        for start in 0..tokens.len() {
            self.follow(&tokens, start, &mut found);
        }
        found
    }

    fn tokens(&self, text: &str) -> Vec<Token> {
        let mut seen: FxHashMap<&str, Rc<[u32]>> = FxHashMap::default();
        let (mut at, mut tokens, mut joined) = (0, Vec::new(), false);
        for piece in pieces(text) {
            let range = at..at + piece.len();
            at = range.end;
            if is_word(piece) {
                let words = seen.entry(piece).or_insert_with(|| self.known(piece).into());
                tokens.push(Token { range, words: Rc::clone(words), joined });
                joined = true;
            } else {
                joined = joined && piece.chars().all(joins);
            }
        }
        tokens
    }

    /// Follows all terms from a word on.
    fn follow(&self, tokens: &[Token], start: usize, found: &mut Vec<Match>) {
        let mut states = vec![0];
        for (count, token) in tokens[start..].iter().take(MOST_WORDS).enumerate() {
            if count > 0 && !token.joined {
                return;
            }
            let follow =
                |&state: &u32| token.words.iter().filter_map(move |&word| self.next.get(&(state, word)));
            states = states.iter().flat_map(follow).copied().take(MOST_STATES).collect();
            if states.is_empty() {
                return;
            }
            let range = tokens[start].range.start..token.range.end;
            let ends = states.iter().flat_map(|&state| &self.ends[state as usize]);
            found.extend(
                ends.map(|&term| Match {
                    range: range.clone(),
                    term: Arc::clone(&self.terms[term as usize]),
                }),
            );
        }
    }
}

/// Numbers of the words of terms: by language, whether they stand for themselves only, and folded form.
type Known = FxHashMap<(Language, bool, String), u32>;

/// A word of a text.
struct Token {
    range: Range<usize>,
    /// The words of terms that it is a form of.
    words: Rc<[u32]>,
    /// Whether a phrase can go on from the word before.
    joined: bool,
}

fn is_word(piece: &str) -> bool {
    piece.chars().any(char::is_alphanumeric)
}

/// Whether a phrase goes on across this: space and hyphens, but not the end of a sentence or of a block.
pub(super) fn joins(character: char) -> bool {
    (character.is_whitespace() && character != '\u{2029}')
        || matches!(character, '-' | '\'' | '’' | '\u{2010}' | '\u{2011}' | '\u{ad}' | '・')
}

/// The strongest of those that share words, longer ones before shorter ones, in the order of the text.
fn chosen(mut candidates: Vec<Match>) -> Vec<Match> {
    let length = |found: &Match| found.range.len();
    candidates.sort_by(|one, other| {
        let by_weight = other.term.weight.total_cmp(&one.term.weight);
        by_weight.then(length(other).cmp(&length(one))).then(one.range.start.cmp(&other.range.start))
    });
    let mut taken: BTreeMap<usize, Match> = BTreeMap::new();
    for found in candidates {
        let before = taken.range(..found.range.end).next_back();
        if before.is_none_or(|(_, before)| before.range.end <= found.range.start) {
            taken.insert(found.range.start, found);
        }
    }
    taken.into_values().collect()
}

/// Whether one of the matches, which are in order, shares a byte with the range.
fn overlaps(matches: &[Match], range: &Range<usize>) -> bool {
    let at = matches.partition_point(|found| found.range.end <= range.start);
    matches.get(at).is_some_and(|found| found.range.start < range.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Reach;

    fn said<'a>(profile: &str, text: &'a str) -> Vec<&'a str> {
        let matcher = Matcher::new(&Profile::parse(profile).unwrap());
        matcher.find(text).matches.into_iter().map(|found| &text[found.range]).collect()
    }

    #[test]
    fn words_and_phrases_are_found() {
        assert_eq!(
            said("storm\ninterest rate", "Storm! The interest-rate, the interest, rate."),
            ["Storm", "interest-rate"]
        );
        assert_eq!(said("storm", "brainstorm stormtrooper"), [""; 0], "whole words only");
        assert_eq!(said("storm *0.9\nstorm warning", "a storm warning"), ["storm warning"], "the stronger");
        assert_eq!(said("storm\nstorm warning *0.9", "a storm warning"), ["storm"]);
        assert_eq!(
            said("storm\nstorm warning", "a storm warning"),
            ["storm warning"],
            "the longer of equals"
        );
    }

    #[test]
    fn other_languages_match_what_was_typed() {
        assert_eq!(said("language: ja\n台風", "大型の台風が来る"), ["台風"]);
        assert_eq!(said("language: fr\nmarée", "La MARÉE monte"), ["MARÉE"]);
        assert_eq!(said("language: de\nÜberschwemmung", "die überschwemmung"), ["überschwemmung"]);
    }

    #[test]
    fn what_wordnet_brings_is_a_base_form_already() {
        let profile = Profile::parse("tennis\nwind").unwrap().expand(&Reach::default());
        assert!(profile.terms.iter().any(|term| term.words == "singles"));
        let matcher = Matcher::new(&profile);
        let count = |text| matcher.find(text).matches.len();
        assert_eq!([count("the singles"), count("a single file, north of here")], [1, 0]);
        assert_eq!(count("breezes"), 1, "the text may have any form");
    }

    #[test]
    fn a_negative_phrase_takes_the_matches_in_it() {
        let profile = "hurricane\n-hurricane lamp";
        assert_eq!(said(profile, "A hurricane lamp for the hurricane season"), ["hurricane"]);
        let text = "A hurricane lamp";
        let found = Matcher::new(&Profile::parse(profile).unwrap()).find(text);
        assert!(found.matches.is_empty());
        assert_eq!(found.unwanted.len(), 1);
    }

    #[test]
    fn a_negative_term_by_itself_silences_the_text() {
        assert_eq!(said("jaguar\n-car", "The jaguar sleeps."), ["jaguar"]);
        assert_eq!(said("jaguar\n-car", "The jaguar is a fast car."), [""; 0]);
    }

    #[test]
    fn the_reason_says_where_a_match_is_from() {
        let matcher = Matcher::new(&Profile::parse("storm").unwrap());
        let text = "STORM";
        assert_eq!(matcher.find(text).matches[0].reason(text), "STORM ← storm, typed");
    }

    #[test]
    fn a_word_said_often_weighs_as_much_as_once() {
        let matcher = Matcher::new(&Profile::parse("storm *0.5\nrain *0.25").unwrap());
        let weigh = |text| weight(matcher.find(text).matches.iter().map(|found| &*found.term));
        assert!((weigh("storm storm storm") - 0.5).abs() < 1e-9);
        assert!((weigh("storm, rain and storm") - 0.75).abs() < 1e-9);
    }
}
