//! Walks over a digest against their plain definitions, worked out from the numbers of children alone.

use crate::pages::{cases, corpus, digest, sent, soup, xml};
use proptest::prelude::*;
use tidemark_core::digest::{NodeId, PageDigest};

/// A tree as lists of children.
struct Plain {
    children: Vec<Vec<NodeId>>,
    parent: Vec<Option<NodeId>>,
}

/// Takes nodes in depth-first order; each belongs to the innermost one that still lacks children.
fn plain(digest: &PageDigest) -> Plain {
    let count = digest.len();
    let mut tree = Plain { children: vec![Vec::new(); count], parent: vec![None; count] };
    let mut open: Vec<usize> = Vec::new();
    for index in 0..count {
        let node = NodeId(u32::try_from(index).expect("few nodes"));
        while open.last().is_some_and(|&last| tree.children[last].len() == digest.child_count(id(last))) {
            open.pop();
        }
        if let Some(&parent) = open.last() {
            tree.children[parent].push(node);
            tree.parent[index] = Some(id(parent));
        }
        open.push(index);
    }
    tree
}

fn id(index: usize) -> NodeId {
    NodeId(u32::try_from(index).expect("few nodes"))
}

impl Plain {
    fn children(&self, node: NodeId) -> &[NodeId] {
        &self.children[node.0 as usize]
    }

    fn ancestors(&self, node: NodeId) -> Vec<NodeId> {
        std::iter::successors(self.parent[node.0 as usize], |&node| self.parent[node.0 as usize]).collect()
    }

    fn subtree(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            found.push(node);
            open.extend(self.children(node).iter().rev());
        }
        found
    }

    fn leaves(&self, node: NodeId) -> Vec<NodeId> {
        self.subtree(node).into_iter().filter(|&node| self.children(node).is_empty()).collect()
    }
}

fn assert_walks(digest: &PageDigest) {
    let plain = plain(digest);
    let all: Vec<NodeId> = digest.depth_first().collect();
    assert_eq!(all, plain.subtree(NodeId::ROOT));
    assert_eq!((all.len(), digest.depth_first().len()), (digest.len(), digest.len()));
    assert!(digest.depth_first().rev().eq(all.iter().rev().copied()));
    for &node in &all {
        assert_node_walks(digest, &plain, node);
    }
    assert_tagged(digest, &all);
}

fn assert_node_walks(digest: &PageDigest, plain: &Plain, node: NodeId) {
    assert_eq!(digest.parent(node), plain.parent[node.0 as usize]);
    assert_eq!(digest.children(node).collect::<Vec<_>>(), plain.children(node));
    assert_eq!(digest.ancestors(node).collect::<Vec<_>>(), plain.ancestors(node));
    assert_eq!(digest.depth(node), plain.ancestors(node).len());
    assert_eq!(digest.leaves(node).collect::<Vec<_>>(), plain.leaves(node));
    let subtree = plain.subtree(node);
    assert_eq!(digest.subtree(node).collect::<Vec<_>>(), subtree);
    assert_eq!(digest.subtree(node).len(), subtree.len());
    assert!(digest.subtree(node).rev().eq(subtree.into_iter().rev()));
}

fn assert_tagged(digest: &PageDigest, all: &[NodeId]) {
    let names = all.iter().map(|&node| digest.name(node)).chain(["#raw", "p", "no-such-tag", ""]);
    for name in names {
        let expected: Vec<NodeId> = all.iter().copied().filter(|&node| digest.name(node) == name).collect();
        assert_eq!(digest.tagged(name).collect::<Vec<_>>(), expected, "{name:?}");
    }
}

#[test]
fn walks_over_the_corpus_are_the_plain_ones() {
    for (_, bytes) in corpus() {
        assert_walks(&digest(&bytes));
    }
}

#[test]
fn one_name_in_two_vocabularies_is_one_tag() {
    let page = digest(b"<p><svg><a><title>s</title></a><desc><a>x</a></desc></svg><title>h</title><a>y</a>");
    assert_eq!(page.tagged("a").count(), 3);
    assert_eq!(page.tagged("title").count(), 2);
    assert_walks(&page);
}

#[test]
fn erratum_a_chain_of_last_children_ends_at_every_level() {
    let page = digest(
        format!("<?xml version='1.0'?><a>{}{}<z/></a>", "<b>".repeat(300), "</b>".repeat(300)).as_bytes(),
    );
    assert_walks(&page);
    let last = page.tagged("z").next().expect("the last element");
    assert_eq!(page.depth(last), 2);
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn walks_over_soup_are_the_plain_ones(text in soup()) {
        assert_walks(&digest(text.as_bytes()));
    }

    #[test]
    fn walks_over_xml_are_the_plain_ones(text in xml()) {
        assert_walks(&digest(text.as_bytes()));
    }

    #[test]
    fn walks_over_anything_are_the_plain_ones((bytes, _) in sent()) {
        assert_walks(&digest(&bytes));
    }
}
