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
        let mut tally = Self::default();
        for node in digest.depth_first() {
            match digest.kind(node) {
                Kind::Element => tally.element(digest.name(node), digest.attributes(node).len()),
                Kind::Text | Kind::Raw | Kind::Comment => {
                    tally.text(digest.content(node).unwrap_or_default());
                }
                _ => {}
            }
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
