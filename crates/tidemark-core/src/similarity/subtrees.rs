//! The subtrees of a page, and where those of a mark are.
//!
//! Source: Artail & Fawaz, sections 3.2, 3.3.2 (subtree table) and 3.3.3 (look-up table).
//! Cost: one pass over the nodes above the level and one over the elements below; a look-up is O(1).
//! We differ: what is in `head` belongs to no subtree at level 2 or below, as the paper means it but does not say; text that stands
//! on the level itself is a subtree of one node marked `#text`, or a page of bare text would have none.
//! An end is where the subtree ends, not where the next one starts, so that nothing above the level is counted in.

use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::words::words;
use rustc_hash::FxHashMap;

/// The subtrees of a page at one level, in the order of the page.
pub(super) struct SubtreeTable<'a> {
    pub(super) page: &'a PageDigest,
    pub(super) subtrees: Vec<Subtree<'a>>,
    marked: FxHashMap<&'a str, Vec<usize>>,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subtree<'a> {
    /// Tag of the root.
    pub(super) mark: &'a str,
    pub(super) root: NodeId,
    /// Nodes that are compared, P.
    pub(super) size: usize,
    /// How many subtrees of this mark come before it.
    pub(super) rank: usize,
}

impl<'a> SubtreeTable<'a> {
    pub(super) fn of(page: &'a PageDigest, level: u32) -> Self {
        let mut table = Self { page, subtrees: Vec::new(), marked: FxHashMap::default() };
        roots(page, level.max(1) as usize).for_each(|root| table.push(root));
        table
    }

    /// The subtrees of a mark, as rows in the order of the page.
    pub(super) fn marked(&self, mark: &str) -> &[usize] {
        self.marked.get(mark).map_or(&[], Vec::as_slice)
    }

    /// Whether two subtrees are the same, and in the same place: all coefficients are 1.
    pub(super) fn is_twin(&self, row: usize, other: &Self, other_row: usize) -> bool {
        let (one, two) = (self.subtrees[row].root, other.subtrees[other_row].root);
        self.page.subtree_hash(one) == other.page.subtree_hash(two)
            && path(self.page, one).eq(path(other.page, two))
    }

    /// Adds the subtrees of another table of the page that are bare text.
    pub(super) fn add_texts(&mut self, other: &Self) {
        let is_new = |root: NodeId| is_read(self.page, root) && self.page.depth(root) > 1;
        let texts: Vec<NodeId> =
            other.subtrees.iter().map(|subtree| subtree.root).filter(|&root| is_new(root)).collect();
        texts.into_iter().for_each(|root| self.push(root));
    }

    fn push(&mut self, root: NodeId) {
        let mark = self.page.name(root);
        let rows = self.marked.entry(mark).or_default();
        let size = nodes(self.page, root).count();
        rows.push(self.subtrees.len());
        self.subtrees.push(Subtree { mark, root, size, rank: rows.len() - 1 });
    }
}

/// The nodes of a subtree that are compared: its elements, and its root whatever that is.
pub(super) fn nodes(page: &PageDigest, root: NodeId) -> impl Iterator<Item = NodeId> {
    page.subtree(root).filter(move |&node| node == root || page.kind(node) == Kind::Element)
}

/// Whether a node is text that a reader sees.
pub(super) fn is_read(page: &PageDigest, node: NodeId) -> bool {
    matches!(page.kind(node), Kind::Text | Kind::Cdata)
}

/// The tags from a node up to the root element: the node's type, backwards.
pub(super) fn path(page: &PageDigest, node: NodeId) -> impl Iterator<Item = &str> {
    let up = std::iter::once(node).chain(page.ancestors(node));
    up.filter(|&node| node != NodeId::ROOT).map(|node| page.name(node))
}

/// The roots of all subtrees at a level.
fn roots(page: &PageDigest, level: usize) -> impl Iterator<Item = NodeId> {
    let mut next = NodeId::ROOT;
    std::iter::from_fn(move || {
        while next.index() < page.len() {
            let node = next;
            let below = page.depth(node) < level && !is_head(page, node);
            next = NodeId(if below { node.0 + 1 } else { page.end(node) });
            if page.depth(node) == level && is_root(page, node) {
                return Some(node);
            }
        }
        None
    })
}

fn is_root(page: &PageDigest, node: NodeId) -> bool {
    let has_words = || page.content(node).is_some_and(|text| words(text).next().is_some());
    match page.kind(node) {
        Kind::Element => !is_head(page, node),
        _ => is_read(page, node) && has_words(),
    }
}

fn is_head(page: &PageDigest, node: NodeId) -> bool {
    page.depth(node) == 2
        && page.name(node) == "head"
        && page.parent(node).is_some_and(|parent| page.name(parent) == "html")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    fn table(html: &str, level: u32) -> Vec<(String, usize)> {
        let page = PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap();
        let table = SubtreeTable::of(&page, level);
        for (mark, rows) in &table.marked {
            assert!(rows.iter().all(|&row| table.subtrees[row].mark == *mark));
        }
        table.subtrees.iter().map(|subtree| (subtree.mark.to_owned(), subtree.size)).collect()
    }

    fn rows(rows: &[(&str, usize)]) -> Vec<(String, usize)> {
        rows.iter().map(|&(mark, size)| (mark.to_owned(), size)).collect()
    }

    const PAGE: &str = "<title>t</title><div><a><img></a></div> <p>x</p>bare<div><!--c--></div>";

    #[test]
    fn subtrees_are_the_children_of_body() {
        assert_eq!(table(PAGE, 3), rows(&[("div", 3), ("p", 1), ("#text", 1), ("div", 1)]));
    }

    #[test]
    fn the_level_is_a_parameter() {
        assert_eq!(table(PAGE, 0), table(PAGE, 1));
        assert_eq!(table(PAGE, 1), rows(&[("html", 9)]));
        assert_eq!(table(PAGE, 2), rows(&[("body", 6)]));
        assert_eq!(table(PAGE, 4), rows(&[("a", 2), ("#text", 1)]));
        assert_eq!(table(PAGE, 9), []);
    }

    #[test]
    fn a_mark_leads_to_its_subtrees() {
        let page = PageDigest::encode(PAGE.as_bytes(), &Reading::default()).unwrap();
        let table = SubtreeTable::of(&page, 3);
        assert_eq!(table.marked("div"), [0, 3]);
        assert_eq!(table.marked("p"), [1]);
        assert!(table.marked("table").is_empty());
        assert_eq!(table.subtrees[3].rank, 1);
    }
}
