//! Table 2 of Gottron's paper again: every detector over real and generated streams, with histories of several lengths.
//!
//! What is counted: a detection is a hit if the document it names is at most `TOLERANCE` away from the first
//! document of a redesign that no earlier detection has hit; all other detections are false alarms, and redesigns without a hit are missed.
//! Reports of consecutive documents are one detection, which hits if any of them does: that favours the paper's detectors.
//! Delay is counted from the true first document, itself included.

pub(crate) mod document;
mod scenario;
mod score;
mod streams;
mod sweep;
pub(crate) mod template;

pub use scenario::{Labelled, Scenario};
pub use score::Score;
pub use streams::Watched;

use crate::table::{Table, grouped};
use anyhow::Result;
use tidemark_core::redesign::{Detector, Settings, Shingling};

/// Prints the table, a row for each stream, and how the best of the paper's detectors compares with ours.
pub fn evaluate(histories: &[usize], generated: usize, seed: u64) -> Result<()> {
    println!("{}", score::what_is_counted());
    if let Some(streams) = streams::of_the_corpus()? {
        report("corpus", &Watched::all(&streams, Shingling::default()), histories);
    }
    if generated > 0 {
        let streams = streams::generated(generated, seed);
        let title =
            format!("{} generated streams, seeds {seed} to {}", streams.len(), seed + generated as u64 - 1);
        report(&title, &Watched::all(&streams, Shingling::default()), histories);
    }
    Ok(())
}

/// Shingles of several lengths and kinds, and thresholds for CLUSTER: what the defaults were chosen by.
pub fn sweep() -> Result<()> {
    match streams::of_the_corpus()? {
        Some(streams) => sweep::evaluate(&streams),
        None => eprintln!("no corpus here (set TIDEMARK_CORPUS to its folder): nothing to choose by"),
    }
    Ok(())
}

/// The streams of the corpus, or so many generated ones of every scenario where there is no corpus.
pub fn streams(generated: usize, seed: u64) -> Result<Vec<Labelled>> {
    Ok(streams::of_the_corpus()?.unwrap_or_else(|| streams::generated(generated, seed)))
}

/// The score of a detector on each stream.
pub fn scores(streams: &[Watched], settings: &Settings) -> Vec<Score> {
    streams.iter().map(|stream| Score::of(stream, settings)).collect()
}

fn report(title: &str, streams: &[Watched], histories: &[usize]) {
    println!("\n{title}: {} streams", streams.len());
    let mut table = Table::new(["detector", "history", "TP", "TN", "FP", "FN", "delay", "reports"]);
    let mut all: Vec<(String, usize, Score)> = Vec::new();
    for (name, threshold, detector) in contenders() {
        for &history in histories {
            let settings = Settings { threshold, ..Settings::of_the_paper(vec![detector], history) };
            let score = scores(streams, &settings).into_iter().sum::<Score>();
            table.row(row(&name, history, &score));
            all.push((name.clone(), history, score));
        }
    }
    print!("{table}");
    compare(&all);
    for &history in histories {
        per_stream(streams, history);
    }
}

/// All detectors as the paper has them, and CLUSTER also with the threshold that suits our shingles.
fn contenders() -> Vec<(String, f64, Detector)> {
    let [paper, ours] = [Settings::of_the_paper(Vec::new(), 1), Settings::default()].map(|set| set.threshold);
    let mut all: Vec<_> = Detector::ALL.map(|detector| (detector.to_string(), paper, detector)).into();
    all.insert(4, (format!("{} t={ours}", Detector::Cluster), ours, Detector::Cluster));
    all
}

fn row(name: &str, history: usize, score: &Score) -> [String; 8] {
    [
        name.to_owned(),
        history.to_string(),
        score.hits.to_string(),
        grouped(score.quiet()),
        score.false_alarms.to_string(),
        score.missed.to_string(),
        score.mean_delay(),
        grouped(score.reports),
    ]
}

/// Ours beside the best of the four, each at its best history.
fn compare(all: &[(String, usize, Score)]) {
    let best = |ours: bool| {
        let candidates = all.iter().filter(|(name, ..)| (name == Detector::Tidemark.name()) == ours);
        candidates.min_by_key(|(_, _, score)| (score.errors(), score.delay))
    };
    if let (Some((detector, history, theirs)), Some((_, own, ours))) = (best(false), best(true)) {
        println!(
            "best of the paper's: {detector} with {history}: {} errors, delay {}; ours with {own}: {} errors, delay {}",
            theirs.errors(),
            theirs.mean_delay(),
            ours.errors(),
            ours.mean_delay()
        );
    }
}

/// What each detector found in each stream; generated streams of one scenario in one row.
fn per_stream(streams: &[Watched], history: usize) {
    let [drop, diff, test, cluster, own] = Detector::ALL.map(Detector::name);
    let mut table =
        Table::new(["stream", "documents", "redesigns", drop, diff, test, cluster, own, "delay of ours"]);
    for group in streams.chunk_by(|a, b| a.group() == b.group()) {
        let of = |detector| {
            scores(group, &Settings::of_the_paper(vec![detector], history)).into_iter().sum::<Score>()
        };
        let scores = Detector::ALL.map(of);
        let [.., ours] = &scores;
        let head = [group[0].group().to_owned(), grouped(ours.documents), ours.redesigns().to_string()];
        let delay = ours.mean_delay();
        table.row(head.into_iter().chain(scores.iter().map(Score::to_string)).chain([delay]));
    }
    print!("\nhistory {history}: hits / false alarms / missed\n{table}");
}
