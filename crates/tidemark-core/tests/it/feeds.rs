//! Feeds in every dialect, and what became of their items.

use crate::pages::{broken_xml, cases, corpus, soup};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;
use tidemark_core::feed::{Dialect, Feed, FeedDiff, FeedError, Item, ItemField, Prose, compare, likeness};
use tidemark_core::page::{Limits, Reading};

fn read(text: &str) -> Feed {
    Feed::read(text.as_bytes(), &Reading::default()).expect("a feed")
}

fn refused(text: &str) -> String {
    Feed::read(text.as_bytes(), &Reading::default()).expect_err("no feed").to_string()
}

const RSS_2: &str = r#"<?xml version="1.0"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:text="http://purl.org/rss/1.0/modules/content/">
<channel><title>Harbour news</title><link>https://harbour.example/</link><image><title>no</title></image>
<item><title>Storm &amp;amp; tide</title><link>https://harbour.example/1</link>
  <guid isPermaLink="false"> tag:1 </guid><pubDate>Mon, 02 Feb 2026 10:00:00 GMT</pubDate>
  <description><![CDATA[<p>High <b>wa</b>ter<br>at noon</p><script>x</script>]]></description>
  <text:encoded>&lt;p&gt;All of it&lt;/p&gt;</text:encoded>
  <dc:creator>Ann</dc:creator><category>weather</category><category>sea</category>
  <enclosure url="https://harbour.example/1.mp3" length="1" type="audio/mpeg"/></item>
<item><title>No id here</title><description>Plain &amp; short&nbsp;text</description></item>
</channel></rss>"#;

#[test]
fn rss_2_is_read() {
    let feed = read(RSS_2);
    assert_eq!((feed.dialect, feed.title.text.as_str(), feed.items.len()), (Dialect::Rss, "Harbour news", 2));
    let item = &feed.items[0];
    assert_eq!(item.id.as_deref(), Some("tag:1"));
    assert_eq!(item.link.as_deref(), Some("https://harbour.example/1"));
    assert_eq!(item.title.text, "Storm & tide");
    assert_eq!(item.description.text, "High water at noon");
    assert!(item.description.raw.starts_with("<p>High <b>wa</b>ter"), "{}", item.description.raw);
    assert_eq!(item.content.text, "All of it");
    assert_eq!(item.published.as_deref(), Some("Mon, 02 Feb 2026 10:00:00 GMT"));
    assert_eq!((item.authors.join(","), item.categories.join(",")), ("Ann".into(), "weather,sea".into()));
    assert_eq!(item.enclosures, ["https://harbour.example/1.mp3"]);
    assert_eq!((feed.items[1].id.as_ref(), feed.items[1].link.as_ref()), (None, None), "nothing is made up");
    assert_eq!(feed.items[1].description.text, "Plain & short text");
}

#[test]
fn older_rss_is_read() {
    for version in ["0.91", "0.92", "0.93", "2.01"] {
        let feed = read(&format!(
            "<rss version='{version}'><channel><title>t</title><item><title>a</title></item></channel></rss>"
        ));
        assert_eq!((feed.dialect, feed.items[0].title.text.as_str()), (Dialect::Rss, "a"));
    }
    let feed = read(
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'
            xmlns:dc='http://purl.org/dc/elements/1.1/'>
         <channel rdf:about='https://a.example/'><title>One</title></channel>
         <item rdf:about='https://a.example/1'><title>First</title><link>https://a.example/1</link>
         <dc:date>2026-02-02</dc:date><description>d</description></item></rdf:RDF>",
    );
    assert_eq!((feed.dialect, feed.title.text.as_str()), (Dialect::Rdf, "One"));
    assert_eq!(feed.items[0].id.as_deref(), Some("https://a.example/1"));
    assert_eq!(feed.items[0].published.as_deref(), Some("2026-02-02"));
}

#[test]
fn atom_is_read_with_and_without_a_prefix() {
    let plain = r#"<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">A &amp;lt; B</title>
<entry><id>urn:1</id><title>x &lt;b&gt; y</title><link rel="self" href="s"/><link href="https://a.example/1"/>
<link rel="enclosure" href="f.ogg"/><updated>2026-01-02T03:04:05Z</updated><author><name>Bo</name></author>
<category term="c"/><summary type="html">&lt;i&gt;sum&lt;/i&gt;mary</summary>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>one</p><p title="&lt;">two</p></div></content>
</entry></feed>"#;
    let prefixed = plain
        .replace("<feed xmlns=", "<a:feed xmlns:a=")
        .replace("</feed", "</a:feed")
        .replace("<entry", "<a:entry")
        .replace("</entry", "</a:entry");
    let feed = read(plain);
    assert_eq!((feed.dialect, feed.title.text.as_str()), (Dialect::Atom, "A < B"));
    let item = &feed.items[0];
    assert_eq!((item.id.as_deref(), item.link.as_deref()), (Some("urn:1"), Some("https://a.example/1")));
    assert_eq!(item.title.text, "x <b> y", "a plain title is not markup");
    assert_eq!((item.description.text.as_str(), item.content.text.as_str()), ("summary", "one two"));
    assert_eq!(item.content.raw, r#"<div><p>one</p><p title="&lt;">two</p></div>"#);
    assert_eq!((item.enclosures.join(""), item.authors.join("")), ("f.ogg".into(), "Bo".into()));
    assert_eq!(read(&prefixed).items, feed.items);
}

#[test]
fn json_feed_is_read() {
    let feed = read(
        r#"{"version": "https://jsonfeed.org/version/1.1", "title": "J", "items": [
            {"id": 7, "url": "u", "title": "t", "content_html": "<p>a</p><p>b", "tags": ["x"],
             "authors": [{"name": "Cy"}], "attachments": [{"url": "f"}], "date_published": "2026-02-02T00:00:00Z"},
            {"content_text": "a < b", "summary": null}]}"#,
    );
    let item = &feed.items[0];
    assert_eq!((item.id.as_deref(), item.link.as_deref()), (Some("7"), Some("u")));
    assert_eq!((item.content.text.as_str(), item.authors.join("")), ("a b", "Cy".to_owned()));
    assert_eq!((feed.items[1].id.as_ref(), feed.items[1].content.text.as_str()), (None, "a < b"));
}

#[test]
fn the_encoding_is_the_pages() {
    let mut bytes =
        b"<?xml version='1.0' encoding='iso-8859-1'?><rss version='2.0'><channel><item><title>".to_vec();
    bytes.extend([0xe9]);
    bytes.extend(b"</title></item></channel></rss>");
    assert_eq!(Feed::read(&bytes, &Reading::default()).expect("a feed").items[0].title.text, "é");
    let wide: Vec<u8> = RSS_2.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = [&[0xff, 0xfe], wide.as_slice()].concat();
    assert_eq!(Feed::read(&wide, &Reading::default()).expect("a feed"), read(RSS_2));
}

#[test]
fn what_is_wrong_is_named() {
    assert!(refused("<!doctype html><html><p>x").contains("not a feed but a document of <html>"));
    assert!(refused("").contains("text without any element"));
    assert!(refused("<rss version='2.0'></rss>").contains("RSS without a channel"));
    assert!(refused(&RSS_2[..RSS_2.len() - 20]).contains("not well-formed XML at character byte"));
    assert!(refused("{\"version\": ").contains("not sound JSON: EOF"));
    assert!(refused("{}").contains("JSON without the version"));
    assert!(refused(&"[".repeat(1_000_000)).contains("recursion limit"));
    let small = Reading { limits: Limits { bytes: 10, ..Limits::default() }, ..Reading::default() };
    assert!(matches!(Feed::read(RSS_2.as_bytes(), &small), Err(FeedError::Page(_))));
}

/// Where feed-rs reads a feed at all, we read the same items.
#[test]
fn a_reader_that_is_not_ours_reads_the_same() {
    let mut compared = 0;
    let pages = corpus().into_iter().map(|(_, bytes)| bytes);
    for bytes in pages.chain([RSS_2.replace("&nbsp;", " ").into_bytes()]) {
        let Ok(ours) = Feed::read(&bytes, &Reading::default()) else { continue };
        let parser = feed_rs::parser::Builder::new().id_generator(|_, _, _| String::new()).build();
        let theirs = parser.parse(bytes.as_slice()).expect("a feed to us is one to them");
        assert_eq!(ours.items.len(), theirs.entries.len());
        for (ours, theirs) in ours.items.iter().zip(&theirs.entries) {
            assert_eq!(ours.id.clone().unwrap_or_default(), theirs.id);
            assert_eq!(Some(&ours.title.raw), theirs.title.as_ref().map(|title| &title.content));
            let summary = theirs.summary.as_ref().map(|summary| summary.content.trim());
            assert_eq!(ours.description.raw, summary.unwrap_or_default());
            compared += 1;
        }
    }
    assert!(compared >= 4, "only {compared} items compared");
}

fn item(id: Option<&str>, title: &str, description: &str) -> Item {
    let id = id.map(str::to_owned);
    Item { id, title: Prose::plain(title), description: Prose::plain(description), ..Item::default() }
}

fn feed(items: &[Item]) -> Feed {
    Feed { dialect: Dialect::Rss, title: Prose::default(), items: items.to_vec() }
}

fn compared(old: &[Item], new: &[Item]) -> FeedDiff {
    compare(&feed(old), &feed(new))
}

#[test]
fn the_papers_weights_worked_by_hand() {
    // Titles share 2 of 4 words, descriptions 3 of 5: -1 + 2 × (0.3 × 0.5 + 0.7 × 0.6).
    let (old, new) = (item(None, "a b c", "p q r s"), item(None, "a b d", "p q r t"));
    assert!((likeness(&old, &new).value() - 0.14).abs() < 1e-12);
    let diff = compared(&[old], &[new]);
    assert_eq!((diff.modified.len(), diff.removed.len(), diff.added.len()), (1, 0, 0));
    // Nothing but a quarter of the description: -1 + 2 × 0.175, so removed and added.
    let diff = compared(&[item(None, "a", "p q r")], &[item(None, "b", "p u v w")]);
    assert_eq!((diff.modified.len(), diff.removed.len(), diff.added.len()), (0, 1, 1));
    // Two empty sets are equal.
    assert!((likeness(&item(None, "", ""), &item(None, "", "")).value() - 1.0).abs() < 1e-12);
}

#[test]
fn unrelated_headlines_without_descriptions_are_not_one_item() {
    let diff = compared(&[item(None, "Rain in spring", "")], &[item(None, "Bread got dearer", "")]);
    assert_eq!((diff.removed, diff.added, diff.modified), (vec![0], vec![0], vec![]));
}

#[test]
fn ids_outrank_likeness() {
    let old = [item(Some("1"), "same words", "here and there"), item(Some("2"), "gone", "for good")];
    let new = [item(Some("3"), "same words", "here and there"), item(Some("1"), "all new", "nothing alike")];
    let diff = compared(&old, &new);
    assert_eq!((diff.modified[0].old, diff.modified[0].new), (0, 1));
    assert_eq!((diff.removed, diff.added), (vec![1], vec![0]));
    let (old, new) =
        (item(Some("1"), "Weekly report", "as ever"), item(Some("2"), "Weekly report", "as ever"));
    let diff = compared(std::slice::from_ref(&old), std::slice::from_ref(&new));
    assert_eq!((diff.removed, diff.added), (vec![0], vec![0]), "two ids are two items, however alike");
    let diff = compared(&[old], &[Item { id: None, ..new }]);
    assert_eq!((diff.modified[0].fields.as_slice(), diff.removed.len()), ([ItemField::Id].as_slice(), 0));
}

#[test]
fn an_id_that_counts_edits_is_followed_by_its_link() {
    let linked = |id, title| Item { link: Some("https://a.example/1".into()), ..item(Some(id), title, "") };
    let diff = compared(&[linked("x#0", "first")], &[linked("x#1", "second")]);
    assert_eq!(diff.modified[0].fields, [ItemField::Id, ItemField::Title]);
}

#[test]
fn a_reordered_or_repeated_word_is_a_modification() {
    for id in [None, Some("1")] {
        for text in ["b a", "a b b"] {
            let diff = compared(&[item(id, "t", "a b")], &[item(id, "t", text)]);
            assert_eq!(diff.modified.len(), 1);
            assert_eq!(diff.modified[0].fields, [ItemField::Description]);
            assert!(
                (diff.modified[0].coefficient.value() - 1.0).abs() < 1e-12,
                "the coefficient cannot see it"
            );
        }
    }
}

#[test]
fn several_items_of_one_id_pair_with_their_equals_first() {
    let same = |text: &str| item(Some("1"), text, "");
    let diff = compared(&[same("a"), same("b"), same("c")], &[same("b"), same("d")]);
    assert_eq!((diff.unchanged, diff.removed), (vec![(1, 0)], vec![2]));
    assert_eq!((diff.modified[0].old, diff.modified[0].new), (0, 1));
}

#[test]
fn several_old_items_never_share_a_new_one() {
    let old = [item(None, "t", "a b c d x"), item(None, "t", "a b c d"), item(None, "t", "a b c y z")];
    let diff = compared(&old, &[item(None, "t", "a b c d e")]);
    assert_eq!((diff.modified.len(), diff.modified[0].old), (1, 1), "the nearest");
    assert_eq!(diff.removed, [0, 2]);
}

#[test]
fn a_huge_feed_of_equal_words_stays_within_the_budget() {
    let items = |from: usize| -> Vec<Item> {
        (from..from + 6000)
            .map(|n| item(None, &format!("common title {n}"), "the same words again and again"))
            .collect()
    };
    let diff = compared(&items(0), &items(3000));
    assert_eq!(diff.unchanged.len(), 3000);
    assert!(diff.coarse, "9 million pairs of 9 words each are too many");
}

/// Items of words that no other item has.
fn distinct(count: usize, ids: bool) -> Vec<Item> {
    let one = |n: usize| {
        let words = |from: usize| (from..from + 6).map(|k| format!("w{n}x{k} ")).collect::<String>();
        item(ids.then(|| format!("id{n}")).as_deref(), words(0).trim(), words(6).trim())
    };
    (0..count).map(one).collect()
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn plants_are_found_exactly(
        count in 1usize..40,
        ids in any::<bool>(),
        fates in prop::collection::vec(0u8..5, 40),
        order in Just((0..40usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let old = distinct(count, ids);
        let (mut new, mut edited, mut removed) = (Vec::new(), BTreeSet::new(), Vec::new());
        for (place, item) in old.iter().enumerate() {
            let mut item = item.clone();
            match fates[place] {
                0 => { removed.push(place); continue }
                1 => { item.description = Prose::plain(&format!("{} more", item.description.raw)); edited.insert(place); }
                2 => { item.title = Prose::plain("changed"); edited.insert(place); }
                _ => {}
            }
            new.push((order[place], Some(place), item));
        }
        let added = fates[39] as usize;
        for extra in distinct(100 + added, ids).split_off(100) {
            new.push((order[39], None, extra));
        }
        new.sort_by_key(|(order, ..)| *order);
        let items: Vec<Item> = new.iter().map(|(_, _, item)| item.clone()).collect();
        let diff = compared(&old, &items);
        prop_assert_eq!(&diff.removed, &removed);
        prop_assert_eq!(diff.added.len(), added);
        prop_assert!(diff.added.iter().all(|&place| new[place].1.is_none()));
        prop_assert_eq!(diff.modified.iter().map(|change| change.old).collect::<BTreeSet<_>>(), edited);
        for (old, found) in diff.modified.iter().map(|c| (c.old, c.new)).chain(diff.unchanged.iter().copied()) {
            prop_assert_eq!(new[found].1, Some(old));
        }
        let itself = compared(&items, &items);
        prop_assert!(itself.is_empty() && itself.unchanged.len() == items.len());
    }

    #[test]
    fn no_text_makes_reading_panic(text in prop_oneof![soup(), broken_xml(), any::<String>()], wrap in any::<bool>()) {
        let text = if wrap { format!("<rss version='2.0'><channel><item><description>{text}</description></item></channel></rss>") } else { text };
        if let Ok(feed) = Feed::read(text.as_bytes(), &Reading::default()) {
            prop_assert!(compare(&feed, &feed).is_empty());
        }
    }
}

#[test]
fn hostile_feeds_are_read() {
    let deep = 200_000;
    let mut text = String::from("<rss version='2.0'><channel><item><author>→a@b.co</author><description>");
    text.push_str(&"<b>".repeat(deep));
    text.push_str(&"</b>".repeat(deep));
    text.push_str("</description></item>");
    for n in 0..50_000 {
        write!(text, "<item><guid>same</guid><title>{n}</title></item>").expect("a string takes any text");
    }
    text.push_str("</channel></rss>");
    let feed = read(&text);
    assert_eq!((feed.items.len(), feed.items[0].authors[0].as_str()), (50_001, "→a@b.co"));
    assert!(compare(&feed, &feed).is_empty());
}
