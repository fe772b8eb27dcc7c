//! Time per node over trees of a thousand to a million nodes: flat if the work is linear.
//!
//! Source: Page Digest, experiments 1 to 4, which show times over sizes. Here each shape and grammar is one contest of
//! operations over trees of all sizes, measured in turn. Of a small size there are many trees, each of another seed and met once a
//! round: one small tree met again and again would lie in the nearest cache, its branches known by heart, and look
//! faster than it is.

use crate::chart::{Chart, Panel, Series};
use crate::contest::{Contest, Outcome};
use crate::generate::{self, Shape};
use crate::table::Table;
use crate::tally::Tally;
use anyhow::{Context, Result};
use std::path::Path;
use std::time::Duration;
use tidemark_core::digest::{PageDigest, Variant};
use tidemark_core::page::{Limits, Reading};

/// Numbers of nodes.
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// What is measured, in this order.
const OPERATIONS: [&str; 4] = ["encode", "walk", "load", "revert"];

/// Time per node may grow by this factor before a row is flagged.
const FLAT: f64 = 2.0;

/// Nodes that all trees of one size have together, at least.
const FOREST: usize = 100_000;

/// Measures, prints the table, and draws it where asked to.
pub fn evaluate(svg: Option<&Path>, rounds: usize) -> Result<()> {
    let mut rows = Vec::new();
    for grammar in [Grammar::Xml, Grammar::Html] {
        for shape in Shape::ALL {
            rows.extend(measure(grammar, shape, rounds)?);
        }
    }
    rows.sort_by_key(|row| row.operation); // stable: grammar and shape stay in order
    print!("{}", table(&rows));
    let steep = rows.iter().filter(|row| row.growth() > FLAT).count();
    println!("\nnanoseconds per node; {steep} of {} rows grow by more than {FLAT}x", rows.len());
    if let Some(path) = svg {
        std::fs::write(path, chart(&rows).to_svg())
            .with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("drawn to {}", path.display());
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grammar {
    Xml,
    Html,
}

impl Grammar {
    fn name(self) -> &'static str {
        match self {
            Self::Xml => "XML",
            Self::Html => "HTML",
        }
    }

    fn tree(self, shape: Shape, nodes: usize, seed: u64) -> String {
        match self {
            Self::Xml => generate::xml_tree(shape, nodes, seed),
            Self::Html => generate::html_tree(shape, nodes, seed),
        }
    }
}

/// Times of one operation on one kind of tree, over the sizes.
struct Row {
    operation: usize,
    grammar: Grammar,
    shape: Shape,
    /// Nanoseconds per node.
    times: [f64; SIZES.len()],
}

impl Row {
    fn tree(&self) -> String {
        format!("{} {}", self.grammar.name(), self.shape)
    }

    /// The largest time per node as a multiple of the smallest.
    fn growth(&self) -> f64 {
        let largest = self.times.iter().copied().fold(0.0, f64::max);
        largest / self.times.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// A tree in all the states that operations start from.
struct Tree {
    size: usize,
    nodes: usize,
    page: String,
    file: Vec<u8>,
    loaded: PageDigest,
}

impl Tree {
    fn new(size: usize, page: String) -> Result<Self> {
        let digest = PageDigest::encode(page.as_bytes(), &Reading::default())?;
        let file = digest.to_native(Variant::Plain)?;
        let loaded = PageDigest::from_native(&file, &Limits::default())?;
        Ok(Self { size, nodes: digest.len(), page, file, loaded })
    }

    fn encode(&self) -> PageDigest {
        PageDigest::encode(self.page.as_bytes(), &Reading::default()).expect("the page was encoded before")
    }

    fn walk(&self) -> Tally {
        Tally::of(&self.loaded)
    }

    fn load(&self) -> PageDigest {
        PageDigest::from_native(&self.file, &Limits::default()).expect("a file just written is sound")
    }

    fn revert(&self) -> Vec<u8> {
        self.loaded.revert().expect("a file just written is sound").into_owned()
    }
}

fn measure(grammar: Grammar, shape: Shape, rounds: usize) -> Result<Vec<Row>> {
    eprintln!("measuring {} {shape}", grammar.name());
    let seeds = |nodes| (0..FOREST.div_ceil(nodes) as u64).map(move |seed| (nodes, seed));
    let trees = SIZES
        .into_iter()
        .flat_map(seeds)
        .map(|(nodes, seed)| Tree::new(nodes, grammar.tree(shape, nodes, seed)));
    let trees = trees.collect::<Result<Vec<Tree>>>()?;
    let outcome = Contest::new("time per node")
        .enter("encode", Tree::encode)
        .enter("walk", Tree::walk)
        .enter("load", Tree::load)
        .enter("revert", Tree::revert)
        .long_enough(Duration::ZERO)
        .run(&trees, rounds);
    let row = |operation| {
        let times = SIZES.map(|size| per_node(&outcome, operation, &trees, size));
        Row { operation, grammar, shape, times }
    };
    Ok((0..OPERATIONS.len()).map(row).collect())
}

fn per_node(outcome: &Outcome, operation: usize, trees: &[Tree], size: usize) -> f64 {
    let of_size = || trees.iter().enumerate().filter(|(_, tree)| tree.size == size);
    let time: Duration = of_size().map(|(at, _)| outcome.time(operation, at)).sum();
    time.as_secs_f64() * 1e9 / of_size().map(|(_, tree)| tree.nodes).sum::<usize>() as f64
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(["operation", "tree", "10^3", "10^4", "10^5", "10^6", "growth", ""]);
    for row in rows {
        let flag = if row.growth() > FLAT { "NOT FLAT" } else { "" };
        let times = row.times.map(|time| format!("{time:.1}"));
        let head = [OPERATIONS[row.operation].to_owned(), row.tree()];
        table.row(head.into_iter().chain(times).chain([format!("{:.2}x", row.growth()), flag.to_owned()]));
    }
    table
}

fn chart(rows: &[Row]) -> Chart {
    let panel = |(operation, name): (usize, &&str)| Panel {
        title: (*name).to_owned(),
        series: rows.iter().filter(|row| row.operation == operation).map(series).collect(),
    };
    Chart {
        title: "Time per node over the size of the tree".to_owned(),
        x_label: "nodes".to_owned(),
        y_label: "ns per node".to_owned(),
        panels: OPERATIONS.iter().enumerate().map(panel).collect(),
    }
}

fn series(row: &Row) -> Series {
    let points = SIZES.iter().zip(row.times).map(|(&nodes, time)| (nodes as f64, time)).collect();
    Series { name: row.tree(), colour: row.shape as usize, dashed: row.grammar == Grammar::Html, points }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_largest_to_smallest() {
        let row =
            Row { operation: 0, grammar: Grammar::Xml, shape: Shape::Deep, times: [30.0, 10.0, 20.0, 25.0] };
        assert!((row.growth() - 3.0).abs() < 1e-9);
    }
}
