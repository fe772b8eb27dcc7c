//! Walks over a digest: iterators that allocate nothing. Depth-first order is array order.

use super::{NodeId, PageDigest};

impl PageDigest {
    /// All nodes in depth-first order, which is the order of the page.
    pub fn depth_first(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.len() as u32).map(NodeId)
    }

    /// A node and everything below it, in depth-first order.
    pub fn subtree(
        &self,
        node: NodeId,
    ) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (node.0..self.end(node)).map(NodeId)
    }

    /// The children of a node in order.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let mut next = node.0 + 1;
        let end = self.end(node);
        std::iter::from_fn(move || {
            let child = NodeId(next);
            (next < end).then(|| {
                next = self.end(child);
                child
            })
        })
    }

    /// The parent of a node, its parent, and so on up to the document.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(node), |&node| self.parent(node))
    }

    /// The leaves of a subtree: its nodes without children.
    pub fn leaves(&self, node: NodeId) -> impl DoubleEndedIterator<Item = NodeId> {
        self.subtree(node).filter(|node| self.columns().children[node.index()] == 0)
    }

    /// All nodes of one tag, such as `p` or `#text`, in the order of the page.
    pub fn tagged<'a>(&'a self, name: &'a str) -> impl Iterator<Item = NodeId> + 'a {
        // A name can stand for several entries: `a` in HTML and in SVG.
        let named = move |tag: u32| self.columns().tag_name(tag) == name;
        let first = self.columns().tags_named(name).next().unwrap_or(u32::MAX);
        self.depth_first().filter(move |&node| {
            let tag = self.tag(node);
            tag == first || (tag > first && named(tag))
        })
    }
}
