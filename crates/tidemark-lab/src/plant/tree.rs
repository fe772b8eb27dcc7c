//! A page whose nodes can be moved about.
//!
//! Nodes of the page it was made from keep their numbers, and nodes that come in later get higher ones, so one number names a node before
//! and after all edits.

use tidemark_core::digest::{Kind, NodeId, PageDigest};

/// A node; the document is its own parent.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) content: String,
    pub(super) parent: usize,
    pub(super) children: Vec<usize>,
}

/// A tree of them.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    pub(super) fn of(digest: &PageDigest) -> Self {
        Self { nodes: digest.depth_first().map(|node| Node::of(digest, node)).collect() }
    }

    /// The nodes of a subtree in the order of the page, its root first.
    pub(super) fn subtree(&self, root: usize) -> Vec<usize> {
        let (mut open, mut found) = (vec![root], Vec::new());
        while let Some(node) = open.pop() {
            found.push(node);
            open.extend(self.nodes[node].children.iter().rev());
        }
        found
    }

    /// All nodes in the order of the page: at the place of its new number stands the number of each node here.
    pub(super) fn in_order(&self) -> Vec<usize> {
        self.subtree(0)
    }

    /// The nodes around a node, the nearest first, without the document.
    pub(super) fn around(&self, node: usize) -> impl Iterator<Item = usize> {
        let parent = |&node: &usize| Some(self.nodes[node].parent);
        std::iter::successors(Some(self.nodes[node].parent), parent).take_while(|&node| node != 0)
    }

    /// Where a node stands among its siblings.
    pub(super) fn place(&self, node: usize) -> usize {
        let siblings = &self.nodes[self.nodes[node].parent].children;
        siblings.iter().position(|&child| child == node).expect("a node is a child of its parent")
    }

    /// Adds a node that stands nowhere yet.
    pub(super) fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Takes a node out; where it stood.
    pub(super) fn detach(&mut self, node: usize) -> usize {
        let place = self.place(node);
        let parent = self.nodes[node].parent;
        self.nodes[parent].children.remove(place);
        place
    }

    /// Puts a node in.
    pub(super) fn put(&mut self, parent: usize, place: usize, node: usize) {
        self.nodes[parent].children.insert(place, node);
        self.nodes[node].parent = parent;
    }

    /// Makes texts that came to stand side by side one, as a parser would; the texts concerned.
    pub(super) fn merge_texts(&mut self, parent: usize) -> Vec<usize> {
        let (mut kept, mut concerned): (Vec<usize>, Vec<usize>) = Default::default();
        for child in std::mem::take(&mut self.nodes[parent].children) {
            let before = kept.last().copied().filter(|&before| self.is_text(before) && self.is_text(child));
            if let Some(before) = before {
                let more = self.nodes[child].content.clone();
                self.nodes[before].content.push_str(&more);
                concerned.extend([before, child]);
            } else {
                kept.push(child);
            }
        }
        self.nodes[parent].children = kept;
        concerned
    }

    pub(super) fn is_text(&self, node: usize) -> bool {
        self.nodes[node].kind == Kind::Text
    }

    pub(super) fn is_element(&self, node: usize) -> bool {
        self.nodes[node].kind == Kind::Element
    }

    /// Letters and digits that a reader sees in a subtree.
    pub(super) fn letters(&self, root: usize) -> usize {
        let texts = self.subtree(root).into_iter().filter(|&node| self.is_text(node));
        texts.map(|node| self.nodes[node].content.chars().filter(|c| c.is_alphanumeric()).count()).sum()
    }

    /// Whether a digest has exactly these nodes.
    pub(super) fn is(&self, digest: &PageDigest) -> bool {
        let order = self.in_order();
        order.len() == digest.len()
            && order.iter().zip(digest.depth_first()).all(|(&here, there)| self.nodes[here].is(digest, there))
    }
}

impl Node {
    /// An element without anything.
    pub(super) fn element(name: &str) -> Self {
        let (attributes, content, children) = Default::default();
        Self { kind: Kind::Element, name: name.to_owned(), attributes, content, parent: 0, children }
    }

    fn of(digest: &PageDigest, node: NodeId) -> Self {
        let attributes =
            digest.attributes(node).map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self {
            kind: digest.kind(node),
            name: digest.name(node).to_owned(),
            attributes,
            content: digest.content(node).unwrap_or_default().to_owned(),
            parent: digest.parent(node).map_or(0, |parent| parent.0 as usize),
            children: digest.children(node).map(|child| child.0 as usize).collect(),
        }
    }

    /// In the order of the page, equal numbers of children make equal trees.
    fn is(&self, digest: &PageDigest, node: NodeId) -> bool {
        self.kind == digest.kind(node)
            && self.name == digest.name(node)
            && self.children.len() == digest.child_count(node)
            && self.content == digest.content(node).unwrap_or_default()
            && self.attributes.iter().map(|(name, value)| (&**name, &**value)).eq(digest.attributes(node))
    }
}
