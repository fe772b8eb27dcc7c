//! What counts how much: the three weights of a coefficient, and the table of attribute weights.
//!
//! Source: Artail & Fawaz, section 3.3.4: alpha, beta and gamma of equation 4; Weight of equation 2, which is read from a file
//! with a number from 0 to 100 for each attribute. Cost: linear in the file; one look-up an attribute.
//! We differ: the file is a line `name weight` per attribute, not XML. The paper says only that weights follow how relevant and
//! how frequent an attribute is, and that `href` is above `rules`; the numbers of our table are our own.

use std::collections::BTreeMap;
use thiserror::Error;

/// Weights of a coefficient. Each is in [0, 1], and they sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    path: f64,
    attributes: f64,
    words: f64,
}

/// Why three numbers are no weights.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum WeightsError {
    /// One is negative or no number.
    #[error("the weight of {name} is {value}; give a number from 0 to 1")]
    OutOfRange {
        /// Which one.
        name: &'static str,
        /// What it is.
        value: f64,
    },
    /// They are not shares of one whole.
    #[error("the weights of path, attributes and words sum to {sum}; give three that sum to 1")]
    Sum {
        /// Their sum.
        sum: f64,
    },
}

impl Weights {
    /// Weights of path (alpha), attributes (beta) and words (gamma).
    pub fn new(path: f64, attributes: f64, words: f64) -> Result<Self, WeightsError> {
        for (name, value) in [("path", path), ("attributes", attributes), ("words", words)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(WeightsError::OutOfRange { name, value });
            }
        }
        let sum = path + attributes + words;
        // Three shares written in decimals need not sum to 1 exactly in binary.
        if (sum - 1.0).abs() > 1e-9 {
            return Err(WeightsError::Sum { sum });
        }
        Ok(Self { path, attributes, words })
    }

    /// Weight of the path, alpha.
    pub const fn path(self) -> f64 {
        self.path
    }

    /// Weight of the attributes, beta.
    pub const fn attributes(self) -> f64 {
        self.attributes
    }

    /// Weight of the words, gamma.
    pub const fn words(self) -> f64 {
        self.words
    }
}

/// The paper's balanced configuration (4, 3, 3) of section 4.1.
impl Default for Weights {
    fn default() -> Self {
        Self { path: 0.4, attributes: 0.3, words: 0.3 }
    }
}

/// How relevant each attribute is, from 0 (a change of it does not count) to 100.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeWeights {
    table: BTreeMap<String, u8>,
    others: u8,
}

/// What is wrong in a table of attribute weights, and in which line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line} of the attribute weights: {problem}")]
pub struct AttributeWeightsError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to write instead.
    pub problem: String,
}

impl AttributeWeights {
    /// Weight of attributes that a table does not name.
    const OTHERS: u8 = 50;

    /// Reads a table: a line `name weight` for each attribute, `*` for all others. What follows a `#` at the start of a word
    /// is a remark. Names are as pages have them: small letters in HTML.
    pub fn parse(text: &str) -> Result<Self, AttributeWeightsError> {
        let mut read = Self { table: BTreeMap::new(), others: Self::OTHERS };
        let mut others_named = false;
        for (at, line) in text.lines().enumerate() {
            let fail = |problem| Err(AttributeWeightsError { line: at + 1, problem });
            let (name, weight) = match entry(line) {
                Ok(Some(entry)) => entry,
                Ok(None) => continue,
                Err(problem) => return fail(problem),
            };
            let again = match name {
                "*" => {
                    read.others = weight;
                    std::mem::replace(&mut others_named, true)
                }
                _ => read.table.insert(name.to_owned(), weight).is_some(),
            };
            if again {
                return fail(format!("{name} has a weight already; leave one of the two lines out"));
            }
        }
        Ok(read)
    }

    /// The weight of an attribute.
    pub fn weight(&self, name: &str) -> u8 {
        self.table.get(name).copied().unwrap_or(self.others)
    }
}

/// Name and weight of a line; nothing if it is empty.
fn entry(line: &str) -> Result<Option<(&str, u8)>, String> {
    let words: Vec<&str> = line.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
    match words[..] {
        [] => Ok(None),
        [name, weight] => match weight.parse() {
            Ok(weight @ 0..=100) => Ok(Some((name, weight))),
            _ => Err(format!("'{weight}' is no weight; give a whole number from 0 to 100")),
        },
        _ => Err(format!("'{}' is not a name and a weight; write such as: href 100", line.trim())),
    }
}

/// What a link or a picture points to first, then what a reader meets, then names for programs, then looks.
const TABLE: &str = include_str!("attributes.txt");

impl Default for AttributeWeights {
    fn default() -> Self {
        Self::parse(TABLE).unwrap_or(Self { table: BTreeMap::new(), others: Self::OTHERS })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_1() {
        assert!(Weights::new(0.1, 0.2, 0.7).is_ok());
        assert!(Weights::new(0.0, 0.0, 1.0).is_ok());
        let error = Weights::new(0.5, 0.5, 0.5).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the weights of path, attributes and words sum to 1.5; give three that sum to 1"
        );
        let error = Weights::new(1.5, -0.5, 0.0).unwrap_err();
        assert_eq!(error.to_string(), "the weight of path is 1.5; give a number from 0 to 1");
        assert!(Weights::new(f64::NAN, 0.5, 0.5).is_err());
        let balanced = Weights::default();
        assert_eq!(Weights::new(balanced.path(), balanced.attributes(), balanced.words()), Ok(balanced));
    }

    #[test]
    fn the_default_table_is_sound() {
        assert!(AttributeWeights::parse(TABLE).is_ok());
        let weights = AttributeWeights::default();
        assert_eq!(weights.weight("href"), 100);
        assert!(weights.weight("href") > weights.weight("rules"), "the paper's example");
        assert_eq!(weights.weight("no-such-attribute"), 50);
    }

    #[test]
    fn a_table_can_be_replaced() {
        let weights = AttributeWeights::parse("# mine\n\nhref 7 # little\r\n  xml:lang\t100\n* 0\n").unwrap();
        assert_eq!(["href", "xml:lang", "class"].map(|name| weights.weight(name)), [7, 100, 0]);
        assert_eq!(AttributeWeights::parse("").unwrap().weight("href"), 50);
    }

    #[test]
    fn a_wrong_line_is_named() {
        let problem = |text| AttributeWeights::parse(text).unwrap_err().to_string();
        assert_eq!(
            problem("href 100\nclass 101"),
            "line 2 of the attribute weights: '101' is no weight; give a whole number from 0 to 100"
        );
        assert_eq!(
            problem("\nhref"),
            "line 2 of the attribute weights: 'href' is not a name and a weight; write such as: href 100"
        );
        assert_eq!(
            problem("a 1\nb 2\na 1"),
            "line 3 of the attribute weights: a has a weight already; leave one of the two lines out"
        );
        assert!(problem("* 1\n* 1").starts_with("line 2"));
        assert!(problem("a -1").contains("'-1' is no weight"));
    }
}
