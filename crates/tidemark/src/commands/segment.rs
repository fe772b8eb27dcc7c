//! `tidemark segment`: a page in parts.

use super::print_json;
use crate::cli::{SegmentCommand, SegmentFormat};
use crate::input;
use crate::terminal::{FAINT, STRONG, counted, printable, styled};
use anyhow::Result;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;
use tidemark_core::digest::PageDigest;
use tidemark_core::render::html;
use tidemark_core::segment::label::{Label, Labels};
use tidemark_core::segment::{Cutting, Segmentation};

pub(crate) fn run(command: &SegmentCommand) -> Result<()> {
    let page = input::digest(&command.page, &command.reading)?;
    let segmentation = Segmentation::first(&page, Cutting::default());
    let name = input::name(&command.page);
    let format = if command.json.json { SegmentFormat::Json } else { command.format };
    match (format, &command.output) {
        (SegmentFormat::Html, _) => write(command, &html::segments(&page, &segmentation, &name)),
        (SegmentFormat::Json, None) => print_json(&Listing::new(&page, &segmentation, name)),
        (SegmentFormat::Json, Some(_)) => {
            let listing = serde_json::to_string_pretty(&Listing::new(&page, &segmentation, name))?;
            write(command, &format!("{listing}\n"))
        }
        (SegmentFormat::Text, None) => {
            anstream::print!("{}", Listing::new(&page, &segmentation, name).text());
            Ok(())
        }
        (SegmentFormat::Text, Some(_)) => {
            let text = Listing::new(&page, &segmentation, name).text();
            write(command, &anstream::adapter::strip_str(&text).to_string())
        }
    }
}

fn write(command: &SegmentCommand, text: &str) -> Result<()> {
    input::write(command.output.as_deref().unwrap_or(Path::new("-")), text.as_bytes(), false)
}

#[derive(Serialize)]
struct Listing {
    schema: &'static str,
    page: String,
    nodes: usize,
    /// Nodes in no segment.
    frame_nodes: usize,
    frame_signature: String,
    segments: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    column: u32,
    #[serde(flatten)]
    label: Label,
    /// Its first node.
    node: u32,
    signature: String,
}

impl Listing {
    fn new(page: &PageDigest, segmentation: &Segmentation, name: String) -> Self {
        let labels = Labels::new(page);
        let row = |segment: &tidemark_core::segment::Segment| Row {
            column: segment.column.0,
            label: labels.of(segment),
            node: segment.nodes.start,
            signature: format!("{:032x}", segment.signature),
        };
        let segments: Vec<Row> = segmentation.segments().iter().map(row).collect();
        let inside: usize = segments.iter().map(|row| row.label.nodes).sum();
        Self {
            schema: "tidemark/segment/1",
            page: name,
            nodes: page.len(),
            frame_nodes: page.len() - inside,
            frame_signature: format!("{:032x}", segmentation.frame()),
            segments,
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let width =
            self.segments.iter().map(|row| row.label.place.chars().count()).max().unwrap_or(0).min(44);
        for row in &self.segments {
            let (number, size) = (styled(STRONG, &format!("{:>4}", row.column)), row.label.bytes);
            let place = format!("{:<width$}", ending(&printable(&row.label.place), width));
            let words = printable(&row.label.words);
            let line = format!("{number}  {place}  {size:>7}  {}", styled(FAINT, &words));
            let _ = writeln!(text, "{}", line.trim_end());
        }
        let told = format!(
            "{}, {} in none of them; sizes are bytes of text",
            counted(self.segments.len(), "segment"),
            counted(self.frame_nodes, "node")
        );
        let _ = writeln!(text, "{}", styled(FAINT, &told));
        text
    }
}

/// The end of a place says more than its beginning.
pub(super) fn ending(place: &str, width: usize) -> String {
    let count = place.chars().count();
    if count <= width {
        return place.to_owned();
    }
    let rest: String = place.chars().skip(count + 1 - width.max(1)).collect();
    format!("…{rest}")
}
