//! Time per node over sizes from a thousand to a million nodes: flat if the work is linear.
//!
//! Source: Page Digest, experiments 1 to 4, which show times over sizes. Of a small size there are many specimens, each of another seed and met
//! once a round: one small tree met again and again would lie in the nearest cache, its branches known by heart, and look
//! faster than it is.

use crate::chart::{Chart, Panel, Series};
use crate::contest::Outcome;
use crate::table::Table;
use anyhow::{Context, Result};
use std::path::Path;
use std::time::Duration;

/// Numbers of nodes.
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Time per node may grow by this factor before a row is flagged.
const FLAT: f64 = 2.0;

/// Nodes that all specimens of one size have together, at least.
const FOREST: usize = 100_000;

/// Sizes with the seeds of their specimens.
pub(crate) fn specimens() -> impl Iterator<Item = (usize, u64)> {
    SIZES.into_iter().flat_map(|size| (0..FOREST.div_ceil(size) as u64).map(move |seed| (size, seed)))
}

/// What is measured: one of [`SIZES`], and how many nodes it has.
pub(crate) trait Specimen {
    fn size(&self) -> usize;
    fn nodes(&self) -> usize;
}

/// Times of one operation on one kind of page, over the sizes.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Number of the operation; each has a panel.
    pub(crate) operation: usize,
    /// What it was done to.
    pub(crate) name: String,
    /// How its line is drawn.
    pub(crate) colour: usize,
    pub(crate) dashed: bool,
    /// Nanoseconds per node.
    pub(crate) times: [f64; SIZES.len()],
}

impl Row {
    /// The largest time per node as a multiple of the smallest.
    fn growth(&self) -> f64 {
        let largest = self.times.iter().copied().fold(0.0, f64::max);
        largest / self.times.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Nanoseconds per node of a contestant, for each size.
pub(crate) fn times<S: Specimen>(outcome: &Outcome, entry: usize, specimens: &[S]) -> [f64; SIZES.len()] {
    SIZES.map(|size| {
        let of_size = || specimens.iter().enumerate().filter(|(_, specimen)| specimen.size() == size);
        let time: Duration = of_size().map(|(at, _)| outcome.time(entry, at)).sum();
        time.as_secs_f64() * 1e9 / of_size().map(|(_, specimen)| specimen.nodes()).sum::<usize>() as f64
    })
}

/// Prints the table, and draws it where asked to.
pub(crate) fn report(title: &str, operations: &[&str], mut rows: Vec<Row>, svg: Option<&Path>) -> Result<()> {
    rows.sort_by_key(|row| row.operation); // stable: what it was done to stays in order
    print!("{}", table(operations, &rows));
    let steep = rows.iter().filter(|row| row.growth() > FLAT).count();
    println!("\nnanoseconds per node; {steep} of {} rows grow by more than {FLAT}x", rows.len());
    if let Some(path) = svg {
        std::fs::write(path, chart(title, operations, &rows).to_svg())
            .with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("drawn to {}", path.display());
    }
    Ok(())
}

fn table(operations: &[&str], rows: &[Row]) -> Table {
    let mut table = Table::new(["operation", "tree", "10^3", "10^4", "10^5", "10^6", "growth", ""]);
    for row in rows {
        let flag = if row.growth() > FLAT { "NOT FLAT" } else { "" };
        let times = row.times.map(|time| format!("{time:.1}"));
        let head = [operations[row.operation].to_owned(), row.name.clone()];
        table.row(head.into_iter().chain(times).chain([format!("{:.2}x", row.growth()), flag.to_owned()]));
    }
    table
}

fn chart(title: &str, operations: &[&str], rows: &[Row]) -> Chart {
    let panel = |(operation, name): (usize, &&str)| Panel {
        title: (*name).to_owned(),
        series: rows.iter().filter(|row| row.operation == operation).map(series).collect(),
    };
    Chart {
        title: title.to_owned(),
        x_label: "nodes".to_owned(),
        y_label: "ns per node".to_owned(),
        panels: operations.iter().enumerate().map(panel).collect(),
    }
}

fn series(row: &Row) -> Series {
    let points = SIZES.iter().zip(row.times).map(|(&nodes, time)| (nodes as f64, time)).collect();
    Series { name: row.name.clone(), colour: row.colour, dashed: row.dashed, points }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_largest_to_smallest() {
        let times = [30.0, 10.0, 20.0, 25.0];
        let row = Row { operation: 0, name: String::new(), colour: 0, dashed: false, times };
        assert!((row.growth() - 3.0).abs() < 1e-9);
    }
}
