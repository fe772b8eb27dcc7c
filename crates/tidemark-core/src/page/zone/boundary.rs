//! Zones between two texts: `FROM...TO`.
//!
//! Compared word by word, so that markup, line breaks and punctuation do not matter; capitals do. The zone begins with the
//! first place where FROM stands and ends before the next TO. Left empty, FROM is the beginning of the page and TO its end.
//! Cost: one pass over the words, times the length of a boundary, which is bounded.

use super::ZoneError;
use super::wording::{Wording, hashes};
use crate::digest::{NodeId, PageDigest};
use std::fmt;
use std::ops::Range;

/// Longest boundary in words.
const WORDS: usize = 64;

/// Two texts with the zone between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boundary {
    from: String,
    to: String,
}

impl Boundary {
    /// Reads `FROM...TO`; the dots may be the one character `…`.
    pub fn parse(written: &str) -> Result<Self, ZoneError> {
        let dots = ["...", "…"].iter().filter_map(|dots| Some((written.find(dots)?, dots.len()))).min();
        let Some((at, length)) = dots else {
            let reason = "write FROM...TO, with three dots between the two texts";
            return Err(ZoneError::text(written.len(), reason));
        };
        // More dots than three are dots all the same, so that what is written out reads back.
        let rest = |c: char| matches!(c, '.' | '…') || c.is_whitespace();
        let from = written[..at].trim_start().trim_end_matches(rest);
        let to = written[at + length..].trim_start_matches(rest).trim_end();
        let (first, second) = (hashes(from).count(), hashes(to).count());
        if first == 0 && second == 0 {
            return Err(ZoneError::text(0, "there is no word on either side of the dots"));
        }
        for (count, text, place) in [(first, from, 0), (second, to, at + length)] {
            if count > WORDS {
                return Err(ZoneError::text(place, "a boundary has more than 64 words; a few are enough"));
            }
            if count == 0 && !text.is_empty() {
                return Err(ZoneError::text(place, "there is no word in this boundary, only signs"));
            }
        }
        Ok(Self { from: from.to_owned(), to: to.to_owned() })
    }

    /// The nodes between the texts; none if one of them is not there.
    pub(super) fn find(&self, digest: &PageDigest, wording: &Wording) -> Option<Range<NodeId>> {
        let from: Vec<u64> = hashes(&self.from).collect();
        let to: Vec<u64> = hashes(&self.to).collect();
        let first = if from.is_empty() { None } else { Some(wording.find(&from, 0)?) };
        let behind = first.map_or(0, |first| first + from.len());
        let last = if to.is_empty() { None } else { Some(wording.find(&to, behind)?) };
        let start = first.map_or(NodeId::ROOT, |first| wording.node_of(first));
        let end = last.map_or(digest.len() as u32, |last| wording.node_of(last).0);
        // Both texts in one node: the zone cannot be smaller than the node.
        let end = if end <= start.0 { digest.end(start) } else { end };
        Some(widened(digest, wording, start, first, end)..NodeId(narrowed(digest, wording, start, last, end)))
    }
}

/// The outermost element that begins with the first word and closes in time: the heading around its text.
fn widened(digest: &PageDigest, wording: &Wording, start: NodeId, first: Option<usize>, end: u32) -> NodeId {
    let Some(first) = first else { return start };
    let fits = |&node: &NodeId| digest.end(node) <= end && wording.range(digest, node).start == first;
    digest.ancestors(start).take_while(fits).last().unwrap_or(start)
}

/// The end without the elements that are opened only to hold the last boundary.
fn narrowed(digest: &PageDigest, wording: &Wording, start: NodeId, last: Option<usize>, end: u32) -> u32 {
    let Some(last) = last.filter(|_| (end as usize) < digest.len()) else { return end };
    let opens = |node: &NodeId| node.0 > start.0 && wording.range(digest, *node).start == last;
    let node = NodeId(end);
    digest.ancestors(node).take_while(opens).last().map_or(end, |node| node.0)
}

impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}...{}", self.from, self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    const PAGE: &str =
        "<p>before</p><h2>Latest <i>news</i></h2><p>one</p><div><p>two</p><h2>Imprint</h2></div><p>after";

    fn text(boundary: &str) -> Option<String> {
        let digest = PageDigest::encode(PAGE.as_bytes(), &Reading::default()).unwrap();
        let range = Boundary::parse(boundary).unwrap().find(&digest, &Wording::of(&digest))?;
        let names = (range.start.0..range.end.0).map(NodeId);
        Some(
            names.map(|node| digest.content(node).unwrap_or(digest.name(node))).collect::<Vec<_>>().join(" "),
        )
    }

    #[test]
    fn from_is_in_and_to_is_out() {
        assert_eq!(text("Latest news...Imprint").unwrap(), "h2 Latest  i news p one div p two");
        assert_eq!(text("two …").unwrap(), "div p two h2 Imprint p after");
        assert!(text("... latest").is_none(), "capitals matter");
        assert!(text("...one").unwrap().ends_with("i news"));
        assert_eq!(text("one...before"), None);
        assert_eq!(Boundary::parse("a..…... b...").unwrap().to_string(), "a...b...");
        assert_eq!(text("before...before"), None);
    }
}
