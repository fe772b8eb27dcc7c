//! Facets and differing nodes of two pages, against their definitions on outlines.

use crate::outline::{Line, outline};
use crate::pages::{cases, corpus, digest, related, soup};
use crate::tree::{self, Edit};
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::HashSet;
use tidemark_core::digest::{Differing, Facet, Facets, Kind, NodeId, PageDigest};
use tidemark_core::page::{Format, Reading};

/// What changed between two outlines, by the words of the definition of each facet.
fn changed(old: &[Line], new: &[Line]) -> Facets {
    let structure = child_counts(old) != child_counts(new);
    let tags = !old.iter().map(tag).eq(new.iter().map(tag));
    let lists = |lines: &[Line]| {
        lines.iter().map(|line| line.attributes.clone()).filter(|list| !list.is_empty()).collect::<Vec<_>>()
    };
    let moved = !structure
        && !tags
        && !old.iter().map(|line| &line.attributes).eq(new.iter().map(|line| &line.attributes));
    let attributes = lists(old) != lists(new) || moved;
    let content = !contents(old).eq(contents(new));
    let found = [structure, tags, attributes, content];
    Facet::ALL.into_iter().zip(found).filter_map(|(facet, changed)| changed.then_some(facet)).collect()
}

fn child_counts(lines: &[Line]) -> Vec<usize> {
    let children = |(at, line): (usize, &Line)| {
        let below = lines[at + 1..].iter().take_while(|below| below.depth > line.depth);
        below.filter(|below| below.depth == line.depth + 1).count()
    };
    lines.iter().enumerate().map(children).collect()
}

fn tag(line: &Line) -> (Kind, u32, &str) {
    (line.kind, line.vocabulary, &line.name)
}

fn contents(lines: &[Line]) -> impl Iterator<Item = &str> {
    let has_content =
        |line: &&Line| Kind::ALL.iter().any(|kind| !kind.has_children() && kind.name() == line.name);
    lines.iter().filter(has_content).map(|line| line.content.as_str())
}

/// Checks everything that must hold between two pages.
fn assert_compared(old: &PageDigest, new: &PageDigest) {
    let (old_lines, new_lines) = (outline(old), outline(new));
    let facets = old.changed(new);
    assert_eq!(facets, changed(&old_lines, &new_lines), "the definition");
    assert_eq!(facets, new.changed(old), "symmetry");
    assert_eq!(facets, old.facet_hashes().changed(new.facet_hashes()), "hashes");
    for facet in Facet::ALL {
        assert_eq!(old.facet_changed(new, facet), facets.contains(facet), "{facet} on its own");
    }
    assert_eq!(facets.is_empty(), old_lines == new_lines, "equal exactly if the outlines are");
    assert_eq!(
        old.subtree_hash(NodeId::ROOT) == new.subtree_hash(NodeId::ROOT),
        facets.is_empty(),
        "hash of the page"
    );
    let differing = old.differing(new);
    assert_eq!(differing.is_empty(), facets.is_empty(), "differing nodes exactly if a facet changed");
    assert_differing(old, new, &differing);
    assert_eq!(new.differing(old).is_empty(), differing.is_empty(), "symmetry of differing nodes");
}

/// Told nodes are real, told once, differ as told, and the rest of the pages pair up.
fn assert_differing(old: &PageDigest, new: &PageDigest, differing: &[Differing]) {
    let (mut gone, mut come) = (HashSet::new(), HashSet::new());
    for told in differing {
        match *told {
            Differing::Removed(node) => {
                old.subtree(node).for_each(|node| assert!(gone.insert(node), "{node:?} twice"));
            }
            Differing::Added(node) => {
                new.subtree(node).for_each(|node| assert!(come.insert(node), "{node:?} twice"));
            }
            Differing::Changed { .. } => {}
        }
    }
    let (mut old_changed, mut new_changed) = (HashSet::new(), HashSet::new());
    for told in differing {
        if let Differing::Changed { old: old_node, new: new_node, facets } = *told {
            assert_eq!(facets, own_facets(old, old_node, new, new_node));
            assert!(!facets.is_empty());
            assert!(
                !gone.contains(&old_node) && !come.contains(&new_node),
                "a changed node is neither gone nor new"
            );
            assert!(old_changed.insert(old_node) && new_changed.insert(new_node), "a node is changed once");
        }
    }
    assert_eq!(
        old.len() - gone.len(),
        new.len() - come.len(),
        "what is neither removed nor added has a partner"
    );
}

/// In what two nodes differ, without their subtrees.
fn own_facets(old: &PageDigest, old_node: NodeId, new: &PageDigest, new_node: NodeId) -> Facets {
    let tag = |digest: &PageDigest, node| (digest.kind(node), digest.name(node).to_owned());
    let differs = [
        old.child_count(old_node) != new.child_count(new_node),
        tag(old, old_node) != tag(new, new_node),
        !old.attributes(old_node).eq(new.attributes(new_node)),
        old.content(old_node) != new.content(new_node),
    ];
    Facet::ALL.into_iter().zip(differs).filter_map(|(facet, differs)| differs.then_some(facet)).collect()
}

fn only(facets: &[Facet]) -> Facets {
    facets.iter().copied().collect()
}

/// What an edit of one kind changes, for sure and at most.
fn planted(edit: Edit) -> (Facets, Facets) {
    use Facet::{Attributes, Content, Structure, Tags};
    let exactly = |facets: &[Facet]| (only(facets), only(facets));
    match edit {
        Edit::Text => exactly(&[Content]),
        Edit::Attribute | Edit::Rename | Edit::Hand => exactly(&[Attributes]),
        Edit::Tag => exactly(&[Tags]),
        Edit::Insert => exactly(&[Structure, Tags]),
        Edit::Remove | Edit::Swap => (only(&[]), Facets::ALL),
    }
}

#[test]
fn every_two_pages_of_the_corpus_compare_by_the_definition() {
    let pages: Vec<PageDigest> = corpus().iter().map(|(_, bytes)| digest(bytes)).collect();
    for old in &pages {
        for new in &pages {
            assert_compared(old, new);
        }
    }
}

#[test]
fn one_text_in_two_grammars_is_two_pages() {
    let read = |format| {
        let reading = Reading { format: Some(format), ..Reading::default() };
        PageDigest::encode(b"<html><head></head><body>x</body></html>", &reading)
            .expect("a page within the limits")
    };
    let (html, xml) = (read(Format::Html), read(Format::Xml));
    assert_eq!(html.changed(&xml), only(&[Facet::Tags]), "the names are equal, what they mean is not");
    assert_compared(&html, &xml);
}

#[test]
fn an_attribute_that_moves_is_told_where_there_is_a_common_frame() {
    let compared = |old: &str, new: &str| {
        let (old, new) = (digest(old.as_bytes()), digest(new.as_bytes()));
        assert_compared(&old, &new);
        old.changed(&new)
    };
    assert_eq!(compared("<p class=a></p><p></p>", "<p></p><p class=a></p>"), only(&[Facet::Attributes]));
    assert_eq!(compared("<p a=1 b=2></p><p></p>", "<p a=1></p><p b=2></p>"), only(&[Facet::Attributes]));
    let shifted = only(&[Facet::Structure, Facet::Tags]);
    assert_eq!(
        compared("<p class=a></p>", "<hr><p class=a></p>"),
        shifted,
        "behind an insertion it did not move"
    );
}

#[test]
fn an_edit_told_by_hand_is_told_in_its_place() {
    let told = |old: &str, new: &str| {
        let (old, new) = (digest(old.as_bytes()), digest(new.as_bytes()));
        let name = |told| match told {
            Differing::Removed(node) => format!("-{}", old.name(node)),
            Differing::Added(node) => format!("+{}", new.name(node)),
            Differing::Changed { new: node, .. } => format!("~{}", new.name(node)),
        };
        old.differing(&new).into_iter().map(name).collect::<Vec<_>>().join(" ")
    };
    let page = "<ul><li>a<li class=x>b<li>c</ul>";
    assert_eq!(told(page, "<ul><li>a<li class=x>B<li>c</ul>"), "~#text");
    assert_eq!(told(page, "<ul><li>a<li class=y>b<li>c</ul>"), "~li");
    assert_eq!(told(page, "<ul><li>a<li class=x>b<li>c<li>d</ul>"), "~ul +li");
    assert_eq!(told(page, "<ul><li class=x>b<li>c</ul>"), "~ul -li");
    assert_eq!(told(page, "<ol><li>a<li class=x>b<li>c</ol>"), "-ul +ol");
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn related_pages_compare_by_the_definition((old, new) in related()) {
        assert_compared(&digest(old.as_bytes()), &digest(new.as_bytes()));
    }

    #[test]
    fn a_page_does_not_differ_from_itself(text in soup()) {
        let (one, two) = (digest(text.as_bytes()), digest(text.as_bytes()));
        prop_assert!(one.changed(&two).is_empty());
        prop_assert_eq!(one.differing(&two), []);
        prop_assert_eq!(one.facet_hashes(), two.facet_hashes());
        assert_compared(&one, &one);
    }

    #[test]
    fn a_planted_change_is_told_in_its_facet(page in tree::tidy(), edit in prop::sample::select(Edit::ALL.as_slice()), at in any::<Index>()) {
        let Some(edited) = page.edited(edit, &at) else { return Ok(()) };
        let (old, new) = (digest(page.to_string().as_bytes()), digest(edited.to_string().as_bytes()));
        let changed = old.changed(&new);
        let (least, most) = planted(edit);
        prop_assert_eq!(changed.intersection(least), least, "{:?}", edit);
        prop_assert_eq!(changed.intersection(most), changed, "{:?}", edit);
        assert_compared(&old, &new);
        let told = old.differing(&new);
        let single = matches!(edit, Edit::Text | Edit::Attribute | Edit::Rename);
        prop_assert!(!single || told.len() == 1, "{:?} tells {:?}", edit, told);
    }
}
