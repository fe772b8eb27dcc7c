//! Time per node of what is done to one page: each shape and grammar is one contest of operations over trees of all sizes, measured in
//! turn.

use crate::contest::Contest;
use crate::generate::{self, Shape};
use crate::per_node::{self, Row, Specimen};
use crate::tally::Tally;
use anyhow::Result;
use std::path::Path;
use std::time::Duration;
use tidemark_core::digest::{PageDigest, Variant};
use tidemark_core::page::{Limits, Reading};

/// What is measured, in this order.
const OPERATIONS: [&str; 4] = ["encode", "walk", "load", "revert"];

/// Measures, prints the table, and draws it where asked to.
pub fn evaluate(svg: Option<&Path>, rounds: usize) -> Result<()> {
    let mut rows = Vec::new();
    for grammar in [Grammar::Xml, Grammar::Html] {
        for shape in Shape::ALL {
            rows.extend(measure(grammar, shape, rounds)?);
        }
    }
    per_node::report("Time per node over the size of the tree", &OPERATIONS, rows, svg)
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

/// A tree in all the states that operations start from.
struct Tree {
    size: usize,
    nodes: usize,
    page: String,
    file: Vec<u8>,
    loaded: PageDigest,
}

impl Specimen for Tree {
    fn size(&self) -> usize {
        self.size
    }

    fn nodes(&self) -> usize {
        self.nodes
    }
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
    let trees = per_node::specimens().map(|(nodes, seed)| Tree::new(nodes, grammar.tree(shape, nodes, seed)));
    let trees = trees.collect::<Result<Vec<Tree>>>()?;
    let outcome = Contest::new("time per node")
        .enter("encode", Tree::encode)
        .enter("walk", Tree::walk)
        .enter("load", Tree::load)
        .enter("revert", Tree::revert)
        .long_enough(Duration::ZERO)
        .run(&trees, rounds);
    let row = |operation| Row {
        operation,
        name: format!("{} {shape}", grammar.name()),
        colour: shape as usize,
        dashed: grammar == Grammar::Html,
        times: per_node::times(&outcome, operation, &trees),
    };
    Ok((0..OPERATIONS.len()).map(row).collect())
}
