//! Whether blocks keep their columns over generated histories.

use super::history::{Version, history};
use crate::table::{Table, share};
use std::collections::HashMap;
use tidemark_core::diff::Difference;
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::page::Reading;
use tidemark_core::segment::{Column, Cutting, Outline, Segmentation, Way};

/// How segments are carried from one version to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrying {
    /// By one of the ways that need the outline alone.
    By(Way),
    /// By the mapping of both pages.
    Mapping,
}

/// How many blocks stayed where they were.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kept {
    /// Blocks that more than one version has.
    pub blocks: usize,
    /// Of these, blocks that were in one column all the time.
    pub kept: usize,
    /// Blocks in two versions that follow each other.
    pub steps: usize,
    /// Of these, in the same column in both.
    pub kept_steps: usize,
}

impl Kept {
    /// Goes through a history.
    pub fn over(history: &[Version], carrying: Carrying) -> Self {
        let mut outline: Option<(Outline, PageDigest)> = None;
        let mut columns: HashMap<usize, Vec<Column>> = HashMap::new();
        for version in history {
            let Ok(page) = PageDigest::encode(version.page.as_bytes(), &Reading::default()) else { continue };
            let segmentation = match &outline {
                None => Segmentation::first(&page, Cutting::default()),
                Some((outline, old)) => carried(outline, old, &page, carrying),
            };
            let blocks = page.depth_first().filter(|&node| is_block(&page, node));
            for (number, node) in version.blocks.iter().zip(blocks) {
                columns.entry(*number).or_default().push(segmentation.column_of(inside(&page, node)));
            }
            outline = Some((segmentation.outline().clone(), page));
        }
        columns
            .values()
            .filter(|columns| columns.len() > 1)
            .fold(Self::default(), |all, columns| all.count(columns))
    }

    fn count(mut self, columns: &[Column]) -> Self {
        let kept = columns.windows(2).filter(|pair| pair[0] == pair[1]).count();
        self.blocks += 1;
        self.steps += columns.len() - 1;
        self.kept_steps += kept;
        self.kept += usize::from(kept == columns.len() - 1);
        self
    }

    fn add(&mut self, other: Self) {
        self.blocks += other.blocks;
        self.kept += other.kept;
        self.steps += other.steps;
        self.kept_steps += other.kept_steps;
    }
}

fn carried(outline: &Outline, old: &PageDigest, page: &PageDigest, carrying: Carrying) -> Segmentation {
    match carrying {
        Carrying::By(way) => Segmentation::carry(outline, page, way, Cutting::default()),
        Carrying::Mapping => {
            let mapping = Difference::of(old, page).mapping;
            Segmentation::carry_by_mapping(outline, &mapping, page, Cutting::default())
        }
    }
}

fn is_block(page: &PageDigest, node: NodeId) -> bool {
    page.attribute(node, "class").is_some_and(|class| class.starts_with("block"))
}

/// The last text of a block: it is in a segment, whatever became of the node around it.
fn inside(page: &PageDigest, block: NodeId) -> NodeId {
    page.subtree(block).next_back().unwrap_or(block)
}

/// Prints how many blocks kept their column, by way and by number of edits.
pub(super) fn evaluate(histories: u64, seed: u64) {
    println!(
        "{histories} histories of 20 versions each; a block counts as kept if it was in one column all its life"
    );
    let mut table =
        Table::new(["edits a version", "blocks", "boundary", "sequence", "both", "mapping", "both, by step"]);
    for edits in [1, 2, 4, 8] {
        let ways = [
            Carrying::By(Way::Boundary),
            Carrying::By(Way::Sequence),
            Carrying::By(Way::Both),
            Carrying::Mapping,
        ];
        let kept = ways.map(|carrying| {
            let mut all = Kept::default();
            (0..histories).for_each(|at| all.add(Kept::over(&history(20, edits, seed + at), carrying)));
            all
        });
        let shares = kept.iter().map(|kept| share(kept.kept, kept.blocks));
        let row = [edits.to_string(), kept[2].blocks.to_string()].into_iter().chain(shares);
        table.row(row.chain([share(kept[2].kept_steps, kept[2].steps)]));
    }
    print!("\n{table}\ntarget: at least 0.980 by both\n");
}
