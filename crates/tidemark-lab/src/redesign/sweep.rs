//! How long a shingle should be, of which tags, and which threshold CLUSTER needs with it; each choice also made without the stream it is
//! tried on.

use super::{Labelled, Score, Watched, scores};
use crate::table::Table;
use tidemark_core::redesign::{Detector, Settings, Shingling, Tags};

const LENGTHS: [usize; 6] = [1, 2, 3, 4, 6, 8];
const THRESHOLDS: [f64; 5] = [0.15, 0.25, 0.35, 0.45, 0.55];
const HISTORY: usize = 20;

/// A choice with its score on each stream.
struct Choice {
    name: String,
    scores: Vec<Score>,
}

/// Prints the scores of all choices, and what comes of choosing without the stream in question.
pub(super) fn evaluate(streams: &[Labelled]) {
    let [mut diff, mut cluster, mut own] = [const { Vec::new() }; 3];
    for shingling in shinglings() {
        let watched = Watched::all(streams, shingling);
        let name = format!(
            "{} {}",
            shingling.length,
            if shingling.tags == Tags::Start { "start" } else { "start, end" }
        );
        let run = |detector, threshold| {
            let settings = Settings { threshold, ..Settings::of_the_paper(vec![detector], HISTORY) };
            scores(&watched, &settings)
        };
        diff.push(Choice { name: name.clone(), scores: run(Detector::MaxAvgDiff, 0.0) });
        own.push(Choice { name: name.clone(), scores: run(Detector::Tidemark, 0.0) });
        cluster.extend(THRESHOLDS.map(|threshold| Choice {
            name: format!("{name}, t = {threshold}"),
            scores: run(Detector::Cluster, threshold),
        }));
    }
    for (detector, choices) in
        [(Detector::MaxAvgDiff, diff), (Detector::Cluster, cluster), (Detector::Tidemark, own)]
    {
        report(detector, &choices, streams);
    }
}

fn shinglings() -> impl Iterator<Item = Shingling> {
    LENGTHS
        .into_iter()
        .flat_map(|length| [Tags::Start, Tags::StartAndEnd].map(|tags| Shingling { length, tags }))
}

fn report(detector: Detector, choices: &[Choice], streams: &[Labelled]) {
    let mut table = Table::new(["shingles", "TP", "FP", "FN", "delay"]);
    for choice in choices {
        let score: Score = choice.scores.iter().cloned().sum();
        let counts = [score.hits, score.false_alarms, score.missed].map(|count| count.to_string());
        table.row([choice.name.clone()].into_iter().chain(counts).chain([score.mean_delay()]));
    }
    println!("{detector}, history {HISTORY}\n{table}");
    let mut held_out = Table::new(["left out", "chosen by the others", "TP / FP / FN"]);
    let mut all = Score::default();
    for (stream, labelled) in streams.iter().enumerate() {
        let without = |choice: &Choice| {
            choice
                .scores
                .iter()
                .enumerate()
                .filter(|(at, _)| *at != stream)
                .map(|(_, score)| score.clone())
                .sum::<Score>()
        };
        let best = choices.iter().min_by_key(|choice| (without(choice).errors(), without(choice).delay));
        let Some(best) = best else { continue };
        held_out.row([labelled.name.clone(), best.name.clone(), best.scores[stream].to_string()]);
        all = [all, best.scores[stream].clone()].into_iter().sum();
    }
    println!("{held_out}in all {all}\n");
}
