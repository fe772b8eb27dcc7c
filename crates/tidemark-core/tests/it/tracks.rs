//! A page through all its versions: strips, and the measures of table 1, worked by hand.

use crate::pages::{cases, digest, related};
use proptest::prelude::*;
use tidemark_core::diff::{Difference, EditScript};
use tidemark_core::digest::PageDigest;
use tidemark_core::figure::track::picture;
use tidemark_core::segment::sign::Sign;
use tidemark_core::segment::step::Step;
use tidemark_core::segment::track::Strip;
use tidemark_core::segment::{Column, Evolution, Measures, Track, Version};

/// A page of sections, each with enough in it to be a segment; what follows a `+` is said at its end.
fn sections(texts: &[&str]) -> PageDigest {
    let section = |text: &&str| {
        let (name, more) = text.split_once('+').unwrap_or((text, ""));
        let words: String = (0..20).map(|at| format!("{name}{at} ")).collect();
        format!("<section><h2>{name}</h2><p>{words}{more}</p></section>\n")
    };
    let body: String = texts.iter().map(section).collect();
    digest(format!("<!DOCTYPE html><title>t</title><body>\n{body}").as_bytes())
}

fn track(versions: &[&[&str]]) -> (Track, Vec<Option<Step>>) {
    let mut track = Track::default();
    let steps = versions.iter().map(|texts| track.advance(sections(texts))).collect();
    (track, steps)
}

/// The strip of the section of this name.
fn strip(track: &Track, name: &str) -> String {
    let is_it = |strip: &&Strip| strip.label.as_ref().is_some_and(|label| label.words.starts_with(name));
    let strip = track.strips().iter().find(is_it).expect("a section is a segment");
    strip.marks.iter().map(|mark| mark.sign().symbol()).collect()
}

const VERSIONS: [&[&str]; 7] = [
    &["tide", "moon", "wind", "salt"],
    &["tide", "moon+full", "wind", "salt"],
    &["tide", "moon+full", "wind", "salt"],
    &["tide", "moon", "wind", "salt"],
    &["tide", "moon", "salt"],
    &["moon", "salt", "wind", "tide"],
    &["moon", "salt", "wind", "tide", "rain"],
];

#[test]
fn strips_tell_new_flip_lost_back_and_moved() {
    let (track, _) = track(&VERSIONS);
    assert_eq!(track.versions(), 7);
    assert_eq!(strip(&track, "moon"), "●●·↔···");
    assert_eq!(strip(&track, "wind"), "●··· ↩·");
    assert_eq!(strip(&track, "rain"), "      ●");
    assert_eq!(strip(&track, "tide"), "●····→·");
    assert_eq!(strip(&track, "salt"), "●······");
    let still: Vec<bool> = track.strips().iter().map(Strip::is_still).collect();
    assert_eq!(still, [false, false, false, false, true, false], "salt alone; the frame is the first");
}

#[test]
fn a_label_says_where_how_large_and_what() {
    let (track, _) = track(&[&["tide", "moon", "wind"]]);
    let label = track.strips()[1].label.clone().expect("a segment has a label");
    assert_eq!(label.place, "html > body > section:nth-of-type(1)");
    assert_eq!((label.blocks, label.words.split(' ').take(3).collect()), (1, vec!["tide", "tide0", "tide1"]));
    // The heading, ten words of five letters and ten of six, each with a space.
    assert_eq!(label.bytes, 4 + 10 * 6 + 10 * 7, "{label:?}");
    assert!(label.words.ends_with('…') && label.words.chars().count() <= 61, "{label:?}");
    assert!(track.strips()[0].label.is_none(), "the frame has none");
}

#[test]
fn the_measures_of_table_1_worked_by_hand() {
    let (track, steps) = track(&VERSIONS);
    let measures = *track.measures();
    // Segments: 4 + 4 + 4 + 4 + 3 + 4 + 5. Steps that changed: all but the one to the third version.
    assert_eq!((measures.tracks, measures.versions, measures.segments, measures.steps), (1, 7, 28, 5));
    assert_eq!(steps.iter().position(Option::is_some), Some(1), "a first version is no step");
    assert!(steps[2].is_none(), "nor is one that is as it was");
    let counted = |at: usize| steps[at].map(|step| (step.segments, step.changed, step.news, step.undetected));
    assert_eq!(counted(1), Some((4, 1, 1, 0)), "moon is new");
    assert_eq!(counted(3), Some((4, 1, 0, 0)), "moon is as it was before");
    assert_eq!(counted(4), Some((4, 1, 0, 0)), "wind is gone");
    assert_eq!(counted(5), Some((4, 2, 0, 0)), "wind is back, tide moved");
    assert_eq!(counted(6), Some((5, 1, 1, 0)), "rain has come");
    let near = |value: Option<f64>, expected: f64| value.is_some_and(|value| (value - expected).abs() < 1e-9);
    assert!(near(measures.mean_segments(), 28.0 / 7.0) && near(measures.mean_track_length(), 7.0));
    assert!(near(measures.mean_modified(), 6.0 / 5.0) && near(measures.mean_undetected(), 0.0));
    assert!(near(measures.detection(), 100.0) && measures.mean_personal().is_none());
    assert!(near(measures.step.excluded(), 1.0 - 6.0 / 21.0));
    assert!(near(measures.step.excluded_by_history(), 1.0 - 2.0 / 21.0));
    let nodes = steps[1].map(|step| (step.changed_nodes == step.news_nodes, step.nodes / step.changed_nodes));
    assert_eq!(nodes, Some((true, 6)), "a section has five nodes of some thirty");
}

#[test]
fn what_signatures_do_not_tell_is_undetected() {
    let (old, new) = (sections(&["tide", "moon", "wind"]), sections(&["tide+ebb", "moon", "wind+gale"]));
    let mut evolution = Evolution::default();
    let first = evolution.advance(&old).segmentation;
    let advance = evolution.clone().advance(&old);
    let old = Version { page: &old, segmentation: &first };
    let blind = Step::of(old, old.page, &advance, &Difference::of(old.page, &new).script);
    assert_eq!((blind.changed, blind.undetected), (0, 2), "two sections are edited, none is reported");
    let none = Step::of(old, old.page, &advance, &EditScript::default());
    assert_eq!((none.changed, none.undetected), (0, 0));
    let mut measures = Measures::default();
    measures.begin(&first);
    measures.step(&first, &blind);
    assert_eq!(measures.mean_undetected(), Some(2.0));
    assert!(measures.detection().is_some_and(|percent| (percent - 100.0 / 3.0).abs() < 1e-9), "{measures:?}");
    let personal = Step { personal: Some(1), ..blind };
    measures.step(&first, &personal);
    assert_eq!(measures.mean_personal(), Some(0.5));
    let mut twice = measures;
    twice += measures;
    assert_eq!(
        (twice.tracks, twice.mean_personal(), twice.detection()),
        (2, Some(0.5), measures.detection())
    );
}

#[test]
fn a_reader_has_a_count_of_their_own() {
    let mut track = Track::default();
    for texts in VERSIONS {
        // A reader who cares for what is the second on the page, the frame not counted.
        track.advance_for(sections(texts), |between| {
            assert!(!between.difference.script.edits.is_empty() && between.new.page.len() > 10);
            let wanted = |column: &&Column| **column == Column(2);
            Some(between.changed.iter().filter(wanted).count())
        });
    }
    assert_eq!(track.measures().mean_personal(), Some(2.0 / 5.0), "moon changed in two of five steps");
}

#[test]
fn nothing_is_measured_of_nothing() {
    let measures = Measures::default();
    assert_eq!(
        (measures.mean_segments(), measures.detection(), measures.step.excluded()),
        (None, None, None)
    );
}

proptest! {
    #![proptest_config(cases(96))]

    /// A strip has a mark for every version, and shares are shares.
    #[test]
    fn any_track_adds_up(pages in prop::collection::vec(related(), 1..4)) {
        let mut track = Track::with_window(3);
        for page in pages.iter().flat_map(|(old, new)| [old, new]) {
            track.advance(digest(page.as_bytes()));
        }
        prop_assert!(track.strips().iter().all(|strip| strip.marks.len() == track.versions()));
        prop_assert!(track.strips().windows(2).all(|pair| pair[0].column < pair[1].column));
        let there = |strip: &Strip| strip.marks.iter().filter(|mark| mark.sign() != Sign::Empty).count();
        let cells: usize = track.strips().iter().skip(1).map(there).sum();
        let measures = track.measures();
        prop_assert_eq!(cells, measures.segments);
        let step = measures.step;
        prop_assert!(step.news <= step.changed && step.changed <= step.segments);
        prop_assert!(step.news_nodes <= step.changed_nodes && step.changed_nodes <= step.nodes);
    }
}

/// Names and words of a page that would like to be markup, or to end the file.
#[test]
fn a_picture_is_well_formed_whatever_the_page_says() {
    let hostile = "</text><script>alert(1)</script>\u{1}\u{202e}]]>&nope;\"'";
    let page = |more: &str| {
        let words = "word ".repeat(30);
        let section = format!("<section><h2>{hostile} &lt;b&gt; &amp;</h2><p>{words}{more}</p></section>\n");
        digest(format!("<body>{}<section><h2>x</h2>{words}</section>", section.repeat(3)).as_bytes())
    };
    let mut track = Track::default();
    for at in 0..6 {
        track.advance(page(["", "ebb", "flow"][at % 3]));
    }
    let names: Vec<String> = (0..6).map(|at| format!("{at}{hostile}")).collect();
    let svg = picture(&track, hostile, &names);
    let tree = roxmltree::Document::parse(&svg).expect("well-formed XML");
    let known = ["svg", "title", "rect", "text", "line"];
    assert!(
        tree.descendants()
            .filter(roxmltree::Node::is_element)
            .all(|node| known.contains(&node.tag_name().name()))
    );
    let cells = tree.descendants().filter(|node| node.has_tag_name("title")).count() - 1;
    // Three sections and the frame that holds none of their words: each section new twice, then three flips.
    assert!(cells >= 3 * 6, "{cells} cells with what they are");
    assert!(svg.contains("as before") && svg.contains("segments a version"));
}

#[test]
fn a_picture_of_nothing_is_a_picture() {
    let svg = picture(&Track::default(), "nothing", &[]);
    assert!(roxmltree::Document::parse(&svg).is_ok(), "{svg}");
}
