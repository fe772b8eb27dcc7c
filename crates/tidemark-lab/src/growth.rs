//! Time per node of comparing two pages, by how much of the page changed; and pages made to be hard to compare.
//!
//! A comparison starts from digests just loaded, so that whatever it has to derive from them counts. Nodes are those of the old page.

mod hostile;

use crate::contest::Contest;
use crate::generate::{self, Shape};
use crate::per_node::{self, Row, Specimen};
use crate::plant;
use anyhow::Result;
use std::path::Path;
use std::time::Duration;
use tidemark_core::diff::Difference;
use tidemark_core::digest::{PageDigest, Variant};
use tidemark_core::page::{Limits, Reading};

/// How much is changed, in percent, in this order.
const PERCENT: [u32; 3] = [1, 5, 100];
const CHANGED: [&str; 3] = ["1 % changed", "5 % changed", "all changed"];

/// Measures, prints the tables, and draws the first where asked to; or only the hard pages of a name.
pub fn evaluate(svg: Option<&Path>, only: Option<&str>, rounds: usize) -> Result<()> {
    if let Some(name) = only {
        return hostile::evaluate(name, rounds);
    }
    let mut rows = Vec::new();
    for shape in Shape::ALL {
        for operation in 0..PERCENT.len() {
            rows.push(measure(shape, operation, rounds)?);
        }
    }
    per_node::report("Time of a comparison per node of the old page", &CHANGED, rows, svg)?;
    println!();
    hostile::evaluate("", rounds)
}

/// Two versions, as files to be loaded.
struct Pair {
    size: usize,
    nodes: usize,
    old: Vec<u8>,
    new: Vec<u8>,
}

impl Specimen for Pair {
    fn size(&self) -> usize {
        self.size
    }

    fn nodes(&self) -> usize {
        self.nodes
    }
}

impl Pair {
    fn new(size: usize, old: &str, new: &str) -> Result<Self> {
        let read = |page: &str| PageDigest::encode(page.as_bytes(), &Reading::default());
        let (old, new) = (read(old)?, read(new)?);
        let nodes = old.len();
        Ok(Self { size, nodes, old: old.to_native(Variant::Plain)?, new: new.to_native(Variant::Plain)? })
    }

    fn load(&self) -> (PageDigest, PageDigest) {
        let load =
            |file| PageDigest::from_native(file, &Limits::default()).expect("a file just written is sound");
        (load(&self.old), load(&self.new))
    }
}

fn measure(shape: Shape, operation: usize, rounds: usize) -> Result<Row> {
    eprintln!("measuring {shape}, {}", CHANGED[operation]);
    let pair = |(nodes, seed)| {
        let old = generate::html_tree(shape, nodes, seed);
        let new = match PERCENT[operation] {
            100 => generate::html_tree(shape, nodes, seed + 1_000_000),
            percent => plant::change(&old, nodes * percent as usize / 100, seed)?,
        };
        Pair::new(nodes, &old, &new)
    };
    let pairs = per_node::specimens().map(pair).collect::<Result<Vec<Pair>>>()?;
    let outcome = Contest::new("time per node")
        .enter_after("diff", Pair::load, |_, (old, new)| Difference::of(old, new))
        .long_enough(Duration::ZERO)
        .run(&pairs, rounds);
    let times = per_node::times(&outcome, 0, &pairs);
    Ok(Row { operation, name: format!("HTML {shape}"), colour: shape as usize, dashed: false, times })
}
