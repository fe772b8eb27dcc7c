//! `tidemark diff`: in what two pages differ, by facet and by node.

use super::print_json;
use crate::cli::{Diff, OutputFormat};
use crate::input;
use crate::terminal::{ADDED, CHANGED, FAINT, REMOVED, STRONG, counted, more, printable, styled};
use anyhow::Result;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;
use tidemark_core::digest::locate::Locator;
use tidemark_core::digest::{Differing, Facet, Facets, Kind, NodeId, PageDigest};

pub(crate) fn run(command: &Diff) -> Result<ExitCode> {
    let (old, new) = input::versions(&command.old, &command.new, &command.reading)?;
    let wanted =
        if command.facets.is_empty() { Facets::ALL } else { command.facets.iter().copied().collect() };
    let names = (input::name(&command.old), input::name(&command.new));
    let report = Report::new(names, &old, &new, wanted);
    if command.json.json || command.format == OutputFormat::Json {
        print_json(&report)?;
    } else {
        report.print(command.limit)?;
    }
    Ok(ExitCode::from(u8::from(report.changed)))
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    old: String,
    new: String,
    changed: bool,
    facets: Vec<FacetRow>,
    nodes: Vec<NodeRow>,
}

#[derive(Serialize)]
struct FacetRow {
    facet: &'static str,
    changed: bool,
}

/// A node that differs.
#[derive(Serialize)]
struct NodeRow {
    /// `added`, `removed` or `changed`.
    what: What,
    /// In which facets a changed node differs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facets: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<Side>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Side>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum What {
    Added,
    Removed,
    Changed,
}

/// One side of a difference.
#[derive(Serialize)]
struct Side {
    node: u32,
    tag_path: String,
    css: Option<String>,
    xpath: Option<String>,
    /// Nodes of the subtree.
    nodes: usize,
    attributes: Vec<(String, String)>,
    content: Option<String>,
    /// What a reader sees of a subtree that came or went.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The place in short, for people.
    #[serde(skip)]
    place: String,
}

impl Report {
    fn new(
        (old_name, new_name): (String, String),
        old: &PageDigest,
        new: &PageDigest,
        wanted: Facets,
    ) -> Self {
        let facets: Vec<FacetRow> = wanted
            .iter()
            .map(|facet| FacetRow { facet: facet.name(), changed: old.facet_changed(new, facet) })
            .collect();
        let changed = facets.iter().any(|row| row.changed);
        let nodes = if changed { node_rows(old, new, wanted) } else { Vec::new() };
        Self { schema: "tidemark/diff/1", old: old_name, new: new_name, changed, facets, nodes }
    }

    fn print(&self, limit: usize) -> Result<()> {
        let mut out = anstream::stdout().lock();
        for row in &self.facets {
            let told = if row.changed { styled(CHANGED, "changed") } else { styled(FAINT, "same") };
            writeln!(out, "{:<12} {told}", row.facet)?;
        }
        if !self.nodes.is_empty() {
            writeln!(out)?;
        }
        // White space between elements is a difference, but nothing to read unless it is all there is.
        let blank = self.nodes.iter().filter(|row| row.is_blank()).count();
        let hide = limit > 0 && blank < self.nodes.len();
        let shown = self.nodes.iter().filter(|row| !(hide && row.is_blank()));
        let limit = if limit == 0 { self.nodes.len() } else { limit };
        for row in shown.take(limit) {
            row.print(&mut out)?;
        }
        let readable = self.nodes.len() - if hide { blank } else { 0 };
        if readable > limit {
            writeln!(out, "{}", styled(FAINT, &more(readable - limit, "")))?;
        }
        if hide && blank > 0 {
            writeln!(out, "{}", styled(FAINT, &more(blank, " of white space")))?;
        }
        Ok(())
    }
}

fn node_rows(old: &PageDigest, new: &PageDigest, wanted: Facets) -> Vec<NodeRow> {
    let (old_places, new_places) = (Locator::new(old), Locator::new(new));
    let row = |differing| match differing {
        Differing::Removed(node) => NodeRow {
            what: What::Removed,
            facets: Vec::new(),
            old: Some(Side::new(old, &old_places, node).with_text(old)),
            new: None,
        },
        Differing::Added(node) => NodeRow {
            what: What::Added,
            facets: Vec::new(),
            old: None,
            new: Some(Side::new(new, &new_places, node).with_text(new)),
        },
        Differing::Changed { old: before, new: after, facets } => NodeRow {
            what: What::Changed,
            facets: facets.intersection(wanted).iter().map(Facet::name).collect(),
            old: Some(Side::new(old, &old_places, before)),
            new: Some(Side::new(new, &new_places, after)),
        },
    };
    let is_wanted = |differing: &Differing| !facets_of(old, new, differing).intersection(wanted).is_empty();
    old.differing(new).into_iter().filter(is_wanted).map(row).collect()
}

/// The facets a difference belongs to. A node that came or went carries those of everything below it.
fn facets_of(old: &PageDigest, new: &PageDigest, differing: &Differing) -> Facets {
    let carried = |digest: &PageDigest, node| {
        let any = |test: &dyn Fn(NodeId) -> bool| digest.subtree(node).any(test);
        let attributes = any(&|node| digest.attributes(node).len() > 0).then_some(Facet::Attributes);
        let content = any(&|node| digest.content(node).is_some()).then_some(Facet::Content);
        [Facet::Structure, Facet::Tags].into_iter().chain(attributes).chain(content).collect()
    };
    match *differing {
        Differing::Removed(node) => carried(old, node),
        Differing::Added(node) => carried(new, node),
        Differing::Changed { facets, .. } => facets,
    }
}

impl NodeRow {
    /// Whether the difference is white space and nothing else.
    fn is_blank(&self) -> bool {
        let sides = || [&self.old, &self.new].into_iter().flatten();
        sides().all(|side| side.content.as_ref().is_some_and(|content| content.trim().is_empty()))
    }

    fn print(&self, out: &mut impl Write) -> Result<()> {
        let (mark, style) = match self.what {
            What::Added => ("+", ADDED),
            What::Removed => ("-", REMOVED),
            What::Changed => ("~", CHANGED),
        };
        let Some(side) = self.new.as_ref().or(self.old.as_ref()) else { return Ok(()) };
        let remark = match self.what {
            What::Changed => self.facets.join(", "),
            _ if side.nodes > 1 => counted(side.nodes, "node"),
            _ => String::new(),
        };
        let (mark, place) = (styled(style.bold(), mark), styled(STRONG, &printable(&side.place)));
        writeln!(out, "{}", format!("{mark} {place}  {}", styled(FAINT, &remark)).trim_end())?;
        let (old, new) = (self.old.as_ref(), self.new.as_ref());
        for (side, mark, style) in [(old, '-', REMOVED), (new, '+', ADDED)] {
            for line in side.map(|side| self.lines(side)).unwrap_or_default() {
                writeln!(out, "    {}", styled(style, &format!("{mark} {line}")))?;
            }
        }
        Ok(())
    }

    /// What of a side is worth a line: all of a node that came or went, and what changed of one that changed.
    fn lines(&self, side: &Side) -> Vec<String> {
        let shows = |facet: Facet| self.what != What::Changed || self.facets.contains(&facet.name());
        let mut lines = Vec::new();
        if shows(Facet::Attributes) && !side.attributes.is_empty() {
            let list: Vec<String> = side
                .attributes
                .iter()
                .map(|(name, value)| format!("{}=\"{}\"", printable(name), printable(value)))
                .collect();
            lines.push(list.join(" "));
        }
        let text = side.content.as_ref().or(side.text.as_ref());
        if let Some(text) = text.filter(|text| shows(Facet::Content) && !text.is_empty()) {
            lines.push(printable(text));
        }
        lines
    }
}

impl Side {
    fn new(digest: &PageDigest, places: &Locator<'_>, node: NodeId) -> Self {
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Self {
            node: node.0,
            tag_path: places.tag_path(node),
            css: places.css(node),
            xpath: places.xpath(node),
            nodes: digest.subtree(node).len(),
            attributes: digest.attributes(node).map(owned).collect(),
            content: digest.content(node).map(str::to_owned),
            text: None,
            place: place(digest, places, node),
        }
    }

    /// Adds the text of an element's subtree, one space between words.
    fn with_text(mut self, digest: &PageDigest) -> Self {
        let node = NodeId(self.node);
        if self.content.is_none() {
            let texts =
                digest.subtree(node).filter(|&node| matches!(digest.kind(node), Kind::Text | Kind::Cdata));
            let words: Vec<&str> =
                texts.filter_map(|node| digest.content(node)).flat_map(str::split_whitespace).collect();
            self.text = Some(words.join(" "));
        }
        self
    }
}

/// An element by its selector; anything else by its parent's and what it is.
fn place(digest: &PageDigest, places: &Locator<'_>, node: NodeId) -> String {
    if let Some(css) = places.css(node) {
        return css;
    }
    let parent = digest.parent(node).and_then(|parent| places.css(parent));
    parent.map_or_else(|| places.tag_path(node), |parent| format!("{parent} {}", digest.name(node)))
}
