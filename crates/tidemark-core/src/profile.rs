//! A reader's interests: terms with weights, from a list, a FOAF file and pages; related words that stand for them; where a text speaks of them.
//!
//! The way of the data: lines, [`Foaf`], [`key_terms`] → [`Profile`] → [`expand`](Profile::expand), by WordNet → [`Matcher`] → matches in a text, or in
//! [`Changes`](crate::render::Changes). Source: Kuppusamy & Aghila, eq. 13 to 16.

pub mod foaf;
pub mod inflection;
pub mod keyterms;
pub mod matcher;
pub mod term;
pub mod wordnet;

pub use foaf::{Foaf, FoafError};
pub use inflection::Language;
pub use keyterms::{KeyTerm, key_terms};
pub use matcher::{Found, Match, Matcher};
pub use term::{Origin, Term, TermError};
pub use wordnet::{Reach, Relation};

use inflection::fold;
use rustc_hash::FxHashMap;
use thiserror::Error;
use wordnet::WordNet;

/// What a reader cares about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// The terms, in the order they were given.
    pub terms: Vec<Term>,
}

/// Most terms of a profile, related words included.
pub const MOST_TERMS: usize = 20_000;

/// What is wrong with a profile.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProfileError {
    /// A line cannot be read.
    #[error("line {line}: {error}")]
    Line {
        /// Which, counted from 1.
        line: usize,
        /// Why.
        error: TermError,
    },
    /// More than anybody is interested in.
    #[error("a profile has at most {MOST_TERMS} terms")]
    Many,
}

impl Profile {
    /// Reads terms, one a line. What follows a `#` at the beginning of a line or after space is left out; `language: de` holds for the lines after it.
    pub fn parse(text: &str) -> Result<Self, ProfileError> {
        let (mut terms, mut language) = (Vec::new(), Language::default());
        for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = without_comment(line).trim();
            if let Some(tag) = line.strip_prefix("language:") {
                language = Language::of(tag.trim());
            } else if !line.is_empty() {
                let term = Term::parse(line, language);
                terms.push(term.map_err(|error| ProfileError::Line { line: at + 1, error })?);
            }
            if terms.len() > MOST_TERMS {
                return Err(ProfileError::Many);
            }
        }
        let mut profile = Self::default();
        profile.add(terms);
        Ok(profile)
    }

    /// Adds terms. The same words given twice count as much as the stronger of them; negative terms are terms of their own.
    pub fn add(&mut self, terms: impl IntoIterator<Item = Term>) {
        let key = |term: &Term| (term.negative, term.language, fold(&term.words));
        let mut places: FxHashMap<_, usize> =
            self.terms.iter().enumerate().map(|(at, term)| (key(term), at)).collect();
        for term in terms {
            let at = *places.entry(key(&term)).or_insert(self.terms.len());
            match self.terms.get_mut(at) {
                Some(other) if other.weight < term.weight => *other = term,
                Some(_) => {}
                None => self.terms.push(term),
            }
        }
    }

    /// Adds the key terms of a page, given line by line: half as strong as terms that were written, the most typical first. Their related words are left alone.
    pub fn add_page(&mut self, page: &str, lines: &[String], language: Language, most: usize) {
        let found = key_terms(&lines.join("\u{2029}"), language, most);
        let best = found.first().map_or(1.0, |term| term.score);
        self.add(found.into_iter().map(|KeyTerm { words, score, .. }| {
            let weight = (0.5 * (score / best).sqrt()).max(0.05);
            let origin = Origin::KeyTerm { page: page.to_owned() };
            Term { weight, origin, expands: false, ..Term::typed(&words, language) }
        }));
    }

    /// The profile with the words that WordNet relates to its terms, each weaker than the term it stands for.
    ///
    /// Source: eq. 15. We differ: the paper takes all synonyms, hyponyms and hypernyms as equals of the term; here they have a reach and a weight, and
    /// none takes the place of a term that the profile has, or does not want.
    #[must_use]
    pub fn expand(&self, reach: &Reach) -> Self {
        let mut related: FxHashMap<String, usize> =
            self.terms.iter().map(|term| (fold(&term.words), usize::MAX)).collect();
        let mut profile = self.clone();
        for term in self.terms.iter().filter(|term| term.expands && term.language == Language::English) {
            for word in WordNet::get().related(&term.words, reach) {
                let found = expanded(term, &word);
                match related.get(&word.words) {
                    Some(&at) if at == usize::MAX || profile.terms[at].weight >= found.weight => {}
                    Some(&at) => profile.terms[at] = found,
                    None if profile.terms.len() < MOST_TERMS => {
                        related.insert(word.words, profile.terms.len());
                        profile.terms.push(found);
                    }
                    None => {}
                }
            }
        }
        profile
    }
}

fn expanded(term: &Term, word: &wordnet::Related) -> Term {
    let origin = Origin::Expanded { of: term.words.clone(), relation: word.relation, depth: word.depth };
    let weight = term.weight * word.weight;
    Term {
        words: word.words.clone(),
        weight,
        negative: false,
        expands: false,
        language: term.language,
        origin,
    }
}

/// `C#` is a word, ` # like this` is a comment.
fn without_comment(line: &str) -> &str {
    let mut starts = line.match_indices('#').map(|(at, _)| at);
    let start = starts.find(|&at| line[..at].chars().next_back().is_none_or(char::is_whitespace));
    start.map_or(line, |at| &line[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_a_list_of_lines() {
        let text = "# mine\nstorm\n\n\"interest rate\" *0.5 # money\nlanguage: de\nZinsen\n-C#\n";
        let profile = Profile::parse(text).unwrap();
        let words: Vec<&str> = profile.terms.iter().map(|term| term.words.as_str()).collect();
        assert_eq!(words, ["storm", "interest rate", "Zinsen", "C#"]);
        assert_eq!(profile.terms[2].language, Language::of("de"));
        assert!(profile.terms[3].negative);
    }

    #[test]
    fn an_error_names_its_line() {
        let error = Profile::parse("storm\n\nrain *2").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 3: '2' is no weight; write a number above 0 and at most 1, such as *0.5"
        );
    }

    #[test]
    fn words_given_twice_are_one_term_of_the_greater_weight() {
        let profile = Profile::parse("storm *0.5\nStorm\nstorm *0.2").unwrap();
        assert_eq!(profile.terms.len(), 1);
        assert!((profile.terms[0].weight - 1.0).abs() < 1e-9);
    }
}
