//! One step from a version to the next, in numbers: what changed, what is new, what the signatures rule out, and what they miss.
//!
//! Source: `CaSePer`, section 4; equation 11 for what is new. Cost: linear in the pages and in the script.
//! The frame is no segment, but its nodes and its changes count. Undetected are the segments that an edit of the whole-page script touches while
//! their signatures say that they are as they were: the script is the referee. The two may disagree about which of several equal blocks
//! went, and that counts as undetected, too.

use super::measures::mean;
use super::{Advance, Column, Fate, Version};
use crate::diff::{Edit, EditScript};
use crate::digest::{NodeId, PageDigest};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Counts over the step from one version to the next, or over many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Segments that the old version has, or the new one, or both.
    pub segments: usize,
    /// Those that are not as they were.
    pub changed: usize,
    /// Those with a content that no version had before (equation 11).
    pub news: usize,
    /// Changed ones that have to do with a reader's interests, as the caller knows; nothing without a profile.
    pub personal: Option<usize>,
    /// Those an edit touches though they count as unchanged.
    pub undetected: usize,
    /// Nodes of the new version.
    pub nodes: usize,
    /// Its nodes in changed segments, or in the frame if that changed.
    pub changed_nodes: usize,
    /// Its nodes in segments with new content.
    pub news_nodes: usize,
}

impl Step {
    /// Measures what a version brought. The script leads from the whole old page to the whole new one.
    pub fn of(old: Version<'_>, new: &PageDigest, advance: &Advance, script: &EditScript) -> Self {
        let new = Version { page: new, segmentation: &advance.segmentation };
        let (changed, news) = (advance.changed(), news(advance));
        let segments = |columns: &[Column]| columns.iter().filter(|&&column| column != Column::FRAME).count();
        let mut touched = Touched { old, new, changed: &changed, untold: Vec::new() };
        script.edits.iter().for_each(|edit| touched.see(edit));
        let sizes = sizes(new);
        let nodes = |columns: &[Column]| columns.iter().filter_map(|column| sizes.get(column)).sum();
        Self {
            segments: advance.fates.iter().filter(|(column, _)| *column != Column::FRAME).count(),
            changed: segments(&changed),
            news: segments(&news),
            personal: None,
            undetected: touched.count(),
            nodes: new.page.len(),
            changed_nodes: nodes(&changed),
            news_nodes: nodes(&news),
        }
    }

    /// Share of the segments that the hashes rule out.
    pub fn excluded(&self) -> Option<f64> {
        rest(self.changed, self.segments)
    }

    /// The same if content that was there before is ruled out, too (equation 11).
    pub fn excluded_by_history(&self) -> Option<f64> {
        rest(self.news, self.segments)
    }

    /// Share of the nodes that the hashes rule out.
    pub fn excluded_nodes(&self) -> Option<f64> {
        rest(self.changed_nodes, self.nodes)
    }

    /// The same if content that was there before is ruled out, too.
    pub fn excluded_nodes_by_history(&self) -> Option<f64> {
        rest(self.news_nodes, self.nodes)
    }
}

impl AddAssign for Step {
    fn add_assign(&mut self, other: Self) {
        self.segments += other.segments;
        self.changed += other.changed;
        self.news += other.news;
        self.personal = match (self.personal, other.personal) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        self.undetected += other.undetected;
        self.nodes += other.nodes;
        self.changed_nodes += other.changed_nodes;
        self.news_nodes += other.news_nodes;
    }
}

/// Columns that edits touch though they count as unchanged.
struct Touched<'a> {
    old: Version<'a>,
    new: Version<'a>,
    changed: &'a [Column],
    untold: Vec<Column>,
}

impl Touched<'_> {
    fn see(&mut self, edit: &Edit) {
        let (old, new) = (self.old, self.new);
        match *edit {
            Edit::Delete { old: node } => self.touch(old.column(node), None),
            Edit::Insert { new: node } => self.touch(new.column(node), None),
            Edit::Update { old: from, new: to, .. } => {
                self.touch(old.column(from), None);
                self.touch(new.column(to), None);
            }
            // Where something stands is known to itself or to what holds it: a segment that moves as a whole is a change of the frame.
            Edit::Move { old: from, new: to } => {
                self.touch(old.column(from), old.holder(from));
                self.touch(new.column(to), new.holder(to));
            }
        }
    }

    fn touch(&mut self, column: Column, holder: Option<Column>) {
        let is_told = |column: &Column| self.changed.binary_search(column).is_ok();
        if !is_told(&column) && !holder.as_ref().is_some_and(is_told) {
            self.untold.push(column);
        }
    }

    fn count(mut self) -> usize {
        self.untold.sort_unstable();
        self.untold.dedup();
        self.untold.len()
    }
}

impl Version<'_> {
    fn column(&self, node: NodeId) -> Column {
        self.segmentation.column_of(node)
    }

    fn holder(&self, node: NodeId) -> Option<Column> {
        self.page.parent(node).map(|parent| self.column(parent))
    }
}

/// Columns whose content was never there before.
fn news(advance: &Advance) -> Vec<Column> {
    let is_news = |fate: &Fate| matches!(fate, Fate::New | Fate::Opened);
    advance.fates.iter().filter(|(_, fate)| is_news(fate)).map(|&(column, _)| column).collect()
}

/// How many nodes each column has; the frame has what is left.
fn sizes(version: Version<'_>) -> FxHashMap<Column, usize> {
    let segments = version.segmentation.segments().iter();
    let mut sizes: FxHashMap<Column, usize> =
        segments.map(|segment| (segment.column, segment.nodes.len())).collect();
    let frame = version.page.len() - sizes.values().sum::<usize>();
    sizes.insert(Column::FRAME, frame);
    sizes
}

/// What a part leaves of a whole, in [0, 1].
fn rest(part: usize, whole: usize) -> Option<f64> {
    mean(part, whole).map(|share| 1.0 - share)
}
