//! From labelled blocks to segments: what is new is cut, what is light joins its neighbours, what belongs together becomes a run.
//!
//! Cost: linear in what is new, near linear in the children of the frame.

use super::cut::{Cutter, Cutting, Piece};
use super::draft::{Child, Draft, DraftFrame, Label};
use super::outline::{Frame, Item, Outline, Role};
use super::{Column, Segment};
use crate::digest::NodeId;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Makes segments of a draft, in the order of the page, and the outline for the next version.
pub(crate) fn settle(mut draft: Draft<'_>, old: &Outline) -> (Vec<Segment>, Outline) {
    let mut settler = Settler { cutting: draft.cutting, next: old.next };
    let mut frame = 0;
    while frame < draft.frames.len() {
        settler.cut_new(&mut draft, frame);
        frame += 1;
    }
    settler.one_run_each(&mut draft);
    draft.frames.iter_mut().for_each(|frame| join_free(&mut frame.children));
    draft.frames.sort_by_key(|frame| frame.node);
    let mut outline = outline(&draft, settler.next);
    outline.remember(old);
    (segments(&draft), outline)
}

struct Settler {
    cutting: Cutting,
    next: u32,
}

impl Settler {
    /// Cuts each stretch of new children: its heavy runs open columns, its varied nodes are frames. What is new inside of a segment is a part of it.
    fn cut_new(&mut self, draft: &mut Draft<'_>, frame: usize) {
        let mut at = 0;
        while let Some(stretch) = free_stretch(&draft.frames[frame].children, at) {
            let children = &mut draft.frames[frame].children;
            let around = (
                stretch.start.checked_sub(1).map(|before| children[before].label),
                children.get(stretch.end).map(|child| child.label),
            );
            if let (Some(before @ Label::Block(_)), Some(behind)) = around
                && before == behind
            {
                children[stretch.clone()].iter_mut().for_each(|child| child.label = before);
            } else {
                self.cut(draft, frame, stretch.clone());
            }
            at = stretch.end;
        }
    }

    fn cut(&mut self, draft: &mut Draft<'_>, frame: usize, stretch: Range<usize>) {
        let children = &draft.frames[frame].children[stretch.clone()];
        let nodes = children[0].node..draft.digest.end(NodeId(children[children.len() - 1].node));
        let cutter = Cutter::over(draft.digest, &draft.nature, nodes.clone(), self.cutting);
        let mut at = stretch.start;
        for piece in cutter.pieces(nodes) {
            let (end, label) = match piece {
                Piece::Frame(node) => (node + 1, Label::Frame(draft.open(node, None))),
                Piece::Run(nodes) if self.is_heavy(draft, &nodes) => (nodes.end, Label::Block(self.column())),
                Piece::Run(nodes) => (nodes.end, Label::New),
            };
            while let Some(child) =
                draft.frames[frame].children[at..stretch.end].first_mut().filter(|child| child.node < end)
            {
                child.label = label;
                at += 1;
            }
        }
    }

    fn is_heavy(&self, draft: &Draft<'_>, nodes: &Range<u32>) -> bool {
        draft.digest.columns().weight(nodes.start as usize..nodes.end as usize) >= self.cutting.least
    }

    fn column(&mut self) -> Column {
        self.next += 1;
        Column(self.next - 1)
    }

    /// Of a column that fell apart, the heaviest run keeps it; other heavy runs open columns, light ones are free again.
    fn one_run_each(&mut self, draft: &mut Draft<'_>) {
        let runs = runs(draft);
        let mut heaviest: FxHashMap<Column, &Run> = FxHashMap::default();
        for run in &runs {
            let best = heaviest.entry(run.column).or_insert(run);
            if run.weight > best.weight {
                *best = run;
            }
        }
        for run in runs.iter().filter(|run| *heaviest[&run.column] != **run) {
            let is_heavy = run.weight >= self.cutting.least;
            let label = if is_heavy { Label::Block(self.column()) } else { Label::New };
            let children = draft.frames[run.frame].children[run.children.clone()].iter_mut();
            children.for_each(|child| child.label = label);
        }
    }
}

/// Children of one frame node next to each other, of one column.
#[derive(PartialEq, Eq)]
struct Run {
    frame: usize,
    children: Range<usize>,
    column: Column,
    weight: usize,
}

fn runs(draft: &Draft<'_>) -> Vec<Run> {
    let mut runs = Vec::new();
    for (frame, held) in draft.frames.iter().enumerate() {
        let mut start = 0;
        for run in held.children.chunk_by(|a, b| a.label == b.label) {
            let children = start..start + run.len();
            start = children.end;
            if let Label::Block(column) = run[0].label {
                let weight = run.iter().map(|child| draft.weight(child.node)).sum();
                runs.push(Run { frame, children, column, weight });
            }
        }
    }
    runs
}

/// What is free is light: it joins the block before it, or else the one behind it, or else the frame.
fn join_free(children: &mut [Child]) {
    let mut at = 0;
    while let Some(stretch) = free_stretch(children, at) {
        let is_block =
            |child: &&Child| matches!(child.label, Label::Block(column) if column != Column::FRAME);
        let before = stretch.start.checked_sub(1).map(|before| &children[before]);
        let neighbour = before.filter(is_block).or_else(|| children.get(stretch.end).filter(is_block));
        let label = neighbour.map_or(Label::Block(Column::FRAME), |child| child.label);
        children[stretch.clone()].iter_mut().for_each(|child| child.label = label);
        at = stretch.end;
    }
}

/// The next stretch of children that are taken for nothing yet.
fn free_stretch(children: &[Child], from: usize) -> Option<Range<usize>> {
    let start = from + children.get(from..)?.iter().position(|child| child.label == Label::New)?;
    let length = children[start..].iter().take_while(|child| child.label == Label::New).count();
    Some(start..start + length)
}

fn segments(draft: &Draft<'_>) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for run in runs(draft).iter().filter(|run| run.column != Column::FRAME) {
        let children = &draft.frames[run.frame].children[run.children.clone()];
        let end = draft.digest.end(NodeId(children[children.len() - 1].node));
        segments.push(Segment { column: run.column, nodes: children[0].node..end, signature: 0 });
    }
    segments.sort_by_key(|segment| segment.nodes.start);
    segments
}

fn outline(draft: &Draft<'_>, next: u32) -> Outline {
    let places: FxHashMap<u32, u32> = draft.frames.iter().map(|frame| frame.node).zip(0..).collect();
    let item = |child: &Child| {
        let role = match child.label {
            Label::Frame(_) => Role::Frame(places[&child.node]),
            Label::Block(column) => Role::Block(column),
            Label::New => Role::Block(Column::FRAME),
        };
        Item::of(draft.digest, child.node, role)
    };
    let frame = |frame: &DraftFrame| Frame {
        node: frame.node,
        was: frame.old,
        items: frame.children.iter().map(item).collect(),
    };
    Outline { frames: draft.frames.iter().map(frame).collect(), gone: Vec::new(), next }
}
