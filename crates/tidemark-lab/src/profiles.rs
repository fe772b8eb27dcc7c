//! Profiles of readers beside a set of changes judged by hand: is what a reader wants marked, and little else?
//!
//! The set lies in `profiles/`: changes as they could stand on watched pages, six readers, and what each of them wants to hear of. The
//! judgements were written before there was a matcher and without a thesaurus, and some of them no list of words can find.
//!
//! Whoever tunes the defaults to this set tries them on the odd numbers and checks them on the even ones.

mod reader;
mod sample;
mod score;
mod trial;

pub use reader::Reader;
pub use sample::Sample;
pub use score::Score;
pub use trial::{Compared, Setting, Trial};

use crate::table::Table;
use anyhow::Result;
use serde_json::{Value, json};

/// Which changes of the set take part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// All of them.
    #[default]
    All,
    /// Those with odd numbers, to try settings on.
    Odd,
    /// Those with even numbers, to check them.
    Even,
}

/// A reader with what was marked before and after expansion.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The reader.
    pub reader: Reader,
    /// By typed terms, in all their inflected forms.
    pub typed: Trial,
    /// By related words too.
    pub expanded: Trial,
}

/// All changes of the set.
pub fn samples() -> Result<Vec<Sample>> {
    Sample::all(include_str!("../profiles/changes.txt"))
}

/// Compares the pages of a part of the set.
pub fn compared(part: Part) -> Result<Vec<Compared>> {
    let mut samples = samples()?;
    samples.retain(|sample| part.has(sample.number));
    samples.into_iter().map(Compared::of).collect()
}

/// Tries all readers on changes.
pub fn tried(compared: &[Compared], setting: &Setting) -> Result<Vec<Tried>> {
    let readers = Reader::all()?.into_iter();
    let tried = readers.map(|reader| {
        let typed = Trial::of(&reader, false, setting, compared)?;
        Ok(Tried { expanded: Trial::of(&reader, true, setting, compared)?, typed, reader })
    });
    tried.collect()
}

/// The scores of all readers together, before and after expansion.
pub fn total(tried: &[Tried]) -> [Score; 2] {
    let sum = |of: fn(&Tried) -> &Trial| {
        tried.iter().fold(Score::default(), |sum, tried| sum.plus(&of(tried).score))
    };
    [sum(|tried| &tried.typed), sum(|tried| &tried.expanded)]
}

/// Tries all readers and prints how it went.
pub fn evaluate(part: Part, setting: &Setting, as_json: bool, show_errors: bool) -> Result<()> {
    let compared = compared(part)?;
    let tried = tried(&compared, setting)?;
    if as_json {
        println!("{:#}", to_json(&tried, setting));
        return Ok(());
    }
    println!("{} changes, {} readers; {setting:?}\n", compared.len(), tried.len());
    print!("{}", table(&tried));
    let [typed, expanded] = total(&tried);
    let raises = expanded.recall() > typed.recall() && expanded.precision() * 2.0 > typed.precision();
    let verdict = if raises { "met" } else { "MISSED" };
    println!("\ntarget: expansion raises recall and does not halve precision; {verdict}");
    if show_errors {
        tried.iter().for_each(|tried| print_errors(tried, &compared));
    }
    Ok(())
}

impl Part {
    fn has(self, number: usize) -> bool {
        match self {
            Self::All => true,
            Self::Odd => !number.is_multiple_of(2),
            Self::Even => number.is_multiple_of(2),
        }
    }
}

fn table(tried: &[Tried]) -> Table {
    let mut table =
        Table::new(["reader", "wanted", "precision", "recall", "F1", "expanded: precision", "recall", "F1"]);
    for one in tried {
        table.row(row(one.reader.name, [&one.typed.score, &one.expanded.score]));
    }
    table.row(row("all", total(tried).each_ref()));
    table
}

fn row(name: &str, scores: [&Score; 2]) -> Vec<String> {
    let shares = scores.iter().flat_map(|score| [score.precision(), score.recall(), score.f1()]);
    let wanted = scores[0].hits + scores[0].misses;
    [name.to_owned(), wanted.to_string()]
        .into_iter()
        .chain(shares.map(|share| format!("{share:.3}")))
        .collect()
}

/// What is marked wrongly and what is missed after expansion; a star where typed terms alone do the same.
fn print_errors(tried: &Tried, compared: &[Compared]) {
    let told = |number: usize| {
        let found = compared.iter().find(|one| one.sample.number == number);
        found.map(|one| format!("{number}. {}", one.sample.told())).unwrap_or_default()
    };
    println!("\n{}", tried.reader.name);
    for (number, reasons) in tried.expanded.false_alarms() {
        let before = if tried.typed.marked.contains_key(&number) { "*" } else { " " };
        println!("  not wanted{before} {}\n              {}", told(number), reasons.join("; "));
    }
    for number in tried.expanded.misses() {
        let before = if tried.typed.marked.contains_key(&number) { " " } else { "*" };
        println!("  missed    {before} {}", told(number));
    }
}

fn to_json(tried: &[Tried], setting: &Setting) -> Value {
    let reach = &setting.reach;
    let readers = tried.iter().map(|one| {
        json!({
            "reader": one.reader.name,
            "wanted": one.typed.wanted,
            "typed": one.typed.to_json(),
            "expanded": one.expanded.to_json(),
        })
    });
    let [typed, expanded] = total(tried);
    json!({
        "reach": {"senses": reach.senses, "down": reach.down, "up": reach.up, "most": reach.most},
        "least": setting.least,
        "readers": readers.collect::<Vec<_>>(),
        "all": {"typed": typed.to_json(), "expanded": expanded.to_json()},
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_core::profile::Matcher;

    #[test]
    fn the_set_is_whole() {
        let (samples, readers) = (samples().unwrap(), Reader::all().unwrap());
        assert!(samples.len() >= 60 && readers.len() >= 6);
        for reader in &readers {
            assert!(reader.wanted.len() >= 10, "{} wants too little to tell anything", reader.name);
            let known = |number| (1..=samples.len()).contains(number);
            assert!(reader.wanted.iter().all(known), "{}", reader.name);
        }
        let wanted = |number| readers.iter().any(|reader| reader.wanted.contains(&number));
        assert!(samples.iter().filter(|sample| !wanted(sample.number)).count() >= samples.len() / 4);
    }

    #[test]
    fn every_change_is_one_that_a_reader_sees() {
        for one in compared(Part::All).unwrap() {
            let seen = one.changes(&Matcher::default()).seen().count();
            assert!((1..=2).contains(&seen), "{}: {seen} changes", one.sample.told());
        }
    }
}
