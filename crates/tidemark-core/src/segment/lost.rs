//! Blocks that are not where they were: looked for in everything that is new.
//!
//! Cost: linear in what is new; what compares every lost block with every new one has a bound.

use super::Column;
use super::align::affinity;
use super::draft::{Child, Draft, Label};
use super::outline::{Face, Item, Outline, Role};
use crate::digest::NodeId;
use rustc_hash::FxHashMap;

/// Lightest block that is known again far from its place.
const HEAVY: u32 = 32;
/// From here on a block far from its place is taken for one that was lost.
const CLEARLY_ALIKE: f32 = 0.55;
/// Most pairs of blocks that are compared.
const PAIRS: usize = 1 << 18;

/// Old blocks that nothing is known of yet.
pub(crate) struct Lost<'a> {
    blocks: Vec<(&'a Item, (usize, usize))>,
    is_found: Vec<bool>,
    /// By number of nodes and weight, which every node has at hand, and then by signature.
    by_shape: FxHashMap<(u32, u32), Vec<usize>>,
    by_mark: FxHashMap<u64, Vec<usize>>,
}

impl<'a> Lost<'a> {
    /// The blocks of the version before that are not taken, and if wanted those that were gone before it.
    pub(crate) fn of(old: &'a Outline, taken: &[Vec<bool>], with_gone: bool) -> Self {
        let is_block = |item: &Item| matches!(item.role, Role::Block(column) if column != Column::FRAME);
        let gone = old.gone.iter().enumerate().map(|(place, item)| (item, (old.frames.len(), place)));
        let blocks: Vec<_> = old
            .items()
            .chain(gone.filter(|_| with_gone))
            .filter(|&(item, (frame, place))| is_block(item) && !taken[frame][place])
            .collect();
        let (mut by_shape, mut by_mark) = (FxHashMap::default(), FxHashMap::default());
        for (at, (item, _)) in blocks.iter().enumerate() {
            if item.face.weight >= HEAVY {
                by_shape.entry((item.face.nodes, item.face.weight)).or_insert_with(Vec::new).push(at);
            }
            by_mark.entry(item.face.mark).or_insert_with(Vec::new).push(at);
        }
        Self { is_found: vec![false; blocks.len()], blocks, by_shape, by_mark }
    }

    /// A lost block that a node is equal to.
    pub(crate) fn equal(&mut self, draft: &Draft<'_>, node: u32) -> Option<Role> {
        if self.by_shape.is_empty() {
            return None;
        }
        let nodes = draft.digest.end(NodeId(node)) - node;
        let weight = draft.digest.columns().weight(node as usize..(node + nodes) as usize);
        let alike = self.by_shape.get(&(nodes, u32::try_from(weight).ok()?))?;
        let signature = draft.signature(node);
        let is_it = |at: &&usize| !self.is_found[**at] && self.blocks[**at].0.signature == signature;
        let at = *alike.iter().find(is_it)?;
        self.take(at)
    }

    /// The frame and the place of all that were found.
    pub(crate) fn found(&self) -> impl Iterator<Item = (usize, usize)> {
        self.blocks.iter().zip(&self.is_found).filter(|(_, found)| **found).map(|((_, place), _)| *place)
    }

    /// The only one that is called so.
    fn called(&mut self, mark: u64) -> Option<Role> {
        let [at] = self.by_mark.get(&mark)?[..] else { return None };
        self.take(at)
    }

    fn take(&mut self, at: usize) -> Option<Role> {
        let is_free = !std::mem::replace(&mut self.is_found[at], true);
        is_free.then(|| self.blocks[at].0.role)
    }
}

/// Looks for blocks in everything that is new, from the outside in; what holds one becomes a part of the frame.
pub(crate) fn claim_inside(draft: &mut Draft<'_>, mut claim: impl FnMut(&Draft<'_>, u32) -> Option<Role>) {
    let mut frame = 0;
    while frame < draft.frames.len() {
        for at in 0..draft.frames[frame].children.len() {
            let Child { face: Face { node, .. }, label: Label::New, .. } = draft.frames[frame].children[at]
            else {
                continue;
            };
            let known = claims(draft, node, &mut claim);
            if !known.is_empty() {
                draft.frames[frame].children[at].label = place(draft, node, &known);
            }
        }
        frame += 1;
    }
}

/// What of a subtree is known, outermost first.
fn claims(
    draft: &Draft<'_>,
    node: u32,
    claim: &mut impl FnMut(&Draft<'_>, u32) -> Option<Role>,
) -> Vec<(u32, Column)> {
    let (mut found, mut at, end) = (Vec::new(), node, draft.digest.end(NodeId(node)));
    while at < end {
        if let Some(Role::Block(column)) = claim(draft, at) {
            found.push((at, column));
            at = draft.digest.end(NodeId(at));
        } else {
            at += 1;
        }
    }
    found
}

/// Opens all nodes around what is known in a subtree; the label of its root.
fn place(draft: &mut Draft<'_>, node: u32, known: &[(u32, Column)]) -> Label {
    let label = |draft: &mut Draft<'_>, node: u32| {
        let end = draft.digest.end(NodeId(node));
        let first = known.partition_point(|known| known.0 < node);
        match &known[first..known.partition_point(|known| known.0 < end)] {
            [] => Label::New,
            [(found, column)] if *found == node => Label::Block(*column),
            _ => Label::Frame(draft.open(node, None)),
        }
    };
    let (mut frame, root) = (draft.frames.len(), label(draft, node));
    while frame < draft.frames.len() {
        for at in 0..draft.frames[frame].children.len() {
            let child = draft.frames[frame].children[at].face.node;
            draft.frames[frame].children[at].label = label(draft, child);
        }
        frame += 1;
    }
    root
}

/// Gives new children the columns of the lost blocks that they are most like.
pub(crate) fn claim_alike(draft: &mut Draft<'_>, lost: &mut Lost<'_>) {
    let is_heavy = |face: &Face| face.weight >= HEAVY;
    let olds: Vec<usize> = (0..lost.blocks.len())
        .filter(|&at| !lost.is_found[at] && is_heavy(&lost.blocks[at].0.face))
        .collect();
    let mut news = new_children(draft);
    news.retain(|(_, face)| is_heavy(face));
    if olds.len() * news.len() > PAIRS {
        return;
    }
    let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
    for &old in &olds {
        let affinities = news.iter().map(|(_, new)| affinity(lost.blocks[old].0, draft, new)).enumerate();
        let clear = affinities.filter(|&(_, affinity)| affinity >= CLEARLY_ALIKE);
        pairs.extend(clear.map(|(new, affinity)| (affinity, old, new)));
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    for (_, old, new) in pairs {
        let (frame, at) = news[new].0;
        let child = &mut draft.frames[frame].children[at];
        if child.label == Label::New
            && let Some(Role::Block(column)) = lost.take(old)
        {
            child.label = Label::Block(column);
        }
    }
}

/// Gives new children the column of the only lost block that is called as only they are.
pub(crate) fn claim_called(draft: &mut Draft<'_>, lost: &mut Lost<'_>) {
    let news = new_children(draft);
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    news.iter().for_each(|(_, face)| *counts.entry(face.mark).or_default() += 1);
    for ((frame, at), face) in news.iter().filter(|(_, face)| counts[&face.mark] == 1) {
        if let Some(Role::Block(column)) = lost.called(face.mark) {
            draft.frames[*frame].children[*at].label = Label::Block(column);
        }
    }
}

/// Children that nothing is known of, with their places.
fn new_children(draft: &Draft<'_>) -> Vec<((usize, usize), Face)> {
    let mut news = Vec::new();
    for (frame, held) in draft.frames.iter().enumerate() {
        for (at, child) in held.children.iter().enumerate().filter(|(_, child)| child.label == Label::New) {
            news.push(((frame, at), child.face));
        }
    }
    news
}
