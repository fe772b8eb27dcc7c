//! Our arrays hold the tree that the standards ask for, as parsers that are not ours read it.

use crate::outline::{assert_same, dom_outline};
use crate::pages::{bytes_in, cases, corpus, soup, xml};
use crate::referee;
use encoding_rs::UTF_8;
use proptest::prelude::*;
use tidemark_core::digest::{Kind, PageDigest};
use tidemark_core::page::decode::decode;
use tidemark_core::page::{Format, Reading};

/// What tokenizers stumble over, in any order. No way leads to `&#xa` without its semicolon: there, at the start of a `textarea`,
/// html5ever keeps a line end that the standard drops.
fn shards() -> impl Strategy<Value = String> {
    let shards = [
        "<",
        ">",
        "/",
        "!",
        "-",
        "--",
        "=",
        "'",
        "\"",
        "&",
        ";",
        "#",
        "y",
        "?",
        "]",
        "]]>",
        " ",
        "\n",
        "\r",
        "\r\n",
        "\0",
        "\t",
        "\x0c",
        "a",
        "B",
        "é",
        "\u{FEFF}",
        "<!--",
        "-->",
        "--!>",
        "<!-->",
        "<!--->",
        "<!-",
        "<![CDATA[",
        "<!doctype",
        "<!DOCTYPE html",
        " public",
        " SYSTEM",
        "<script",
        "</script",
        "<SCRIPT>",
        "</Script>",
        "</script ",
        "<style>",
        "</style",
        "<title>",
        "</title>",
        "<textarea>",
        "</textarea>",
        "<plaintext>",
        "<svg>",
        "</svg>",
        "<math>",
        "<p",
        "</p>",
        "<p a=",
        "<p a='",
        "<br/>",
        "</",
        "<?",
        "<!",
        "&amp",
        "&amp;",
        "&lt",
        "&not",
        "&notin;",
        "&noti",
        "&copy=",
        "&#",
        "&#x4",
        "&#xG",
        "&#65",
        "&#x41;",
        "&#0;",
        "&#128;",
        "&#55296;",
        "&#99999999999;",
        "&#13;",
        "&NotEqualTilde;",
        "<template>",
        "<table>",
        "<select>",
        "<iframe>",
        "</iframe>",
        "<noscript>",
        "<xmp>",
        "</xmp>",
        "<a b=1 b=2>",
        "<img/alt=x>",
        "<p/ a>",
        "<p a = b>",
    ];
    proptest::collection::vec(proptest::sample::select(shards.to_vec()), 0..24)
        .prop_map(|shards| shards.concat())
}

/// Encodes a text behind a byte order mark, which is taken off and so guards any mark of the text's own.
fn encode(text: &str, format: Format) -> PageDigest {
    let reading = Reading { format: Some(format), ..Reading::default() };
    PageDigest::encode(&bytes_in(text, UTF_8), &reading).expect("a page within the limits")
}

fn assert_html_agrees(text: &str, about: &str) {
    assert_same(&dom_outline(&encode(text, Format::Html)), &referee::html(text), about);
}

/// Whether the referee took the document.
fn assert_xml_agrees(text: &str, about: &str) -> bool {
    let digest = encode(text, Format::Xml);
    let Some(expected) = referee::xml(text) else { return false };
    assert!(digest.about().notes.is_empty(), "{about}: {:?}", digest.about().notes);
    if digest.tagged(Kind::Entity.name()).next().is_none() {
        assert_same(&referee::xpath_outline(&digest).0, &expected, about);
    }
    true
}

#[test]
fn every_corpus_page_read_as_html_has_html5evers_tree() {
    for (name, bytes) in corpus() {
        let decoded = decode(&bytes, None);
        assert_html_agrees(&decoded.text, &name);
    }
}

#[test]
fn every_well_formed_corpus_page_has_roxmltrees_tree() {
    let pages = corpus();
    let taken = pages.iter().filter(|(name, bytes)| assert_xml_agrees(&decode(bytes, None).text, name));
    let names: Vec<&str> = taken.map(|(name, _)| name.as_str()).collect();
    let xml = |name: &&str| !["html", "txt"].iter().any(|end| name.ends_with(end));
    assert!(names.iter().filter(|name| xml(name)).count() >= 7, "{names:?}");
    assert!(!names.iter().any(|name| name.starts_with("malformed-")), "{names:?}");
}

#[test]
fn every_prefix_of_a_corpus_page_has_html5evers_tree() {
    for (name, bytes) in corpus() {
        let text = decode(&bytes, None).text.into_owned();
        let ends = (0..text.len()).filter(|&end| text.is_char_boundary(end)).step_by(7);
        ends.for_each(|end| assert_html_agrees(&text[..end], &format!("{name} up to byte {end}")));
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn tag_soup_has_html5evers_tree(text in soup()) {
        assert_html_agrees(&text, "soup");
    }

    #[test]
    fn well_formed_xml_has_roxmltrees_tree(text in xml()) {
        assert!(assert_xml_agrees(&text, "XML"), "the generator makes well-formed documents");
    }
}

proptest! {
    #![proptest_config(cases(8192))]

    #[test]
    fn shards_have_html5evers_tree(text in shards()) {
        assert_html_agrees(&text, "shards");
    }
}
