//! How much of a page its signatures rule out, and whether anything they rule out had changed, over real histories: table 1 again.

use crate::corpus::{self, Document};
use crate::table::{Table, grouped};
use crate::work;
use anyhow::Result;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;
use tidemark_core::segment::{Measures, Track};

/// What the paper has: the means over its fifteen sessions, and the share it gives in its text.
const PAPER: [&str; 9] = ["the paper", "4.60", "18.90", "4.21", "77.8", "-", "-", "0.47", "97.45"];

pub(super) fn evaluate() -> Result<()> {
    let (documents, _) = corpus::pages()?;
    let documents: Vec<Document> =
        documents.into_iter().filter(|document| ["histories", "terms"].contains(&document.group())).collect();
    let histories: Vec<&[Document]> = documents.chunk_by(|a, b| folder(a) == folder(b)).collect();
    let measured = work::through(&histories, "following", |history| follow(history));
    let mut table = Table::new([
        "history",
        "versions",
        "MSC",
        "MSM",
        "excluded %",
        "by equation 11",
        "of nodes",
        "MSUD",
        "SDP",
    ]);
    let mut all = Measures::default();
    for (history, measures) in histories.iter().zip(&measured) {
        table.row(row(folder(&history[0]), grouped(measures.versions), measures));
        all += *measures;
    }
    let length = all.mean_track_length().map_or_else(String::new, |length| format!("{length:.2}"));
    table.row(row("all, versions as MPETL", length, &all));
    table.row(PAPER.map(str::to_owned));
    print!("\n{table}");
    Ok(())
}

fn follow(history: &[Document]) -> Measures {
    let mut track = Track::default();
    for document in history {
        if let Ok(page) = PageDigest::encode(&document.bytes, &Reading::default()) {
            track.advance(page);
        }
    }
    *track.measures()
}

fn row(name: &str, versions: String, measures: &Measures) -> [String; 9] {
    let told = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
    let percent =
        |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{:.1}", 100.0 * share));
    [
        name.to_owned(),
        versions,
        told(measures.mean_segments()),
        told(measures.mean_modified()),
        percent(measures.step.excluded()),
        percent(measures.step.excluded_by_history()),
        percent(measures.step.excluded_nodes()),
        told(measures.mean_undetected()),
        told(measures.detection()),
    ]
}

fn folder(document: &Document) -> &str {
    document.name.rsplit_once('/').map_or("", |(folder, _)| folder)
}
