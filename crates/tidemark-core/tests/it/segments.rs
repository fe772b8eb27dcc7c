//! What must hold for the segments of any page, and of any later version of it.

use crate::pages::{cases, corpus, digest, related, sent};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tidemark_core::diff::Difference;
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::page::Reading;
use tidemark_core::segment::{
    Column, Comparison, Cutting, Evolution, Fate, Outline, Segmentation, Version, Way, compare,
};

/// So small that the tiny pages of the tests have segments, too.
const FINE: Cutting = Cutting { least: 12, largest: 60, width: 20, slope: 0.38 };

/// Checks what a segmentation promises by itself.
fn assert_sound(page: &PageDigest, segmentation: &Segmentation, about: &str) {
    let segments = segmentation.segments();
    let columns: BTreeSet<Column> = segments.iter().map(|segment| segment.column).collect();
    assert_eq!(columns.len(), segments.len(), "{about}: a column is one segment");
    assert!(!columns.contains(&Column::FRAME), "{about}: the frame is none of them");
    let mut end = 0;
    for segment in segments {
        assert!(segment.nodes.start >= end && !segment.nodes.is_empty(), "{about}: they do not overlap");
        end = segment.nodes.end;
        let parent = page.parent(NodeId(segment.nodes.start));
        let mut at = segment.nodes.start;
        while at < segment.nodes.end {
            assert_eq!(page.parent(NodeId(at)), parent, "{about}: siblings");
            at += page.subtree(NodeId(at)).len() as u32;
        }
        assert_eq!(at, segment.nodes.end, "{about}: whole subtrees");
    }
    for node in page.depth_first() {
        let holders = segments.iter().filter(|segment| segment.nodes.contains(&node.0));
        let holders: Vec<Column> = holders.map(|segment| segment.column).collect();
        let expected = *holders.first().unwrap_or(&Column::FRAME);
        assert!(holders.len() <= 1 && segmentation.column_of(node) == expected, "{about}: one segment each");
    }
}

/// Checks two versions in a row, by every way.
fn assert_carried(old: &PageDigest, new: &PageDigest, cutting: Cutting, about: &str) {
    let first = Segmentation::first(old, cutting);
    assert_sound(old, &first, about);
    let by_mapping = {
        let mapping = Difference::of(old, new).mapping;
        Segmentation::carry_by_mapping(first.outline(), &mapping, new, cutting)
    };
    let ways = [Way::Boundary, Way::Sequence, Way::Both];
    let carried = ways.map(|way| Segmentation::carry(first.outline(), new, way, cutting));
    for later in carried.iter().chain([&by_mapping]) {
        assert_sound(new, later, about);
        let is_same = first.cells() == later.cells();
        assert_eq!(
            is_same,
            old.changed(new).is_empty(),
            "{about}: all cells are equal exactly if the pages are"
        );
    }
    for later in carried.iter().chain([&by_mapping]) {
        assert_dual_step(old, new, &first, later, about);
    }
    let stored = serde_json::to_string(first.outline()).expect("an outline is data");
    let read: Outline = serde_json::from_str(&stored).expect("what was written is read");
    assert_eq!(
        Segmentation::carry(&read, new, Way::Both, cutting),
        carried[2],
        "{about}: an outline is all that is needed"
    );
}

/// Checks that comparing changed segments gives what comparing the whole pages gives.
fn assert_dual_step(
    old: &PageDigest,
    new: &PageDigest,
    first: &Segmentation,
    later: &Segmentation,
    about: &str,
) {
    let comparison = Comparison::of(Version::new(old, first), Version::new(new, later));
    let whole = Difference::of(old, new);
    assert_eq!(comparison.difference, whole, "{about}: the same as of the whole pages");
    let restricted = compare::restricted(
        &whole.script,
        Version::new(old, first),
        Version::new(new, later),
        &comparison.changed,
    );
    assert_eq!(
        comparison.script(Version::new(old, first), Version::new(new, later)),
        restricted,
        "{about}: restricted to the changed segments"
    );
    assert_eq!(
        restricted.is_empty(),
        whole.script.is_empty(),
        "{about}: what changed lies in changed segments"
    );
}

#[test]
fn every_corpus_page_is_cut_and_found_again() {
    let pages: Vec<(String, PageDigest)> =
        corpus().into_iter().map(|(name, bytes)| (name, digest(&bytes))).collect();
    for (name, page) in &pages {
        assert_carried(page, page, Cutting::default(), name);
    }
    for pair in pages.windows(2) {
        assert_carried(&pair[0].1, &pair[1].1, FINE, &format!("{} and {}", pair[0].0, pair[1].0));
    }
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn related_pages_keep_what_segments_promise((old, new) in related()) {
        assert_carried(&digest(old.as_bytes()), &digest(new.as_bytes()), FINE, "related");
    }

    #[test]
    fn any_bytes_are_cut(sent in sent()) {
        if let Ok(page) = PageDigest::encode(&sent.0, &Reading::default()) {
            assert_sound(&page, &Segmentation::first(&page, FINE), "any bytes");
            assert_sound(&page, &Segmentation::first(&page, Cutting::default()), "any bytes");
        }
    }

    /// No column that a version has is missing from the next without an empty cell, and none has two fates.
    #[test]
    fn nothing_is_lost_without_an_empty_cell(pages in prop::collection::vec(related(), 1..4)) {
        let mut evolution = Evolution::default();
        let mut before: BTreeSet<Column> = BTreeSet::new();
        for page in pages.iter().flat_map(|(old, new)| [old, new]) {
            let advance = evolution.advance(&digest(page.as_bytes()));
            let here: BTreeSet<Column> = advance.segmentation.cells().iter().map(|cell| cell.0).collect();
            let fated: BTreeSet<Column> = advance.fates.iter().map(|fate| fate.0).collect();
            prop_assert_eq!(&fated, &before.union(&here).copied().collect::<BTreeSet<_>>());
            prop_assert_eq!(fated.len(), advance.fates.len());
            for (column, fate) in &advance.fates {
                prop_assert_eq!(*fate == Fate::Lost, !here.contains(column));
            }
            before = here;
        }
    }
}

/// A page of blocks with enough in each to be a segment.
fn blocks(texts: &[&str]) -> String {
    let block = |text: &&str| {
        let words: String = (0..20).map(|at| format!("{text}{at} ")).collect();
        format!("<section><h2>{text}</h2><p>{words}</p></section>\n")
    };
    format!("<!DOCTYPE html><title>t</title><body>\n{}", texts.iter().map(block).collect::<String>())
}

/// The columns of the sections in order.
fn columns(page: &PageDigest, segmentation: &Segmentation) -> Vec<u32> {
    page.tagged("section").map(|node| segmentation.column_of(node).0).collect()
}

#[test]
fn a_block_keeps_its_column_while_others_come_go_and_move() {
    let mut evolution = Evolution::default();
    let mut step = |texts: &[&str]| {
        let page = digest(blocks(texts).as_bytes());
        let advance = evolution.advance(&page);
        (columns(&page, &advance.segmentation), advance)
    };
    let (first, _) = step(&["tide", "moon", "wind", "salt"]);
    let [tide, moon, wind, salt] = first[..] else { panic!("four segments: {first:?}") };
    let (_, advance) = step(&["new", "tide", "moon", "wind", "salt"]);
    assert_eq!(advance.changed().len(), 2, "the new one, and the frame that holds it: {:?}", advance.fates);
    let (now, advance) = step(&["new", "moon", "salt", "tide"]);
    assert_eq!(now[1..], [moon, salt, tide], "gone and moved");
    assert!(advance.fates.contains(&(Column(wind), Fate::Lost)) && advance.moved.contains(&Column(tide)));
    let (now, advance) = step(&["moon", "salt", "wind", "tide"]);
    assert_eq!(now, [moon, salt, wind, tide], "the lost one is back in its column");
    assert!(advance.fates.contains(&(Column(wind), Fate::Back(1))), "{:?}", advance.fates);
}

#[test]
fn a_block_is_known_when_its_boundary_node_is_gone() {
    let plain = blocks(&["tide", "moon", "wind"]);
    let wrapped = plain.replacen("<section><h2>moon", "<div class=w><section><h2>moon", 1).replacen(
        "<section><h2>wind",
        "</div><section><h2>wind",
        1,
    );
    let renamed = plain.replace("section>", "article>");
    let mut evolution = Evolution::default();
    let first = evolution.advance(&digest(plain.as_bytes())).segmentation;
    let order = |segmentation: &Segmentation| -> Vec<Column> {
        segmentation.segments().iter().map(|segment| segment.column).collect()
    };
    for later in [wrapped, renamed] {
        let carried =
            Segmentation::carry(first.outline(), &digest(later.as_bytes()), Way::Both, Cutting::default());
        assert_eq!(order(&carried), order(&first), "{later}");
    }
}

#[test]
fn a_page_that_flips_is_new_once() {
    let (one, two) = (
        blocks(&["tide", "moon", "wind"]),
        blocks(&["tide", "wind", "salt", "rain"]).replace("tide3", "ebb"),
    );
    let mut evolution = Evolution::default();
    evolution.advance(&digest(one.as_bytes()));
    let is_news = |fate: &(Column, Fate)| matches!(fate.1, Fate::New | Fate::Opened);
    let news = |evolution: &mut Evolution, page: &str| {
        evolution.advance(&digest(page.as_bytes())).fates.iter().filter(|fate| is_news(fate)).count()
    };
    assert!(news(&mut evolution, &two) > 0);
    for round in 0..5 {
        assert_eq!(news(&mut evolution, &one), 0, "round {round}");
        assert_eq!(news(&mut evolution, &two), 0, "round {round}");
    }
}

#[test]
fn a_whole_evolution_can_be_stored_and_goes_on() {
    let (mut kept, mut stored) = (Evolution::with_window(3), Evolution::with_window(3));
    for texts in [&["a", "b", "c"][..], &["a", "x", "c"], &["b", "a"], &["a", "b", "c", "d"], &["d"]] {
        let page = digest(blocks(texts).as_bytes());
        let written = serde_json::to_string(&stored).expect("an evolution is data");
        stored = serde_json::from_str(&written).expect("what was written is read");
        assert_eq!(kept.advance(&page), stored.advance(&page));
    }
    assert_eq!(kept, stored);
}

#[test]
fn what_was_stored_and_tampered_with_does_no_harm() {
    let page = digest(blocks(&["tide", "moon", "wind"]).as_bytes());
    let mut evolution = Evolution::default();
    evolution.advance(&page);
    let written = serde_json::to_string(&evolution).expect("an evolution is data");
    for (from, to) in [
        ("\"Frame\":", "\"Frame\":7000"),
        ("\"frames\":[", "\"frames\":[],\"was\":["),
        ("\"versions\":1", "\"versions\":0"),
        ("\"next\":", "\"next\":429496729"),
        ("\"first\":0", "\"first\":9"),
        ("\"window\":64", "\"window\":0"),
    ] {
        assert!(written.contains(from), "{from}");
        let Ok(mut forged) = serde_json::from_str::<Evolution>(&written.replace(from, to)) else { continue };
        for _ in 0..3 {
            let advance = forged.advance(&page);
            assert_sound(&page, &advance.segmentation, to);
        }
        for place in forged.matrix().places() {
            assert!(place.volatility() >= 0.0, "{to}");
        }
    }
}
