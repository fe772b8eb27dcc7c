//! What to call a segment: where it is, how large, and how it begins. Cost: the page once, then the depth of the segment and its first words.

use super::Segment;
use crate::digest::locate::Locator;
use crate::digest::{Kind, NodeId, PageDigest};
use crate::render::outline::shortened;
use serde::Serialize;

/// What a segment is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Label {
    /// Where it begins: a CSS selector, or a tag path where there is none.
    pub place: String,
    /// How many siblings it is made of, empty space and comments left out.
    pub blocks: usize,
    /// How many nodes it has.
    pub nodes: usize,
    /// Bytes of text in it.
    pub bytes: usize,
    /// Its first words, as a reader sees them.
    pub words: String,
}

/// Makes the labels of one page.
pub struct Labels<'a> {
    page: &'a PageDigest,
    locator: Locator<'a>,
}

/// Characters of a segment's text that are taken for its label.
const LONGEST: usize = 60;

impl<'a> Labels<'a> {
    /// Prepares the places of a page.
    pub fn new(page: &'a PageDigest) -> Self {
        Self { page, locator: Locator::new(page) }
    }

    /// The label of a segment of this page.
    pub fn of(&self, segment: &Segment) -> Label {
        let start = self.start(segment);
        let range = segment.nodes.start as usize..segment.nodes.end as usize;
        // A character has at most four bytes.
        let words = self.page.visible_text_up_to(segment.nodes.clone(), 4 * LONGEST);
        Label {
            place: self.locator.css(start).unwrap_or_else(|| self.locator.tag_path(start)),
            blocks: blocks(self.page, segment).count(),
            nodes: range.len(),
            bytes: self.page.columns().contents_of(range).len(),
            words: shortened(&words, LONGEST),
        }
    }

    /// The first element of a segment; if it has none, its first node.
    fn start(&self, segment: &Segment) -> NodeId {
        let first = NodeId(segment.nodes.start);
        blocks(self.page, segment).find(|&node| self.page.kind(node) == Kind::Element).unwrap_or(first)
    }
}

/// The siblings a segment is made of, without those that show nothing by themselves.
pub(crate) fn blocks<'a>(page: &'a PageDigest, segment: &Segment) -> impl Iterator<Item = NodeId> + use<'a> {
    let end = segment.nodes.end;
    let next = move |node: &NodeId| Some(NodeId(page.end(*node))).filter(|node| node.0 < end);
    std::iter::successors(Some(NodeId(segment.nodes.start)), next).filter(|&node| is_block(page, node))
}

fn is_block(page: &PageDigest, node: NodeId) -> bool {
    match page.kind(node) {
        Kind::Element => true,
        Kind::Text | Kind::Cdata | Kind::Raw => {
            page.content(node).is_some_and(|text| !text.trim_ascii().is_empty())
        }
        _ => false,
    }
}
