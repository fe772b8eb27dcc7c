//! A page as its lines of text, and each line as its words: what a redesign leaves alone.
//!
//! Cost: one walk over the nodes and one over the text, at any depth. Lines are those of [`PageDigest::visible_lines`] that have words.

use crate::digest::text::INLINE;
use crate::digest::{Kind, NodeId, PageDigest, push_collapsed};
use crate::page::words::pieces;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// Elements whose text belongs to the template more often than not.
const FURNITURE: [&str; 7] = ["nav", "footer", "aside", "form", "button", "select", "dialog"];

/// A word, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) hash: u64,
    /// The text it begins in.
    pub(super) node: NodeId,
    pub(super) line: u32,
    /// Whether it is a number: digits, and nothing that is a letter.
    pub(super) number: bool,
}

/// A line.
#[derive(Clone, Debug)]
pub(super) struct TextLine {
    pub(super) text: String,
    /// Its words, by their places on the page.
    pub(super) words: Range<usize>,
    /// The same for lines with the same words.
    pub(super) hash: u64,
    /// Words of it that are links.
    pub(super) linked: usize,
    /// Whether it begins in an element that templates are made of.
    pub(super) furniture: bool,
}

/// All of it, in the order of the page.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub(super) lines: Vec<TextLine>,
    pub(super) words: Vec<Word>,
}

impl Texts {
    pub(super) fn of(digest: &PageDigest) -> Self {
        let mut writer = Writer::default();
        let mut next = 0;
        while next < digest.len() as u32 {
            let node = NodeId(next);
            next += 1;
            writer.leave(node);
            match digest.kind(node) {
                Kind::Text | Kind::Cdata => writer.text(node, digest.content(node).unwrap_or_default()),
                Kind::Element => writer.enter(digest.name(node), digest.end(node)),
                Kind::Fragment => next = digest.end(node),
                _ => {}
            }
        }
        writer.cut();
        writer.texts
    }

    /// Places of the words below a node.
    pub(super) fn range(&self, digest: &PageDigest, node: NodeId) -> Range<usize> {
        let end = digest.end(node);
        let start = self.words.partition_point(|word| word.node < node);
        start..start + self.words[start..].partition_point(|word| word.node.0 < end)
    }
}

/// Lines as they are written.
#[derive(Default)]
struct Writer {
    texts: Texts,
    line: String,
    /// Where the texts of the line begin in it, and whether they are links and furniture.
    parts: Vec<(usize, NodeId, bool, bool)>,
    /// Ends of the open elements that make lines, that are links, and that are furniture.
    blocks: Vec<u32>,
    links: Vec<u32>,
    furniture: Vec<u32>,
}

impl Writer {
    fn leave(&mut self, node: NodeId) {
        let mut ended = false;
        while self.blocks.pop_if(|end| *end <= node.0).is_some() {
            ended = true;
        }
        while self.links.pop_if(|end| *end <= node.0).is_some() {}
        while self.furniture.pop_if(|end| *end <= node.0).is_some() {}
        if ended {
            self.cut();
        }
    }

    fn enter(&mut self, name: &str, end: u32) {
        if name == "a" {
            self.links.push(end);
        }
        if FURNITURE.contains(&name) {
            self.furniture.push(end);
        }
        if !INLINE.contains(&name) {
            self.cut();
            self.blocks.push(end);
        }
    }

    fn text(&mut self, node: NodeId, text: &str) {
        self.parts.push((self.line.len(), node, !self.links.is_empty(), !self.furniture.is_empty()));
        push_collapsed(&mut self.line, text);
    }

    /// Ends the line; one without words is none.
    fn cut(&mut self) {
        let text = std::mem::take(&mut self.line);
        let parts = std::mem::take(&mut self.parts);
        let text = text.trim();
        let (start, line) = (self.texts.words.len(), self.texts.lines.len() as u32);
        let (mut linked, mut at) = (0, 0);
        for (place, word) in placed_words(text) {
            while parts.get(at + 1).is_some_and(|part| part.0 <= place) {
                at += 1;
            }
            linked += usize::from(parts[at].2);
            let (hash, number) = (xxh3_64(word.as_bytes()), is_number(word));
            self.texts.words.push(Word { hash, node: parts[at].1, line, number });
        }
        let words = start..self.texts.words.len();
        if !words.is_empty() {
            let hashes: Vec<u64> = self.texts.words[words.clone()].iter().map(|word| word.hash).collect();
            let hash = xxh3_64(bytemuck::cast_slice(&hashes));
            let furniture = parts[0].3;
            self.texts.lines.push(TextLine { text: text.to_owned(), words, hash, linked, furniture });
        }
    }
}

/// The words of a text with where they begin.
pub(super) fn placed_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    let placed = pieces(text).map(move |piece| {
        at += piece.len();
        (at - piece.len(), piece)
    });
    placed.filter(|(_, piece)| piece.chars().any(char::is_alphanumeric))
}

fn is_number(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit()) && !word.chars().any(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    #[test]
    fn lines_are_those_a_reader_sees_and_words_know_their_nodes() {
        let page = "<title>t</title><nav><a href=/>Home</a></nav><p>un<b>like</b>ly 3.50\n so<br>it<p>&mdash;<p> is <a href=x>a link</a>";
        let digest = PageDigest::encode(page.as_bytes(), &Reading::default()).unwrap();
        let texts = Texts::of(&digest);
        let lines: Vec<&str> = texts.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(lines, ["t", "Home", "unlikely 3.50 so", "it", "is a link"]);
        assert_eq!(texts.lines.iter().map(|line| line.linked).collect::<Vec<_>>(), [0, 1, 0, 0, 2]);
        assert_eq!(texts.lines.iter().filter(|line| line.furniture).count(), 1);
        let link = digest.tagged("a").nth(1).unwrap();
        assert_eq!(texts.range(&digest, link), 7..9);
        assert_eq!(texts.words.iter().filter(|word| word.number).count(), 1);
    }
}
