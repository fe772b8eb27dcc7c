//! Which nodes differ between two pages.
//!
//! Source: Page Digest, section 4.1: after "changed or not", the markup of exactly which nodes changed.
//! Cost: O(n log n) at worst; equal subtrees are passed over by their hash, so the cost follows the change.
//! Pairs are made top-down among the children of paired nodes, in order: equal subtrees first, then
//! nodes of the same tag between them. It is not an edit script: a moved block is told as removed and added.

use super::hash::tag_hash;
use super::{Facet, Facets, NodeId, PageDigest};
use rustc_hash::FxHashMap;

/// A node, or a pair of nodes, in which two pages differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Differing {
    /// A node of the old page that has no counterpart, with its subtree.
    Removed(NodeId),
    /// A node of the new page that has no counterpart, with its subtree.
    Added(NodeId),
    /// Two nodes at the same place that differ themselves; [`Facet::Structure`] means their numbers of children.
    Changed {
        /// In the old page.
        old: NodeId,
        /// In the new page.
        new: NodeId,
        /// In what they differ.
        facets: Facets,
    },
}

impl PageDigest {
    /// The nodes in which two pages differ, in the order of the pages. Empty exactly if the pages are equal.
    pub fn differing(&self, new: &Self) -> Vec<Differing> {
        let mut comparison = Comparison::new(self, new);
        let mut pairs = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((old, new)) = pairs.pop() {
            if self.subtree_hash(old) != comparison.new.subtree_hash(new) {
                comparison.nodes(old, new);
                comparison.children(old, new, &mut pairs);
            }
        }
        comparison.found.sort_by_key(|differing| match *differing {
            Differing::Removed(old) => (old, 0),
            Differing::Added(new) => (new, 1),
            Differing::Changed { new, .. } => (new, 2),
        });
        comparison.found
    }
}

struct Comparison<'a> {
    old: &'a PageDigest,
    new: &'a PageDigest,
    old_tags: Vec<u128>,
    new_tags: Vec<u128>,
    found: Vec<Differing>,
}

impl<'a> Comparison<'a> {
    fn new(old: &'a PageDigest, new: &'a PageDigest) -> Self {
        let tags = |digest: &PageDigest| {
            let columns = digest.columns();
            (0..columns.tag_kinds.len() as u32).map(|tag| tag_hash(columns, tag)).collect()
        };
        Self { old, new, old_tags: tags(old), new_tags: tags(new), found: Vec::new() }
    }

    /// Compares two paired nodes without their subtrees.
    fn nodes(&mut self, old: NodeId, new: NodeId) {
        let facets: Facets = [
            (Facet::Structure, self.old.child_count(old) != self.new.child_count(new)),
            (Facet::Tags, self.old_tag(old) != self.new_tag(new)),
            (Facet::Attributes, !self.old.attributes(old).eq(self.new.attributes(new))),
            (Facet::Content, self.old.content(old) != self.new.content(new)),
        ]
        .into_iter()
        .filter_map(|(facet, differs)| differs.then_some(facet))
        .collect();
        if !facets.is_empty() {
            self.found.push(Differing::Changed { old, new, facets });
        }
    }

    /// Pairs the children of two paired nodes; what finds no partner is removed or added.
    fn children(&mut self, old: NodeId, new: NodeId, pairs: &mut Vec<(NodeId, NodeId)>) {
        let old: Vec<NodeId> = self.old.children(old).collect();
        let new: Vec<NodeId> = self.new.children(new).collect();
        let old_hashes: Vec<u128> = old.iter().map(|&node| self.old.subtree_hash(node)).collect();
        let new_hashes: Vec<u128> = new.iter().map(|&node| self.new.subtree_hash(node)).collect();
        let (mut old_from, mut new_from) = (0, 0);
        let end = [(old.len(), new.len())];
        for (old_to, new_to) in aligned(&old_hashes, &new_hashes).into_iter().chain(end) {
            self.gap(&old[old_from..old_to], &new[new_from..new_to], pairs);
            (old_from, new_from) = (old_to + 1, new_to + 1);
        }
    }

    /// Pairs what lies between two equal children by tag.
    fn gap(&mut self, old: &[NodeId], new: &[NodeId], pairs: &mut Vec<(NodeId, NodeId)>) {
        let old_tags: Vec<u128> = old.iter().map(|&node| self.old_tag(node)).collect();
        let new_tags: Vec<u128> = new.iter().map(|&node| self.new_tag(node)).collect();
        let (mut old_paired, mut new_paired) = (vec![false; old.len()], vec![false; new.len()]);
        for (old_at, new_at) in aligned(&old_tags, &new_tags) {
            (old_paired[old_at], new_paired[new_at]) = (true, true);
            pairs.push((old[old_at], new[new_at]));
        }
        let unpaired = |nodes: &[NodeId], paired: Vec<bool>| -> Vec<NodeId> {
            nodes.iter().zip(paired).filter_map(|(&node, paired)| (!paired).then_some(node)).collect()
        };
        self.found.extend(unpaired(old, old_paired).into_iter().map(Differing::Removed));
        self.found.extend(unpaired(new, new_paired).into_iter().map(Differing::Added));
    }

    fn old_tag(&self, node: NodeId) -> u128 {
        self.old_tags[self.old.tag(node) as usize]
    }

    fn new_tag(&self, node: NodeId) -> u128 {
        self.new_tags[self.new.tag(node) as usize]
    }
}

/// Pairs of equal keys that keep the order on both sides: equal starts and ends first, then, for what lies between,
/// the k-th of a key with the k-th of the same key, thinned to a longest increasing run.
fn aligned(old: &[u128], new: &[u128]) -> Vec<(usize, usize)> {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old_middle, new_middle) = (&old_rest[..old_rest.len() - end], &new_rest[..new_rest.len() - end]);

    let mut places: FxHashMap<u128, Vec<usize>> = FxHashMap::default();
    for (at, &key) in new_middle.iter().enumerate().rev() {
        places.entry(key).or_default().push(at);
    }
    let candidates: Vec<(usize, usize)> = old_middle
        .iter()
        .enumerate()
        .filter_map(|(at, key)| Some((at, places.get_mut(key)?.pop()?)))
        .collect();
    let middle = longest_increasing(&candidates).into_iter().map(|(old, new)| (old + start, new + start));
    let tail = (1..=end).rev().map(|back| (old.len() - back, new.len() - back));
    (0..start).map(|at| (at, at)).chain(middle).chain(tail).collect()
}

/// A longest run of pairs, rising on the left already, that rises on the right too.
fn longest_increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut tails: Vec<usize> = Vec::new(); // pair that ends the best run of each length
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, &(_, right)) in pairs.iter().enumerate() {
        let length = tails.partition_point(|&tail| pairs[tail].1 < right);
        before.push(length.checked_sub(1).map(|shorter| tails[shorter]));
        if length == tails.len() {
            tails.push(at);
        } else {
            tails[length] = at;
        }
    }
    let mut run: Vec<(usize, usize)> =
        std::iter::successors(tails.last().copied(), |&at| before[at]).map(|at| pairs[at]).collect();
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    fn page(html: &str) -> PageDigest {
        PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap()
    }

    /// One line a difference: what, tag, and content or facets.
    fn told(old: &str, new: &str) -> Vec<String> {
        let (old, new) = (page(old), page(new));
        let tell = |differing: Differing| match differing {
            Differing::Removed(node) => format!("- {}", old.name(node)),
            Differing::Added(node) => format!("+ {}", new.name(node)),
            Differing::Changed { new: node, facets, .. } => {
                format!("~ {} {:?}", new.name(node), facets.iter().map(Facet::name).collect::<Vec<_>>())
            }
        };
        old.differing(&new).into_iter().map(tell).collect()
    }

    #[test]
    fn equal_pages_have_no_differing_nodes() {
        assert_eq!(told("<p>a<p>b", "<p>a</p><p>b</p>"), [""; 0]);
    }

    #[test]
    fn what_differs_is_told_where_it_is() {
        assert_eq!(told("<p>a<p>b", "<p>a<p>c"), ["~ #text [\"content\"]"]);
        assert_eq!(told("<p class=x>a<p>b", "<p class=y>a<p>b"), ["~ p [\"attributes\"]"]);
        assert_eq!(told("<p>a", "<p>a<hr>"), ["~ body [\"structure\"]", "+ hr"]);
        assert_eq!(told("<p>a<hr><p>b", "<p>a<p>b"), ["~ body [\"structure\"]", "- hr"]);
    }

    #[test]
    fn a_row_inserted_among_equals_is_one_added_row() {
        let old = "<ul><li>row 1<li>row 2<li>row 3<li>row 4<li>row 5</ul>";
        let new = "<ul><li>row 1<li>row 2<li>row 9<li>row 3<li>row 4<li>row 5</ul>";
        assert_eq!(told(old, new), ["~ ul [\"structure\"]", "+ li"]);
    }

    #[test]
    fn reordered_siblings_are_seen() {
        let found = told("<p>a<p>b<p>c", "<p>c<p>a<p>b");
        assert_eq!(found.len(), 2, "one removed and one added: {found:?}");
    }

    #[test]
    fn alignment_keeps_the_order() {
        assert_eq!(aligned(&[1, 2, 3, 4], &[4, 1, 2, 3]), [(0, 1), (1, 2), (2, 3)]);
        assert_eq!(aligned(&[1, 1, 2], &[1, 2, 1]), [(0, 0), (2, 1)].to_vec().as_slice());
        assert_eq!(aligned(&[], &[1]), []);
    }
}
