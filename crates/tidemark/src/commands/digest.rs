//! `tidemark digest`: pages into digests and back, and a look inside.

use super::print_json;
use crate::cli::{Encode, Revert, Show};
use crate::input;
use crate::terminal::{FAINT, STRONG, counted, more, printable, styled};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use tidemark_core::digest::{Facet, NodeId, PageDigest, Variant, native};

pub(crate) fn encode(command: &Encode) -> Result<()> {
    let digest = input::digest(&command.page, &command.reading)?;
    let variant = if command.packed { Variant::Packed } else { Variant::Plain };
    let file = digest.to_native(variant)?;
    let output = command.output.clone().map_or_else(|| beside(&command.page), Ok)?;
    if input::is_standard(&output) && command.json.json {
        bail!("standard output cannot take both the digest and --json; use -o FILE");
    }
    input::write(&output, &file, true)?;
    let report = Encoded {
        schema: "tidemark/digest-encode/1",
        page: input::name(&command.page),
        file: output.display().to_string(),
        variant: variant.name(),
        page_bytes: digest.about().bytes,
        file_bytes: file.len(),
        nodes: digest.len(),
    };
    if command.json.json {
        print_json(&report)?;
    } else if !input::is_standard(&output) {
        let nodes = counted(report.nodes, "node");
        eprintln!("{} bytes, {nodes} → {} ({} bytes)", report.page_bytes, report.file, report.file_bytes);
    }
    Ok(())
}

/// The name of the digest beside its page. A file of that name that is not a digest is left alone.
fn beside(page: &Path) -> Result<PathBuf> {
    if input::is_standard(page) {
        return Ok(PathBuf::from("-"));
    }
    let mut name = page.as_os_str().to_owned();
    name.push(".");
    name.push(native::EXTENSION);
    let path = PathBuf::from(name);
    let foreign = std::fs::read(&path).is_ok_and(|bytes| !native::is_native(&bytes));
    if foreign {
        bail!("{} exists and is not a digest; use -o FILE to choose another name", path.display());
    }
    Ok(path)
}

#[derive(Serialize)]
struct Encoded {
    schema: &'static str,
    page: String,
    file: String,
    variant: &'static str,
    page_bytes: usize,
    file_bytes: usize,
    nodes: usize,
}

pub(crate) fn revert(command: &Revert) -> Result<()> {
    let limits = command.limits.limits();
    let bytes = input::bytes(&command.file, &limits)?;
    let digest = input::native(&command.file, &bytes, &limits)?;
    let page = digest.revert().with_context(|| format!("cannot revert {}", input::name(&command.file)))?;
    let output = command.output.clone().unwrap_or_else(|| PathBuf::from("-"));
    if command.json.json && input::is_standard(&output) {
        bail!("standard output cannot take both the page and --json; use -o PAGE");
    }
    input::write(&output, &page, false)?;
    if command.json.json {
        print_json(&Reverted {
            schema: "tidemark/digest-revert/1",
            file: input::name(&command.file),
            page: output.display().to_string(),
            page_bytes: page.len(),
        })?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Reverted {
    schema: &'static str,
    file: String,
    page: String,
    page_bytes: usize,
}

pub(crate) fn show(command: &Show) -> Result<()> {
    let digest = input::digest(&command.page, &command.reading)?;
    let limit = if command.limit == 0 { digest.len() } else { command.limit };
    let report = Shown::new(input::name(&command.page), &digest, limit);
    if command.json.json { print_json(&report) } else { report.print(&digest) }
}

#[derive(Serialize)]
struct Shown {
    schema: &'static str,
    page: String,
    format: &'static str,
    encoding: &'static str,
    encoding_from: &'static str,
    bytes: usize,
    nodes: usize,
    depth: usize,
    notes: Vec<String>,
    facet_hashes: Vec<FacetHash>,
    columns: Vec<Column>,
    tree: Vec<Node>,
}

#[derive(Serialize)]
struct FacetHash {
    facet: &'static str,
    hash: String,
}

#[derive(Serialize)]
struct Column {
    name: &'static str,
    bytes: usize,
}

#[derive(Serialize)]
struct Node {
    id: u32,
    depth: usize,
    name: String,
    children: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attributes: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
}

impl Shown {
    fn new(page: String, digest: &PageDigest, limit: usize) -> Self {
        let about = digest.about();
        let hashes = digest.facet_hashes();
        let residue = Column { name: "residue", bytes: digest.residue_size() };
        Self {
            schema: "tidemark/digest-show/1",
            page,
            format: about.format.name(),
            encoding: about.encoding.name(),
            encoding_from: about.evidence.name(),
            bytes: about.bytes,
            nodes: digest.len(),
            depth: digest.depth_first().map(|node| digest.depth(node)).max().unwrap_or(0),
            notes: about.notes.iter().map(ToString::to_string).collect(),
            facet_hashes: Facet::ALL
                .map(|facet| FacetHash { facet: facet.name(), hash: format!("{:032x}", hashes.get(facet)) })
                .into(),
            columns: digest
                .column_sizes()
                .map(|(name, bytes)| Column { name, bytes })
                .chain([residue])
                .collect(),
            tree: digest.depth_first().take(limit).map(|node| Node::new(digest, node)).collect(),
        }
    }

    fn print(&self, digest: &PageDigest) -> Result<()> {
        let mut out = anstream::stdout().lock();
        writeln!(out, "{}", styled(STRONG, &self.page))?;
        let kind = format!("{}, {} ({})", self.format, self.encoding, self.encoding_from);
        let nodes = counted(self.nodes, "node");
        writeln!(out, "{kind}, {}, {nodes}, depth {}", counted(self.bytes, "byte"), self.depth)?;
        for note in &self.notes {
            writeln!(out, "note: {}", printable(note))?;
        }
        writeln!(out, "\n{}", styled(STRONG, "facet        hash"))?;
        for FacetHash { facet, hash } in &self.facet_hashes {
            writeln!(out, "{facet:<12} {hash}")?;
        }
        writeln!(out, "\n{}", styled(STRONG, "column                    bytes"))?;
        for Column { name, bytes } in &self.columns {
            writeln!(out, "{name:<20} {bytes:>10}")?;
        }
        writeln!(out, "\n{}", styled(STRONG, "tree"))?;
        for node in &self.tree {
            writeln!(out, "{}", node.line())?;
        }
        let rest = digest.len() - self.tree.len();
        if rest > 0 {
            writeln!(out, "{}", styled(FAINT, &more(rest, "")))?;
        }
        Ok(())
    }
}

impl Node {
    fn new(digest: &PageDigest, node: NodeId) -> Self {
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Self {
            id: node.0,
            depth: digest.depth(node),
            name: digest.name(node).to_owned(),
            children: digest.child_count(node),
            attributes: digest.attributes(node).map(owned).collect(),
            content: digest.content(node).map(str::to_owned),
        }
    }

    fn line(&self) -> String {
        let mut line = format!("{}{}", "  ".repeat(self.depth.min(40)), printable(&self.name));
        if self.children > 0 {
            line += &styled(FAINT, &format!(" ({})", self.children));
        }
        for (name, value) in &self.attributes {
            line += &styled(FAINT, &format!(" {}={:?}", printable(name), printable(value)));
        }
        if let Some(content) = &self.content {
            line += " \"";
            line += &printable(content);
            line += "\"";
        }
        line
    }
}
