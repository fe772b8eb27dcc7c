//! Makes the dictionary of the packed native form: phrases that unrelated sites share.
//!
//! Every phrase occurs, letter for letter, on at least two sites, so that nothing of one author is in it and what is in it
//! helps pages nobody has seen. Cost: one sort of all positions of a sample of the pages; a minute, run by hand.

use crate::corpus::Document;
use anyhow::Result;
use std::collections::{HashMap, HashSet};
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;

/// Sites a phrase must occur on.
const SITES: usize = 2;
/// Size of the dictionary.
const SIZE: usize = 192 << 10;
/// Shortest and longest phrase.
const LENGTHS: std::ops::RangeInclusive<usize> = 6..=40;
/// Pages taken from each site, and bytes from each page: no site may outweigh the others.
const PAGES: usize = 2;
const PAGE_BYTES: usize = 64 << 10;
/// Neighbours in sorted order that are looked at to count the sites of a phrase.
const REACH: usize = 64;

/// Builds a dictionary from pages.
pub fn build<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Result<Vec<u8>> {
    let sample = Sample::new(documents)?;
    let sorted = sample.sorted();
    let mut phrases = sample.phrases(&sorted);
    phrases.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.text.cmp(b.text)));
    Ok(choose(&phrases))
}

struct Phrase<'a> {
    text: &'a [u8],
    score: usize,
}

/// Takes the best phrases that are not yet mostly in; the best stand at the end, where they are cheapest to refer to.
fn choose(phrases: &[Phrase<'_>]) -> Vec<u8> {
    let shortest = *LENGTHS.start();
    let mut covered: HashSet<&[u8]> = HashSet::new();
    let (mut chosen, mut size) = (Vec::new(), 0);
    for phrase in phrases {
        let fresh = phrase.text.windows(shortest).filter(|gram| !covered.contains(gram)).count();
        let grams = phrase.text.len() + 1 - shortest;
        if fresh * 5 < grams * 3 || size + phrase.text.len() > SIZE {
            continue;
        }
        covered.extend(phrase.text.windows(shortest));
        chosen.push(phrase.text);
        size += phrase.text.len();
    }
    chosen.reverse();
    chosen.concat()
}

/// Packing streams of some pages of each site, one after the other.
struct Sample {
    bytes: Vec<u8>,
    /// End of each page in `bytes`, and its site.
    pages: Vec<(usize, usize)>,
}

impl Sample {
    fn new<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Result<Self> {
        let mut sites: HashMap<&str, (usize, usize)> = HashMap::new();
        let mut sample = Self { bytes: Vec::new(), pages: Vec::new() };
        for document in documents {
            let count = sites.len();
            let (site, taken) = sites.entry(document.site()).or_insert((count, 0));
            if *taken == PAGES {
                continue;
            }
            *taken += 1;
            let digest = PageDigest::encode(&document.bytes, &Reading::default())?;
            let stream = digest.packing_stream();
            sample.bytes.extend_from_slice(&stream[..stream.len().min(PAGE_BYTES)]);
            sample.pages.push((sample.bytes.len(), *site));
        }
        Ok(sample)
    }

    /// All positions in the order of the text that begins there.
    fn sorted(&self) -> Vec<u32> {
        let mut positions: Vec<u32> = (0..self.bytes.len() as u32).collect();
        positions.sort_unstable_by(|&a, &b| self.text(a).cmp(self.text(b)));
        positions
    }

    /// The text at a position, up to the end of its page and the longest phrase.
    fn text(&self, position: u32) -> &[u8] {
        let start = position as usize;
        let page = self.pages.partition_point(|&(end, _)| end <= start);
        &self.bytes[start..self.pages[page].0.min(start + LENGTHS.end())]
    }

    fn site(&self, position: u32) -> usize {
        self.pages[self.pages.partition_point(|&(end, _)| end <= position as usize)].1
    }

    /// The phrases that begin somewhere and are as long as enough sites allow.
    fn phrases(&self, sorted: &[u32]) -> Vec<Phrase<'_>> {
        let mut lengths = vec![0; self.bytes.len()];
        let mut sites = vec![0; self.bytes.len()];
        for (rank, &position) in sorted.iter().enumerate() {
            let (length, count) = self.shared(sorted, rank);
            (lengths[position as usize], sites[position as usize]) = (length, count);
        }
        let mut found: HashMap<&[u8], usize> = HashMap::new();
        let mut at = 0;
        while at < self.bytes.len() {
            let length = lengths[at];
            if length < *LENGTHS.start() {
                at += 1;
                continue;
            }
            found.entry(&self.bytes[at..at + length]).or_insert(sites[at]);
            at += length;
        }
        found.into_iter().map(|(text, sites)| Phrase { text, score: sites * (text.len() - 3) }).collect()
    }

    /// The longest text at a rank that enough sites share, and how many share it.
    fn shared(&self, sorted: &[u32], rank: usize) -> (usize, usize) {
        let own = self.text(sorted[rank]);
        let up = sorted[..rank].iter().rev().take(REACH);
        let down = sorted[rank + 1..].iter().take(REACH);
        let mut neighbours: Vec<(usize, usize)> = Vec::new(); // shared length, site
        for side in [up.collect::<Vec<_>>(), down.collect()] {
            let mut length = own.len();
            for &&position in &side {
                let other = self.text(position);
                length = own.iter().zip(other).take(length).take_while(|(a, b)| a == b).count();
                if length < *LENGTHS.start() {
                    break;
                }
                neighbours.push((length, self.site(position)));
            }
        }
        neighbours.sort_unstable_by(|a, b| b.cmp(a));
        let mut sites = HashSet::from([self.site(sorted[rank])]);
        let mut shared = 0;
        for (length, site) in neighbours {
            if sites.len() >= SITES && length < shared {
                break;
            }
            sites.insert(site);
            if sites.len() >= SITES && shared == 0 {
                shared = length;
            }
        }
        if sites.len() >= SITES { (shared, sites.len()) } else { (0, 0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(site: usize, phrase: &str) -> Document {
        let text = format!("<p>{site}{phrase}{site}</p>");
        Document::new(format!("pages/s{site}/1.html"), text.into_bytes())
    }

    fn holds(dictionary: &[u8], phrase: &str) -> bool {
        dictionary.windows(phrase.len()).any(|window| window == phrase.as_bytes())
    }

    #[test]
    fn a_phrase_needs_two_sites() {
        let common = (1..=2).map(|site| page(site, "the tide is high"));
        let rare = (4..=4).map(|site| page(site, "low water at noon"));
        let documents: Vec<Document> = common.chain(rare).collect();
        let dictionary = build(&documents).unwrap();
        assert!(holds(&dictionary, "the tide is high"));
        assert!(!holds(&dictionary, "low water"));
    }

    #[test]
    fn pages_of_one_site_count_once() {
        let page = b"<p>the tide is high</p>";
        let pages = (0..5).map(|number| Document::new(format!("pages/site-{number}/1.html"), page.to_vec()));
        assert!(!holds(&build(&pages.collect::<Vec<_>>()).unwrap(), "the tide"));
    }

    #[test]
    fn no_pages_make_an_empty_dictionary() {
        assert_eq!(build([]).unwrap(), [0; 0]);
    }
}
