//! `tidemark similarity`: how alike two pages are.

use super::print_json;
use crate::cli::Similarity;
use crate::input;
use anyhow::Result;
use serde::Serialize;
use std::io::Write;
use tidemark_core::digest::{Facet, PageDigest};
use tidemark_core::similarity::resemblance::{Aspect, resemblance};

pub(crate) fn run(command: &Similarity) -> Result<()> {
    let (old, new) = input::versions(&command.old, &command.new, &command.reading)?;
    let rows: Vec<Row> = aspects(command).into_iter().map(|aspect| Row::new(&old, &new, aspect)).collect();
    if command.json.json {
        return print_json(&Report {
            schema: "tidemark/similarity/1",
            old: input::name(&command.old),
            new: input::name(&command.new),
            coefficients: rows,
        });
    }
    let mut out = anstream::stdout().lock();
    for row in rows {
        writeln!(out, "{:<12} {:.4}", row.of, row.coefficient)?;
    }
    Ok(())
}

fn aspects(command: &Similarity) -> Vec<Aspect<'_>> {
    match (command.facet, &command.tag) {
        (_, Some(tag)) => vec![Aspect::Tag(tag)],
        (Some(facet), None) => vec![Aspect::Facet(facet)],
        (None, None) => Facet::ALL.map(Aspect::Facet).to_vec(),
    }
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    old: String,
    new: String,
    coefficients: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    /// A facet, or a tag in angle brackets.
    of: String,
    coefficient: f64,
}

impl Row {
    fn new(old: &PageDigest, new: &PageDigest, aspect: Aspect<'_>) -> Self {
        let of = match aspect {
            Aspect::Facet(facet) => facet.to_string(),
            Aspect::Tag(tag) => format!("<{tag}>"),
        };
        Self { of, coefficient: resemblance(old, new, aspect).value() }
    }
}
