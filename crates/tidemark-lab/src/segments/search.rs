//! How much of a page its signatures rule out, and whether anything they rule out had changed, over real histories.

use crate::corpus::{self, Document};
use crate::table::{Table, grouped};
use crate::work;
use anyhow::Result;
use tidemark_core::diff::{Difference, Edit};
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;
use tidemark_core::segment::{Column, Evolution, Segmentation};

/// What a history came to.
#[derive(Clone, Debug, Default)]
struct Found {
    versions: usize,
    steps: usize,
    segments: usize,
    changed: usize,
    bytes: usize,
    excluded_nodes: usize,
    nodes: usize,
    undetected: usize,
    largest_share: f64,
}

pub(super) fn evaluate() -> Result<()> {
    let (documents, _) = corpus::pages()?;
    let documents: Vec<Document> =
        documents.into_iter().filter(|document| ["histories", "terms"].contains(&document.group())).collect();
    let histories: Vec<&[Document]> = documents.chunk_by(|a, b| folder(a) == folder(b)).collect();
    let found = work::through(&histories, "following", |history| follow(history));
    let mut table = Table::new([
        "history",
        "versions",
        "segments",
        "changed",
        "excluded",
        "of nodes",
        "largest",
        "undetected",
    ]);
    let mut all = Found::default();
    for (history, found) in histories.iter().zip(&found) {
        table.row(found.row(folder(&history[0])));
        all.add(found);
    }
    table.row(all.row("all"));
    print!("\n{table}");
    Ok(())
}

fn follow(history: &[Document]) -> Found {
    let mut found = Found { versions: history.len(), ..Found::default() };
    let mut evolution = Evolution::default();
    let mut before: Option<(PageDigest, Segmentation)> = None;
    for document in history {
        let Ok(page) = PageDigest::encode(&document.bytes, &Reading::default()) else { continue };
        let advance = evolution.advance(&page);
        found.segments += advance.segmentation.segments().len();
        let largest =
            advance.segmentation.segments().iter().map(|segment| segment.nodes.len()).max().unwrap_or(0);
        found.largest_share += largest as f64 / page.len() as f64;
        if let Some((old, old_segmentation)) = &before
            && !old.changed(&page).is_empty()
        {
            let changed = advance.changed();
            found.steps += 1;
            found.changed += changed.iter().filter(|&&column| column != Column::FRAME).count();
            found.bytes += advance.segmentation.segments().len();
            found.nodes += page.len();
            found.excluded_nodes += page
                .depth_first()
                .filter(|&node| !changed.contains(&advance.segmentation.column_of(node)))
                .count();
            let script = Difference::of(old, &page).script;
            let mut touched: Vec<Column> = script
                .edits
                .iter()
                .filter_map(|edit| untold(edit, old_segmentation, &advance.segmentation, &changed))
                .collect();
            touched.sort_unstable();
            touched.dedup();
            found.undetected += touched.len();
        }
        before = Some((page, advance.segmentation));
    }
    found
}

/// The column of an edit that lies in no changed segment.
fn untold(edit: &Edit, old: &Segmentation, new: &Segmentation, changed: &[Column]) -> Option<Column> {
    let columns = match *edit {
        Edit::Delete { old: node } => [old.column_of(node); 2],
        Edit::Insert { new: node } => [new.column_of(node); 2],
        Edit::Move { old: from, new: to } | Edit::Update { old: from, new: to, .. } => {
            [old.column_of(from), new.column_of(to)]
        }
    };
    columns.iter().all(|column| !changed.contains(column)).then_some(columns[0])
}

impl Found {
    fn add(&mut self, other: &Self) {
        self.versions += other.versions;
        self.steps += other.steps;
        self.segments += other.segments;
        self.changed += other.changed;
        self.bytes += other.bytes;
        self.nodes += other.nodes;
        self.excluded_nodes += other.excluded_nodes;
        self.undetected += other.undetected;
        self.largest_share += other.largest_share;
    }

    fn row(&self, name: &str) -> [String; 8] {
        let per = |sum: usize, of: usize| format!("{:.2}", sum as f64 / of.max(1) as f64);
        [
            name.to_owned(),
            grouped(self.versions),
            per(self.segments, self.versions),
            per(self.changed, self.steps),
            format!("{:.3}", 1.0 - self.changed as f64 / self.bytes.max(1) as f64),
            format!("{:.3}", self.excluded_nodes as f64 / self.nodes.max(1) as f64),
            format!("{:.3}", self.largest_share / self.versions.max(1) as f64),
            grouped(self.undetected),
        ]
    }
}

fn folder(document: &Document) -> &str {
    document.name.rsplit_once('/').map_or("", |(folder, _)| folder)
}
