//! From labelled blocks to segments: what is new is cut, what is light joins its neighbours, what belongs together becomes a run.
//!
//! Cost: linear in what is new, near linear in the children of the frame.

use super::cut::{Cutter, Cutting, Piece};
use super::draft::{Child, Draft, Label};
use super::gist::Gist;
use super::outline::{Frame, Item, Outline, Role};
use super::{Column, Segment, Segmentation};
use crate::digest::NodeId;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// Makes segments of a draft, in the order of the page, and the outline for the next version.
pub(crate) fn settle(mut draft: Draft<'_>, old: &Outline) -> Segmentation {
    let mut settler = Settler { cutting: draft.cutting, next: old.next };
    for frame in 0..draft.frames.len() {
        settler.cut_new(&mut draft, frame);
    }
    settler.one_run_each(&mut draft);
    draft.frames.iter_mut().for_each(|frame| join_free(&mut frame.children));
    draft.frames.sort_by_key(|frame| frame.node);
    let mut outline = outline(&draft, old, settler.next);
    outline.remember(old);
    let segments = segments(&draft);
    let frame = draft.signature_of_frame(&segments, &outline);
    Segmentation { segments, frame, outline }
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

    /// Cuts a stretch of children, and the children of what is varied in it, with one look at all of them.
    fn cut(&mut self, draft: &mut Draft<'_>, frame: usize, stretch: Range<usize>) {
        let digest = draft.digest;
        let nature = Rc::clone(&draft.nature);
        let nodes = nodes_of(draft, frame, &stretch);
        let cutter = Cutter::over(digest, &nature, nodes, self.cutting);
        let mut open = vec![(frame, stretch)];
        while let Some((frame, stretch)) = open.pop() {
            let mut at = stretch.start;
            for piece in cutter.pieces(nodes_of(draft, frame, &stretch)) {
                let (end, label) = match piece {
                    Piece::Frame(node) => {
                        let number = draft.open(node, None);
                        open.push((number as usize, 0..draft.frames[number as usize].children.len()));
                        (node + 1, Label::Frame(number))
                    }
                    Piece::Run(nodes) if self.is_heavy(draft, &nodes) => {
                        (nodes.end, Label::Block(self.column()))
                    }
                    Piece::Run(nodes) => (nodes.end, Label::New),
                };
                while at < stretch.end && draft.frames[frame].children[at].face.node < end {
                    draft.frames[frame].children[at].label = label;
                    at += 1;
                }
            }
        }
    }

    fn is_heavy(&self, draft: &Draft<'_>, nodes: &Range<u32>) -> bool {
        draft.digest.columns().weight(nodes.start as usize..nodes.end as usize) >= self.cutting.least
    }

    fn column(&mut self) -> Column {
        let column = Column(self.next);
        self.next = self.next.saturating_add(1);
        column
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

/// All nodes of some children that follow each other.
fn nodes_of(draft: &Draft<'_>, frame: usize, stretch: &Range<usize>) -> Range<u32> {
    let children = &draft.frames[frame].children[stretch.clone()];
    match children {
        [] => 0..0,
        [only] => only.face.node..draft.digest.end(NodeId(only.face.node)),
        [first, .., last] => first.face.node..draft.digest.end(NodeId(last.face.node)),
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
                let weight = run.iter().map(|child| child.face.weight as usize).sum();
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
        let nodes = nodes_of(draft, run.frame, &run.children);
        let signature = draft.signature_of_run(nodes.clone());
        segments.push(Segment { column: run.column, nodes, signature });
    }
    segments.sort_by_key(|segment| segment.nodes.start);
    segments
}

/// What to keep of a version. The gists of frame nodes are put together from what they hold, those of equal blocks taken over.
fn outline(draft: &Draft<'_>, old: &Outline, next: u32) -> Outline {
    let known: FxHashMap<u128, &Gist> = old.items().map(|(item, _)| (item.signature, &item.gist)).collect();
    let places: FxHashMap<u32, u32> = draft.frames.iter().map(|frame| frame.node).zip(0..).collect();
    let mut frames: Vec<Frame> = Vec::with_capacity(draft.frames.len());
    let mut gists: FxHashMap<u32, Gist> = FxHashMap::default();
    for frame in draft.frames.iter().rev() {
        let mut whole = Gist::EMPTY;
        let mut marks: FxHashMap<u64, usize> = FxHashMap::default();
        frame.children.iter().for_each(|child| *marks.entry(child.face.mark).or_default() += 1);
        let item = |child: &Child| {
            let node = child.face.node;
            let item = match child.label {
                Label::Frame(_) => {
                    let is_single = marks[&child.face.mark] == 1;
                    let signature = if is_single { 0 } else { draft.signature(node) };
                    let role = Role::Frame(places[&node]);
                    Item { face: child.face, signature, gist: gists[&node], role }
                }
                Label::Block(column) => block(draft, &known, child, column),
                Label::New => block(draft, &known, child, Column::FRAME),
            };
            whole.add(&item.gist);
            item
        };
        let items = frame.children.iter().map(item).collect();
        gists.insert(frame.node, whole);
        frames.push(Frame { node: frame.node, was: frame.old, items });
    }
    frames.reverse();
    Outline { frames, gone: Vec::new(), next }
}

fn block(draft: &Draft<'_>, known: &FxHashMap<u128, &Gist>, child: &Child, column: Column) -> Item {
    let signature = draft.signature(child.face.node);
    let gist = known.get(&signature).map_or_else(|| draft.gist(child.face.node), |gist| **gist);
    Item { face: child.face, signature, gist, role: Role::Block(column) }
}
