//! What a comparison tells: pairs of subtrees, those added and deleted, and one coefficient for the page.
//!
//! Source: Artail & Fawaz, equation 7 and section 6. Cost: linear in the subtrees, but for one sort.
//! We differ: the paper's blind spots are told. An old subtree whose tag has no partner is deleted, a new one that nobody maps to is
//! added. Several new subtrees that are copies of each other are taken in turn, or the second of two equal paragraphs would
//! seem to be added. The paper gives no coefficient of a whole page; ours is the average of equation 6 over all nodes of all
//! subtrees, where nodes of added and deleted ones have -1 each.

use super::Coefficient;
use super::subtrees::{SubtreeTable, path};
use crate::digest::NodeId;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// How alike two pages are, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// How alike the pages are as a whole.
    pub document: Coefficient,
    /// Each subtree of the old page with its most similar one of the new page, in the order of the old page.
    pub pairs: Vec<SubtreePair>,
    /// Subtrees of the new page that nobody maps to.
    pub added: Vec<NodeId>,
    /// Subtrees of the old page without a partner.
    pub deleted: Vec<NodeId>,
    /// How many coefficients of two nodes were computed.
    pub comparisons: u64,
    /// Whether the budget sufficed. If not, a coefficient may be too low, and a more similar subtree may exist.
    pub exact: bool,
}

/// An old subtree and its most similar new one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubtreePair {
    /// Root of the old subtree.
    pub old: NodeId,
    /// Root of the new subtree; none if no subtree has the tag of the old one.
    pub new: Option<NodeId>,
    /// How alike they are.
    pub coefficient: Coefficient,
}

/// What a method finds: the most similar new subtree of every old one, in order.
pub(super) struct Mapping {
    pub(super) found: Vec<Found>,
    pub(super) comparisons: u64,
    pub(super) exact: bool,
}

/// The most similar new subtree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) new: Option<NodeId>,
    pub(super) coefficient: f64,
}

impl Found {
    /// No partner.
    pub(super) const NONE: Self = Self { new: None, coefficient: -1.0 };
}

pub(super) fn assemble(old: &SubtreeTable<'_>, new: &SubtreeTable<'_>, mapping: Mapping) -> Report {
    let Mapping { mut found, comparisons, exact } = mapping;
    take_copies_in_turn(new, &mut found);
    let pairs: Vec<SubtreePair> = old
        .subtrees
        .iter()
        .zip(&found)
        .map(|(subtree, found)| SubtreePair {
            old: subtree.root,
            new: found.new,
            coefficient: Coefficient::new(found.coefficient),
        })
        .collect();
    let deleted = pairs.iter().filter(|pair| pair.new.is_none()).map(|pair| pair.old).collect();
    let added = added(new, &found);
    let document = document(old, new, &pairs, &added);
    Report { document, pairs, added, deleted, comparisons, exact }
}

/// Old subtrees that map to one of several copies get one each, as far as there are enough.
fn take_copies_in_turn(new: &SubtreeTable<'_>, found: &mut [Found]) {
    let mut copies: BTreeMap<(u128, u64), Vec<NodeId>> = BTreeMap::new();
    let mut kind_of: BTreeMap<NodeId, (u128, u64)> = BTreeMap::new();
    for subtree in &new.subtrees {
        let kind = (new.page.subtree_hash(subtree.root), path_hash(new, subtree.root));
        copies.entry(kind).or_default().push(subtree.root);
        kind_of.insert(subtree.root, kind);
    }
    let mut taken: BTreeMap<(u128, u64), usize> = BTreeMap::new();
    for new in found.iter_mut().filter_map(|found| found.new.as_mut()) {
        let Some(kind) = kind_of.get(new) else { continue };
        let turn = taken.entry(*kind).or_default();
        *new = copies[kind].get(*turn).copied().unwrap_or(*new);
        *turn += 1;
    }
}

fn path_hash(table: &SubtreeTable<'_>, node: NodeId) -> u64 {
    path(table.page, node).fold(0, |seed, tag| xxh3_64_with_seed(tag.as_bytes(), seed))
}

/// New subtrees that no partner is, is in, or is around.
fn added(new: &SubtreeTable<'_>, found: &[Found]) -> Vec<NodeId> {
    let mut partners: Vec<NodeId> = found.iter().filter_map(|found| found.new).collect();
    partners.sort_unstable();
    let is_partner = |node: &NodeId| partners.binary_search(node).is_ok();
    let is_met = |root: NodeId| {
        let at = partners.partition_point(|&node| node < root);
        partners.get(at).is_some_and(|node| node.0 < new.page.end(root))
            || new.page.ancestors(root).any(|node| is_partner(&node))
    };
    new.subtrees.iter().map(|subtree| subtree.root).filter(|&root| !is_met(root)).collect()
}

/// The average over all nodes of all subtrees.
fn document(
    old: &SubtreeTable<'_>,
    new: &SubtreeTable<'_>,
    pairs: &[SubtreePair],
    added: &[NodeId],
) -> Coefficient {
    let (mut sum, mut count) = (0.0, 0);
    for (subtree, pair) in old.subtrees.iter().zip(pairs) {
        sum += pair.coefficient.value() * subtree.size as f64;
        count += subtree.size;
    }
    for subtree in new.subtrees.iter().filter(|subtree| added.binary_search(&subtree.root).is_ok()) {
        sum -= subtree.size as f64;
        count += subtree.size;
    }
    if count == 0 { Coefficient::EQUAL } else { Coefficient::new(sum / count as f64) }
}
