//! What is planted is found. A small run of `tidemark-lab plant`, over generated pages.

use tidemark_lab::plant::{self, Ground, Kind, Verdict};

fn verdict(kinds: &[Kind], count: usize) -> Verdict {
    let mut all = Verdict::default();
    for document in plant::generated().iter().step_by(2) {
        let ground =
            Ground::new(&document.name, &document.bytes).expect("generated pages are written and come back");
        let grown = ground.plant(kinds, count, 7).expect("every edit was seen to come back");
        all.add(ground.judge(&grown));
    }
    assert!(all.planted >= 30, "{kinds:?}: only {} were planted", all.planted);
    all
}

fn assert_found(kinds: &[Kind], count: usize, precision: f64) {
    let all = verdict(kinds, count);
    assert_eq!(all.broken, 0, "{kinds:?}: every patch makes the new page");
    assert_eq!(all.missed.len(), 0, "{kinds:?}: {:?}", all.missed);
    assert!(
        all.precision() >= precision,
        "{kinds:?}: {} of {}: {:#?}",
        all.beside.len(),
        all.reported,
        all.beside
    );
    assert!(all.move_share() >= 0.95, "{kinds:?}: {} of {} moves", all.seen_as_moves, all.moves);
}

#[test]
fn what_comes_and_goes_is_found_and_nothing_else() {
    for kind in [Kind::Insert, Kind::Delete, Kind::Words, Kind::Attribute] {
        assert_found(&[kind], 4, 0.99);
    }
}

#[test]
fn what_moves_is_found() {
    for kind in [Kind::Move, Kind::Reorder] {
        assert_found(&[kind], 3, 0.99);
    }
}

#[test]
fn what_is_wrapped_is_found() {
    for kind in [Kind::Wrap, Kind::Unwrap] {
        assert_found(&[kind], 3, 0.99);
    }
}

#[test]
fn all_of_it_at_once_is_found() {
    assert_found(&Kind::ALL, 1, 0.99);
}
