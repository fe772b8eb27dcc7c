//! The object-rich subtree: where the list of a page is.
//!
//! Source: Omini (2001): highest fan-out, greatest size increase and largest tag count, as the sides of a volume.
//! Cost: two passes over the nodes and one over the table of child tags.
//! We differ: size is what a reader sees, so that scripts and markup weigh nothing; navigation, page heads and feet weigh
//! a tenth, because a menu is a list that nobody watches.

use crate::digest::{Kind, NodeId, PageDigest};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What an image weighs, in letters.
const IMAGE: u64 = 16;

/// How much a reader sees in each subtree, in bytes of text.
pub(super) struct Sizes(Vec<u64>);

impl Sizes {
    pub(super) fn new(page: &PageDigest) -> Self {
        let mut sizes: Vec<u64> = page.depth_first().map(|node| own_size(page, node)).collect();
        for node in page.depth_first().rev() {
            if matches!(page.kind(node), Kind::Fragment) || is_mute(page.name(node)) {
                sizes[node.index()] = 0;
            } else if let Some(parent) = page.parent(node) {
                sizes[parent.index()] += sizes[node.index()];
            }
        }
        Self(sizes)
    }

    pub(super) fn of(&self, node: NodeId) -> u64 {
        self.0[node.index()]
    }

    /// Size of subtrees next to each other.
    pub(super) fn within(&self, page: &PageDigest, nodes: Range<u32>) -> u64 {
        siblings(page, nodes).map(|node| self.of(node)).sum()
    }
}

/// The outermost nodes of a range of whole subtrees.
pub(super) fn siblings(page: &PageDigest, nodes: Range<u32>) -> impl Iterator<Item = NodeId> {
    let mut next = nodes.start;
    std::iter::from_fn(move || {
        let node = NodeId(next);
        (next < nodes.end).then(|| {
            next = page.end(node);
            node
        })
    })
}

fn own_size(page: &PageDigest, node: NodeId) -> u64 {
    match page.kind(node) {
        Kind::Text | Kind::Cdata => page.content(node).map_or(0, |text| text.trim().len() as u64),
        Kind::Element if page.name(node) == "img" => IMAGE,
        _ => 0,
    }
}

/// Elements whose insides are no rows, however many they are.
pub(super) fn is_mute(name: &str) -> bool {
    matches!(name, "head" | "select" | "datalist" | "svg" | "math" | "noscript")
}

/// The nodes below one with the largest volumes, largest first.
pub(super) fn richest(page: &PageDigest, sizes: &Sizes, below: NodeId, count: usize) -> Vec<NodeId> {
    let mut shapes = vec![Shape::default(); page.len()];
    let mut tags = FxHashMap::<(u32, u32), u64>::default();
    for node in page.subtree(below).skip(1) {
        let Some(parent) = page.parent(node).filter(|_| page.kind(node) == Kind::Element) else { continue };
        if sizes.of(node) > 0 {
            let same = tags.entry((parent.0, page.tag(node))).or_default();
            *same += 1;
            shapes[parent.index()].add(sizes.of(node), *same);
        }
    }
    let weights = weights(page);
    let volume = |node: NodeId| shapes[node.index()].volume(sizes.of(node)) * weights[node.index()];
    let mut nodes: Vec<(f64, NodeId)> =
        page.subtree(below).map(|node| (volume(node), node)).filter(|(volume, _)| *volume > 0.0).collect();
    nodes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    nodes.into_iter().take(count).map(|(_, node)| node).collect()
}

/// What the heuristics see of one node.
#[derive(Clone, Copy, Default)]
struct Shape {
    fan_out: u64,
    largest_child: u64,
    tag_count: u64,
}

impl Shape {
    fn add(&mut self, size: u64, same: u64) {
        self.fan_out += 1;
        self.largest_child = self.largest_child.max(size);
        self.tag_count = self.tag_count.max(same);
    }

    fn volume(&self, size: u64) -> f64 {
        if self.tag_count < super::MIN_ROWS as u64 {
            return 0.0;
        }
        self.fan_out as f64 * self.tag_count as f64 * size.saturating_sub(self.largest_child) as f64
    }
}

/// A tenth for what is navigation, head or foot of the page, nothing for what is mute, and the same for all inside it.
fn weights(page: &PageDigest) -> Vec<f64> {
    let mut weights = vec![1.0f64; page.len()];
    for node in page.depth_first() {
        let inherited = page.parent(node).map_or(1.0, |parent| weights[parent.index()]);
        weights[node.index()] = match page.name(node) {
            name if is_mute(name) => 0.0,
            "nav" | "header" | "footer" | "aside" => inherited.min(0.1),
            _ => inherited,
        };
    }
    weights
}
