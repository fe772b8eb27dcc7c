//! From the separator to the rows.
//!
//! Cost: linear in the children and grandchildren of the subtree.
//! A row goes from one separator to the next. Where nearly every row is a single node, what stands between rows belongs to none
//! (an advertisement, a heading). Where neighbours of one tag differ in shape and the shapes repeat, as in
//! tables that spend three `tr` on a row, the first shape of the period starts a row.

use super::subtree::{Sizes, siblings};
use crate::digest::{Kind, NodeId, PageDigest};
use rustc_hash::FxHashMap;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// Longest period of shapes looked for.
const PERIODS: usize = 6;

/// The rows below `root`, each a range of whole subtrees.
pub(super) fn split(page: &PageDigest, sizes: &Sizes, root: NodeId, separator: NodeId) -> Vec<Range<u32>> {
    let end = page.end(root);
    let same: Vec<NodeId> =
        siblings(page, root.0 + 1..end).filter(|&node| page.tag(node) == page.tag(separator)).collect();
    let starts = anchors(page, &same).unwrap_or(same);
    let between = matches!(page.name(separator), "hr" | "br");
    let mut bounds: Vec<u32> = between.then_some(root.0 + 1).into_iter().collect();
    bounds.extend(starts.iter().map(|start| start.0));
    bounds.push(end);
    let chunks: Vec<Range<u32>> = bounds.windows(2).map(|pair| pair[0]..pair[1]).collect();
    trim(page, sizes, chunks)
}

/// One node a row where that is the rule; else the last row is as long as the longest before it at most.
fn trim(page: &PageDigest, sizes: &Sizes, mut chunks: Vec<Range<u32>>) -> Vec<Range<u32>> {
    let heard = |node: &NodeId| sizes.of(*node) > 0;
    let length = |chunk: &Range<u32>| siblings(page, chunk.clone()).filter(heard).count();
    let lengths: Vec<usize> = chunks.iter().map(length).collect();
    let single = lengths.iter().filter(|&&length| length <= 1).count();
    if single * 4 >= lengths.len() * 3 {
        let keeps = |chunk: &Range<u32>| sizes.of(NodeId(chunk.start)) > 0;
        return chunks
            .into_iter()
            .map(|chunk| if keeps(&chunk) { chunk.start..page.end(NodeId(chunk.start)) } else { chunk })
            .collect();
    }
    let longest = lengths.iter().rev().skip(1).max().copied().unwrap_or(1);
    if let Some(last) = chunks.last_mut() {
        let kept = siblings(page, last.clone()).filter(heard).take(longest).last();
        last.end = kept.map_or(last.end, |node| page.end(node));
    }
    chunks
}

/// Where rows start if they take several nodes of one tag.
fn anchors(page: &PageDigest, nodes: &[NodeId]) -> Option<Vec<NodeId>> {
    let shapes: Vec<u64> = nodes.iter().map(|&node| shape(page, node)).collect();
    let agreement = |period: usize| {
        let pairs = shapes.len().saturating_sub(period);
        let equal = (0..pairs).filter(|&at| shapes[at] == shapes[at + period]).count();
        if pairs == 0 { 0.0 } else { equal as f64 / pairs as f64 }
    };
    if agreement(1) >= 0.5 {
        return None;
    }
    let long_enough = |period: &usize| nodes.len() >= period * super::MIN_ROWS;
    let period = (2..=PERIODS).filter(long_enough).find(|&period| agreement(period) >= 0.8)?;
    let mut counts = FxHashMap::<u64, usize>::default();
    shapes.iter().for_each(|&shape| *counts.entry(shape).or_default() += 1);
    let expected = nodes.len() / period;
    let repeats = |shape: &&u64| counts[shape] * 4 >= expected * 3 && counts[shape] * 4 <= expected * 5 + 4;
    let first = *shapes.iter().find(repeats)?;
    Some(nodes.iter().zip(&shapes).filter(|(_, shape)| **shape == first).map(|(&node, _)| node).collect())
}

/// The tags of a node's children; runs of one tag count as one, so that a row may have any number of them.
fn shape(page: &PageDigest, node: NodeId) -> u64 {
    let mut tags: Vec<u32> = page
        .children(node)
        .filter(|&child| page.kind(child) == Kind::Element)
        .flat_map(|child| [page.tag(child), grandchild(page, child)])
        .collect();
    tags.dedup();
    xxh3_64(bytemuck::cast_slice(&tags))
}

/// The tag of the first element inside a cell: two rows of cells differ in what the cells hold.
fn grandchild(page: &PageDigest, node: NodeId) -> u32 {
    page.children(node)
        .find(|&child| page.kind(child) == Kind::Element)
        .map_or(u32::MAX, |child| page.tag(child))
}
