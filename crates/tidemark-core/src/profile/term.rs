//! A term of a profile: words that a reader cares about, or does not want to hear of.
//!
//! Source: Kuppusamy & Aghila, eq. 13: a profile is a bag of terms. We give each a weight and say where it came from, so that every match can
//! be explained, and know negative terms, which the paper lacks.

use super::inflection::Language;
use super::wordnet::Relation;
use crate::page::words::words;
use thiserror::Error;

/// A word or a phrase.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Its words as they were written.
    pub words: String,
    /// How much it counts: above 0, at most 1.
    pub weight: f64,
    /// Whether the reader does not want to hear of it.
    pub negative: bool,
    /// Whether related words stand for it too.
    pub expands: bool,
    /// What it is written in, which decides which inflected forms match.
    pub language: Language,
    /// Where it is from.
    pub origin: Origin,
}

/// Where a term is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The reader wrote it.
    Typed,
    /// A FOAF file says it.
    Foaf {
        /// By which property, such as `interest`.
        property: &'static str,
    },
    /// It is typical of a page that the reader named.
    KeyTerm {
        /// Of which.
        page: String,
    },
    /// WordNet relates it to another term.
    Expanded {
        /// The words of that term.
        of: String,
        /// How it is related.
        relation: Relation,
        /// In how many steps.
        depth: u8,
    },
}

/// Most words of a term: some scripts are cut into single characters.
pub(super) const MOST_WORDS: usize = 32;

/// What is wrong with a term.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TermError {
    /// Nothing in it can be compared.
    #[error("'{0}' has no word in it; write a word or a phrase")]
    Empty(String),
    /// It is not something people are interested in.
    #[error("a term has at most {MOST_WORDS} words; write a shorter phrase")]
    Long,
    /// A quote that does not end, or something after it.
    #[error("the quotes in '{0}' do not fit; write \"interest rate\" or \"interest rate\" *0.5")]
    Quotes(String),
    /// Not a number above 0, up to 1.
    #[error("'{0}' is no weight; write a number above 0 and at most 1, such as *0.5")]
    Weight(String),
}

impl Term {
    /// A term of weight 1 that the reader wrote.
    pub fn typed(words: &str, language: Language) -> Self {
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { words, weight: 1.0, negative: false, expands: true, language, origin: Origin::Typed }
    }

    /// Reads one as it is written in a profile: `storm`, `"interest rate" *0.5`, `-hurricane lamp`, `=bank`.
    pub fn parse(line: &str, language: Language) -> Result<Self, TermError> {
        let line = line.trim();
        let (negative, rest) = prefixed(line, '-');
        let (alone, rest) = prefixed(rest, '=');
        let (said, weight) = split_weight(rest)?;
        let said = unquoted(said)?;
        match words(said).count() {
            0 => return Err(TermError::Empty(line.to_owned())),
            1..=MOST_WORDS => {}
            _ => return Err(TermError::Long),
        }
        Ok(Self { weight, negative, expands: !negative && !alone, ..Self::typed(said, language) })
    }

    /// The term that the reader or a page gave: itself, or the one it was made from.
    pub fn interest(&self) -> &str {
        match &self.origin {
            Origin::Expanded { of, .. } => of,
            _ => &self.words,
        }
    }

    /// Why these words match: `hurricane ← storm, hyponym`.
    pub fn reason(&self, said: &str) -> String {
        format!("{said} ← {}, {}", self.interest(), self.origin.told())
    }
}

impl Origin {
    /// In words: `typed`, `hyponym`, `foaf:interest`, `key term of blog.html`.
    pub fn told(&self) -> String {
        match self {
            Self::Typed => "typed".to_owned(),
            Self::Foaf { property } => format!("foaf:{property}"),
            Self::KeyTerm { page } => format!("key term of {page}"),
            Self::Expanded { relation, depth, .. } if *depth > 1 => {
                format!("{} in {depth} steps", name(*relation))
            }
            Self::Expanded { relation, .. } => name(*relation).to_owned(),
        }
    }
}

/// The word for a relation.
pub fn name(relation: Relation) -> &'static str {
    match relation {
        Relation::Synonym => "synonym",
        Relation::Hyponym => "hyponym",
        Relation::Hypernym => "hypernym",
    }
}

/// Whether a sign stands first, and what follows it.
fn prefixed(text: &str, sign: char) -> (bool, &str) {
    text.strip_prefix(sign).map_or((false, text), |rest| (true, rest.trim_start()))
}

/// `storm *0.5`: the words and the weight.
fn split_weight(text: &str) -> Result<(&str, f64), TermError> {
    let Some((said, weight)) = text.rsplit_once('*').filter(|(_, after)| !after.contains('"')) else {
        return Ok((text, 1.0));
    };
    let value = weight.trim().parse().ok().filter(|value| *value > 0.0 && *value <= 1.0);
    Ok((said.trim_end(), value.ok_or_else(|| TermError::Weight(weight.trim().to_owned()))?))
}

fn unquoted(text: &str) -> Result<&str, TermError> {
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    if inner.contains('"') { Err(TermError::Quotes(text.to_owned())) } else { Ok(inner) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(line: &str) -> Result<Term, TermError> {
        Term::parse(line, Language::default())
    }

    #[test]
    fn terms_are_read_as_they_are_written() {
        let storm = term("  storm ").unwrap();
        assert_eq!(
            (storm.words.as_str(), storm.weight, storm.negative, storm.expands),
            ("storm", 1.0, false, true)
        );
        let rate = term("\"interest   rate\" * 0.5").unwrap();
        assert_eq!((rate.words.as_str(), rate.weight), ("interest rate", 0.5));
        let lamp = term("-hurricane lamp").unwrap();
        assert_eq!((lamp.words.as_str(), lamp.negative, lamp.expands), ("hurricane lamp", true, false));
        assert!(!term("=bank *0.3").unwrap().expands);
        assert_eq!(term("\"-5 degrees\"").unwrap().words, "-5 degrees");
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert_eq!(term("storm *7"), Err(TermError::Weight("7".to_owned())));
        assert_eq!(term("storm *"), Err(TermError::Weight(String::new())));
        assert_eq!(term("storm *nan"), Err(TermError::Weight("nan".to_owned())));
        assert_eq!(term("\"storm"), Err(TermError::Quotes("\"storm".to_owned())));
        assert_eq!(term("- !?"), Err(TermError::Empty("- !?".to_owned())));
        assert_eq!(term(&"a ".repeat(40)), Err(TermError::Long));
    }
}
