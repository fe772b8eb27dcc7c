//! Readers of the set: what each of them typed, and what each of them wants to hear of.

use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;

const EXPECTED: &str = include_str!("../../profiles/expected.txt");

/// Name, typed terms, and the FOAF file if there is one.
const WRITTEN: [(&str, &str, Option<&str>); 6] = [
    ("coast", include_str!("../../profiles/coast.txt"), None),
    ("developer", include_str!("../../profiles/developer.txt"), None),
    ("tenant", include_str!("../../profiles/tenant.txt"), None),
    ("naturalist", include_str!("../../profiles/naturalist.txt"), None),
    ("pendler", include_str!("../../profiles/pendler.txt"), None),
    ("nurse", include_str!("../../profiles/nurse.txt"), Some(include_str!("../../profiles/nurse.ttl"))),
];

/// One reader.
#[derive(Clone, Debug)]
pub struct Reader {
    /// A name.
    pub name: &'static str,
    /// Terms as they were typed.
    pub typed: &'static str,
    /// A FOAF file in Turtle, if there is one.
    pub foaf: Option<&'static str>,
    /// Numbers of the changes that this reader wants to hear of.
    pub wanted: BTreeSet<usize>,
}

impl Reader {
    /// All readers.
    pub fn all() -> Result<Vec<Self>> {
        let readers = WRITTEN
            .into_iter()
            .map(|(name, typed, foaf)| Ok(Self { name, typed, foaf, wanted: wanted(EXPECTED, name)? }));
        readers.collect()
    }
}

/// The numbers after a reader's name.
fn wanted(expected: &str, name: &str) -> Result<BTreeSet<usize>> {
    let lines = expected.lines().filter(|line| !line.starts_with('#'));
    let mut lists = lines.filter_map(|line| line.split_once(": ").filter(|(reader, _)| *reader == name));
    let (_, list) = lists.next().with_context(|| format!("nobody has judged for {name}"))?;
    let numbers: Vec<usize> = list
        .split_whitespace()
        .map(|number| number.parse().with_context(|| format!("'{number}' is no number of a change")))
        .collect::<Result<_>>()?;
    ensure!(numbers.is_sorted_by(|a, b| a < b), "the numbers for {name} are not in order");
    Ok(numbers.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgements_are_read() {
        let expected = "# a: 7\na: 1 2 30\nb: 4\nc: 2 1\nd: x";
        assert_eq!(wanted(expected, "a").unwrap(), [1, 2, 30].into());
        assert_eq!(wanted(expected, "b").unwrap(), [4].into());
        for wrong in ["c", "d", "e"] {
            assert!(wanted(expected, wrong).is_err(), "{wrong}");
        }
    }
}
