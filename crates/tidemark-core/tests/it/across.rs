//! Content and zones across redesigns: every word once, nothing told where nothing changed, nothing found that is not there.

use crate::pages::{cases, corpus, digest, soup};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::page::words::words;
use tidemark_core::page::zone::Anchor;
use tidemark_core::redesign::{Across, ContentDiff, LineKind, Reanchor, Templates};

fn across(old: &PageDigest, new: &PageDigest) -> ContentDiff {
    ContentDiff::across(old, new, &Templates::default())
}

/// The lines of a page that have words.
fn lines(page: &PageDigest) -> Vec<String> {
    let lines = page.visible_lines(NodeId::ROOT).into_iter();
    lines.filter(|line| words(line).next().is_some()).collect()
}

/// Every line of both pages is told once, and so is every word.
fn assert_accounted(old: &PageDigest, new: &PageDigest) {
    let diff = across(old, new);
    let sides = [lines(old), lines(new)];
    let mut told = [vec![0; sides[0].len()], vec![0; sides[1].len()]];
    let mut counts = [0; 2];
    for line in &diff.lines {
        line.old_lines.iter().for_each(|&at| told[0][at as usize] += 1);
        line.new_lines.iter().for_each(|&at| told[1][at as usize] += 1);
        let text = |side: usize, at: &[u32]| {
            at.iter().map(|&at| sides[side][at as usize].as_str()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!((&line.old, &line.new), (&text(0, &line.old_lines), &text(1, &line.new_lines)));
        let [unchanged, removed, added] = line.word_counts();
        counts = [counts[0] + unchanged + removed, counts[1] + unchanged + added];
        assert_eq!(line.kind == LineKind::Same, removed + added == 0, "{line:?}");
    }
    assert!(told.iter().flatten().all(|&times| times == 1), "{told:?}");
    let all = sides.each_ref().map(|lines| lines.iter().map(|line| words(line).count()).sum::<usize>());
    assert_eq!(counts, all);
}

const TAGS: &[&str] = &["p", "div", "li", "h2", "td", "section", "blockquote"];

/// Paragraphs in elements chosen at random, with so many around each.
fn dressed(paragraphs: &[String], tags: &[&str], depth: usize) -> String {
    let dress = |(paragraph, tag): (&String, &&str)| match *tag {
        "td" => format!("<table><tr><td>{paragraph}</table>"),
        tag => {
            format!("{}<{tag} class=x>{paragraph}</{tag}>{}", "<div>".repeat(depth), "</div>".repeat(depth))
        }
    };
    paragraphs.iter().zip(tags.iter().cycle()).map(dress).collect()
}

fn paragraphs(lengths: &[usize]) -> Vec<String> {
    let paragraph = |(number, length): (usize, &usize)| {
        let words: Vec<String> = (0..*length).map(|word| format!("w{number}x{word}")).collect();
        words.join(" ")
    };
    lengths.iter().enumerate().map(paragraph).collect()
}

#[test]
fn pages_of_the_corpus_are_accounted_for() {
    let pages: Vec<PageDigest> = corpus().iter().take(12).map(|(_, bytes)| digest(bytes)).collect();
    for pair in pages.windows(2) {
        assert_accounted(&pair[0], &pair[1]);
        let same = across(&pair[0], &pair[0]);
        assert!(same.lines.iter().all(|line| line.kind == LineKind::Same && !line.moved));
    }
}

#[test]
fn thousands_of_lines_that_are_all_alike_come_to_an_end() {
    let page = |line: &str, times: usize| digest(line.repeat(times).as_bytes());
    assert_accounted(&page("<p>a b</p>", 8000), &page("<div>b a</div>", 7000));
    assert_accounted(&page("<p>a</p>", 8000), &page("a ", 9000));
    let (old, new) = (page("<p>a b</p>", 3000), page("<li>a b<li>c", 3000));
    let found = Across::between(&old, &new).node(old.tagged("p").nth(1500).unwrap());
    assert!(!matches!(found, Reanchor::Found(_)), "one of thousands: {found:?}");
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn any_two_pages_are_accounted_for(old in soup(), new in soup()) {
        let [old, new] = [old, new].map(|page| digest(page.as_bytes()));
        assert_accounted(&old, &new);
        assert_accounted(&new, &old);
        prop_assert_eq!(across(&old, &new), across(&old, &new));
    }

    #[test]
    fn the_same_content_in_another_template_is_unchanged(
        lengths in vec(1..12usize, 1..12), old in vec(select(TAGS), 1..5), new in vec(select(TAGS), 1..5), depth in 0..4usize,
    ) {
        let content = paragraphs(&lengths);
        let diff = across(&digest(dressed(&content, &old, 0).as_bytes()), &digest(dressed(&content, &new, depth).as_bytes()));
        prop_assert!(diff.is_unchanged(), "{diff:?}");
    }

    #[test]
    fn paragraphs_that_were_joined_are_unchanged(lengths in vec(1..12usize, 2..12), first in any::<Index>()) {
        let content = paragraphs(&lengths);
        let mut joined = content.clone();
        let first = first.index(content.len() - 1);
        let second = joined.remove(first + 1);
        joined[first] = format!("{} {second}", joined[first]);
        let [apart, joined] = [&content, &joined].map(|content| digest(dressed(content, &["p"], 1).as_bytes()));
        for (old, new) in [(&apart, &joined), (&joined, &apart)] {
            let tally = across(old, new).tally();
            prop_assert_eq!((tally.unchanged, tally.removed, tally.added), (lengths.iter().sum(), 0, 0));
        }
    }

    #[test]
    fn zones_are_found_in_another_template_or_not_at_all(
        lengths in vec(1..12usize, 2..12), old in vec(select(TAGS), 1..5), new in vec(select(TAGS), 1..5), at in any::<Index>(),
    ) {
        let content = paragraphs(&lengths);
        let [old, new] = [dressed(&content, &old, 0), dressed(&content, &new, 2)].map(|page| digest(page.as_bytes()));
        let at = at.index(content.len());
        let holds = |page: &PageDigest| page.depth_first().filter(|&node| page.visible_text(node) == content[at]).find(|&node| page.attribute(node, "class").is_some() || page.name(node) == "td");
        let picked = holds(&old).expect("every paragraph has an element");
        let found = Across::between(&old, &new).anchor(&Anchor::of(&old, picked));
        let Reanchor::Found(found) = found else { panic!("{found:?}") };
        prop_assert_eq!(new.visible_text(found.node), content[at].clone());
        let without: Vec<String> = content.iter().filter(|paragraph| **paragraph != content[at]).cloned().collect();
        let gone = digest(dressed(&without, &["p"], 1).as_bytes());
        prop_assert!(!matches!(Across::between(&old, &gone).node(picked), Reanchor::Found(_)));
    }

    #[test]
    fn any_zone_on_any_page_comes_to_an_end(old in soup(), new in soup(), at in any::<Index>()) {
        let [old, new] = [old, new].map(|page| digest(page.as_bytes()));
        let node = NodeId(at.index(old.len()) as u32);
        let across = Across::between(&old, &new);
        for found in [across.node(node), across.anchor(&Anchor::of(&old, node))] {
            let candidates = match found {
                Reanchor::Found(candidate) => vec![candidate],
                Reanchor::Ask(candidates) => { prop_assert!(!candidates.is_empty()); candidates }
                Reanchor::Lost => Vec::new(),
            };
            prop_assert!(candidates.iter().all(|candidate| (candidate.node.0 as usize) < new.len() && (0.0..=1.0).contains(&candidate.confidence)));
        }
    }
}
