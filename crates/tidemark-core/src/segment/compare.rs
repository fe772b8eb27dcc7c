//! The dual-step comparison: signatures first, then only what they do not rule out.
//!
//! Source: `CaSePer`, section 3 and equation 12. Cost: one look at the cells, then the comparison of two pages without what is known to be equal.
//! We differ: the paper compares each changed segment with its predecessor alone, and so loses what goes from one segment to another. Here unchanged
//! segments are passed over where they stand in their place, and the edits come out as if the whole pages had been compared.

use super::evolution::moved;
use super::{Column, Segment, Version};
use crate::diff::known::Known;
use crate::diff::{Difference, Edit, EditScript};
use crate::digest::NodeId;
use rustc_hash::FxHashMap;

/// What the changed segments come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Columns whose signatures differ, that only one of the versions has, or that moved; in order.
    pub changed: Vec<Column>,
    /// The difference of the pages.
    pub difference: Difference,
}

impl Comparison {
    /// Compares two versions, the new one carried over from the old one.
    pub fn of(old: Version<'_>, new: Version<'_>) -> Self {
        let (changed, known) = first_step(old, new);
        Self { changed, difference: Difference::knowing(old.page, new.page, &known) }
    }

    /// The edits that lie in changed segments.
    pub fn script(&self, old: Version<'_>, new: Version<'_>) -> EditScript {
        restricted(&self.difference.script, old, new, &self.changed)
    }
}

/// The edits of a script that lie in some segments, on the old page or on the new one. What a node holds is a part of it: a block that
/// came, went or moved lies in the frame, too.
pub fn restricted(script: &EditScript, old: Version<'_>, new: Version<'_>, columns: &[Column]) -> EditScript {
    let is_in = |column: Column| columns.binary_search(&column).is_ok();
    let holds = |version: Version<'_>, node: NodeId| {
        let parent = version.page.parent(node).unwrap_or(node);
        is_in(version.segmentation.column_of(node)) || is_in(version.segmentation.column_of(parent))
    };
    let lies_in = |edit: &&Edit| match **edit {
        Edit::Delete { old: node } => holds(old, node),
        Edit::Insert { new: node } => holds(new, node),
        Edit::Move { old: from, new: to } => holds(old, from) || holds(new, to),
        Edit::Update { old: from, new: to, .. } => {
            is_in(old.segmentation.column_of(from)) || is_in(new.segmentation.column_of(to))
        }
    };
    EditScript { edits: script.edits.iter().filter(lies_in).cloned().collect() }
}

/// Which columns differ, and what is therefore known to be equal.
fn first_step(old: Version<'_>, new: Version<'_>) -> (Vec<Column>, Known) {
    let old_segments = old.segmentation.segments().iter().map(|segment| (segment.column, segment));
    let mut left: FxHashMap<Column, &Segment> = old_segments.collect();
    let (mut changed, mut equal) = (Vec::new(), Vec::new());
    for segment in new.segmentation.segments() {
        match left.remove(&segment.column) {
            Some(before) if before.signature == segment.signature => {
                equal.push((before.nodes.start, segment.nodes.start, segment.nodes.len() as u32));
            }
            _ => changed.push(segment.column),
        }
    }
    changed.extend(left.into_keys());
    if old.segmentation.frame() != new.segmentation.frame() {
        changed.push(Column::FRAME);
        changed.extend(moved(old.segmentation.outline(), new.segmentation.outline()));
    }
    if changed.is_empty() {
        equal = vec![(0, 0, old.page.len() as u32)];
    }
    changed.sort_unstable();
    changed.dedup();
    (changed, Known::new(equal))
}
