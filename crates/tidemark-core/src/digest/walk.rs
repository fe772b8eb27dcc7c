//! Walks over a digest: iterators that allocate nothing. Depth-first order is array order.

use super::{Kind, NodeId, PageDigest};

/// An entry of a page's list of tags: a kind of node with its name. Valid only in its own digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagId(pub u32);

/// A node as a scan sees it: its row of the arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The node.
    pub node: NodeId,
    /// What it is called.
    pub tag: TagId,
    /// Its number of children.
    pub children: u32,
    /// Its number of attributes.
    pub attributes: u32,
    /// Length of its content in bytes.
    pub content: u32,
}

impl PageDigest {
    /// All nodes in depth-first order with their rows: the fastest walk, one step through the arrays a node. What a tag is can be
    /// looked up beforehand, once for each entry of [`PageDigest::tag_list`].
    pub fn scan(&self) -> impl Iterator<Item = Row> {
        let columns = self.columns();
        let count = columns.children.len();
        // Slices of one known length, so that no step checks a bound.
        let (children, tags) = (&columns.children[..count], &columns.tags[..count]);
        let (attributes, contents) = (&columns.attribute_ends[..count], &columns.content_ends[..count]);
        let (mut attribute_start, mut content_start) = (0, 0);
        (0..count).map(move |node| {
            let attributes = attributes[node] - std::mem::replace(&mut attribute_start, attributes[node]);
            let content = contents[node] - std::mem::replace(&mut content_start, contents[node]);
            Row {
                node: NodeId(node as u32),
                tag: TagId(tags[node]),
                children: children[node],
                attributes,
                content,
            }
        })
    }

    /// The list of tags in the order of first appearance: kind and name.
    pub fn tag_list(&self) -> impl ExactSizeIterator<Item = (Kind, &str)> {
        let columns = self.columns();
        (0..columns.tag_kinds.len() as u32).map(|tag| (columns.kind_of_tag(tag), columns.tag_name(tag)))
    }

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

    /// The sibling just before a node. Cost: the depth of what lies between.
    pub fn previous_sibling(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.parent(node)?;
        // The node before this one in the page is the parent, or the last one inside the sibling.
        let mut at = NodeId(node.0 - 1);
        while at != parent {
            match self.parent(at) {
                Some(above) if above != parent => at = above,
                _ => return Some(at),
            }
        }
        None
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
