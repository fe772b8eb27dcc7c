//! Redesigns in generated streams: a small run of `tidemark-lab redesign --generated`, with seeds that nothing was tuned by.

use tidemark_core::redesign::{Detector, Settings, Shingling};
use tidemark_lab::redesign::{Scenario, Score, Watched, scores};

fn streams(scenarios: &[Scenario]) -> Vec<Watched> {
    let labelled = scenarios.iter().flat_map(|scenario| [7001, 7002].map(|seed| scenario.stream(seed)));
    labelled.map(|stream| Watched::new(&stream, Shingling::default())).collect()
}

fn score(streams: &[Watched], detector: Detector, history: usize) -> Score {
    scores(streams, &Settings::of_the_paper(vec![detector], history)).into_iter().sum()
}

#[test]
fn ours_makes_a_third_of_the_errors_of_the_best_of_the_four() {
    let streams = streams(&Scenario::ALL);
    let ours = score(&streams, Detector::Tidemark, 20);
    let four = Detector::ALL.into_iter().filter(|detector| *detector != Detector::Tidemark);
    let theirs = four.flat_map(|detector| [5, 10, 20].map(|history| score(&streams, detector, history)));
    let best = theirs.min_by_key(Score::errors).expect("there are four");
    assert!(ours.errors() * 3 <= best.errors(), "ours {ours}, best of the four {best}");
    assert_eq!(ours.redesigns(), 20, "{ours}");
}

#[test]
fn nothing_is_reported_where_nothing_happens() {
    let quiet = [
        Scenario::Steady,
        Scenario::Kinds,
        Scenario::Growing,
        Scenario::Strays,
        Scenario::Edits,
        Scenario::Alternating,
    ];
    let ours = score(&streams(&quiet), Detector::Tidemark, 20);
    assert_eq!((ours.hits, ours.false_alarms, ours.missed), (0, 0, 0));
}

#[test]
fn plain_redesigns_are_found_within_five_documents() {
    let ours = score(&streams(&[Scenario::Redesign, Scenario::Close]), Detector::Tidemark, 20);
    assert_eq!((ours.hits, ours.errors()), (8, 0));
    assert!(ours.delay <= 5 * 8, "{} documents for 8 redesigns", ours.delay);
}

#[test]
fn one_seed_gives_the_same_stream() {
    let [one, again] = [1, 1].map(|seed| Scenario::Mixed.stream(seed).documents);
    assert_eq!(one, again);
    assert_ne!(one, Scenario::Mixed.stream(2).documents);
}
