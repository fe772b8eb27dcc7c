//! Content and zones across generated redesigns: a small run of `tidemark-lab across`, with seeds that nothing was tuned by.

use tidemark_lab::across::{Kind, Score, content, zones};

const SEED: u64 = 9001;

#[test]
fn unchanged_text_is_told_as_unchanged() {
    for (kind, least) in
        [(Kind::Article, 0.98), (Kind::Listing, 0.98), (Kind::Numbers, 0.9), (Kind::Prices, 0.9)]
    {
        let kept = content(kind, 8, SEED);
        assert!(kept.words > 100 && kept.share() >= least, "{kind}: {kept:?}");
    }
}

#[test]
fn zones_are_found_again_and_seldom_wrongly() {
    for (across, least) in [(true, 0.85), (false, 0.93)] {
        let score: Score = Kind::ALL.into_iter().map(|kind| zones(kind, across, 10, SEED)).sum();
        assert!(
            score.zones > 150 && score.right_share() >= least,
            "{:.3} of {}",
            score.right_share(),
            score.zones
        );
        assert!(score.wrong_share() <= 0.02, "{:.3}: {:?}", score.wrong_share(), score.examples);
    }
}
