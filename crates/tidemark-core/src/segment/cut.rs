//! The first cut: siblings into runs that belong together, from the bottom of the tree up.
//!
//! Source: `CaSePer`, equations 1, 2 and 5. Cost: every node is looked at twice as somebody's child: linear.
//! Blocks lighter than the threshold are merged with what stands before them, heavier ones only while the density of text goes on as
//! before. We differ: block and inline elements are those of today's HTML; a heading begins a run; a run has a largest weight, for in one that
//! holds half the page nothing is ruled out by its hash; weight is text and nodes, not nodes alone.

use super::density::{Densities, Text, slope};
use crate::digest::element::Nature;
use crate::digest::{Kind, NodeId, PageDigest};
use std::ops::Range;

/// How a page is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cutting {
    /// Lightest run that is a segment of its own, δ: bytes of text, and eight for every node and attribute.
    pub least: usize,
    /// Weight at which a run is full.
    pub largest: usize,
    /// Width of a line in bytes, for the density of text.
    pub width: u32,
    /// From which difference of densities on neighbours are apart, λ.
    pub slope: f64,
}

impl Default for Cutting {
    fn default() -> Self {
        Self { least: 120, largest: 2000, width: 80, slope: 0.38 }
    }
}

/// Elements that are a part by themselves, if they are heavy enough.
const SECTIONS: [&str; 12] = [
    "article", "section", "nav", "aside", "main", "form", "table", "dialog", "details", "fieldset", "footer",
    "header",
];
/// Elements that begin a part.
const HEADINGS: [&str; 7] = ["h1", "h2", "h3", "h4", "h5", "h6", "hgroup"];
/// How deep in a block its heading is looked for.
const DEEP: usize = 3;

/// A part of a list of siblings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Siblings that belong together.
    Run(Range<u32>),
    /// A node that is too varied to be a part of a run: its children are cut for themselves.
    Frame(u32),
}

/// Cuts the subtrees of a stretch of a page.
pub(crate) struct Cutter<'a> {
    digest: &'a PageDigest,
    cutting: Cutting,
    start: u32,
    nature: &'a Nature,
    densities: Densities,
    is_frame: Vec<bool>,
}

/// A run while it grows.
struct Growing {
    nodes: Range<u32>,
    weight: usize,
    text: Text,
    /// Whether its author made it a part by itself.
    is_section: bool,
}

impl<'a> Cutter<'a> {
    /// Looks through whole subtrees that stand next to each other.
    pub(crate) fn over(
        digest: &'a PageDigest,
        nature: &'a Nature,
        nodes: Range<u32>,
        cutting: Cutting,
    ) -> Self {
        let densities = Densities::of(digest, nature, nodes.clone(), cutting.width);
        let is_frame = vec![false; nodes.len()];
        let mut cutter = Self { digest, cutting, start: nodes.start, nature, densities, is_frame };
        for node in nodes.rev() {
            let is_block = !nature.is_inline(digest.tag(NodeId(node)));
            cutter.is_frame[(node - cutter.start) as usize] = is_block && cutter.is_varied(node);
        }
        cutter
    }

    /// Cuts siblings, given as all nodes from the first of them to the end of the last.
    pub(crate) fn pieces(&self, siblings: Range<u32>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut run: Option<Growing> = None;
        let mut at = siblings.start;
        while at < siblings.end {
            let next = self.digest.end(NodeId(at));
            if self.is_frame[(at - self.start) as usize] {
                self.close(run.take(), &mut pieces);
                pieces.push(Piece::Frame(at));
            } else {
                let block = self.block(at..next);
                if let Some(run) = run.as_mut().filter(|run| self.goes_on(run, &block)) {
                    run.take(&block);
                } else {
                    self.close(run.replace(block), &mut pieces);
                }
            }
            at = next;
        }
        self.close(run, &mut pieces);
        pieces
    }

    fn is_varied(&self, node: u32) -> bool {
        let end = self.digest.end(NodeId(node));
        if self.weight(node..end) < 2 * self.cutting.least {
            return false;
        }
        let pieces = self.pieces(node + 1..end);
        let runs = pieces.iter().filter(|piece| self.is_heavy(piece)).count();
        pieces.len() > 1 && runs > 1 || pieces.iter().any(|piece| matches!(piece, Piece::Frame(_)))
    }

    fn is_heavy(&self, piece: &Piece) -> bool {
        match piece {
            Piece::Run(nodes) => self.weight(nodes.clone()) >= self.cutting.least,
            Piece::Frame(_) => true,
        }
    }

    /// Equations 2 and 5: whether a block belongs to the run before it.
    fn goes_on(&self, run: &Growing, block: &Growing) -> bool {
        if run.weight < self.cutting.least {
            return true;
        }
        if run.is_section
            || block.is_section
            || self.begins(block.nodes.start)
            || run.weight + block.weight > self.cutting.largest
        {
            return false;
        }
        let densities = (run.text.density(self.cutting.width), block.text.density(self.cutting.width));
        block.weight < self.cutting.least || slope(densities.0, densities.1) < self.cutting.slope
    }

    /// Ends a run; a light one joins the run it follows.
    fn close(&self, run: Option<Growing>, pieces: &mut Vec<Piece>) {
        let Some(run) = run else { return };
        if let Some(Piece::Run(before)) = pieces.last_mut()
            && run.weight < self.cutting.least
            && before.end == run.nodes.start
        {
            before.end = run.nodes.end;
            return;
        }
        pieces.push(Piece::Run(run.nodes));
    }

    fn block(&self, nodes: Range<u32>) -> Growing {
        let weight = self.weight(nodes.clone());
        let is_section =
            weight >= self.cutting.least && SECTIONS.contains(&self.digest.name(NodeId(nodes.start)));
        Growing { weight, text: self.densities.text(nodes.start), nodes, is_section }
    }

    /// Whether a block begins something: it is a heading, or a heading is the first thing in it.
    fn begins(&self, node: u32) -> bool {
        let mut at = node;
        for _ in 0..DEEP {
            if HEADINGS.contains(&self.digest.name(NodeId(at))) {
                return true;
            }
            let mut children = self.digest.children(NodeId(at)).map(|child| child.0);
            let Some(first) =
                children.find(|&child| !is_loose(self.digest, self.nature, child, self.cutting))
            else {
                return false;
            };
            at = first;
        }
        false
    }

    fn weight(&self, nodes: Range<u32>) -> usize {
        self.digest.columns().weight(nodes.start as usize..nodes.end as usize)
    }
}

impl Growing {
    fn take(&mut self, block: &Self) {
        self.nodes.end = block.nodes.end;
        self.weight += block.weight;
        self.text.add(block.text);
    }
}

/// Whether a node is nothing by itself: empty space, a comment, a small script. These have no identity and belong to whatever they stand in.
pub(crate) fn is_loose(digest: &PageDigest, nature: &Nature, node: u32, cutting: Cutting) -> bool {
    let id = NodeId(node);
    let is_light = || digest.columns().weight(node as usize..digest.end(id) as usize) < cutting.least;
    let is_blank = || digest.content(id).is_some_and(|text| text.trim_ascii().is_empty());
    match digest.kind(id) {
        Kind::Text => is_blank(),
        _ => nature.is_unseen(digest.tag(id)) && is_light(),
    }
}
