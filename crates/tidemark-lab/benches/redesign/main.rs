//! What watching a stream for redesigns costs beside the parsing of its documents, by `cargo bench -p tidemark-lab --bench redesign`;
//! `-- --quick` for fewer rounds. All are measured in turn, each on a digest made anew.

use anyhow::Result;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;
use tidemark_core::redesign::{Detector, Fingerprint, Settings, Shingling, Stream};
use tidemark_lab::contest::{Contest, Outcome};
use tidemark_lab::redesign;
use tidemark_lab::table::grouped;

/// Most that shingling may take of the parsing.
const SHARE: f64 = 0.1;
/// Fewest documents a minute beyond parsing.
const DOCUMENTS: f64 = 20_000.0;

fn main() -> Result<()> {
    let rounds = if std::env::args().any(|argument| argument == "--quick") { 3 } else { 15 };
    let streams = redesign::streams(1, 1000)?;
    let documents: Vec<Vec<u8>> = streams.into_iter().flat_map(|stream| stream.documents).collect();
    let bytes: usize = documents.iter().map(Vec::len).sum();
    println!("{} documents, {} bytes\n", grouped(documents.len()), grouped(bytes));
    let mut all = Stream::new(Settings { detectors: Detector::ALL.to_vec(), ..Settings::default() });
    let mut ours = Stream::new(Settings::default());
    let outcome = Contest::new("a document of a stream")
        .enter("PageDigest::encode", |page: &Vec<u8>| encode(page))
        .enter_after("tag shingles", |page| encode(page), |_, digest| Shingling::default().shingles(digest))
        .enter_after("Fingerprint::of", |page| encode(page), |_, digest| fingerprint(digest))
        .enter_after(
            "fingerprint and our detector",
            |page| encode(page),
            |_, digest| ours.push(fingerprint(digest)),
        )
        .enter_after(
            "fingerprint and all detectors",
            |page| encode(page),
            |_, digest| all.push(fingerprint(digest)),
        )
        .run(&documents, rounds);
    print!("{outcome}");
    judge(&outcome, documents.len());
    Ok(())
}

fn judge(outcome: &Outcome, documents: usize) {
    let total = |entry: usize| outcome.total(entry).as_secs_f64();
    let share = total(1) / total(0);
    let met = |is_met: bool| if is_met { "met" } else { "MISSED" };
    println!("shingling / parsing: {share:.3} (target: below {SHARE}); {}", met(share < SHARE));
    for (name, entry) in [("our detector", 3), ("all detectors", 4)] {
        let minute = documents as f64 / total(entry) * 60.0;
        let number = grouped(format!("{minute:.0}").as_str());
        println!(
            "{name}: {number} documents a minute beyond parsing (target: {DOCUMENTS}); {}",
            met(minute >= DOCUMENTS)
        );
    }
}

fn encode(page: &[u8]) -> PageDigest {
    PageDigest::encode(page, &Reading::default()).expect("the page is within the limits")
}

fn fingerprint(digest: &PageDigest) -> Fingerprint {
    Fingerprint::of(digest, Shingling::default())
}
