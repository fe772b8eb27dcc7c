//! Makes the packed WordNet that is part of the program, from Princeton's files.
//!
//! Source: WordNet 3.0, as in Debian's package `wordnet-base`; its formats are told in wndb(5WN) and senseidx(5WN).
//! The background text of word frequencies is what the same files have of it: the definitions and examples.
//! Cost: a few seconds, run by hand. The layout of the result is told in `tidemark_core::profile::wordnet`.

mod pack;
mod source;
mod tree;

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::Path;
use tidemark_core::page::words::words;
use tidemark_core::profile::inflection::fold;

use source::Source;
use tree::Order;

/// Word forms that are no lemma must occur so often to be kept.
const MIN_FREQUENCY: u32 = 3;

/// Packs the WordNet of a directory into a file.
pub fn generate(from: &Path, out: &Path) -> Result<()> {
    let packed = build(from)?;
    std::fs::write(out, &packed).with_context(|| format!("cannot write {}", out.display()))?;
    eprintln!("{} bytes to {}", packed.len(), out.display());
    Ok(())
}

/// The packed form of the WordNet in a directory.
pub fn build(from: &Path) -> Result<Vec<u8>> {
    let source = Source::read(from)?;
    let (frequencies, total) = background(&source);
    let order = Order::of(&source.synsets);
    Ok(pack::pack(&source, &order, &vocabulary(&source, &frequencies), total))
}

/// How often each folded form occurs in definitions and examples, and how many there are.
fn background(source: &Source) -> (BTreeMap<String, u32>, u64) {
    let mut frequencies = BTreeMap::new();
    let mut total = 0;
    for word in source.synsets.iter().flat_map(|synset| words(&synset.gloss)) {
        *frequencies.entry(fold(word)).or_default() += 1;
        total += 1;
    }
    (frequencies, total)
}

/// All words that are kept, with their frequencies: lemmas, irregular forms and what occurs often enough.
fn vocabulary(source: &Source, frequencies: &BTreeMap<String, u32>) -> BTreeMap<String, u32> {
    let frequency = |word: &String| frequencies.get(word).copied().unwrap_or(0);
    let irregular = source.exceptions.keys();
    let known = source.senses.keys().chain(irregular).map(|word| (word.clone(), frequency(word)));
    let common = frequencies.iter().filter(|&(_, &count)| count >= MIN_FREQUENCY);
    known.chain(common.map(|(word, &count)| (word.clone(), count))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_core::profile::wordnet::{Reach, Relation, WordNet};

    /// Nouns, of which one has two hypernyms and one is a name.
    const NOUNS: &str = "  1 a licence
10 03 n 01 wind 0 000 | moving air
20 03 n 02 Storm 0 violent_storm 0 001 @ 10 n 0000 | wind, wind, wind
30 03 n 01 noise 0 000 |
40 03 n 01 gale 0 002 @ 20 n 0000 @ 30 n 0000 |
50 03 n 01 Kyrill 0 001 @i 20 n 0000 |
";
    const NOUN_INDEX: &str = "  1 a licence
gale n 1 1 @ 1 0 40
kyrill n 1 1 @i 1 0 50
noise n 1 0 1 0 30
storm n 1 1 @ 1 0 20
violent_storm n 1 1 @ 1 0 20
wind n 1 0 1 0 10
";
    /// Verbs that are kinds of each other, as two are in WordNet.
    const VERBS: &str = "10 03 v 01 blow 0 001 @ 20 v 0000 01 + 01 00 | to move as air
20 03 v 01 storm 0 001 @ 10 v 0000 01 + 01 00 |
";
    const VERB_INDEX: &str = "blow v 1 0 1 0 10  \nstorm v 1 0 1 0 20  \n";

    fn small() -> WordNet {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
        for part in ["noun", "verb", "adj", "adv"] {
            write(&format!("data.{part}"), "");
            write(&format!("index.{part}"), "");
            write(&format!("{part}.exc"), "");
        }
        // Many other nouns, or all of these would be very general.
        let others: String = (100..200).map(|place| format!("{place} 03 n 01 x{place} 0 000 | \n")).collect();
        let index: String = (100..200).map(|place| format!("x{place} n 1 0 1 0 {place}  \n")).collect();
        write("data.noun", &format!("{NOUNS}{others}"));
        write("index.noun", &format!("{NOUN_INDEX}{index}"));
        write("data.verb", VERBS);
        write("index.verb", VERB_INDEX);
        write("verb.exc", "blew blow\nwent go\n");
        write("cntlist.rev", "storm%1:03:00:: 1 8\n");
        WordNet::open(build(directory.path()).unwrap().leak()).unwrap()
    }

    #[test]
    fn what_is_packed_is_found_again() {
        let wordnet = small();
        assert_eq!(wordnet.lemmas("blew"), ["blow"]);
        assert_eq!(wordnet.lemmas("went"), [""; 0], "a form of what is no lemma");
        assert_eq!(wordnet.lemmas("violent storms"), ["violent storm"]);
        assert_eq!((wordnet.frequency("wind"), wordnet.frequency("air"), wordnet.total()), (3, 0, 9));
    }

    #[test]
    fn edges_lead_both_ways() {
        let wordnet = small();
        let found = |term: &str| {
            let related = wordnet.related(term, &Reach { senses: 2, down: 2, up: 2, most: 9 });
            let mut found: Vec<_> =
                related.into_iter().map(|one| (one.words, one.relation, one.depth)).collect();
            found.sort();
            found
        };
        let one = |word: &str, relation, depth| (word.to_owned(), relation, depth);
        assert_eq!(found("noise"), [one("gale", Relation::Hyponym, 1)], "by the second hypernym");
        let gale = found("gale");
        assert!(gale.contains(&one("noise", Relation::Hypernym, 1)), "{gale:?}");
        assert!(gale.contains(&one("violent storm", Relation::Hypernym, 1)), "{gale:?}");
        let wind = found("wind");
        assert!(wind.contains(&one("gale", Relation::Hyponym, 2)), "{wind:?}");
        assert!(!wind.iter().any(|(word, ..)| word == "kyrill"), "a named storm is no kind");
    }
}
