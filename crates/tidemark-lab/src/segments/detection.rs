//! Whether every planted change lies in a segment that is reported as changed.

use crate::plant::{self, Ground, Grown, Kind, Planted};
use crate::table::{Table, grouped};
use crate::work;
use anyhow::Result;
use tidemark_core::digest::NodeId;
use tidemark_core::segment::{Comparison, Cutting, Segmentation, Version, Way};

/// What became of planted edits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Detection {
    /// Edits that were planted.
    pub planted: usize,
    /// Of these, in a segment reported as changed.
    pub detected: usize,
    /// Segments of the new pages.
    pub segments: usize,
    /// Segments reported as changed.
    pub changed: usize,
}

impl Detection {
    /// Looks for the planted edits among the changed segments.
    pub fn on(ground: &Ground, grown: &Grown) -> Self {
        let (old, new) = (ground.digest(), grown.digest());
        let first = Segmentation::first(old, Cutting::default());
        let later = Segmentation::carry(first.outline(), new, Way::Both, Cutting::default());
        let changed = Comparison::of(Version::new(old, &first), Version::new(new, &later)).changed;
        let lies_in = |segmentation: &Segmentation, nodes: &[NodeId]| {
            nodes.iter().any(|&node| changed.contains(&segmentation.column_of(node)))
        };
        let is_detected = |edit: &&Planted| {
            let (was, is) = grown.nodes_of(edit, old.len());
            lies_in(&first, &was) || lies_in(&later, &is)
        };
        Self {
            planted: grown.planted.len(),
            detected: grown.planted.iter().filter(is_detected).count(),
            segments: later.segments().len() + 1,
            changed: changed.len(),
        }
    }

    fn add(&mut self, other: Self) {
        self.planted += other.planted;
        self.detected += other.detected;
        self.segments += other.segments;
        self.changed += other.changed;
    }
}

/// Prints which share of planted edits lies in changed segments, by kind.
pub(super) fn evaluate(count: usize, seed: u64) -> Result<()> {
    let (grounds, _) = plant::grounds()?;
    let mut table = Table::new(["planted", "edits", "detected", "percent", "segments", "changed"]);
    let runs = Kind::ALL.into_iter().map(|kind| (kind.to_string(), vec![kind]));
    for (name, kinds) in runs.chain([("all kinds".to_owned(), Kind::ALL.to_vec())]) {
        let found = work::through(&grounds, "planting", |ground| {
            ground.plant(&kinds, count, seed).map(|grown| Detection::on(ground, &grown)).unwrap_or_default()
        });
        let mut all = Detection::default();
        found.into_iter().for_each(|found| all.add(found));
        let percent = 100.0 * all.detected as f64 / all.planted.max(1) as f64;
        let numbers = [all.planted, all.detected].map(grouped);
        let sizes = [all.segments, all.changed].map(grouped);
        table.row([vec![name], numbers.to_vec(), vec![format!("{percent:.2}")], sizes.to_vec()].concat());
    }
    print!("\n{table}\ntarget: 100 (the paper has 97.45)\n");
    Ok(())
}
