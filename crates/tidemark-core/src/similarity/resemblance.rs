//! Resemblance of two pages by facet, and of their nodes of one tag.
//!
//! Source: Page Digest, section 4.3, which names structure-only, content-only and per-tag similarity and leaves the measure
//! open; the measure is Broder's resemblance, *On the Resemblance and Containment of Documents* (1997), which it cites.
//! A facet is a sequence; its shingles are all runs of [`SHINGLE`] neighbours; the resemblance of two bags of shingles is what
//! they share over what they have together. Cost: linear, but for one sort of the shingles' hashes.
//! We differ: bags instead of sets, so that a repeated word counts.

use super::Coefficient;
use crate::digest::{Facet, Kind, NodeId, PageDigest};
use crate::page::words::words;
use std::cmp::Ordering;
use xxhash_rust::xxh3::xxh3_64;

/// Neighbours in a shingle.
pub const SHINGLE: usize = 4;

/// What of a page is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect<'a> {
    /// One facet of the whole page; content by words.
    Facet(Facet),
    /// The words below the nodes of one tag, such as `p`.
    Tag(&'a str),
}

/// The resemblance of two pages in one aspect, in [0, 1]. Two pages that both have nothing to compare resemble each other fully.
pub fn resemblance(old: &PageDigest, new: &PageDigest, aspect: Aspect<'_>) -> Coefficient {
    shared(&shingles(&items(old, aspect)), &shingles(&items(new, aspect)))
}

/// The sequence of an aspect, each item as a hash.
fn items(digest: &PageDigest, aspect: Aspect<'_>) -> Vec<u64> {
    match aspect {
        Aspect::Facet(Facet::Structure) => {
            digest.columns().children.iter().map(|&count| u64::from(count)).collect()
        }
        Aspect::Facet(Facet::Tags) => digest.depth_first().map(|node| text_hash(digest.name(node))).collect(),
        Aspect::Facet(Facet::Attributes) => {
            digest.depth_first().flat_map(|node| digest.attributes(node)).map(attribute_hash).collect()
        }
        Aspect::Facet(Facet::Content) => word_hashes(digest, digest.depth_first()),
        Aspect::Tag(name) => {
            // A tag inside itself, such as a div, is read once.
            let mut end = NodeId::ROOT;
            let outermost = digest.tagged(name).filter(move |&node| {
                let outer = node >= end;
                if outer {
                    end = NodeId(digest.end(node));
                }
                outer
            });
            word_hashes(digest, outermost.flat_map(|node| digest.subtree(node)))
        }
    }
}

/// Words that a reader sees, and those of CDATA; comments, scripts and styles say nothing to a reader.
fn word_hashes(digest: &PageDigest, nodes: impl Iterator<Item = NodeId>) -> Vec<u64> {
    nodes
        .filter(|&node| matches!(digest.kind(node), Kind::Text | Kind::Cdata))
        .filter_map(|node| digest.content(node))
        .flat_map(words)
        .map(text_hash)
        .collect()
}

fn text_hash(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

fn attribute_hash((name, value): (&str, &str)) -> u64 {
    mix(&[text_hash(name), text_hash(value)])
}

fn mix(parts: &[u64]) -> u64 {
    xxh3_64(bytemuck::cast_slice(parts))
}

/// Hashes of all runs of neighbours, sorted. A sequence too short for one is one shingle itself.
fn shingles(items: &[u64]) -> Vec<u64> {
    let mut shingles: Vec<u64> = match items.len() {
        0 => Vec::new(),
        1..SHINGLE => vec![mix(items)],
        _ => items.windows(SHINGLE).map(mix).collect(),
    };
    shingles.sort_unstable();
    shingles
}

/// What two sorted bags share over what they have together.
fn shared(old: &[u64], new: &[u64]) -> Coefficient {
    let (mut left, mut right, mut both) = (0, 0, 0usize);
    while let (Some(a), Some(b)) = (old.get(left), new.get(right)) {
        let order = a.cmp(b);
        left += usize::from(order != Ordering::Greater);
        right += usize::from(order != Ordering::Less);
        both += usize::from(order == Ordering::Equal);
    }
    let together = old.len() + new.len() - both;
    if together == 0 { Coefficient::EQUAL } else { Coefficient::new(both as f64 / together as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    fn alike(old: &str, new: &str, aspect: Aspect<'_>) -> f64 {
        let [old, new] =
            [old, new].map(|html| PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap());
        let there = resemblance(&old, &new, aspect);
        assert_eq!(there, resemblance(&new, &old, aspect), "resemblance is symmetric");
        there.value()
    }

    const CONTENT: Aspect<'static> = Aspect::Facet(Facet::Content);

    #[test]
    fn a_page_resembles_itself_fully() {
        for facet in Facet::ALL {
            assert!(
                (alike("<p class=a>x y z<p>u", "<p class=a>x y z<p>u", Aspect::Facet(facet)) - 1.0).abs()
                    < 1e-12
            );
        }
        assert!((alike("", "", CONTENT) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn worked_by_hand() {
        // Words a b c d e f and a b c d x f: shingles abcd bcde cdef and abcd bcdx cdxf share one of five.
        assert!((alike("<p>a b c d e f", "<p>a b c d x f", CONTENT) - 0.2).abs() < 1e-12);
        // Too short for a shingle: equal or not.
        assert!(alike("<p>a b", "<p>a c", CONTENT).abs() < 1e-12);
    }

    #[test]
    fn facets_are_told_apart() {
        let (old, new) = ("<p class=a>one two three four five", "<p class=a>six seven eight nine ten");
        assert!(alike(old, new, CONTENT).abs() < 1e-12);
        for facet in [Facet::Structure, Facet::Tags, Facet::Attributes] {
            assert!((alike(old, new, Aspect::Facet(facet)) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn only_the_nodes_of_the_tag_count() {
        let old = "<h1>one</h1><p>a b c d e</p><div>x</div>";
        let new = "<h1>two</h1><p>a b c d e</p><div>y</div>";
        assert!((alike(old, new, Aspect::Tag("p")) - 1.0).abs() < 1e-12);
        assert!(alike(old, new, Aspect::Tag("h1")).abs() < 1e-12);
        assert!((alike(old, new, Aspect::Tag("table")) - 1.0).abs() < 1e-12, "neither page has one");
    }

    #[test]
    fn nested_tags_are_read_once() {
        assert!(
            (alike("<div>a b c d e<div>f g</div></div>", "<div>a b c d e f g</div>", Aspect::Tag("div"))
                - 1.0)
                .abs()
                < 1e-12
        );
    }

    #[test]
    fn scripts_and_comments_are_not_read() {
        assert!((alike("<p>a<script>1</script><!-- c -->", "<p>a", CONTENT) - 1.0).abs() < 1e-12);
    }
}
