//! A walk that looks at everything a node has: what traversals are measured with.

use tidemark_core::digest::{Kind, PageDigest};

/// Bits for the letters of all names of a page; the number of its elements fits above them.
const LETTERS: u32 = 40;

/// What there is in a tree. Two trees of the same page have the same tally, whatever library holds them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Elements.
    pub elements: usize,
    /// Letters of their tag names.
    pub names: usize,
    /// Their attributes.
    pub attributes: usize,
    /// Bytes of texts and comments.
    pub text: usize,
}

impl Tally {
    /// Visits all nodes of a digest in depth-first order.
    pub fn of(digest: &PageDigest) -> Self {
        // What a node of each tag adds: elements and letters of names in one sum, and a mask over the length of its content.
        let tags: Vec<(u64, u32)> = digest
            .tag_list()
            .map(|(kind, name)| match kind {
                Kind::Element => (1 << LETTERS | name.len() as u64, 0),
                Kind::Text | Kind::Raw | Kind::Comment => (0, u32::MAX),
                _ => (0, 0),
            })
            .collect();
        let (mut names, mut attributes, mut text) = (0, 0, 0);
        for row in digest.scan() {
            let (name, mask) = tags[row.tag.0 as usize];
            names += name;
            attributes += u64::from(row.attributes);
            text += u64::from(row.content & mask);
        }
        let (elements, letters) = (names >> LETTERS, names & ((1 << LETTERS) - 1));
        let [elements, names, attributes, text] =
            [elements, letters, attributes, text].map(|sum| sum as usize);
        Self { elements, names, attributes, text }
    }

    /// Counts an element.
    pub fn element(&mut self, name: &str, attributes: usize) {
        self.elements += 1;
        self.names += name.len();
        self.attributes += attributes;
    }

    /// Counts a text or a comment.
    pub fn text(&mut self, text: &str) {
        self.text += text.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_core::page::Reading;

    #[test]
    fn everything_is_counted() {
        let digest = PageDigest::encode(b"<p class=a id=b>one<!--two-->", &Reading::default()).unwrap();
        let wanted = Tally { elements: 4, names: "htmlheadbodyp".len(), attributes: 2, text: 6 };
        assert_eq!(Tally::of(&digest), wanted);
    }
}
