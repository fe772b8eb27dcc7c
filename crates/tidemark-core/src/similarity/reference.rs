//! The similarity of Artail & Fawaz, equation by equation: slow, and what the fast way is held to.
//!
//! Source: Artail & Fawaz, equations 1, 2 and 5 to 7, and the node records of section 3.3.2. Cost: every old node of a subtree with
//! every node of its tag in every new subtree of the same mark, each time over their words; a page whose node records or pairs
//! go beyond the budget is left to the fast way.
//! We differ: of several new subtrees that are most similar, one that equals the old one is taken, else the first.

use super::node::{coefficient, share, typedist};
use super::report::{Found, Mapping};
use super::subtrees::{SubtreeTable, is_read, nodes, path};
use super::{AttributeWeights, Options, fast};
use crate::digest::{NodeId, PageDigest};
use crate::page::words::words;
use std::collections::BTreeSet;

/// A row of the paper's hash table.
struct Record<'a> {
    tag: &'a str,
    path: Vec<&'a str>,
    attributes: BTreeSet<(&'a str, &'a str)>,
    words: BTreeSet<&'a str>,
}

pub(super) fn map(old: &SubtreeTable<'_>, new: &SubtreeTable<'_>, options: &Options) -> Mapping {
    if cost(old, new) > u128::from(options.budget) {
        return Mapping { exact: false, ..fast::map(old, new, options) };
    }
    let (old_records, new_records) = (records(old), records(new));
    let mut comparisons = 0;
    let found = (0..old.subtrees.len()).map(|row| {
        // Equation 7.
        let mut best: Option<(f64, bool, NodeId)> = None;
        for &candidate in new.marked(old.subtrees[row].mark) {
            let value = similarity(&old_records[row], &new_records[candidate], options, &mut comparisons);
            let equal = is_equal(old, row, new, candidate);
            if best.is_none_or(|(most, is_equal, _)| value > most || (value >= most && equal && !is_equal)) {
                best = Some((value, equal, new.subtrees[candidate].root));
            }
        }
        best.map_or(Found::NONE, |(coefficient, _, new)| Found { new: Some(new), coefficient })
    });
    let found = found.collect();
    Mapping { found, comparisons, exact: true }
}

/// Equation 6 over equation 5. A node whose tag does not occur in the other subtree has -1.
fn similarity(old: &[Record<'_>], new: &[Record<'_>], options: &Options, comparisons: &mut u64) -> f64 {
    let mut sum = 0.0;
    for node in old {
        let mut most = -1.0f64;
        for other in new.iter().filter(|other| other.tag == node.tag) {
            most = most.max(node_similarity(node, other, options));
            *comparisons += 1;
        }
        sum += most;
    }
    sum / old.len() as f64
}

fn node_similarity(old: &Record<'_>, new: &Record<'_>, options: &Options) -> f64 {
    let common = old.path.iter().zip(&new.path).take_while(|(old, new)| old == new).count();
    let path = typedist(options.path_form, common, old.path.len().max(new.path.len()));
    let attributes = attdist(&old.attributes, &new.attributes, &options.attribute_weights);
    coefficient(options.weights, path, attributes, intersect(&old.words, &new.words))
}

/// Equation 1.
fn intersect(old: &BTreeSet<&str>, new: &BTreeSet<&str>) -> f64 {
    share(old.intersection(new).count() as u64, old.union(new).count() as u64)
}

/// Equation 2.
fn attdist(old: &BTreeSet<(&str, &str)>, new: &BTreeSet<(&str, &str)>, weights: &AttributeWeights) -> f64 {
    let weight = |&(name, _): &(&str, &str)| u64::from(weights.weight(name));
    share(old.intersection(new).map(weight).sum(), old.union(new).map(weight).sum())
}

fn records<'a>(table: &SubtreeTable<'a>) -> Vec<Vec<Record<'a>>> {
    let page = table.page;
    table
        .subtrees
        .iter()
        .map(|subtree| nodes(page, subtree.root).map(|node| record(page, node)).collect())
        .collect()
}

fn record(page: &PageDigest, node: NodeId) -> Record<'_> {
    let mut path: Vec<&str> = path(page, node).collect();
    path.reverse();
    let texts = page.subtree(node).filter(|&node| is_read(page, node));
    Record {
        tag: page.name(node),
        path,
        attributes: page.attributes(node).collect(),
        words: texts.filter_map(|node| page.content(node)).flat_map(words).collect(),
    }
}

/// Whether two subtrees are the same node by node, and in the same place.
fn is_equal(old: &SubtreeTable<'_>, row: usize, new: &SubtreeTable<'_>, candidate: usize) -> bool {
    let (old_root, new_root) = (old.subtrees[row].root, new.subtrees[candidate].root);
    let same = |(one, two)| {
        let (old, new) = (old.page, new.page);
        (old.kind(one), old.space(one), old.name(one), old.content(one), old.child_count(one))
            == (new.kind(two), new.space(two), new.name(two), new.content(two), new.child_count(two))
            && old.attributes(one).eq(new.attributes(two))
    };
    let (old_nodes, new_nodes) = (old.page.subtree(old_root), new.page.subtree(new_root));
    old_nodes.len() == new_nodes.len()
        && path(old.page, old_root).eq(path(new.page, new_root))
        && old_nodes.zip(new_nodes).all(same)
}

/// Steps to write down all node records and to meet all pairs.
fn cost(old: &SubtreeTable<'_>, new: &SubtreeTable<'_>) -> u128 {
    let nodes_marked = |table: &SubtreeTable<'_>, mark| -> u128 {
        table.marked(mark).iter().map(|&row| table.subtrees[row].size as u128).sum()
    };
    // Each mark once: by its first subtree.
    let marks = old.subtrees.iter().filter(|subtree| subtree.rank == 0).map(|subtree| subtree.mark);
    let pairs: u128 = marks.map(|mark| nodes_marked(old, mark) * nodes_marked(new, mark)).sum();
    pairs + record_cost(old) + record_cost(new)
}

fn record_cost(table: &SubtreeTable<'_>) -> u128 {
    let ends = table.page.columns().content_ends;
    let bytes = |node: NodeId| ends[table.page.end(node) as usize - 1] - ends[node.index()];
    let all = table.subtrees.iter().flat_map(|subtree| nodes(table.page, subtree.root));
    all.map(|node| u128::from(bytes(node)) + table.page.depth(node) as u128).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set<T: Ord + Copy>(items: &[T]) -> BTreeSet<T> {
        items.iter().copied().collect()
    }

    #[test]
    fn equation_1_worked_by_hand() {
        assert_eq!(intersect(&set(&["a", "b", "c"]), &set(&["b", "c", "d"])).to_string(), "0.5");
        assert_eq!(intersect(&set(&["Tea"]), &set(&["tea"])).to_string(), "0", "case is kept");
        assert_eq!(intersect(&set(&[]), &set(&[])).to_string(), "1");
        assert_eq!(intersect(&set(&["a"]), &set(&[])).to_string(), "0");
    }

    #[test]
    fn equation_2_worked_by_hand() {
        let weights = AttributeWeights::parse("href 60\nclass 20\nrules 0").unwrap();
        let old = set(&[("href", "/a"), ("class", "x")]);
        assert_eq!(attdist(&old, &old, &weights).to_string(), "1");
        assert_eq!(attdist(&old, &set(&[("href", "/a")]), &weights).to_string(), "0.75");
        // class=x over class=x, href=/a and href=/b.
        let new = set(&[("href", "/b"), ("class", "x")]);
        assert!((attdist(&old, &new, &weights) - 20.0 / 140.0).abs() < 1e-15);
        assert_eq!(attdist(&set(&[]), &set(&[]), &weights).to_string(), "1");
        assert_eq!(attdist(&set(&[("rules", "all")]), &set(&[]), &weights).to_string(), "1", "no weight");
    }
}
