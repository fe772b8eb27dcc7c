//! Pages made to be expensive. No test looks at the clock: sizes are such that anything quadratic would take minutes.

use crate::outline::{Line, assert_same, dom_outline};
use crate::pages::{cases, digest, tokens};
use crate::referee;
use proptest::prelude::*;
use std::fmt::Write;
use tidemark_core::digest::locate::Locator;
use tidemark_core::digest::{Facet, Kind, NodeId, PageDigest, Variant};
use tidemark_core::page::{Format, Limits, Note, PageError, Reading};

/// Size of a chunk in which text reaches the tokenizer.
const CHUNK: usize = 4096;

fn read(text: &str, limits: Limits) -> Result<PageDigest, PageError> {
    PageDigest::encode(text.as_bytes(), &Reading { format: Some(Format::Html), limits, charset: None })
}

fn html(text: &str) -> PageDigest {
    read(text, Limits::default()).expect("a page within the limits")
}

fn xml(text: &str) -> PageDigest {
    let reading = Reading { format: Some(Format::Xml), ..Reading::default() };
    PageDigest::encode(text.as_bytes(), &reading).expect("a page within the limits")
}

fn texts(digest: &PageDigest) -> String {
    let nodes = digest.depth_first().filter(|&node| matches!(digest.kind(node), Kind::Text | Kind::Raw));
    nodes.filter_map(|node| digest.content(node)).collect()
}

fn height(digest: &PageDigest) -> usize {
    digest.depth_first().map(|node| digest.depth(node)).max().expect("a page has a document")
}

fn first(digest: &PageDigest, name: &str) -> NodeId {
    digest.tagged(name).next().unwrap_or_else(|| panic!("no {name}"))
}

/// ` a0=0 a1=1 …`
fn attributes(count: usize) -> String {
    (0..count).fold(String::new(), |mut text, n| {
        write!(text, " a{n}={n}").expect("a string takes any text");
        text
    })
}

/// The first 256 attributes are there, the rest is not, and it is said so.
fn assert_capped(digest: &PageDigest, name: &str) {
    let found = digest.attributes(first(digest, name)).map(|(name, value)| format!("{name}={value}"));
    let expected: Vec<String> = (0..256).map(|n| format!("a{n}={n}")).collect();
    assert_eq!(found.collect::<Vec<_>>(), expected);
    assert!(digest.about().notes.contains(&Note::AttributesCapped));
}

/// Text behind the nesting is found, and nothing lies deeper than it may.
fn assert_flat(page: &str) -> PageDigest {
    let digest = html(&format!("{page}lost<i>and</i>found"));
    let shown: String = page.chars().take(60).collect();
    assert!(texts(&digest).ends_with("lostandfound"), "{shown}");
    assert!(height(&digest) <= Limits::default().depth as usize + 1, "{shown} is {} high", height(&digest));
    digest
}

#[test]
fn elements_nested_without_end_are_flattened_with_a_note() {
    let tags = [
        ("<div>", 100_000),
        ("<b>", 100_000),
        ("<table><tr><td>", 50_000),
        ("<ul><li>", 50_000),
        ("<dl><dd>", 50_000),
    ];
    for (tag, count) in
        tags.into_iter().chain([("<x-y>", 50_000), ("<ruby><rt>", 50_000), ("<div><p>", 50_000)])
    {
        let digest = assert_flat(&tag.repeat(count));
        assert!(digest.about().notes.contains(&Note::DepthCapped), "{tag}");
    }
}

#[test]
fn elements_that_end_each_other_stay_cheap() {
    for tag in [
        "<table>",
        "<nobr>",
        "<a>",
        "<p>",
        "<li>",
        "<option>",
        "<button>",
        "<form>",
        "<h1>",
        "<table><caption>",
    ] {
        assert_flat(&tag.repeat(50_000));
    }
}

#[test]
fn nesting_by_the_adoption_agency_is_flattened() {
    for tag in
        ["<div><a><b>", "<font color=red><main><a>", "<b><div><span></b>", "<a><div>", "<nobr><b><pre><li>"]
    {
        let digest = assert_flat(&tag.repeat(60_000));
        assert!(digest.about().notes.contains(&Note::DepthCapped), "{tag}");
    }
}

#[test]
fn nesting_in_foreign_content_is_flattened() {
    let tags = [("<g>", 100_000), ("<svg>", 100_000), ("<foreignObject><div>", 50_000)];
    for (tag, count) in
        tags.into_iter().chain([("<col></rb>", 40_000), ("<input></h1>", 40_000), ("<script></x>", 40_000)])
    {
        for root in ["<p><svg>", "<p><math>"].into_iter().take(if tag.contains("</") { 1 } else { 2 }) {
            let digest = assert_flat(&format!("{root}{}", tag.repeat(count)));
            assert!(digest.about().notes.contains(&Note::DepthCapped), "{root}{tag}");
        }
    }
}

#[test]
fn nested_templates_are_flattened() {
    for tag in ["<template>", "<template><div>", "<template><table><tr><td>"] {
        let digest = assert_flat(&tag.repeat(50_000));
        assert!(digest.about().notes.contains(&Note::DepthCapped), "{tag}");
    }
}

#[test]
fn end_tags_of_a_deep_page_close_what_they_opened() {
    let page = format!("<body>{}deep{}<p>after</p>", "<div>".repeat(100_000), "</div>".repeat(100_000));
    let digest = html(&page);
    let after = first(&digest, "p");
    assert_eq!(digest.depth(after), 3, "behind all end tags we are in the body again");
    assert_eq!(texts(&digest), "deepafter");
}

#[test]
fn end_tags_that_close_nothing_stay_cheap() {
    let digest =
        html(&format!("{}{}x", "<div>".repeat(100_000), "</span></x></table></template>".repeat(50_000)));
    assert_eq!(texts(&digest), "x");
}

#[test]
fn the_depth_limit_is_kept_to_the_level() {
    let limit = 512;
    for (divs, noted) in [(limit - 3, false), (limit - 2, false), (limit - 1, true), (limit + 100, true)] {
        let digest = html(&format!("{}x", "<div>".repeat(divs)));
        assert_eq!(digest.about().notes == [Note::DepthCapped], noted, "{divs} elements in html and body");
        assert_eq!(height(&digest), limit.min(divs + 2) + 1, "the text is one deeper");
    }
}

#[test]
fn a_small_depth_limit_is_kept() {
    for depth in [0, 1, 2, 3, 7] {
        let limits = Limits { depth, ..Limits::default() };
        let page = "<ul><li>a<b>b<i>c</i></b><table><tr><td>d<template>e</template></table></ul><svg><g><a>f";
        let digest = read(page, limits).expect("a page within the limits");
        assert!(height(&digest) <= depth as usize + 1, "{} levels at a limit of {depth}", height(&digest));
        assert_eq!(digest.about().notes, [Note::DepthCapped]);
        let mut found: Vec<char> = texts(&digest).chars().collect();
        found.sort_unstable();
        assert_eq!(found, ['a', 'b', 'c', 'd', 'e', 'f']);
    }
}

#[test]
fn a_tag_with_a_hundred_thousand_attributes_keeps_256() {
    let many = attributes(100_000);
    for (before, after) in [
        ("", ">behind"),
        ("</>", ">behind"),
        ("text", "\n/>behind"),
        ("<p><svg><![CDATA[]]>", ">behind"),
        ("<!---->< <", ">behind"),
        ("<script>1</script>", ">behind"),
        ("<title>a<b</title>", ">behind"),
    ] {
        let digest = html(&format!("{before}<x-y{many}{after}"));
        assert_capped(&digest, "x-y");
        assert!(texts(&digest).ends_with("behind"), "{before}");
    }
}

#[test]
fn a_small_attribute_limit_is_kept() {
    let page = format!("<p{}>a</p{}>b<br{} />c", attributes(9), attributes(9), attributes(9));
    for limit in 0..9 {
        for padding in ["", &"-".repeat(CHUNK)] {
            let limits = Limits { attributes: limit, ..Limits::default() };
            let digest = read(&format!("<!--{padding}-->{page}"), limits).expect("a page within the limits");
            let counts = ["p", "br"].map(|name| digest.attributes(first(&digest, name)).len());
            assert_eq!(counts, [limit; 2]);
            assert_eq!(
                (texts(&digest).as_str(), &digest.about().notes[..]),
                ("abc", &[Note::AttributesCapped][..])
            );
        }
    }
}

#[test]
fn attributes_of_html_and_body_are_capped_however_they_come() {
    let many = attributes(100_000);
    for name in ["html", "body"] {
        assert_capped(&html(&format!("<{name}{many}>x")), name);
        assert_capped(&html(&format!("<p><{name}{many}>x")), name);
        let one_by_one = (0..100_000).fold("<p>".to_owned(), |page, n| page + &format!("<{name} a{n}={n}>"));
        assert_capped(&html(&one_by_one), name);
    }
}

#[test]
fn a_body_opened_again_and_again_stays_small() {
    let digest = html(&format!("<body{}>{}x", attributes(256), "<body a0 z>".repeat(300_000)));
    assert_capped(&digest, "body");
    assert_eq!(texts(&digest), "x");
}

#[test]
fn attributes_with_signs_of_markup_in_them_are_capped_all_the_same() {
    let odd = [
        "=\"<\"",
        "='<p b=\"'",
        "=\"'>\"",
        "=<",
        "=a/b",
        "",
        " = \"\"",
        "='\n'",
        "==",
        "=`>`".trim_end_matches('>'),
    ];
    let many = (0..100_000)
        .fold(String::new(), |text, n| text + &format!(" a{n}{}", odd[n % odd.len()].replace("`>", "`")));
    let digest = html(&format!("<p{many}>behind<p>more"));
    let names: Vec<&str> = digest.attributes(first(&digest, "p")).map(|(name, _)| name).collect();
    assert_eq!(names.len(), 256);
    assert_eq!(names[255], "a255");
    assert_eq!(texts(&digest), "behindmore");
}

#[test]
fn what_looks_like_a_tag_in_other_text_is_never_cut() {
    let tag = format!("<p{}>", attributes(100_000));
    let long = format!("<i title={}></i>", "x".repeat(2 * CHUNK)); // makes the page one that is fed tag by tag
    for name in ["script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"] {
        for before in ["", &long] {
            let digest = html(&format!("{before}<{name}>{tag}</{name}>behind"));
            assert_eq!(texts(&digest), format!("{tag}behind"), "{name}");
            assert!(digest.about().notes.is_empty(), "{name}");
        }
    }
    assert_eq!(texts(&html(&format!("{long}<plaintext>{tag}"))), tag);
    let comment = html(&format!("<!--{tag}-->behind"));
    assert_eq!(comment.content(first(&comment, "#comment")), Some(tag.as_str()));
    let section = html(&format!("<p><svg><![CDATA[{tag}]]></svg>behind"));
    assert_eq!(texts(&section), format!("{tag}behind"));
    let value = html(&format!("<p title='{tag}'>behind"));
    assert_eq!(value.attribute(first(&value, "p"), "title"), Some(tag.as_str()));
}

#[test]
fn a_section_with_a_nul_in_it_is_never_cut() {
    // The NUL comes out of the tokenizer at once, before the section ends.
    let tag = format!("<p{}>", attributes(5000));
    let digest = html(&format!("<p><svg><![CDATA[\0{tag}]]></svg>behind"));
    assert_eq!(texts(&digest), format!("\u{fffd}{tag}behind"));
}

#[test]
fn an_end_tag_with_attributes_ends_its_element() {
    for (open, close) in
        [("<b>", "</b"), ("<title>", "</title"), ("<script>", "</script"), ("<p><svg><g>", "</svg")]
    {
        let digest = html(&format!("{open}in{close}{}>out", attributes(100_000)));
        let out = digest
            .depth_first()
            .find(|&node| digest.content(node) == Some("out"))
            .expect("text behind the end tag");
        let parent = digest.parent(out).map(|parent| digest.name(parent));
        assert!(matches!(parent, Some("body" | "p")), "{open}: {parent:?}");
    }
}

#[test]
fn a_tag_that_never_ends_is_no_tag() {
    for end in ["", " ", " b=", " b='", " b=\"<p>", " /"] {
        let digest = html(&format!("before<p{}{end}", attributes(100_000)));
        assert_eq!(texts(&digest), "before");
        assert_eq!(digest.tagged("p").count(), 0);
    }
}

#[test]
fn a_capped_tag_that_closes_itself_stays_closed() {
    for slash in ["/", " /", "\n/"] {
        let digest = html(&format!("<p><svg><g{} z=''{slash}><a>x", attributes(5000)));
        let anchor = first(&digest, "a");
        assert_eq!(digest.parent(anchor).map(|parent| digest.name(parent)), Some("svg"), "{slash:?}");
    }
}

#[test]
fn attributes_of_xml_are_capped() {
    let digest = xml(&format!("<?xml version='1.0'?><x-y{}>behind</x-y>", attributes(100_000)));
    assert_capped(&digest, "x-y");
    assert_eq!(texts(&digest), "behind");
}

#[test]
fn a_hundred_thousand_attribute_names_are_no_trouble() {
    let page = (0..100_000).fold(String::new(), |page, n| page + &format!("<br a{n} b{n}>"));
    assert_eq!(html(&page).tagged("br").count(), 100_000);
    let page = (0..100_000)
        .fold("<?xml version='1.0'?><r>".to_owned(), |page, n| page + &format!("<t{n} a{n}=''/>"));
    assert_eq!(xml(&page).len(), 100_003);
}

#[test]
fn formatting_elements_made_again_in_every_block_meet_the_node_limit() {
    let bold: String = (0..400).map(|n| format!("<b id={n}>")).collect();
    let page = format!("<div>{bold}</div>{}", "<div>x</div>".repeat(50_000));
    let limits = Limits { nodes: 200_000, ..Limits::default() };
    assert_eq!(read(&page, limits).unwrap_err(), PageError::TooManyNodes { limit: 200_000 });
}

#[test]
fn paragraphs_behind_many_formatting_elements_are_a_page_or_refused() {
    let page: String =
        (0..100_000).map(|n| format!("<b id={n}>")).chain((0..100_000).map(|_| "<p>x".to_owned())).collect();
    match read(&page, Limits { nodes: 200_000, ..Limits::default() }) {
        Ok(digest) => assert_eq!(texts(&digest).len(), 100_000),
        Err(error) => assert_eq!(error, PageError::TooManyNodes { limit: 200_000 }),
    }
}

#[test]
fn a_large_attribute_made_again_in_every_block_meets_the_text_limit() {
    let value = "x".repeat(1 << 20);
    let page = |blocks: usize| format!("<div><b title='{value}'></div>{}", "<div>x</div>".repeat(blocks));
    let limits = Limits { bytes: 2 << 20, ..Limits::default() };
    assert!(read(&page(6), limits).is_ok(), "seven times the value");
    assert!(read(&page(8), limits).is_err(), "nine times the value");
    let error = read(&page(50_000), limits).unwrap_err();
    assert_eq!(error, PageError::TooMuchText { limit: 8 << 20 });
    assert!(error.to_string().contains("8388608 bytes of text"), "{error}");
}

#[test]
fn a_page_beyond_its_limits_is_refused_in_plain_words() {
    let page = "<p>x</p>".repeat(100);
    let with = |bytes, nodes| read(&page, Limits { bytes, nodes, ..Limits::default() });
    assert!(with(800, 204).is_ok());
    let error = with(799, 204).unwrap_err();
    assert_eq!(error, PageError::TooManyBytes { found: 800, limit: 799 });
    assert_eq!(
        error.to_string(),
        "the page has 800 bytes, the limit is 799; raise the size limit to read it"
    );
    let error = with(800, 203).unwrap_err();
    assert_eq!(error, PageError::TooManyNodes { limit: 203 });
    assert_eq!(error.to_string(), "the page has more than 203 nodes; raise the node limit to read it");
    for nodes in 0..203 {
        assert_eq!(with(800, nodes).unwrap_err(), PageError::TooManyNodes { limit: nodes });
    }
}

#[test]
fn a_node_limit_is_kept_in_xml() {
    let reading = |nodes| Reading {
        format: Some(Format::Xml),
        limits: Limits { nodes, ..Limits::default() },
        charset: None,
    };
    let page = "<?xml version='1.0'?><r><a/>x<!--c--><![CDATA[d]]></r>";
    assert!(PageDigest::encode(page.as_bytes(), &reading(7)).is_ok());
    for nodes in 0..7 {
        assert_eq!(
            PageDigest::encode(page.as_bytes(), &reading(nodes)).unwrap_err(),
            PageError::TooManyNodes { limit: nodes }
        );
    }
}

#[test]
fn a_data_uri_of_five_megabytes_is_kept_whole() {
    let uri = format!("data:image/png;base64,{}", "iVBORw0KGgo<p a=".repeat(5 << 16));
    for page in [format!("<img src=\"{uri}\" alt=x>behind"), format!("<img alt=x src='{uri}'>behind")] {
        let digest = html(&page);
        let image = first(&digest, "img");
        assert!(digest.attribute(image, "src") == Some(uri.as_str()));
        assert_eq!(digest.attribute(image, "alt"), Some("x"));
        assert_eq!(texts(&digest), "behind");
    }
}

#[test]
fn xml_is_kept_at_any_depth() {
    let levels = 200_000;
    let page = format!("<?xml version='1.0'?>{}x{}", "<a b='c'>".repeat(levels), "</a>".repeat(levels));
    let digest = xml(&page);
    assert_eq!((height(&digest), digest.about().notes.len()), (levels + 1, 0));
    let other = xml(&page.replace(">x<", ">y<"));
    assert_eq!(digest.changed(&other).iter().collect::<Vec<_>>(), [Facet::Content]);
    assert_eq!(digest.differing(&other).len(), 1);
    let text = first(&digest, "#text");
    let locator = Locator::new(&digest);
    assert_eq!(locator.tag_path(text).len(), 2 * levels + 5);
    assert!(locator.xpath(text).is_some() && digest.ancestors(text).count() == levels + 1);
    for variant in [Variant::Plain, Variant::Packed] {
        let file = digest.to_native(variant).expect("a sound digest");
        let loaded = PageDigest::from_native(&file, &Limits::default()).expect("our own file");
        assert_eq!(&*loaded.revert().expect("a sound residue"), page.as_bytes());
    }
}

#[test]
fn xml_that_never_closes_and_xml_that_only_closes_stay_cheap() {
    let open = xml(&format!("<?xml version='1.0'?>{}x", "<a>".repeat(200_000)));
    assert_eq!(height(&open), 200_001);
    let stray = xml(&format!("<?xml version='1.0'?>{}{}x", "<a>".repeat(100_000), "</b>".repeat(100_000)));
    assert_eq!((height(&stray), texts(&stray).as_str()), (100_001, "x"));
    let known =
        xml(&format!("<?xml version='1.0'?><b/>{}<b/>{}x", "<a>".repeat(100_000), "</b>".repeat(100_000)));
    assert_eq!(
        (height(&known), known.depth(first(&known, "#text"))),
        (100_001, 100_001),
        "no end tag closed anything"
    );
    let crossed = xml(&format!("<?xml version='1.0'?>{}x", "<a><b></a>".repeat(100_000)));
    assert_eq!((height(&crossed), texts(&crossed).as_str()), (2, "x"));
}

#[test]
fn ten_thousand_siblings_are_compared_and_named() {
    let page = |skip: usize| {
        (0..10_000).filter(|n| *n != skip).map(|n| format!("<p class=c{}>{n}", n % 7)).collect::<String>()
    };
    let (all, less) = (html(&page(20_000)), html(&page(5000)));
    assert_eq!(all.differing(&less).len(), 2, "the parent and the one that is gone");
    let locator = Locator::new(&all);
    let last = all.tagged("p").last().expect("many");
    assert_eq!(locator.css(last).as_deref(), Some("html > body > p:nth-of-type(10000)"));
    assert_eq!(all.depth_first().filter_map(|node| locator.xpath(node)).count(), all.len());
}

#[test]
fn pages_without_a_node_in_common_are_compared() {
    let page = |word: &str| (0..20_000).map(|n| format!("<p>{word}{n}</p><{word}>")).collect::<String>();
    let (old, new) = (html(&page("i")), html(&page("b")));
    assert!(!old.differing(&new).is_empty());
}

#[test]
fn what_is_never_closed_is_still_in_the_page() {
    let words = "word <b>word</b> &amp; word ".repeat(20_000);
    for open in [
        "<!--",
        "<!x",
        "<?pi ",
        "</ ",
        "<![CDATA[",
        "<p><svg><![CDATA[",
        "<title>",
        "<script><!--<script>",
        "<plaintext>",
        "<textarea>",
    ] {
        let digest = html(&format!("{open}{words}"));
        let kept: usize = digest
            .depth_first()
            .filter_map(|node| digest.content(node))
            .map(|text| text.matches("word").count())
            .sum();
        let minimum = if open.ends_with('[') || open.len() > 6 || open == "<!--" { 60_000 } else { 1 };
        assert!(kept >= minimum, "{open} keeps {kept} words");
    }
    for open in ["<!--", "<![CDATA[", "<?pi ", "<!DOCTYPE a [", "<a b='", "<a ", "</a "] {
        let digest = xml(&format!("<?xml version='1.0'?><r>{open}{}", "word ".repeat(60_000)));
        let kept: usize = digest
            .depth_first()
            .filter_map(|node| digest.content(node))
            .map(|text| text.matches("word").count())
            .sum();
        assert_eq!(kept, 60_000, "{open}");
        assert!(matches!(digest.about().notes[..], [Note::NotWellFormed { .. }]), "{open}");
    }
}

#[test]
fn a_million_signs_that_begin_nothing_are_text() {
    for sign in ["<", "&", "<<&", "&#", "< ", "&am", "\0", "\r"] {
        let page = sign.repeat(1_000_000 / sign.len());
        let digest = html(&format!("<pre>.{page}"));
        let expected = page.replace('\0', "").replace('\r', "\n");
        assert_eq!(texts(&digest).len(), expected.len() + 1, "{sign:?}");
    }
    for sign in ["<!", "</", "<a ", "<a b=\"", "<!--", "<![CDATA[", "<?", "<!DOCTYPE "] {
        assert!(html(&sign.repeat(200_000)).len() < 10, "{sign:?}");
        assert!(html(&format!("<title>{}", sign.repeat(200_000))).len() < 10, "{sign:?}");
    }
    for sign in ["<", "&", "&#", "&x;"] {
        let digest = xml(&format!("<?xml version='1.0'?><r>{}", sign.repeat(200_000)));
        assert!(digest.len() >= 4, "{sign:?}");
    }
}

/// The same as the referee, in short pages as in long ones.
fn assert_agrees(text: &str, about: &str) {
    assert_same(&dom_outline(&digest(text.as_bytes())), &referee::html(text), about);
}

#[test]
fn long_tags_below_the_caps_are_read_like_short_ones() {
    let values =
        (0..200).fold(String::new(), |text, n| text + &format!(" a{n}='{}'", "v<&amp;é\r\n".repeat(n % 13)));
    for length in [100, 4000, CHUNK - 4, CHUNK, CHUNK + 1, 5000, 100_000] {
        let value = "x<p>".repeat(length / 4);
        for page in [
            format!("<p title=\"{value}\">a<b>b"),
            format!("a<p title='{value}' class=c/>b<p>c"),
            format!("<p title={}>a", "x".repeat(length)),
            format!("<!--{value}--><p>a<!--{value}-->b"),
            format!("<script>{value}</script>a<style>{value}</style>b"),
            format!("<!DOCTYPE html PUBLIC \"{value}\"><p>a"),
            format!("<p><svg><![CDATA[{value}]]>a"),
            format!("<p{values}>{value}<i{values}>a</p{values}>b"),
            format!("{value}&{};a", "a".repeat(length)),
        ] {
            assert_agrees(&page, &format!("{length}: {}", &page[..20]));
        }
    }
}

#[test]
fn nothing_is_lost_at_the_end_of_a_chunk() {
    let pieces = [
        "\u{feff}",
        "é",
        "日",
        "😀",
        "\r\n",
        "\r",
        "\r\r\n",
        "\n",
        "&amp;",
        "&notit;",
        "&#x1F600;",
        "<br>",
        "</p>",
        "<p\u{feff}x='\r\n'>",
        "<!-- - -->",
        "<![CDATA[x]]>",
        "<!DOCTYPE html>",
        "<?x?>",
        "<script>\r\n</script>",
        "<textarea>\r\nx</textarea>",
        "<pre>\r\nx",
        "<p a = \r\n'b'\r\nc>",
        "]]>",
        "\0",
        "<svg><![CDATA[\r\n]]]]></svg>",
    ];
    for piece in pieces {
        for back in 0..=piece.len() + 1 {
            for chunks in [1, 2] {
                let text = format!("<p>{}{piece}{piece}end", ".".repeat(chunks * CHUNK - 3 - back));
                assert_agrees(&text, &format!("{piece:?}, {back} bytes before the end of chunk {chunks}"));
                let text = format!("<p><!--{}-->{piece}{piece}end", "-".repeat(chunks * CHUNK - 10 + back));
                assert_agrees(&text, &format!("{piece:?} behind a long comment"));
            }
        }
    }
}

/// The referee's tree with at most so many attributes at each element.
fn assert_agrees_but_for_attributes(found: &[Line], expected: &[Line], limit: usize) {
    let bare = |lines: &[Line]| {
        lines.iter().cloned().map(|line| Line { attributes: Vec::new(), ..line }).collect::<Vec<_>>()
    };
    assert_same(&bare(found), &bare(expected), "tags cut at the cap");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.attributes.len() <= limit, "{found:?}");
        let mut there = expected.attributes.iter(); // repeated ones count for the cap, so a few less may be kept
        let kept = found.attributes.iter().all(|attribute| there.any(|expected| expected == attribute));
        assert!(kept, "{found:?} instead of {expected:?}");
    }
}

/// Gives every tag more attributes than it may have, behind its own.
fn overfull(token: &str) -> String {
    let more = " z1=1 z2=\"<\" z3='>' z4 z5=a/b z6 = \"\" z7=\"'\" z8='\"' z9==";
    match token.strip_suffix('>') {
        Some(tag) if tag.starts_with('<') && !tag.starts_with("<!") && !tag.contains(['>', '\0']) => {
            format!("{tag}{more} >")
        }
        _ => token.to_owned(),
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_cut_takes_attributes_and_nothing_else(tokens in tokens()) {
        let quoted = |token: &&String| token.matches('"').count().is_multiple_of(2) && token.matches('\'').count().is_multiple_of(2);
        let soup: String = tokens.iter().filter(quoted).map(|token| overfull(token)).collect();
        let text = format!("<!--{}-->{soup}", "-".repeat(CHUNK));
        let limit = 6;
        let digest = read(&text, Limits { attributes: limit, ..Limits::default() }).expect("a page within the limits");
        assert_agrees_but_for_attributes(&dom_outline(&digest), &referee::html(&text), limit);
    }
}
