//! Picked nodes: found where they are, found again or lost after edits but never taken for another, whatever the anchor says.

use crate::pages::{cases, corpus, digest, sent, soup, xml};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tidemark_core::digest::{Kind, NodeId, PageDigest};
use tidemark_core::page::Reading;
use tidemark_core::page::zone::{Anchor, Found};

/// Elements of a page, at most so many, spread over it.
fn some_elements(digest: &PageDigest, most: usize) -> Vec<NodeId> {
    let elements: Vec<NodeId> =
        digest.depth_first().filter(|&node| digest.kind(node) == Kind::Element).collect();
    let step = elements.len().div_ceil(most).max(1);
    elements.into_iter().step_by(step).collect()
}

fn assert_found_where_they_are(digest: &PageDigest, about: &str) {
    for node in some_elements(digest, 40) {
        let found = Anchor::of(digest, node).find(digest);
        assert_eq!(found, Found::Exact(node), "{about}: {} at {node:?}", digest.name(node));
    }
}

#[test]
fn every_element_of_the_corpus_is_found_where_it_is() {
    for (name, bytes) in corpus() {
        assert_found_where_they_are(&digest(&bytes), &name);
    }
}

/// A page of sections as a list of blocks: name, class, words; and children one level down.
#[derive(Clone, Debug)]
struct Block {
    name: &'static str,
    class: &'static str,
    words: Vec<&'static str>,
    children: Vec<Block>,
}

impl Block {
    fn html(&self) -> String {
        let class = if self.class.is_empty() { String::new() } else { format!(" class={}", self.class) };
        let children: String = self.children.iter().map(Self::html).collect();
        format!("<{name}{class}>{} {children}</{name}>\n", self.words.join(" "), name = self.name)
    }
}

/// A word that no page has, by which the picked node is known.
const MARKER: &str = "qwxzmarker";
const WORDS: &[&str] = &[
    "apple", "pear", "plum", "cherry", "melon", "grape", "price", "new", "old", "red", "green", "blue",
    "one", "two", "three", "four", "day", "night", "sale", "stock", "more", "read", "contact", "home",
    "about", "the", "the", "a", "a", "of", "and", "today", "report", "weather", "sport", "market", "city",
    "open", "closed", "free", "late", "early", "train", "ticket",
];

fn block(children: usize) -> BoxedStrategy<Block> {
    let below = if children == 0 { Just(Vec::new()).boxed() } else { vec(block(children - 1), 0..5).boxed() };
    (
        select(vec!["div", "div", "section", "li", "span"]),
        select(vec!["", "", "item", "box", "note"]),
        vec(select(WORDS), 0..7),
        below,
    )
        .prop_map(|(name, class, words, children)| Block { name, class, words, children })
        .boxed()
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Edit {
    InsertBefore,
    InsertAfter,
    Wrap,
    Move,
    Class,
    SomeWords,
    OthersWords,
    RemoveAnother,
}

const EDITS: &[Edit] = &[
    Edit::InsertBefore,
    Edit::InsertAfter,
    Edit::Wrap,
    Edit::Move,
    Edit::Class,
    Edit::SomeWords,
    Edit::OthersWords,
    Edit::RemoveAnother,
];

/// A page with a picked block, and what happens to it.
#[derive(Clone, Debug)]
struct Story {
    sections: Vec<Block>,
    section: usize,
    place: usize,
    edits: Vec<(Edit, Index, Block)>,
}

fn story() -> impl Strategy<Value = Story> {
    let edit = (select(EDITS), any::<Index>(), block(0));
    (vec(block(2), 2..6), any::<Index>(), any::<Index>(), block(1), vec(edit, 1..4)).prop_map(
        |(mut sections, section, place, mut picked, edits)| {
            picked.words.insert(picked.words.len() / 2, MARKER);
            let section = section.index(sections.len());
            let place = place.index(sections[section].children.len() + 1);
            sections[section].children.insert(place, picked);
            Story { sections, section, place, edits }
        },
    )
}

impl Story {
    fn page(&self) -> PageDigest {
        let sections: String = self.sections.iter().map(Block::html).collect();
        let page = format!("<!doctype html><title>t</title><h1>Page</h1>{sections}");
        digest(page.as_bytes())
    }

    fn picked(&mut self) -> &mut Block {
        &mut self.sections[self.section].children[self.place]
    }

    fn apply(&mut self) {
        for (edit, at, block) in std::mem::take(&mut self.edits) {
            self.edit(edit, at, block);
        }
    }

    fn edit(&mut self, edit: Edit, at: Index, block: Block) {
        let (section, place) = (self.section, self.place);
        match edit {
            Edit::InsertBefore => {
                self.sections[section].children.insert(place, block);
                self.place += 1;
            }
            Edit::InsertAfter => self.sections[section].children.insert(place + 1, block),
            Edit::Wrap => {
                let inner = self.sections[section].children.remove(place);
                let wrapper = Block { name: "div", class: "", words: Vec::new(), children: vec![inner] };
                self.sections[section].children.insert(place, wrapper);
                // From here on the wrapper is what moves; the picked block is inside of it.
            }
            Edit::Move => {
                let moved = self.sections[section].children.remove(place);
                self.section = at.index(self.sections.len());
                self.place = self.sections[self.section].children.len();
                self.sections[self.section].children.push(moved);
            }
            Edit::Class => self.picked().class = "other",
            Edit::SomeWords => {
                let words = &mut self.picked().words;
                if let Some(word) = words.iter_mut().find(|word| **word != MARKER) {
                    *word = "changed";
                }
            }
            Edit::OthersWords => {
                let other = at.index(self.sections.len());
                self.sections[other].words = block.words;
            }
            Edit::RemoveAnother => {
                let other = at.index(self.sections.len());
                if other != section {
                    self.sections[other].children.pop();
                }
            }
        }
    }
}

/// The element with the marker in a text of its own.
fn marked(digest: &PageDigest) -> Option<NodeId> {
    let has = |node: &NodeId| digest.content(*node).is_some_and(|text| text.contains(MARKER));
    digest.tagged("#text").find(has).and_then(|text| digest.parent(text))
}

fn text(digest: &PageDigest, node: NodeId) -> String {
    let text: String = digest.subtree(node).filter_map(|node| digest.content(node)).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the node was found; panics if another was.
fn refound(mut story: Story) -> bool {
    let old = story.page();
    let anchor = Anchor::of(&old, marked(&old).expect("the marker was planted"));
    let told = format!("{story:?}");
    story.apply();
    let new = story.page();
    let right = marked(&new).expect("the marker is still there");
    let node = match anchor.find(&new) {
        Found::Exact(node) => node,
        Found::Reanchored { node, confidence } => {
            assert!((0.5..=1.0).contains(&confidence), "{confidence}");
            node
        }
        Found::Lost => return false,
    };
    // An element around it that says nothing else is as good.
    assert_eq!(text(&new, node), text(&new, right), "{told}");
    true
}

#[test]
fn a_picked_node_is_mostly_found_again() {
    let mut runner = TestRunner::deterministic();
    let stories = (0..400).map(|_| story().new_tree(&mut runner).expect("a story").current());
    let found = stories.filter(|story| refound(story.clone())).count();
    assert!(found >= 390, "only {found} of 400 were found again");
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn elements_are_found_where_they_are(text in soup()) {
        assert_found_where_they_are(&digest(text.as_bytes()), "soup");
    }

    #[test]
    fn elements_of_xml_are_found_where_they_are(text in xml()) {
        assert_found_where_they_are(&digest(text.as_bytes()), "XML");
    }

    #[test]
    fn a_picked_node_is_never_taken_for_another(story in story()) {
        refound(story);
    }

    #[test]
    fn a_removed_node_is_lost(mut story in story()) {
        let old = story.page();
        let anchor = Anchor::of(&old, marked(&old).expect("the marker was planted"));
        let (section, place) = (story.section, story.place);
        story.sections[section].children.remove(place);
        prop_assert_eq!(anchor.find(&story.page()), Found::Lost);
    }

    #[test]
    fn any_anchor_on_any_page_comes_to_an_end(
        old in soup(), (bytes, charset) in sent(), at in any::<Index>(), numbers in vec(any::<u32>(), 8), what in 0..6u8,
    ) {
        let old = digest(old.as_bytes());
        let reading = Reading { charset, ..Reading::default() };
        let new = PageDigest::encode(&bytes, &reading).expect("a page within the limits");
        let anchor = Anchor::of(&old, NodeId(at.index(old.len()) as u32));
        anchor.find(&new);
        let mut stored = serde_json::to_value(&anchor).expect("an anchor can be stored");
        let words: Vec<_> = numbers.iter().map(|&hash| serde_json::json!({"hash": hash, "inside": u32::MAX, "elsewhere": hash % 2})).collect();
        let (field, value) = match what {
            0 => ("steps", serde_json::json!(numbers)),
            1 => ("word_count", serde_json::json!(numbers[0])),
            2 => ("words", serde_json::json!(words)),
            3 => ("css", serde_json::json!("*:has(* ~ *)")),
            4 => ("xpath", serde_json::json!("//*/following::*")),
            _ => ("tag_path", serde_json::json!("/".repeat(10_000))),
        };
        stored[field] = value;
        let hostile: Anchor = serde_json::from_value(stored).expect("the fields are of the right kind");
        hostile.find(&new);
    }
}
