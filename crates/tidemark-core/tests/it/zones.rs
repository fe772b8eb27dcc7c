//! Zones: selectors find what another engine finds, expressions what was counted by hand, and nothing a user asks for
//! panics or hangs.

use crate::pages::{cases, corpus, digest, sent, soup};
use crate::places::{encode, is_common, reachable};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use scraper::{ElementRef, Html, Node, Selector};
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::page::decode::decode;
use tidemark_core::page::zone::{Anchor, Found, Outcome, ZoneSpec, Zones};
use tidemark_core::page::{Format, Reading};

const SELECTORS: &[&str] = &[
    "*",
    "p",
    "P",
    "div p",
    "div > p",
    "p + p",
    "p ~ a",
    "li:first-child",
    "li:last-child",
    "p:nth-child(2n+1)",
    "a:nth-of-type(2)",
    "td:nth-last-child(1)",
    "*:only-child",
    "b:only-of-type",
    ":empty",
    ":root",
    ":root > body > *",
    "[class]",
    "[id]",
    "[href]",
    "[CLASS]",
    "[class~=c]",
    "[class='c d']",
    "[class^=a]",
    "[class$='b' i]",
    "[class*=é]",
    "[type=HIDDEN]",
    "[title|=a]",
    "#a",
    "#b.a",
    ".a",
    ".c.d",
    "div:not(.a)",
    "div:not(:has(p))",
    ":is(ul, ol) > li",
    ":where(b, i) a",
    "p:has(> b)",
    "div:has(a ~ b)",
    "a, b, i",
    "svg",
    "svg *",
    "linearGradient",
    "lineargradient",
    "foreignObject p",
    "*|a",
    "[*|href]",
    "[xlink\\:href]",
    "table tr td",
    "html body",
    "head + body",
    "template *",
    "template",
    "[data-x]:not([id])",
    "p:nth-last-of-type(odd)",
    "body > :nth-child(3)",
    "*:not(*)",
    "ul ul li, ol li",
];

/// Numbers of the elements found, among all that selectors can find.
fn found(digest: &PageDigest, zone: &str) -> Vec<usize> {
    let zones = Zones::parse([zone], []).unwrap_or_else(|error| panic!("{zone}: {error}"));
    let located = zones.locate(digest);
    let elements = reachable(digest);
    // The roots of regions alone would hide what is nested, so each element is asked for on its own.
    let count = match &located.included[0] {
        Outcome::Found { nodes } => *nodes,
        Outcome::Nothing => 0,
        other => panic!("{zone}: {other}"),
    };
    let tops: Vec<usize> = (0..elements.len()).filter(|&at| located.contains(elements[at])).collect();
    assert!(count <= tops.len() || elements.is_empty(), "{zone}");
    tops
}

/// The same by another engine, each with everything below it.
fn found_elsewhere(page: &Html, selector: &str) -> (usize, Vec<usize>) {
    let selector = Selector::parse(selector).unwrap_or_else(|error| panic!("{selector}: {error}"));
    let in_template =
        |element: &ElementRef<'_>| element.ancestors().any(|above| above.value() == &Node::Fragment);
    let all = page.tree.root().descendants().filter_map(ElementRef::wrap);
    let outside: Vec<ElementRef<'_>> = all.filter(|element| !in_template(element)).collect();
    let matches: Vec<bool> = outside.iter().map(|element| selector.matches(element)).collect();
    let covered = (0..outside.len()).filter(|&at| {
        let above = outside[at].ancestors().filter_map(ElementRef::wrap);
        matches[at] || above.into_iter().any(|above| selector.matches(&above))
    });
    (matches.iter().filter(|&&matched| matched).count(), covered.collect())
}

fn assert_same_as_elsewhere(text: &str, about: &str) {
    if !is_common(text) {
        return;
    }
    let digest = encode(text, Format::Html);
    let page = Html::parse_document(text);
    for selector in SELECTORS {
        let (count, covered) = found_elsewhere(&page, selector);
        let located = Zones::parse([*selector], []).expect(selector).locate(&digest);
        let expected = if count == 0 { Outcome::Nothing } else { Outcome::Found { nodes: count } };
        assert_eq!(located.included, [expected], "{about}: {selector}: {text}");
        assert_eq!(found(&digest, selector), covered, "{about}: {selector}: {text}");
    }
}

#[test]
fn selectors_find_what_another_engine_finds_in_the_corpus() {
    for (name, bytes) in corpus() {
        assert_same_as_elsewhere(&decode(&bytes, None).text, &name);
    }
}

#[test]
fn expressions_find_what_was_counted_by_hand() {
    let pages: std::collections::BTreeMap<String, Vec<u8>> = corpus().into_iter().collect();
    for (name, expression, count) in COUNTED {
        let zones = Zones::parse([*expression], []).expect(expression);
        let outcome = zones.locate(&digest(&pages[*name])).included.remove(0);
        let expected = if *count == 0 { Outcome::Nothing } else { Outcome::Found { nodes: *count } };
        assert_eq!(outcome, expected, "{name}: {expression}");
    }
}

/// Page, expression, and how many nodes it finds.
const COUNTED: &[(&str, &str, usize)] = &[
    ("price-list.html", "xpath://tr", 14),
    ("price-list.html", "xpath://td[@class='num']", 12),
    ("price-list.html", "xpath://tr[td[4]='in stock']", 8),
    ("price-list.html", "xpath://td[number(.) > 10]", 4),
    ("price-list.html", "xpath://tr[@id='B-007']/following-sibling::tr[1]/td", 4),
    ("price-list.html", "xpath://tbody/tr[position() mod 2 = 0]", 6),
    ("price-list.html", "xpath://tr[@id and contains(td[2], 'Deck')]", 2),
    ("price-list.html", "xpath://th[last()]", 1),
    ("feed.atom.xml", "xpath://entry", 2),
    ("feed.atom.xml", "xpath:/feed/entry/title", 2),
    ("feed.atom.xml", "xpath://link/@href", 1),
    ("feed.atom.xml", "xpath://entry[last()]/content/text()", 1),
    ("feed.atom.xml", "xpath://a[@href='/chart?a=1&b=2']", 1),
    ("feed.atom.xml", "xpath://@xml:lang", 1),
    ("feed.atom.xml", "xpath://p/text()", 4),
    ("feed.atom.xml", "xpath://Entry", 0),
    ("nested-lists-unclosed.html", "xpath://li", 8),
    ("nested-lists-unclosed.html", "xpath://ul/li", 6),
    ("nested-lists-unclosed.html", "xpath://li[ol]", 1),
    ("nested-lists-unclosed.html", "xpath://li//p", 3),
    ("nested-lists-unclosed.html", "xpath://dt", 3),
    ("nested-lists-unclosed.html", "xpath://option", 3),
    ("nested-lists-unclosed.html", "xpath://p", 6),
    ("news-front-page.html", "xpath://section", 3),
    ("news-front-page.html", "xpath://A[contains(@class, 'menu__link')]", 3),
    ("news-front-page.html", "xpath://section[.//span[@data-comments > 2]]", 2),
    ("news-front-page.html", "xpath:id('weather')/p/b", 1),
    ("news-front-page.html", "xpath://*[@id]", 10),
    ("news-front-page.html", "xpath://text()[contains(., 'Ferry')]", 1),
];

/// Pieces of expressions, good and bad.
const PIECES: &[&str] = &[
    "//",
    "/",
    "p",
    "*",
    "[",
    "]",
    "(",
    ")",
    "@id",
    "=",
    "'a'",
    "1",
    "-",
    " and ",
    " or ",
    "|",
    "..",
    ".",
    "text()",
    "node()",
    "following::",
    "preceding::",
    "ancestor::",
    "descendant::",
    "last()",
    "position()",
    "count(",
    "string(",
    "translate(",
    ",",
    "$x",
    ":",
    "::",
    "#",
    ".a",
    ":not(",
    ":has(",
    ":is(",
    ":nth-child(",
    "2n+1",
    "~",
    "+",
    ">",
    "\"",
    "'",
    "\\",
    "é",
    "\0",
    "div",
    "b",
    "i",
    "^=",
    "$=",
    "i]",
    "&",
    "html",
    "id('a')",
    "text:",
    "...",
    "…",
    "css:",
    "xpath:",
    " ",
    "concat(",
    "{",
    "}",
];

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn selectors_find_what_another_engine_finds_in_soup(text in soup()) {
        assert_same_as_elsewhere(&text, "soup");
    }

    #[test]
    fn any_expression_on_any_page_comes_to_an_end(
        pieces in vec(select(PIECES), 0..14), (bytes, charset) in sent(), good in select(SELECTORS),
    ) {
        let reading = Reading { charset, ..Reading::default() };
        let page = PageDigest::encode(&bytes, &reading).expect("a page within the limits");
        let written = pieces.concat();
        let zones = ["", "/", "xpath:", "text:"].map(|prefix| ZoneSpec::parse(&format!("{prefix}{written}")));
        let zones: Vec<ZoneSpec> = zones.into_iter().flatten().collect();
        let good = ZoneSpec::parse(good).expect("a good selector");
        let located = Zones { include: zones.clone(), exclude: vec![good] }.locate(&page);
        assert_regions(&located.regions, &page);
        for zone in zones {
            prop_assert_eq!(&ZoneSpec::parse(&zone.to_string()).expect("a zone reads what it writes"), &zone);
        }
    }

}

/// Sorted, apart from each other, on the page.
fn assert_regions(regions: &[std::ops::Range<NodeId>], page: &PageDigest) {
    assert!(regions.iter().all(|region| region.start < region.end && region.end.0 as usize <= page.len()));
    assert!(regions.windows(2).all(|pair| pair[0].end < pair[1].start));
}

#[test]
fn a_deep_page_is_no_trouble() {
    let depth = 100_000;
    let text = format!("<?xml version='1.0'?>{}x{}", "<a>".repeat(depth), "</a>".repeat(depth));
    let page = encode(&text, Format::Xml);
    let zones =
        ["a:has(b)", "a a a b", "a:nth-child(2)", "//a[b]", "//a[.='x']", "//b/ancestor::a", "text:x..."];
    let located = Zones::parse(zones, ["a:not(:has(*))"]).expect("good zones").locate(&page);
    assert_regions(&located.regions, &page);
    let node = NodeId(1000);
    assert_eq!(Anchor::of(&page, node).find(&page), Found::Exact(node));
    // Too deep for a path, and all that holds it says the same: nothing tells it from its like.
    assert_eq!(Anchor::of(&page, NodeId(depth as u32 / 2)).find(&page), Found::Lost);
}

#[test]
fn a_wide_page_is_no_trouble() {
    let page = digest("<p class=a>one two".repeat(200_000).as_bytes());
    let zones = [
        "p:nth-child(2n)",
        "p + p",
        "p:nth-last-of-type(3)",
        "//p[3]",
        "//p[last()]",
        "text:one two...two one",
    ];
    let located = Zones::parse(zones, []).expect("good zones").locate(&page);
    assert_regions(&located.regions, &page);
    let all_found = located.included[..5].iter().all(|outcome| matches!(outcome, Outcome::Found { .. }));
    assert!(all_found, "{:?}", located.included);
    let node = page.tagged("p").nth(100_000).expect("many");
    assert_eq!(Anchor::of(&page, node).find(&page), Found::Exact(node));
}
