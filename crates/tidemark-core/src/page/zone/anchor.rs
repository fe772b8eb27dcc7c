//! A picked node, remembered in several ways at once, so that it is found again after the page has moved it.
//!
//! Source: Phelps & Wilensky, *Robust Intra-document Locations* (2000): an identifier, a path and the surrounding text, each
//! of which survives edits that break the others. Scoring in the manner of Nass et al., *Similarity-based Web Element
//! Localization* (2023). Cost: linear in the page, to make and to find.
//! We differ: a score alone never decides. Something must *identify* the node (a [witness](find)), and a second node that
//! is as good means that it is lost: a wrong zone that nobody notices is worse than one that has to be picked again.

mod evidence;
pub mod find;
mod witness;

pub use find::Found;

use super::bounds::LENGTH;
use super::wording::Wording;
use crate::digest::locate::Locator;
use crate::digest::{NodeId, PageDigest};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// Version of the stored form. Another one is refused: to guess what an anchor meant would find the wrong node.
const VERSION: u32 = 1;
/// Bounds on what is kept, and on what is read of a stored anchor.
const WORDS: usize = 64;
const ATTRIBUTES: usize = 32;
const VALUE: usize = 256;
const NEIGHBOURS: usize = 8;
const LEVELS: usize = 64;
const STEPS: usize = 4096;

/// What is remembered of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    #[serde(deserialize_with = "known_version")]
    version: u32,
    tag: String,
    /// The last names of the tag path.
    tag_path: String,
    css: Option<String>,
    xpath: Option<String>,
    /// Number of the child at each level, from the document; empty if the node is too deep to say.
    steps: Vec<u32>,
    depth: u32,
    /// The id, if no other node of the page had it.
    id: Option<String>,
    /// Classes one by one, and the other attributes.
    attributes: Vec<(String, String)>,
    all_attributes: Once,
    text: Once,
    word_count: u32,
    /// The rarest words of its text.
    words: Vec<Word>,
    /// The nearest words of the page before and behind it, nearest first.
    before: Vec<u64>,
    after: Vec<u64>,
}

/// A hash, and whether no other node of the same name had it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Once {
    hash: u64,
    unique: bool,
}

/// A word of the node's text: how often it stands there, and elsewhere on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Word {
    hash: u64,
    inside: u32,
    elsewhere: u32,
}

impl Anchor {
    /// Remembers a node. One outside of the page is taken for its last.
    pub fn of(digest: &PageDigest, node: NodeId) -> Self {
        let node = node.min(NodeId(digest.len() as u32 - 1));
        let locator = Locator::new(digest);
        let wording = Wording::of(digest);
        let range = wording.range(digest, node);
        let short = |text: String| (text.len() <= LENGTH).then_some(text);
        Self {
            version: VERSION,
            tag: digest.name(node).to_owned(),
            tag_path: last_names(digest, node),
            css: locator.css(node).and_then(short),
            xpath: locator.xpath(node).and_then(short),
            steps: steps(digest, node),
            depth: digest.depth(node) as u32,
            id: own_id(digest, node),
            attributes: pairs(digest, node)
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            all_attributes: attributes_once(digest, node),
            text: text_once(digest, node, &wording),
            word_count: range.len() as u32,
            words: rarest(&wording.words, range.clone()),
            before: before(&wording, range.start).take(NEIGHBOURS).collect(),
            after: after(&wording, range.end).take(NEIGHBOURS).collect(),
        }
    }

    /// Names of its ancestors and its own, the last 64 of them.
    pub fn tag_path(&self) -> &str {
        &self.tag_path
    }
}

fn known_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let version = u32::deserialize(deserializer)?;
    if version == VERSION {
        return Ok(version);
    }
    let reason = format!(
        "the anchor has version {version}, this program knows version {VERSION}; pick the zone again"
    );
    Err(serde::de::Error::custom(reason))
}

/// The node's name and those of its nearest ancestors, from the top.
fn last_names(digest: &PageDigest, node: NodeId) -> String {
    let mut names: Vec<&str> = std::iter::once(node)
        .chain(digest.ancestors(node))
        .take(LEVELS)
        .map(|node| digest.name(node))
        .collect();
    names.reverse();
    names.join("/")
}

/// The child to take at each level on the way down.
fn steps(digest: &PageDigest, node: NodeId) -> Vec<u32> {
    if digest.depth(node) > STEPS {
        return Vec::new();
    }
    let way = std::iter::once(node).chain(digest.ancestors(node));
    let number = |node: NodeId| {
        digest
            .parent(node)
            .map(|parent| digest.children(parent).take_while(|&child| child < node).count() as u32)
    };
    let mut steps: Vec<u32> = way.filter_map(number).collect();
    steps.reverse();
    steps
}

fn own_id(digest: &PageDigest, node: NodeId) -> Option<String> {
    let id = digest.attribute(node, "id").filter(|id| !id.is_empty() && id.len() <= VALUE)?;
    let same = digest.depth_first().filter(|&other| digest.attribute(other, "id") == Some(id));
    (same.take(2).count() == 1).then(|| id.to_owned())
}

/// Attributes as they are compared: classes one by one; without the id, which speaks for itself.
fn pairs(digest: &PageDigest, node: NodeId) -> impl Iterator<Item = (&str, &str)> {
    let classes = digest.attribute(node, "class").unwrap_or_default().split_ascii_whitespace();
    let others = digest.attributes(node).filter(|(name, _)| !matches!(*name, "class" | "id"));
    classes
        .map(|class| ("class", class))
        .chain(others)
        .filter(|(_, value)| value.len() <= VALUE)
        .take(ATTRIBUTES)
}

/// One hash for all attributes, in any length.
fn attributes_hash(digest: &PageDigest, node: NodeId) -> u64 {
    let mut hash = Xxh3::new();
    for part in digest.attributes(node).flat_map(|(name, value)| [name, value]) {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.digest()
}

fn attributes_once(digest: &PageDigest, node: NodeId) -> Once {
    let hash = attributes_hash(digest, node);
    let count = digest.attributes(node).len();
    let same = digest.tagged(digest.name(node)).filter(|&other| {
        other != node && digest.attributes(other).len() == count && attributes_hash(digest, other) == hash
    });
    Once { hash, unique: count > 0 && same.take(1).count() == 0 }
}

/// Whether the text is said once: elements around it that say nothing else do not count.
fn text_once(digest: &PageDigest, node: NodeId, wording: &Wording) -> Once {
    let rolled = wording.rolled();
    let range = wording.range(digest, node);
    let hash = rolled.hash(range.clone());
    let same = digest
        .tagged(digest.name(node))
        .map(|other| wording.range(digest, other))
        .filter(|other| *other != range && other.len() == range.len() && rolled.hash(other.clone()) == hash);
    Once { hash, unique: !range.is_empty() && same.take(1).count() == 0 }
}

/// The words of a range that are rarest elsewhere on the page.
fn rarest(words: &[u64], range: std::ops::Range<usize>) -> Vec<Word> {
    let mut counts: FxHashMap<u64, (u32, u32)> = FxHashMap::default();
    for &hash in &words[range.clone()] {
        counts.entry(hash).or_default().0 += 1;
    }
    for hash in words[..range.start].iter().chain(&words[range.end..]) {
        if let Some(count) = counts.get_mut(hash) {
            count.1 += 1;
        }
    }
    let mut rarest: Vec<Word> =
        counts.into_iter().map(|(hash, (inside, elsewhere))| Word { hash, inside, elsewhere }).collect();
    rarest.sort_by_key(|word| (word.elsewhere, word.hash));
    rarest.truncate(WORDS);
    rarest
}

/// The words before a place, nearest first.
fn before(wording: &Wording, place: usize) -> impl Iterator<Item = u64> {
    wording.words[..place].iter().rev().copied()
}

/// The words from a place on.
fn after(wording: &Wording, place: usize) -> impl Iterator<Item = u64> {
    wording.words[place..].iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    #[test]
    fn what_is_remembered() {
        let page = "<p>start<ul><li id=a class='x y' title=t>one two<li>one three</ul><p>end";
        let digest = PageDigest::encode(page.as_bytes(), &Reading::default()).unwrap();
        let items: Vec<NodeId> = digest.tagged("li").collect();
        let anchor = Anchor::of(&digest, items[0]);
        assert_eq!(anchor.tag_path, "#document/html/body/ul/li");
        assert_eq!(anchor.css.as_deref(), Some("#a"));
        assert_eq!(anchor.id.as_deref(), Some("a"));
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(anchor.attributes, [pair("class", "x"), pair("class", "y"), pair("title", "t")]);
        assert!(anchor.text.unique && anchor.all_attributes.unique);
        assert_eq!(anchor.words.iter().map(|word| word.elsewhere).collect::<Vec<_>>(), [0, 1]);
        assert_eq!((anchor.before.len(), anchor.after.len()), (1, 3));
        assert!(!Anchor::of(&digest, items[1]).all_attributes.unique);
    }

    #[test]
    fn another_version_is_refused() {
        let digest = PageDigest::encode(b"<p>a", &Reading::default()).unwrap();
        let anchor = Anchor::of(&digest, NodeId(3));
        let json = serde_json::to_string(&anchor).unwrap();
        assert_eq!(serde_json::from_str::<Anchor>(&json).unwrap(), anchor);
        let error =
            serde_json::from_str::<Anchor>(&json.replacen("\"version\":1", "\"version\":2", 1)).unwrap_err();
        assert!(error.to_string().contains("pick the zone again"), "{error}");
    }
}
