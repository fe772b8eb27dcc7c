//! Profiles of readers beside a set of changes judged by hand: is what a reader wants marked, and little else?
//!
//! The set lies in `profiles/`: changes as they could stand on watched pages, six readers, and what each of them wants to hear of. The
//! judgements were written before there was a matcher and without a thesaurus, and some of them no list of words can find.

mod reader;
mod sample;
mod score;

pub use reader::Reader;
pub use sample::Sample;
pub use score::Score;

use anyhow::Result;

/// All changes of the set.
pub fn samples() -> Result<Vec<Sample>> {
    Sample::all(include_str!("../profiles/changes.txt"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_is_whole() {
        let (samples, readers) = (samples().unwrap(), Reader::all().unwrap());
        assert!(samples.len() >= 60 && readers.len() >= 6);
        for reader in &readers {
            assert!(reader.wanted.len() >= 10, "{} wants too little to tell anything", reader.name);
            assert!(
                reader.wanted.iter().all(|number| (1..=samples.len()).contains(number)),
                "{}",
                reader.name
            );
        }
        let wanted = |number| readers.iter().any(|reader| reader.wanted.contains(&number));
        assert!(samples.iter().filter(|sample| !wanted(sample.number)).count() >= samples.len() / 4);
    }

    #[test]
    fn every_change_is_one_that_a_reader_sees() {
        for sample in samples().unwrap() {
            let changes = sample.changes().unwrap();
            let seen = changes.seen().count();
            assert!((1..=2).contains(&seen), "{}: {seen} changes", sample.told());
        }
    }
}
