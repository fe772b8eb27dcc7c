//! The headings of a page, and under which of them a node stands. Cost: one pass; a look-up is a binary search.

use crate::digest::{NodeId, PageDigest};
use crate::page::arena::Space;

/// Longest heading that is shown whole.
const LONGEST: usize = 60;

/// All headings in the order of the page.
#[derive(Debug)]
pub(crate) struct Outline {
    headings: Vec<Heading>,
}

#[derive(Debug)]
struct Heading {
    node: NodeId,
    end: u32,
    level: u8,
    text: String,
    /// The heading it stands under.
    above: Option<usize>,
}

impl Outline {
    pub(crate) fn of(digest: &PageDigest) -> Self {
        let mut headings: Vec<Heading> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let levels: Vec<u8> = digest.tag_list().map(|(_, name)| level(name)).collect();
        for row in digest.scan().filter(|row| levels[row.tag.0 as usize] > 0) {
            if digest.space(row.node) != Space::Html {
                continue;
            }
            let level = levels[row.tag.0 as usize];
            while open.last().is_some_and(|&above| headings[above].level >= level) {
                open.pop();
            }
            let text = beginning(digest, row.node, LONGEST);
            headings.push(Heading {
                node: row.node,
                end: digest.end(row.node),
                level,
                text,
                above: open.last().copied(),
            });
            open.push(headings.len() - 1);
        }
        Self { headings }
    }

    /// The headings above a node, outermost first. What is inside a heading does not stand under it.
    pub(crate) fn path(&self, node: NodeId) -> Vec<String> {
        let before = self.headings.partition_point(|heading| heading.node < node);
        let mut at = before.checked_sub(1);
        let mut path = Vec::new();
        while let Some(heading) = at {
            let heading = &self.headings[heading];
            if !heading.text.is_empty() && heading.end <= node.0 {
                path.push(heading.text.clone());
            }
            at = heading.above;
        }
        path.reverse();
        path
    }
}

fn level(name: &str) -> u8 {
    match name.as_bytes() {
        [b'h', level @ b'1'..=b'6'] => level - b'0',
        _ => 0,
    }
}

/// The beginning of what a subtree says.
pub(crate) fn beginning(digest: &PageDigest, node: NodeId, length: usize) -> String {
    let text = digest.visible_text_up_to(node.0..digest.end(node), 4 * length); // at most four bytes a character
    shortened(&text, length)
}

/// The beginning of a text, cut between words where it can be.
pub(crate) fn shortened(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    let cut = text.char_indices().nth(length).map_or(text.len(), |(at, _)| at);
    let cut = text[..cut].rfind(' ').filter(|&space| space > cut / 2).unwrap_or(cut);
    format!("{}…", &text[..cut])
}
