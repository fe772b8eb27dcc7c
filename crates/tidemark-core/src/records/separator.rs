//! The separator: the tag that starts each row.
//!
//! Source: Omini (2001): highest count, standard deviation, repeating pattern, identifiable separator and partial path, each
//! giving its ranking of the tags, combined as independent evidence: `1 - Π (1 - certainty)`.
//! Cost: linear in the children and grandchildren of the subtree.
//! We differ: Omini's certainties were learnt on pages of 2001; ours fall with the rank and are the same for all five.

use super::subtree::{Sizes, is_mute, siblings};
use crate::digest::{Kind, NodeId, PageDigest};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a tag is worth that a heuristic ranks first, second, …
const CERTAINTY: [f64; 4] = [0.8, 0.5, 0.3, 0.1];

/// Tags that are made to separate, the clearest first.
const KNOWN: [&str; 20] = [
    "tr", "li", "dt", "article", "item", "entry", "section", "h2", "h3", "h4", "h5", "hr", "table", "tbody",
    "div", "ul", "dl", "p", "a", "dd",
];

/// The first child of the tag that separates best.
pub(super) fn choose(page: &PageDigest, sizes: &Sizes, root: NodeId) -> Option<NodeId> {
    let is_speaking = |node: &NodeId| page.kind(*node) == Kind::Element && !is_mute(page.name(*node));
    let children: Vec<NodeId> = siblings(page, root.0 + 1..page.end(root)).filter(is_speaking).collect();
    let candidates = candidates(page, sizes, &children);
    let mut doubt = vec![1.0; candidates.len()];
    for heuristic in [count, deviation, pattern, known, partial_path] {
        let values: Vec<f64> = candidates.iter().map(heuristic).collect();
        for (place, rank) in ranks(&values) {
            doubt[place] *= 1.0 - CERTAINTY.get(rank).copied().unwrap_or(0.0);
        }
    }
    let best = (0..candidates.len()).min_by(|&a, &b| doubt[a].total_cmp(&doubt[b]));
    best.map(|best| candidates[best].first)
}

/// A tag with what the heuristics look at.
struct Candidate<'a> {
    first: NodeId,
    name: &'a str,
    count: usize,
    /// What stands between two of them, in bytes of text.
    gaps: Vec<u64>,
    /// How often its commonest follower follows.
    followed: usize,
    /// In how many of them the commonest child tag occurs.
    common_child: usize,
}

/// Tags with enough children to be rows, in the order of first appearance.
fn candidates<'a>(page: &'a PageDigest, sizes: &Sizes, children: &[NodeId]) -> Vec<Candidate<'a>> {
    let mut places = FxHashMap::<u32, Vec<usize>>::default();
    for (place, &child) in children.iter().enumerate() {
        places.entry(page.tag(child)).or_default().push(place);
    }
    let mut before: Vec<u64> = vec![0];
    for &child in children {
        before.push(before[before.len() - 1] + sizes.of(child));
    }
    let mut tags: Vec<Vec<usize>> =
        places.into_values().filter(|places| places.len() >= super::MIN_ROWS).collect();
    tags.sort_unstable();
    let candidate = |places: &Vec<usize>| Candidate {
        first: children[places[0]],
        name: page.name(children[places[0]]),
        count: places.len(),
        gaps: places.windows(2).map(|pair| before[pair[1]] - before[pair[0]]).collect(),
        followed: commonest(
            places.iter().filter_map(|place| children.get(place + 1)).map(|&node| page.tag(node)),
        ),
        common_child: commonest(places.iter().flat_map(|&place| child_tags(page, children[place]))),
    };
    tags.iter().map(candidate).collect()
}

/// The different tags among the children of a node.
fn child_tags(page: &PageDigest, node: NodeId) -> FxHashSet<u32> {
    page.children(node)
        .filter(|&child| page.kind(child) == Kind::Element)
        .map(|child| page.tag(child))
        .collect()
}

/// How often the commonest of some tags occurs.
fn commonest(tags: impl Iterator<Item = u32>) -> usize {
    let mut counts = FxHashMap::<u32, usize>::default();
    tags.map(|tag| {
        let count = counts.entry(tag).or_default();
        *count += 1;
        *count
    })
    .max()
    .unwrap_or(0)
}

// The heuristics: the smaller the value, the better the tag.

/// Highest count: there are many objects.
fn count(tag: &Candidate<'_>) -> f64 {
    -(tag.count as f64)
}

/// Standard deviation over mean of what stands between two separators: objects are of like size.
fn deviation(tag: &Candidate<'_>) -> f64 {
    let length = tag.gaps.len() as f64;
    let mean = tag.gaps.iter().sum::<u64>() as f64 / length;
    let variance = tag.gaps.iter().map(|&gap| (gap as f64 - mean).powi(2)).sum::<f64>() / length;
    if mean == 0.0 { f64::MAX } else { variance.sqrt() / mean }
}

/// Repeating pattern: what follows a separator is always the same.
fn pattern(tag: &Candidate<'_>) -> f64 {
    (tag.count - tag.followed) as f64 / tag.count as f64
}

/// Identifiable separator: some tags are made for it.
fn known(tag: &Candidate<'_>) -> f64 {
    KNOWN.iter().position(|name| *name == tag.name).unwrap_or(KNOWN.len()) as f64
}

/// Partial path: objects have insides, and the same ones.
fn partial_path(tag: &Candidate<'_>) -> f64 {
    -(tag.common_child as f64)
}

/// Places with their rank; equal values share the better rank.
fn ranks(values: &[f64]) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut rank = 0;
    let ranked = order.iter().enumerate().map(|(at, &place)| {
        if at > 0 && values[place] > values[order[at - 1]] {
            rank = at;
        }
        (place, rank)
    });
    ranked.collect()
}
