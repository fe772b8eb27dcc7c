//! Tag shingles: all runs of so many neighbouring tags of a document.
//!
//! Source: Gottron, section 3 (CTSS). Cost: one walk, one hash a tag, one sort.
//! The paper leaves open what a tag is; start tags alone and start and end tags are both here. Which one is the default and why is in
//! `docs/decisions/0008-redesign-defaults.md`. A document of fewer tags than a shingle is one shingle, so that short documents can be told apart.

use super::Sketch;
use crate::digest::serialise::is_void;
use crate::digest::{Kind, NodeId, PageDigest};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// Most shingles kept of a document.
const MOST: usize = 4096;
/// What tells an end tag from the start tag of the same name.
const END: u64 = 0x9e37_79b9_7f4a_7c15;

/// Which tags are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tags {
    /// Start tags.
    Start,
    /// Start and end tags; elements that never have content have no end tag.
    StartAndEnd,
}

/// How a document is cut into shingles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shingling {
    /// Neighbours in a shingle; at least 1.
    pub length: usize,
    /// Which tags are read.
    pub tags: Tags,
}

impl Default for Shingling {
    fn default() -> Self {
        Self { length: 4, tags: Tags::Start }
    }
}

impl Shingling {
    /// The set of shingles of a document.
    pub fn shingles(self, digest: &PageDigest) -> Sketch {
        let tags = match self.tags {
            Tags::Start => start_tags(digest),
            Tags::StartAndEnd => start_and_end_tags(digest),
        };
        let length = self.length.max(1);
        let hashes = match tags.len() {
            0 => Vec::new(),
            few if few < length => vec![run(&tags)],
            _ => tags.windows(length).map(run).collect(),
        };
        Sketch::of(hashes, MOST)
    }
}

fn start_tags(digest: &PageDigest) -> Vec<u64> {
    let names = names(digest);
    digest.scan().filter_map(|row| names[row.tag.0 as usize]).collect()
}

fn start_and_end_tags(digest: &PageDigest) -> Vec<u64> {
    let names = names(digest);
    let mut tags = Vec::with_capacity(digest.len() * 2);
    let mut open: Vec<(u32, u64)> = Vec::new(); // where it ends, its end tag
    for row in digest.scan() {
        close(&mut open, row.node, &mut tags);
        let Some(name) = names[row.tag.0 as usize] else { continue };
        tags.push(name);
        if !is_void(digest.name(row.node)) {
            open.push((digest.end(row.node), name ^ END));
        }
    }
    close(&mut open, NodeId(u32::MAX), &mut tags);
    tags
}

/// Writes the end tags that stand before a node.
fn close(open: &mut Vec<(u32, u64)>, before: NodeId, tags: &mut Vec<u64>) {
    while let Some((_, tag)) = open.pop_if(|(end, _)| *end <= before.0) {
        tags.push(tag);
    }
}

/// A hash for each entry of the list of tags that is an element.
fn names(digest: &PageDigest) -> Vec<Option<u64>> {
    let hash = |(kind, name): (Kind, &str)| (kind == Kind::Element).then(|| xxh3_64(name.as_bytes()));
    digest.tag_list().map(hash).collect()
}

fn run(tags: &[u64]) -> u64 {
    xxh3_64(bytemuck::cast_slice(tags))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    fn set(page: &str, length: usize, tags: Tags) -> Sketch {
        let digest = PageDigest::encode(page.as_bytes(), &Reading::default()).unwrap();
        Shingling { length, tags }.shingles(&digest)
    }

    #[test]
    fn worked_by_hand() {
        // html head body p b p: six start tags, five pairs, one of them new in the other page: html head body p i p.
        let (old, new) = ("<p><b></b></p><p>", "<p><i></i></p><p>");
        let [old, new] = [old, new].map(|page| set(page, 2, Tags::Start));
        assert_eq!([old.len(), new.len()], [5, 5]);
        assert!((old.similarity(&new) - 3.0 / 5.0).abs() < 1e-12);
    }

    #[test]
    fn end_tags_tell_inside_from_beside() {
        let pages = ["<div><p></p></div>", "<div></div><p></p>"];
        let [inside, beside] = pages.map(|page| set(page, 2, Tags::Start));
        assert_eq!(inside, beside);
        let [inside, beside] = pages.map(|page| set(page, 2, Tags::StartAndEnd));
        // html head /head body div p /p /div /body /html and html head /head body div /div p /p /body /html.
        assert_eq!([inside.len(), beside.len()], [9, 9]);
        assert!((inside.similarity(&beside) - 6.0 / 9.0).abs() < 1e-12);
    }

    #[test]
    fn elements_without_content_have_no_end_tag() {
        assert_eq!(set("<br>", 1, Tags::StartAndEnd).len(), 7, "html head /head body br /body /html");
    }

    #[test]
    fn a_short_document_is_one_shingle() {
        assert_eq!(set("", 4, Tags::Start).len(), 1);
        assert!((set("", 4, Tags::Start).similarity(&set("text", 4, Tags::Start)) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_huge_document_is_kept_within_bounds() {
        let page: String = (0..20_000).map(|number| format!("<x{number}></x{number}>")).collect();
        assert_eq!(set(&page, 4, Tags::Start).len(), MOST);
    }
}
