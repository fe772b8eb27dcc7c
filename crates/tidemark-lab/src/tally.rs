//! A walk that looks at everything a node has: what traversals are measured with.

use tidemark_core::digest::{Kind, PageDigest};

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
        // What each tag adds: elements, letters of the name, and whether content counts.
        let tags: Vec<(usize, usize, usize)> = digest
            .tag_list()
            .map(|(kind, name)| match kind {
                Kind::Element => (1, name.len(), 0),
                Kind::Text | Kind::Raw | Kind::Comment => (0, 0, 1),
                _ => (0, 0, 0),
            })
            .collect();
        let mut tally = Self::default();
        for row in digest.scan() {
            let (elements, name, text) = tags[row.tag.0 as usize];
            tally.elements += elements;
            tally.names += name;
            tally.attributes += row.attributes as usize;
            tally.text += text * row.content as usize;
        }
        tally
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
