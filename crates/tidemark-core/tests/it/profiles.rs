//! What must hold for any profile, any text and any FOAF file.

use crate::pages::{cases, digest, related};
use proptest::prelude::*;
use std::fmt::Write;
use tidemark_core::diff::Difference;
use tidemark_core::digest::PageDigest;
use tidemark_core::profile::{Foaf, FoafError, Language, Matcher, Origin, Profile, Reach};
use tidemark_core::render::html::{Names, html};
use tidemark_core::render::text::{TextOptions, text};
use tidemark_core::render::{Change, ChangeKind, Changes, SpanKind};

const RDF: &str = r##"<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE rdf:RDF [<!ENTITY foaf "http://xmlns.com/foaf/0.1/">]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:foaf="http://xmlns.com/foaf/0.1/" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <foaf:PersonalProfileDocument rdf:about=""><foaf:primaryTopic rdf:resource="#me"/></foaf:PersonalProfileDocument>
  <foaf:Person rdf:ID="me">
    <foaf:interest><rdf:Description rdf:about="http://weather.example/"><dc:title>Storms</dc:title></rdf:Description></foaf:interest>
    <foaf:topic_interest rdf:resource="https://en.wikipedia.org/wiki/Tropical_cyclone"/>
    <foaf:weblog rdf:resource="http://blog.example/"/>
    <foaf:workplaceHomepage rdf:resource="http://work.example/"/>
    <foaf:knows><foaf:Person><foaf:interest rdf:resource="http://x.example/Chess"/></foaf:Person></foaf:knows>
  </foaf:Person>
</rdf:RDF>"##;

const TURTLE: &str = r#"@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix dc: <http://purl.org/dc/elements/1.1/> .
<> a foaf:PersonalProfileDocument ; foaf:primaryTopic <#me> .
<#me> foaf:interest <http://weather.example/> ; foaf:topic_interest <https://en.wikipedia.org/wiki/Tropical_cyclone> ;
  foaf:weblog <http://blog.example/> ; foaf:workplaceHomepage <http://work.example/> ; foaf:knows [ foaf:interest <http://x.example/Chess> ] .
<http://weather.example/> dc:title "Storms" ."#;

const JSON: &str = r##"{"@context": "http://xmlns.com/foaf/0.1/", "@id": "", "primaryTopic": {"@id": "#me",
  "interest": {"@id": "http://weather.example/", "dc:title": "Storms"},
  "topic_interest": "https://en.wikipedia.org/wiki/Tropical_cyclone",
  "weblog": "http://blog.example/", "workplaceHomepage": "http://work.example/",
  "knows": {"interest": "http://x.example/Chess"}}}"##;

#[test]
fn the_three_grammars_of_foaf_say_the_same() {
    for file in [RDF, TURTLE, JSON] {
        let foaf = Foaf::read(file.as_bytes(), Some("http://me.example/foaf"))
            .unwrap_or_else(|error| panic!("{error}: {file}"));
        let mut terms: Vec<&str> = foaf.terms.iter().map(|term| term.words.as_str()).collect();
        terms.sort_unstable();
        assert_eq!(terms, ["Storms", "Tropical cyclone"], "{file}");
        let mut pages: Vec<(&str, &str)> =
            foaf.pages.iter().map(|page| (page.address.as_str(), page.property)).collect();
        pages.sort_unstable();
        let expected = [
            ("http://blog.example/", "weblog"),
            ("http://weather.example/", "interest"),
            ("http://work.example/", "workplaceHomepage"),
            ("https://en.wikipedia.org/wiki/Tropical_cyclone", "topic_interest"),
        ];
        assert_eq!(pages, expected, "{file}");
    }
}

#[test]
fn interests_may_be_text_in_any_language() {
    let file = "@prefix foaf: <http://xmlns.com/foaf/0.1/> . [] foaf:interest \"Sturmflut\"@de, \"chess\" .";
    let foaf = Foaf::read(file.as_bytes(), None).unwrap();
    assert_eq!(foaf.terms[0].language, Language::of("de"));
    assert_eq!(foaf.terms[1].words, "chess");
    assert_eq!(foaf.terms[1].origin, Origin::Foaf { property: "interest" });
}

#[test]
fn what_cannot_be_read_is_told() {
    let error = |file: &str| Foaf::read(file.as_bytes(), None).unwrap_err();
    assert_eq!(error(" \n"), FoafError::Empty);
    assert_eq!(error("<a> <b> <c> ."), FoafError::Nobody);
    assert!(matches!(error("<rdf:RDF><oops"), FoafError::Grammar { grammar: "RDF/XML", .. }));
    assert!(matches!(error("{\"@context\": "), FoafError::Grammar { grammar: "JSON-LD", .. }));
    assert!(matches!(error("me foaf:interest"), FoafError::Grammar { grammar: "Turtle", .. }));
    let elsewhere = error(r#"{"@context": "http://evil.example/", "interest": "x"}"#);
    assert!(elsewhere.to_string().contains("http://evil.example/ is not fetched"), "{elsewhere}");
}

#[test]
fn hostile_files_are_refused_in_time() {
    let mut laughs = String::from("<!DOCTYPE rdf:RDF [<!ENTITY a0 \"ha\">");
    for level in 1..30 {
        let inner = format!("&a{};", level - 1).repeat(10);
        write!(laughs, "<!ENTITY a{level} \"{inner}\">").expect("a string takes any text");
    }
    laughs.push_str("]><rdf:RDF>&a29;</rdf:RDF>");
    assert_eq!(Foaf::read(laughs.as_bytes(), None), Err(FoafError::Entities));
    let long = format!("<!DOCTYPE r [<!ENTITY a '{}'>]><r>{}</r>", "x".repeat(1000), "&a;".repeat(100_000));
    assert_eq!(Foaf::read(long.as_bytes(), None), Err(FoafError::Entities));
    for deep in ["[", "{\"a\":", "(", "<a>", "{\"@context\":[", "[] <a> ["] {
        let file = deep.repeat(900_000 / deep.len());
        assert!(Foaf::read(file.as_bytes(), None).is_err(), "{deep}");
    }
    assert_eq!(Foaf::read(&vec![b' '; 2 << 20], None), Err(FoafError::Large));
    let many: String = (0..30_000).map(|at| format!("<a{at}> <b> <c> .\n")).collect();
    assert_eq!(Foaf::read(many.as_bytes(), None), Err(FoafError::Large));
}

fn matcher(profile: &str) -> Matcher {
    Matcher::new(&Profile::parse(profile).unwrap())
}

fn changes(old: &PageDigest, new: &PageDigest, matcher: &Matcher) -> Changes {
    Changes::for_reader(old, new, &Difference::of(old, new), matcher)
}

fn told(old: &str, new: &str, profile: &str) -> String {
    let (old, new) = (digest(old.as_bytes()), digest(new.as_bytes()));
    text(&new, &changes(&old, &new, &matcher(profile)), &TextOptions::default())
}

#[test]
fn words_that_came_or_went_are_of_interest_and_words_near_them_are_told() {
    let (old, new) = ("<p>The storm is a big one", "<p>The storm is a small one");
    let near = "@@ top of the page @@\n~ The storm is a [-big-]{+small+} one\n  * storm ← storm, typed\n";
    assert_eq!(told(old, new, "storm"), near, "told, and not marked as if it had come");
    let marked = told(old, new, "big\nsmall *0.5");
    let reasons = "  * big ← big, typed\n  * small ← small, typed\n";
    assert_eq!(
        marked,
        format!("@@ top of the page @@\n~ The storm is a [-*big*-]{{+*small*+}} one\n{reasons}")
    );
}

#[test]
fn a_phrase_may_begin_in_what_stayed_and_does_not_cross_blocks() {
    let phrase = "interest rate";
    let marked = told("<p>The interest <b>fell</b>", "<p>The interest <b>rate</b>", phrase);
    assert!(marked.contains("{+*rate*+}\n  * interest rate ← interest rate, typed"), "{marked}");
    let apart = told("<p>One.", "<p>One.<div><p>His interest<p>rate of pay</div>", phrase);
    assert!(!apart.contains('*'), "{apart}");
}

#[test]
fn what_moved_is_of_interest_as_a_whole() {
    let list = |order: [&str; 3]| {
        let item = |word: &&str| format!("<p>A paragraph about {word}, long enough to be known again.</p>");
        format!("<title>t</title>{}", order.iter().map(item).collect::<String>())
    };
    let (old, new) = (list(["storms", "tea", "chess"]), list(["tea", "chess", "storms"]));
    let (old, new) = (digest(old.as_bytes()), digest(new.as_bytes()));
    let found = changes(&old, &new, &matcher("storm"));
    let moved = &found.changes[0];
    assert_eq!((moved.kind, moved.mentions[0].kind), (ChangeKind::Moved, SpanKind::Same));
}

#[test]
fn what_moved_and_changed_is_told_whole() {
    let item = |word: &str, number: &str| {
        format!(
            "<div><p>A storm of words about {word}, long enough to be known again, and storm number {number} of it.</p></div>"
        )
    };
    let (old, new) =
        (item("tea", "one") + &item("chess", "two"), item("chess", "three") + &item("tea", "one"));
    let (old, new) = (digest(old.as_bytes()), digest(new.as_bytes()));
    for words in ["storm", "three\nstorm", "known again\n-tea"] {
        assert_interest_holds(&old, &new, &matcher(words));
    }
}

#[test]
fn the_heaviest_comes_first_and_the_rest_keeps_its_order() {
    let old = "<p>First paragraph here.";
    let new = "<p>First paragraph here.<p>About nothing.<p>About tea.<p>About rain and storms.<p>About none.";
    let (old, new) = (digest(old.as_bytes()), digest(new.as_bytes()));
    let found = changes(&old, &new, &matcher("storm *0.6\nrain *0.6\ntea"));
    let lines: Vec<String> = found.changes.iter().map(|change| change.line.side(SpanKind::Added)).collect();
    assert_eq!(lines, ["About rain and storms.", "About tea.", "About nothing.", "About none."]);
    assert_eq!(found.of_interest().count(), 2);
}

#[test]
fn a_negative_term_in_the_words_around_silences_a_change() {
    let (old, new) = ("<p>The car is a Ford now", "<p>The car is a Jaguar now");
    assert!(told(old, new, "jaguar").contains("*Jaguar*"));
    assert!(!told(old, new, "jaguar\n-cars").contains('*'));
}

#[test]
fn what_is_far_down_in_a_long_block_is_found() {
    let filler = "<p>Nothing to see in this paragraph.".repeat(500);
    let marked = told("<p>One.", &format!("<p>One.<div>{filler}<p>A storm.</div>"), "storm");
    assert!(marked.ends_with("  * storm ← storm, typed\n"), "{}", &marked[marked.len() - 200..]);
}

#[test]
fn words_in_attributes_that_readers_see_count() {
    let marked = told("<p>One <img src=a alt=tea>", "<p>One <img src=a alt='a storm'>", "storm");
    assert!(marked.contains("  * storm ← storm, typed"), "{marked}");
}

#[test]
fn other_languages_and_forms_are_marked_in_changes() {
    for (term, said) in [
        ("language: de\nSturm", "Stürme"),
        ("language: fr\ncheval", "CHEVAL"),
        ("language: ja\n台風", "台風"),
        ("storm", "storms"),
    ] {
        let marked = told("<p>One.", &format!("<p>One.<p>x {said} y"), term);
        assert!(marked.contains(&format!("+ x *{said}* y")), "{term}: {marked}");
    }
}

#[test]
fn a_term_of_many_senses_does_not_light_up_a_page() {
    let page = "We trust the weather, rely on the boat and save the catch. The water by the side of the lake was deep, the slope \
        steep; a row of trees, a shelf of rock and a fund of stories. He turned, tipped the container and let the deposit sink.";
    let profile = Profile::parse("bank").unwrap().expand(&Reach::default());
    assert!(profile.terms.len() > 20, "it is expanded");
    let found = Matcher::new(&profile).find(page).matches;
    let said: Vec<&str> = found.iter().map(|found| &page[found.range.clone()]).collect();
    assert!(found.len() <= 2 && found.iter().all(|found| found.term.weight < 0.3), "{said:?}");
    let found = Matcher::new(&profile).find("A credit union opened.").matches;
    assert_eq!(found[0].reason("A credit union opened."), "credit union ← bank, hyponym");
}

/// What a profile may change about changes is their order.
fn assert_interest_holds(old: &PageDigest, new: &PageDigest, matcher: &Matcher) {
    let (plain, found) = (changes(old, new, &Matcher::default()), changes(old, new, matcher));
    let without = |change: &Change| Change { mentions: Vec::new(), interest: 0.0, ..change.clone() };
    let mut rest = plain.changes.clone();
    for change in &found.changes {
        let at = rest.iter().position(|other| *other == without(change)).expect("no other changes");
        rest.remove(at);
        assert_eq!(change.interest > 0.0, !change.mentions.is_empty());
        for mention in &change.mentions {
            let parts =
                mention.spans.iter().map(|(span, range)| &change.line.spans[*span].text[range.clone()]);
            let parts: String = parts.collect();
            assert!(
                mention.said.replace(' ', "").contains(&parts.replace(' ', "")),
                "{parts} of {}",
                mention.said
            );
        }
    }
    assert!(rest.is_empty() && found.changes.windows(2).all(|pair| pair[0].interest >= pair[1].interest));
    text(new, &found, &TextOptions::default());
    html(old, new, &Difference::of(old, new), matcher, Names { old: "old", new: "new" });
}

fn assert_matches_hold(profile: &str, text: &str) {
    let Ok(profile) = Profile::parse(profile) else { return };
    let profile = profile.expand(&Reach::default());
    let found = Matcher::new(&profile).find(text);
    let mut end = 0;
    for found in &found.matches {
        assert!(
            found.range.start >= end && found.range.start < found.range.end,
            "in order, apart, not empty"
        );
        assert!(text.get(found.range.clone()).is_some(), "whole characters");
        assert!(!found.term.negative && found.term.weight > 0.0 && found.term.weight <= 1.0);
        end = found.range.end;
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn a_profile_changes_the_order_and_nothing_else((old, new) in related()) {
        let words = "a\nb\nx *0.5\none\ntwo\ntext\nb c\né\nword\n-two";
        assert_interest_holds(&digest(old.as_bytes()), &digest(new.as_bytes()), &matcher(words));
    }

    #[test]
    fn matches_hold_for_any_profile_and_text(profile in any::<String>(), text in any::<String>()) {
        assert_matches_hold(&profile, &text);
    }

    #[test]
    fn matches_hold_where_there_are_many(
        terms in prop::collection::vec("-?(storm|rain|storm rain|rain storm rain|é台)( \\*0\\.[1-9])?", 0..6),
        text in "((storm|rain|storms|É台|,|-|\u{2029}) ){0,40}",
    ) {
        assert_matches_hold(&terms.join("\n"), &text);
    }

    #[test]
    fn any_bytes_are_a_foaf_file_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200), start in 0..5_usize) {
        let start = ["", "<rdf:RDF ", "{\"@context\":", "@prefix ", "<"][start];
        let _ = Foaf::read(&[start.as_bytes(), &bytes].concat(), None);
    }
}
