//! What must hold for the views of any difference.

use crate::pages::{cases, corpus, digest, related, soup};
use proptest::prelude::*;
use tidemark_core::diff::Difference;
use tidemark_core::digest::{Kind, NodeId, PageDigest};
use tidemark_core::profile::{Matcher, Profile};
use tidemark_core::render::html::{Names, html, segments};
use tidemark_core::render::text::{TextOptions, text};
use tidemark_core::render::{ChangeKind, Changes, SpanKind};
use tidemark_core::segment::{Cutting, Segmentation};

const NAMES: Names<'_> = Names { old: "old <page>", new: "new & page" };

/// The marked page of one side, out of its frame.
fn framed(view: &PageDigest, class: &str) -> PageDigest {
    let section = view
        .tagged("section")
        .find(|&node| view.attribute(node, "class") == Some(class))
        .expect("a view has a section for each page");
    let frame = view.children(section).next().expect("a section has a frame");
    digest(view.attribute(frame, "srcdoc").expect("a frame has its page").as_bytes())
}

/// The text of a page that is not marked as one of these, without what is ours and what is not shown.
fn text_without(page: &PageDigest, marks: &[&str]) -> String {
    let unwanted = |node: NodeId| {
        page.attribute(node, "data-tidemark")
            .is_some_and(|mark| marks.contains(&mark) || matches!(mark, "link" | "style"))
            || LEFT_OUT.contains(&page.name(node))
    };
    let mut words = Vec::new();
    for node in page.depth_first().filter(|&node| page.kind(node) == Kind::Text) {
        if !std::iter::once(node).chain(page.ancestors(node)).any(unwanted) {
            words.extend(page.content(node).unwrap_or_default().split_whitespace().map(str::to_owned));
        }
    }
    words.concat()
}

const LEFT_OUT: [&str; 9] =
    ["script", "style", "object", "embed", "applet", "frameset", "portal", "foreignObject", "noframes"];

fn assert_views_hold(old: &PageDigest, new: &PageDigest, about: &str) {
    let difference = Difference::of(old, new);
    let changes = Changes::of(old, new, &difference);
    assert_eq!(
        changes.changes.is_empty(),
        difference.script.is_empty(),
        "{about}: nothing without an edit, no edit without it"
    );
    for change in &changes.changes {
        assert!((0.0..=1.0).contains(&change.severity), "{about}: {}", change.severity);
        assert_eq!(change.kind == ChangeKind::Added, change.old.is_none(), "{about}");
        assert_eq!(change.kind == ChangeKind::Removed, change.new.is_none(), "{about}");
        assert!(change.line.spans.windows(2).all(|pair| pair[0].kind != pair[1].kind));
    }
    let all = TextOptions { unseen: true, ..TextOptions::default() };
    let told = text(new, &changes, &all);
    assert_eq!(told.is_empty(), changes.changes.is_empty(), "{about}: {told}");
    assert!(!told.chars().any(|character| character.is_control() && character != '\n'), "{about}: {told:?}");
    let view = digest(html(old, new, &difference, &Matcher::default(), NAMES).as_bytes());
    assert_eq!(view.tagged("script").count(), 1, "{about}: ours alone");
    for page in [framed(&view, "old"), framed(&view, "new")] {
        assert_harmless(&page, about);
    }
    assert_segments_hold(new, about);
    assert_eq!(
        view.tagged("a").filter(|&link| view.attribute(link, "id").is_some()).count(),
        changes
            .changes
            .len()
            .min(changes.seen().count() + (changes.changes.len() - changes.seen().count()).min(500)),
        "{about}: every change is listed"
    );
}

/// Checks the page with its segments outlined.
fn assert_segments_hold(page: &PageDigest, about: &str) {
    let cutting = Cutting { least: 12, largest: 60, width: 20, slope: 0.38 };
    let segmentation = Segmentation::first(page, cutting);
    let view = digest(segments(page, &segmentation, "page <name>").as_bytes());
    assert_eq!(view.tagged("script").count(), 1, "{about}: ours alone");
    assert_harmless(&framed(&view, "new"), about);
    let listed = view.tagged("a").filter(|&link| view.attribute(link, "data-change").is_some()).count();
    assert_eq!(listed, segmentation.segments().len(), "{about}: every segment is listed");
}

/// Nothing in a marked page runs, loads a page or leaves it by itself.
fn assert_harmless(page: &PageDigest, about: &str) {
    for node in page.depth_first().filter(|&node| page.kind(node) == Kind::Element) {
        assert!(
            !matches!(page.name(node), "script" | "object" | "embed" | "applet" | "frame"),
            "{about}: {}",
            page.name(node)
        );
        for (name, value) in page.attributes(node) {
            assert!(!name.starts_with("on") && name != "srcdoc" && name != "http-equiv", "{about}: {name}");
            assert!(!value.trim_start().to_ascii_lowercase().starts_with("javascript:"), "{about}: {value}");
        }
    }
}

#[test]
fn the_views_of_every_pair_of_corpus_pages_hold() {
    let pages: Vec<(String, PageDigest)> =
        corpus().into_iter().map(|(name, bytes)| (name, digest(&bytes))).collect();
    for (at, (old_name, old)) in pages.iter().enumerate() {
        for (new_name, new) in pages.iter().cycle().skip(at).take(9) {
            assert_views_hold(old, new, &format!("{old_name} to {new_name}"));
        }
    }
}

#[test]
fn the_marked_pages_have_the_words_of_their_pages() {
    let old = "<title>t</title><h1>Prices</h1><p>A kettle costs 10 EUR and is <b>blue</b>.</p><p id=x>Going away.</p><ul><li>One, which is long enough to be known again<li>Two, long enough as well for that</ul><table><tr><td>1<td>2</table>";
    let new = "<title>u</title><h1>Prices</h1><p>A kettle costs 12 EUR, is <i>red</i>.</p><ul><li>Two, long enough as well for that<li>One, which is long enough to be known again<li>Three</ul><table><tr><td>1<td>3<tr><td>4</table>";
    let (old, new) = (digest(old.as_bytes()), digest(new.as_bytes()));
    let matcher = Matcher::new(&Profile::parse("kettle\nred\naway\nlong enough").expect("a profile"));
    let view = digest(html(&old, &new, &Difference::of(&old, &new), &matcher, NAMES).as_bytes());
    let marked = framed(&view, "new");
    let marks = marked.tagged("mark").map(|node| marked.visible_text(node)).collect::<Vec<_>>();
    assert!(
        ["kettle", "red", "away", "long enough"].iter().all(|word| marks.iter().any(|mark| mark == word)),
        "{marks:?}"
    );
    assert_eq!(text_without(&framed(&view, "new"), &["removed"]), text_without(&new, &[]));
    assert_eq!(text_without(&framed(&view, "old"), &[]), text_without(&old, &[]));
    assert!(text_without(&framed(&view, "new"), &[]).contains("Goingaway."), "what went stands where it was");
}

#[test]
fn the_outlined_page_says_what_the_page_says() {
    let words = "enough words to be a part ".repeat(8);
    let section = |id: &str| format!("<section id={id}><h2>{id}</h2><p>{words}</section>");
    let page =
        format!("<title>t</title><body>{}{words}<ul><li>{words}<li>x</ul>", section("a") + &section("b"));
    let page = digest(page.as_bytes());
    let segmentation = Segmentation::first(&page, Cutting::default());
    let shown = framed(&digest(segments(&page, &segmentation, "p").as_bytes()), "new");
    assert_eq!(text_without(&shown, &[]), text_without(&page, &[]));
    let starts =
        shown.depth_first().filter(|&node| shown.attribute(node, "data-tidemark") == Some("segment"));
    let numbers: Vec<&str> =
        starts.filter_map(|node| shown.attribute(node, "data-tidemark-change")).collect();
    let columns: Vec<String> =
        segmentation.segments().iter().map(|segment| segment.column.0.to_string()).collect();
    assert_eq!(numbers, columns, "each segment has its number once");
    assert!(numbers.len() >= 3, "{numbers:?}");
    assert_eq!(
        shown.attribute(shown.tagged("section").next().expect("a section"), "data-tidemark-level"),
        Some("1")
    );
}

#[test]
fn what_went_stands_where_it_was() {
    let page = |words: &[&str]| {
        let paragraphs: String = words
            .iter()
            .map(|word| format!("<p>A paragraph about {word}, long enough to be known.</p>"))
            .collect();
        digest(format!("<title>t</title>{paragraphs}").as_bytes())
    };
    let old = page(&["one", "two", "three", "four"]);
    for gone in 0..4 {
        let mut words = vec!["one", "two", "three", "four"];
        words.remove(gone);
        let new = page(&words);
        let view =
            digest(html(&old, &new, &Difference::of(&old, &new), &Matcher::default(), NAMES).as_bytes());
        assert_eq!(
            text_without(&framed(&view, "new"), &[]),
            text_without(&old, &[]),
            "the paragraph {gone} went"
        );
        assert_eq!(text_without(&framed(&view, "new"), &["removed"]), text_without(&new, &[]));
    }
}

#[test]
fn a_change_is_told_with_its_words_and_headings() {
    let old = digest(b"<h1>Shop</h1><h2>Kettles</h2><p>The blue kettle costs 10 EUR.<p>Second.");
    let new = digest(b"<h1>Shop</h1><h2>Kettles</h2><p>The blue kettle costs 12 EUR.<p>Second.<p>Third.");
    let changes = Changes::of(&old, &new, &Difference::of(&old, &new));
    let told = text(&new, &changes, &TextOptions::default());
    assert_eq!(told, "@@ Shop › Kettles @@\n~ The blue kettle costs [-10-]{+12+} EUR.\n+ Third.\n");
    assert_eq!(changes.changes[0].line.side(SpanKind::Added), "The blue kettle costs 12 EUR.");
    assert!(changes.changes[0].severity < 0.3 && changes.changes[1].severity > 0.9);
}

#[test]
fn what_a_reader_does_not_see_is_told_as_such() {
    let old = digest(b"<p class=a>one<script>1</script><!--x--><a href=/a>link</a>");
    let new = digest(b"<p class=b>one<script>2</script><!--y--><a href=/a>link</a>");
    let changes = Changes::of(&old, &new, &Difference::of(&old, &new));
    assert!(!changes.changes.is_empty() && changes.seen().count() == 0, "{changes:?}");
    let view = digest(html(&old, &new, &Difference::of(&old, &new), &Matcher::default(), NAMES).as_bytes());
    let page = framed(&view, "new");
    let paragraph = page.tagged("p").next().expect("a paragraph");
    assert_eq!(page.attribute(paragraph, "data-tidemark-level"), Some("0"), "marked, but with no outline");
    let linked = digest(b"<p class=a>one<script>1</script><!--x--><a href=/b>link</a>");
    assert_eq!(Changes::of(&old, &linked, &Difference::of(&old, &linked)).seen().count(), 1);
}

#[test]
fn a_hostile_page_steers_neither_terminal_nor_browser() {
    let old = digest(b"<p>x");
    let new = digest("<p>\u{1b}[31mred\u{202e}<img src=x onerror=alert(1)><a href=' java\nscript:alert(1)'>y</a><svg onload=alert(1)><script>alert(1)</script></svg><iframe srcdoc='<script>alert(1)</script>' src=//evil.example></iframe><meta http-equiv=refresh content='0;url=//evil.example'><base href=//evil.example>".as_bytes());
    assert_views_hold(&old, &new, "hostile");
    assert_views_hold(&new, &old, "hostile");
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn related_pages_have_views_that_hold((old, new) in related()) {
        assert_views_hold(&digest(old.as_bytes()), &digest(new.as_bytes()), "related");
    }

    #[test]
    fn any_two_soups_have_views_that_hold(old in soup(), new in soup()) {
        assert_views_hold(&digest(old.as_bytes()), &digest(new.as_bytes()), "soup");
    }
}
