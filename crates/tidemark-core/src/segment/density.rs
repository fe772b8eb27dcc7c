//! Text density: how many tokens a line of text holds, when text is set in lines of one width.
//!
//! Source: `CaSePer`, equations 3 and 4, after Kohlschütter & Nejdl, *A densitometric approach to web page segmentation* (2008).
//! Cost: the text once, linear. We differ: lines are counted by block, each text of a block beginning a new line, so that a density belongs to nodes
//! and not to places in the source; a token is a run without white space, a long one counts as several, so that languages without
//! spaces have tokens, too.

use crate::digest::element::Nature;
use crate::digest::{Kind, NodeId, PageDigest};
use std::ops::Range;

/// Longest token that counts as one, in bytes.
const LONG_TOKEN: usize = 12;

/// Tokens and lines of seen text, by node, for a stretch of whole subtrees.
pub(crate) struct Densities {
    start: u32,
    text: Vec<Text>,
}

/// Seen text in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Text {
    tokens: u32,
    lines: u32,
    /// Bytes of the line that is not yet closed by a block.
    open: u32,
}

impl Densities {
    /// Measures a stretch of whole subtrees, set in lines of `width` bytes.
    pub(crate) fn of(digest: &PageDigest, nature: &Nature, nodes: Range<u32>, width: u32) -> Self {
        let mut text = vec![Text::default(); nodes.len()];
        for node in nodes.clone().rev() {
            let (at, id) = ((node - nodes.start) as usize, NodeId(node));
            let tag = digest.tag(id);
            if matches!(digest.kind(id), Kind::Text | Kind::Cdata) {
                text[at].read(digest.content(id).unwrap_or_default());
            }
            if !nature.is_inline(tag) {
                text[at].close(width);
            }
            if nature.is_unseen(tag) {
                text[at] = Text::default();
            }
            let parent = digest.parent(id).map_or(0, |parent| parent.0);
            if node > nodes.start && parent >= nodes.start {
                let child = text[at];
                text[(parent - nodes.start) as usize].add(child);
            }
        }
        Self { start: nodes.start, text }
    }

    /// The text of one subtree.
    pub(crate) fn text(&self, node: u32) -> Text {
        self.text[(node - self.start) as usize]
    }
}

impl Text {
    /// Joins what follows.
    pub(crate) fn add(&mut self, other: Self) {
        self.tokens += other.tokens;
        self.lines += other.lines;
        self.open += other.open;
    }

    /// Tokens per line, ε of equation 3.
    pub(crate) fn density(mut self, width: u32) -> f64 {
        self.close(width);
        f64::from(self.tokens) / f64::from(self.lines.max(1))
    }

    fn read(&mut self, content: &str) {
        for token in content.split_ascii_whitespace() {
            self.tokens += token.len().div_ceil(LONG_TOKEN) as u32;
            self.open += token.len() as u32 + 1;
        }
    }

    /// Ends the last line.
    fn close(&mut self, width: u32) {
        self.lines += self.open.div_ceil(width.max(1));
        self.open = 0;
    }
}

/// How much two densities differ, Δε of equation 4, in [0, 1]; two parts without text do not.
pub(crate) fn slope(one: f64, other: f64) -> f64 {
    let most = one.max(other);
    if most == 0.0 { 0.0 } else { (one - other).abs() / most }
}

#[cfg(test)]
mod tests {
    use super::{Densities, Nature, slope};
    use crate::digest::{NodeId, PageDigest};
    use crate::page::Reading;

    fn density(html: &str, tag: &str, width: u32) -> f64 {
        let digest = PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap();
        let node = digest.tagged(tag).next().unwrap();
        let densities = Densities::of(&digest, &Nature::of(&digest), node.0..digest.end(node), width);
        densities.text(node.0).density(width)
    }

    #[test]
    fn equation_3_counts_tokens_by_line() {
        // 10 tokens of 3 letters and a space: 40 bytes, two lines of 20.
        let words = "abc ".repeat(10);
        assert!((density(&format!("<p>{words}</p>"), "p", 20) - 5.0).abs() < 1e-9);
        // A list sets each item in a line of its own.
        assert!((density("<ul><li>one<li>two <b>three</b><li>four</ul>", "ul", 80) - 4.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_not_seen_has_no_density() {
        let near_zero = |density: f64| density.abs() < 1e-9;
        assert!(near_zero(density("<div><script>var a = 1; var b = 2;</script><!-- c --></div>", "div", 80)));
        assert!(!near_zero(density("<div>語語語語語語語語</div>", "div", 80)));
    }

    #[test]
    fn equation_4_is_relative() {
        assert!((slope(12.0, 3.0) - 0.75).abs() < 1e-9 && (slope(3.0, 12.0) - 0.75).abs() < 1e-9);
        assert!(slope(0.0, 0.0).abs() < 1e-9 && (slope(0.0, 5.0) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_part_of_a_page_is_measured_as_in_the_whole() {
        let digest =
            PageDigest::encode(b"<div><p>one two<p>three</div><div>four</div>", &Reading::default()).unwrap();
        let whole = Densities::of(&digest, &Nature::of(&digest), 0..digest.len() as u32, 80);
        for node in digest.tagged("div") {
            let part = Densities::of(&digest, &Nature::of(&digest), node.0..digest.end(node), 80);
            digest.subtree(node).for_each(|node: NodeId| assert_eq!(part.text(node.0), whole.text(node.0)));
        }
    }
}
