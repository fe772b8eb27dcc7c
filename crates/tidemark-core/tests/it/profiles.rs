//! What must hold for any profile, any text and any FOAF file.

use proptest::prelude::*;
use tidemark_core::profile::{Foaf, FoafError, Language, Matcher, Origin, Profile, Reach};

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

const TURTLE: &str = r##"@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix dc: <http://purl.org/dc/elements/1.1/> .
<> a foaf:PersonalProfileDocument ; foaf:primaryTopic <#me> .
<#me> foaf:interest <http://weather.example/> ; foaf:topic_interest <https://en.wikipedia.org/wiki/Tropical_cyclone> ;
  foaf:weblog <http://blog.example/> ; foaf:workplaceHomepage <http://work.example/> ; foaf:knows [ foaf:interest <http://x.example/Chess> ] .
<http://weather.example/> dc:title "Storms" ."##;

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
        laughs.push_str(&format!("<!ENTITY a{level} \"{inner}\">"));
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
