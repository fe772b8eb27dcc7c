//! Our arrays hold the tree that the standards ask for, as parsers that are not ours read it.

use crate::outline::{assert_same, dom_outline};
use crate::pages::{bytes_in, cases, corpus, soup, xml};
use crate::referee;
use encoding_rs::UTF_8;
use proptest::prelude::*;
use tidemark_core::digest::{Kind, PageDigest};
use tidemark_core::page::decode::decode;
use tidemark_core::page::{Format, Reading};

/// Whatever fills a chunk without an end, so that the page is fed tag by tag.
fn long_comment() -> String {
    format!("<!--{}-->", "-".repeat(5000))
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
        assert_html_agrees(
            &format!("{}{}", long_comment(), decoded.text),
            &format!("{name} behind a long comment"),
        );
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
    fn tag_soup_fed_tag_by_tag_has_html5evers_tree(text in soup()) {
        assert_html_agrees(&format!("{}{text}", long_comment()), "soup behind a long comment");
        assert_html_agrees(&format!("{text}{}<p>{text}", long_comment()), "soup around a long comment");
    }

    #[test]
    fn tag_soup_across_the_end_of_a_chunk_has_html5evers_tree(text in soup(), back in 0..200usize) {
        assert_html_agrees(&format!("{}{text}", ".".repeat(4096 - back)), "soup across the end of a chunk");
    }

    #[test]
    fn well_formed_xml_has_roxmltrees_tree(text in xml()) {
        assert!(assert_xml_agrees(&text, "XML"), "the generator makes well-formed documents");
    }
}
