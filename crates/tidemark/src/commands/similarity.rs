//! `tidemark similarity`: how alike two pages are, as a whole, by facet, and subtree by subtree.

use super::print_json;
use crate::cli::Similarity;
use crate::input;
use crate::terminal::{ADDED, FAINT, REMOVED, counted, printable, styled};
use anyhow::{Context, Result};
use serde::Serialize;
use std::io::Write;
use tidemark_core::digest::locate::Locator;
use tidemark_core::digest::{Facet, NodeId, PageDigest};
use tidemark_core::page::Limits;
use tidemark_core::similarity::resemblance::{Aspect, resemblance};
use tidemark_core::similarity::{AttributeWeights, Options, compare};

pub(crate) fn run(command: &Similarity) -> Result<()> {
    let options = options(command)?;
    let (old, new) = input::versions(&command.old, &command.new, &command.reading)?;
    let rows: Vec<Row> = aspects(command).into_iter().map(|aspect| Row::new(&old, &new, aspect)).collect();
    let one_aspect = command.facet.is_some() || command.tag.is_some();
    let page = (!one_aspect).then(|| PageRow::new(command, &options, &old, &new));
    if command.json.json {
        return print_json(&Report {
            schema: "tidemark/similarity/2",
            old: input::name(&command.old),
            new: input::name(&command.new),
            coefficients: rows,
            page,
        });
    }
    let mut out = anstream::stdout().lock();
    for row in rows {
        writeln!(out, "{:<12} {:.4}", row.of, row.coefficient)?;
    }
    page.map_or(Ok(()), |page| page.print(&mut out))
}

fn options(command: &Similarity) -> Result<Options> {
    let mut options = Options { level: command.level, ..Options::default() };
    if let Some(weights) = command.weights {
        options.weights = weights;
    }
    if let Some(path) = &command.attribute_weights {
        let bytes = input::bytes(path, &Limits::default())?;
        let text = String::from_utf8(bytes).with_context(|| format!("{} is not UTF-8", input::name(path)))?;
        options.attribute_weights =
            AttributeWeights::parse(&text).with_context(|| format!("cannot read {}", input::name(path)))?;
    }
    Ok(options)
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
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<PageRow>,
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

/// The similarity of the pages by their subtrees.
#[derive(Serialize)]
struct PageRow {
    method: &'static str,
    coefficient: f64,
    severity: f64,
    comparisons: u64,
    exact: bool,
    pairs: Vec<PairRow>,
    added: Vec<Subtree>,
    deleted: Vec<Subtree>,
}

#[derive(Serialize)]
struct PairRow {
    coefficient: f64,
    severity: f64,
    old: Subtree,
    new: Option<Subtree>,
}

#[derive(Serialize)]
struct Subtree {
    node: u32,
    place: String,
}

impl PageRow {
    fn new(command: &Similarity, options: &Options, old: &PageDigest, new: &PageDigest) -> Self {
        let report = compare(old, new, options, command.method);
        let (old_places, new_places) = (Locator::new(old), Locator::new(new));
        let pairs = report.pairs.iter().filter(|pair| pair.new.is_some()).map(|pair| PairRow {
            coefficient: pair.coefficient.value(),
            severity: pair.coefficient.severity(),
            old: Subtree::new(&old_places, pair.old),
            new: pair.new.map(|node| Subtree::new(&new_places, node)),
        });
        Self {
            method: command.method.name(),
            coefficient: report.document.value(),
            severity: report.document.severity(),
            comparisons: report.comparisons,
            exact: report.exact,
            pairs: pairs.collect(),
            added: report.added.iter().map(|&node| Subtree::new(&new_places, node)).collect(),
            deleted: report.deleted.iter().map(|&node| Subtree::new(&old_places, node)).collect(),
        }
    }

    fn print(&self, out: &mut impl Write) -> Result<()> {
        writeln!(out, "{:<12} {:.4}", "subtrees", self.coefficient)?;
        for pair in self.pairs.iter().filter(|pair| pair.coefficient < 1.0) {
            writeln!(out, "  {:.4}  {}", pair.coefficient, printable(&pair.old.place))?;
        }
        for subtree in &self.deleted {
            writeln!(out, "  {}  {}", styled(REMOVED, "gone  "), printable(&subtree.place))?;
        }
        for subtree in &self.added {
            writeln!(out, "  {}  {}", styled(ADDED, "new   "), printable(&subtree.place))?;
        }
        let equal = self.pairs.iter().filter(|pair| pair.coefficient >= 1.0).count();
        let coarse = if self.exact { "" } else { ", given up early: coefficients may be too low" };
        let told = format!(
            "{} equal; {} by the {} method{coarse}",
            counted(equal, "subtree"),
            counted(self.comparisons as usize, "comparison"),
            self.method
        );
        Ok(writeln!(out, "  {}", styled(FAINT, &told))?)
    }
}

impl Subtree {
    fn new(places: &Locator<'_>, node: NodeId) -> Self {
        Self { node: node.0, place: places.css(node).unwrap_or_else(|| places.tag_path(node)) }
    }
}
