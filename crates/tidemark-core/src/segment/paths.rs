//! Relocation inside a segment, by node path sequences with offsets.
//!
//! Source: `CaSePer`, section 3: nodes are paired by `id` and type, then by content, then by type, and the places of each pair in the two sequences are
//! compared; after a difference an offset makes up for it, so that what follows does not count as relocated, too.
//! Cost: linear in the nodes. We differ: a place counts among pairs only, so that what came or went relocates nothing; and the level in the path
//! counts as well, so that a node that went into its neighbour is seen.
//! This is the paper's way, kept for measuring. The moves that readers are told come from the edit script.

use crate::digest::{NodeId, PageDigest};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::ops::Range;

/// A node that is elsewhere in its segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// The node as it was.
    pub old: NodeId,
    /// The node as it is.
    pub new: NodeId,
    /// How many places further on it stands, after what relocations before it account for.
    pub places: i64,
    /// How many levels deeper it is.
    pub levels: i64,
}

/// A node in the sequence of its segment.
struct Step<'a> {
    node: NodeId,
    tag: &'a str,
    id: Option<&'a str>,
    content: u128,
    level: i64,
}

/// The nodes of a segment that were relocated, in the order of the new page.
pub fn relocations(
    (old_page, old): (&PageDigest, Range<u32>),
    (new_page, new): (&PageDigest, Range<u32>),
) -> Vec<Relocation> {
    let (old, new) = (sequence(old_page, old), sequence(new_page, new));
    let pairs = paired(&old, &new);
    let mut places: Vec<usize> = pairs.iter().map(|pair| pair.0).collect();
    places.sort_unstable();
    let place_of: FxHashMap<usize, i64> = places.into_iter().zip(0..).collect();
    let (mut offset, mut found) = (0, Vec::new());
    for (new_place, &(from, to)) in (0..).zip(&pairs) {
        let places = new_place - place_of[&from] - offset;
        let levels = new[to].level - old[from].level;
        if places != 0 || levels != 0 {
            found.push(Relocation { old: old[from].node, new: new[to].node, places, levels });
        }
        offset += places;
    }
    found
}

fn sequence(page: &PageDigest, nodes: Range<u32>) -> Vec<Step<'_>> {
    let depth = |node: NodeId| i64::try_from(page.depth(node)).unwrap_or(i64::MAX);
    let top = depth(NodeId(nodes.start));
    let step = |node| Step {
        node,
        tag: page.name(node),
        id: page.attribute(node, "id"),
        content: page.subtree_hash(node),
        level: depth(node) - top,
    };
    nodes.map(NodeId).map(step).collect()
}

/// Places in both sequences of what is taken for one node, in the order of the new one.
fn paired(old: &[Step<'_>], new: &[Step<'_>]) -> Vec<(usize, usize)> {
    let mut partners: Vec<Option<usize>> = vec![None; new.len()];
    let mut taken = vec![false; old.len()];
    pair_by(
        old,
        new,
        |step| step.id.map(|id| (step.tag.to_owned(), id.to_owned())),
        &mut partners,
        &mut taken,
    );
    pair_by(old, new, |step| step.id.is_none().then_some(step.content), &mut partners, &mut taken);
    pair_by(old, new, |step| step.id.is_none().then(|| step.tag.to_owned()), &mut partners, &mut taken);
    partners.iter().enumerate().filter_map(|(new, old)| Some(((*old)?, new))).collect()
}

/// Pairs what has the same key, first with first.
fn pair_by<'a, K: Eq + Hash>(
    old: &[Step<'a>],
    new: &[Step<'a>],
    key: impl Fn(&Step<'a>) -> Option<K>,
    partners: &mut [Option<usize>],
    taken: &mut [bool],
) {
    let mut places: FxHashMap<K, Vec<usize>> = FxHashMap::default();
    for (place, step) in old.iter().enumerate().rev().filter(|(place, _)| !taken[*place]) {
        if let Some(key) = key(step) {
            places.entry(key).or_default().push(place);
        }
    }
    for (place, step) in new.iter().enumerate() {
        if partners[place].is_none() {
            partners[place] = key(step).and_then(|key| places.get_mut(&key)?.pop());
        }
    }
    partners.iter().flatten().for_each(|&old| taken[old] = true);
}

#[cfg(test)]
mod tests {
    use super::relocations;
    use crate::digest::PageDigest;
    use crate::page::Reading;

    /// The names of relocated elements with places and levels.
    fn relocated(old: &str, new: &str) -> Vec<(String, i64, i64)> {
        let page = |html: &str| {
            let html = format!("<div>{html}</div>");
            PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap()
        };
        let (old, new) = (page(old), page(new));
        let nodes = |page: &PageDigest| {
            let node = page.tagged("div").next().unwrap();
            node.0..page.end(node)
        };
        relocations((&old, nodes(&old)), (&new, nodes(&new)))
            .into_iter()
            .map(|found| (new.name(found.new).to_owned(), found.places, found.levels))
            .collect()
    }

    #[test]
    fn an_offset_makes_up_for_a_relocation() {
        let old = "<i id=a></i><b id=b></b><u id=c></u><s id=d></s>";
        // a goes behind c: b is one place ahead of where it was, and c follows it; then a stands back, and d is as it was.
        let new = "<b id=b></b><u id=c></u><i id=a></i><s id=d></s>";
        let expected = [("b", -1, 0), ("i", 3, 0), ("s", -2, 0)];
        assert_eq!(
            relocated(old, new),
            expected.map(|(name, places, levels)| (name.to_owned(), places, levels))
        );
    }

    #[test]
    fn what_came_or_went_relocates_nothing() {
        assert!(relocated("<p>one<p>two", "<h2 id=x></h2><p>one<p>two").is_empty());
        assert!(relocated("<h2 id=x></h2><p>one<p>two", "<p>one<p>two").is_empty());
        assert!(relocated("<p>one<p>two", "<p>one<p>2").is_empty());
    }

    #[test]
    fn a_node_that_went_into_its_neighbour_is_on_another_level() {
        let found = relocated("<ul id=l></ul><b id=x></b>", "<ul id=l><b id=x></b></ul>");
        assert_eq!(found, [("b".to_owned(), 0, 1)]);
    }
}
