//! Deterministic documents of any size: trees of a wanted shape, pages that look like real ones, and tag soup.
//!
//! Every generator takes a seed and gives the same bytes for the same arguments. All of them run in time
//! linear in what they write, and none recurses over the depth of the tree.

mod article;
mod listing;
mod page;
mod plan;
mod soup;
mod trees;
mod words;

pub use article::article;
pub use listing::listing;
pub use plan::Shape;
pub use soup::soup;
pub use trees::{html_tree, xml_tree};

use fastrand::Rng;
use std::fmt;

/// Draws a word about as often as running text has it: first one of the
/// doubling bands of the vocabulary, then a word in it.
pub(crate) fn common_word(rng: &mut Rng) -> &'static str {
    let bands = words::COMMON.len().ilog2();
    let first = 1_usize << rng.u32(..=bands);
    let end = (first * 2).min(words::COMMON.len() + 1);
    words::COMMON[rng.usize(first..end) - 1]
}

fn pick(rng: &mut Rng, from: &[&'static str]) -> &'static str {
    from[rng.usize(..from.len())]
}

fn push_all(out: &mut String, parts: &[&str]) {
    out.extend(parts.iter().copied());
}

fn put(out: &mut String, text: fmt::Arguments<'_>) {
    fmt::Write::write_fmt(out, text).expect("a String takes every write");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_bytes() {
        for shape in Shape::ALL {
            assert_eq!(xml_tree(shape, 500, 7), xml_tree(shape, 500, 7));
            assert_eq!(html_tree(shape, 500, 7), html_tree(shape, 500, 7));
            assert_ne!(xml_tree(shape, 500, 7), xml_tree(shape, 500, 8));
            assert_ne!(html_tree(shape, 500, 7), html_tree(shape, 500, 8));
        }
        assert_eq!(article(500, 7), article(500, 7));
        assert_ne!(article(500, 7), article(500, 8));
        assert_eq!(listing(50, 7), listing(50, 7));
        assert_ne!(listing(50, 7), listing(50, 8));
        assert_eq!(soup(5000, 7), soup(5000, 7));
        assert_ne!(soup(5000, 7), soup(5000, 8));
    }

    #[test]
    fn no_common_word_comes_twice() {
        let distinct: std::collections::HashSet<_> = words::COMMON.iter().collect();
        assert_eq!(distinct.len(), words::COMMON.len());
    }
}
