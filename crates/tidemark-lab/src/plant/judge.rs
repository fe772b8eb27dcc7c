//! What a difference says, held against what was planted.

use super::planter::Planted;
use super::tree::Tree;
use std::collections::BTreeSet;
use tidemark_core::diff::{Difference, Edit, Patch};
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::page::Limits;

/// How a difference did.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Edits that were planted.
    pub planted: usize,
    /// Planted edits that no reported edit touches.
    pub missed: Vec<Planted>,
    /// Edits that were reported.
    pub reported: usize,
    /// Reported edits that touch no planted one, in words.
    pub beside: Vec<String>,
    /// Planted moves.
    pub moves: usize,
    /// Planted moves that were reported as moves.
    pub seen_as_moves: usize,
    /// Nodes in reported edits.
    pub nodes: usize,
    /// Nodes in reported edits that no planted edit concerns.
    pub nodes_beside: usize,
    /// Pages that the patch did not make.
    pub broken: usize,
}

impl Verdict {
    /// Compares two pages of which the tree knows the truth.
    pub(super) fn on(old: &PageDigest, new: &PageDigest, tree: &Tree, planted: &[Planted]) -> Self {
        let difference = Difference::of(old, new);
        let order = tree.in_order();
        let reports: Vec<BTreeSet<usize>> = difference
            .script
            .edits
            .iter()
            .map(|edit| concerned(edit, old, new, &difference, &order))
            .collect();
        let truth: BTreeSet<usize> = planted.iter().flat_map(|edit| &edit.touched).copied().collect();
        let is_found = |edit: &&Planted| reports.iter().any(|report| !report.is_disjoint(&edit.touched));
        let beside =
            difference.script.edits.iter().zip(&reports).filter(|(_, report)| report.is_disjoint(&truth));
        let moves: BTreeSet<usize> = difference.script.edits.iter().filter_map(moved).collect();
        let planted_moves = || planted.iter().filter(|edit| !edit.moved.is_empty());
        Self {
            planted: planted.len(),
            missed: planted.iter().filter(|edit| !is_found(edit)).cloned().collect(),
            reported: reports.len(),
            beside: beside.map(|(edit, _)| in_words(edit, old, new)).collect(),
            moves: planted_moves().count(),
            seen_as_moves: planted_moves().filter(|edit| !edit.moved.is_disjoint(&moves)).count(),
            nodes: reports.iter().map(BTreeSet::len).sum(),
            nodes_beside: reports.iter().map(|report| report.difference(&truth).count()).sum(),
            broken: usize::from(!is_made(old, new, &difference)),
        }
    }

    /// Adds what was found elsewhere.
    pub fn add(&mut self, other: Self) {
        self.planted += other.planted;
        self.missed.extend(other.missed);
        self.reported += other.reported;
        self.beside.extend(other.beside);
        self.moves += other.moves;
        self.seen_as_moves += other.seen_as_moves;
        self.nodes += other.nodes;
        self.nodes_beside += other.nodes_beside;
        self.broken += other.broken;
    }

    /// Share of the reported edits that touch a planted one.
    pub fn precision(&self) -> f64 {
        1.0 - self.beside.len() as f64 / self.reported.max(1) as f64
    }

    /// Share of the planted moves that were reported as moves.
    pub fn move_share(&self) -> f64 {
        if self.moves == 0 { 1.0 } else { self.seen_as_moves as f64 / self.moves as f64 }
    }
}

/// The nodes of an edit, by their numbers in the tree: all that come or go with it, but not what is in a node that stays.
fn concerned(
    edit: &Edit,
    old: &PageDigest,
    new: &PageDigest,
    difference: &Difference,
    order: &[usize],
) -> BTreeSet<usize> {
    let here = |new: NodeId| order[new.0 as usize];
    match *edit {
        Edit::Delete { old: top } => {
            let is_gone = |node: NodeId| difference.mapping.to_new(node).is_none();
            hanging(old, top, is_gone).into_iter().map(|node| node.0 as usize).collect()
        }
        Edit::Insert { new: top } => {
            let is_new = |node: NodeId| difference.mapping.to_old(node).is_none();
            hanging(new, top, is_new).into_iter().map(here).collect()
        }
        Edit::Move { old, new } | Edit::Update { old, new, .. } => [old.0 as usize, here(new)].into(),
    }
}

/// Nodes from one downwards, as far as they are chosen.
pub(crate) fn hanging(page: &PageDigest, top: NodeId, chosen: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
    let (mut open, mut found) = (vec![top], Vec::new());
    while let Some(node) = open.pop() {
        found.push(node);
        open.extend(page.children(node).filter(|&child| chosen(child)));
    }
    found
}

fn moved(edit: &Edit) -> Option<usize> {
    match edit {
        Edit::Move { old, .. } => Some(old.0 as usize),
        _ => None,
    }
}

fn is_made(old: &PageDigest, new: &PageDigest, difference: &Difference) -> bool {
    let made = Patch::of(old, new, difference).apply(old, &Limits::default());
    made.is_ok_and(|made| made.changed(new).is_empty())
}

fn in_words(edit: &Edit, old: &PageDigest, new: &PageDigest) -> String {
    match edit {
        Edit::Delete { old: node } => format!("delete {}", node_in_words(old, *node)),
        Edit::Insert { new: node } => format!("insert {}", node_in_words(new, *node)),
        Edit::Move { old: node, .. } => format!("move {}", node_in_words(old, *node)),
        Edit::Update { old: node, new: after, .. } => {
            format!("update {} to {}", node_in_words(old, *node), node_in_words(new, *after))
        }
    }
}

/// Its path, and the beginning of its text.
fn node_in_words(page: &PageDigest, node: NodeId) -> String {
    let around: Vec<&str> = page.ancestors(node).take(2).map(|around| page.name(around)).collect();
    let text: String = page.leaves(node).filter_map(|leaf| page.content(leaf)).collect();
    let path: String = around.iter().rev().map(|name| format!("{name}/")).collect();
    format!("{path}{} {:?}", page.name(node), text.chars().take(40).collect::<String>())
}
