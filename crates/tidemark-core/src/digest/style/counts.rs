//! How often a page spells its tags one way or the other.

use super::Empty;
use crate::digest::serialise::is_void;
use crate::digest::{Kind, PageDigest};
use crate::page::Format;
use crate::page::arena::Space;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What stands in the source, tag by tag.
pub(super) struct Counts<'a> {
    digest: &'a PageDigest,
    by_name: FxHashMap<&'a str, u32>,
    pub(super) starts: Vec<usize>,
    pub(super) ends: Vec<usize>,
    pub(super) upper: usize,
    pub(super) lower: usize,
    pub(super) upper_attributes: usize,
    pub(super) lower_attributes: usize,
    pub(super) unquoted: usize,
    pub(super) spaced: usize,
    /// Tags that could be empty-element tags, by how they end.
    empties: [usize; 3],
}

impl<'a> Counts<'a> {
    pub(super) fn new(digest: &'a PageDigest) -> Self {
        let columns = digest.columns();
        let tags = columns.tag_kinds.len();
        let elements = (0..tags as u32).filter(|&tag| columns.kind_of_tag(tag) == Kind::Element);
        Self {
            digest,
            by_name: elements.map(|tag| (columns.tag_name(tag), tag)).collect(),
            starts: vec![0; tags],
            ends: vec![0; tags],
            upper: 0,
            lower: 0,
            upper_attributes: 0,
            lower_attributes: 0,
            unquoted: 0,
            spaced: 0,
            empties: [0; 3],
        }
    }

    pub(super) fn scan(&mut self, text: &str) {
        let bytes = text.as_bytes();
        for at in memchr::memchr_iter(b'<', bytes) {
            let is_end = bytes.get(at + 1) == Some(&b'/');
            let start = at + 1 + usize::from(is_end);
            let ends_name = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'/' | b'>');
            let length = bytes[start..].iter().take(64).take_while(|b| !ends_name(b)).count();
            let Some(tag) = text.get(start..start + length).and_then(|name| self.tag(name)) else { continue };
            if is_end {
                self.ends[tag as usize] += 1;
            } else {
                self.starts[tag as usize] += 1;
                let rest = &bytes[start + length..];
                self.start_tag(tag, &rest[..memchr::memchr(b'>', rest).unwrap_or(0)]);
            }
        }
    }

    /// The tag of a name, in capitals or not.
    fn tag(&mut self, name: &str) -> Option<u32> {
        if let Some(&tag) = self.by_name.get(name) {
            self.lower += 1;
            return Some(tag);
        }
        let tag = *self.by_name.get(name.to_ascii_lowercase().as_str())?;
        self.upper += 1;
        Some(tag)
    }

    /// Counts how the rest of a start tag is spelled.
    fn start_tag(&mut self, tag: u32, rest: &[u8]) {
        for equals in memchr::memchr_iter(b'=', rest) {
            let before = rest[..equals].last().copied().unwrap_or(b' ');
            self.upper_attributes += usize::from(before.is_ascii_uppercase());
            self.lower_attributes += usize::from(before.is_ascii_lowercase());
            self.unquoted += usize::from(rest.get(equals + 1).is_some_and(u8::is_ascii_alphanumeric));
        }
        self.spaced += usize::from(rest.ends_with(b" "));
        let columns = self.digest.columns();
        if columns.space_of_tag(tag) != Space::Html || is_void(columns.tag_name(tag)) {
            let empty = match rest {
                [.., b' ', b'/'] => Empty::SpaceSlash,
                [.., b'/'] => Empty::Slash,
                _ => Empty::Bare,
            };
            self.empties[empty as usize] += 1;
        }
    }

    pub(super) fn empty(&self) -> Empty {
        let [bare, slash, space_slash] = self.empties;
        let xml = self.digest.about().format == Format::Xml;
        if slash + space_slash == 0 || (!xml && bare > slash + space_slash) {
            Empty::Bare
        } else if slash >= space_slash {
            Empty::Slash
        } else {
            Empty::SpaceSlash
        }
    }

    /// HTML tags of which the page writes fewer than half.
    pub(super) fn rarer(&self, written: &[usize]) -> BTreeSet<u32> {
        let columns = self.digest.columns();
        let mut nodes = vec![0; written.len()];
        columns.tags.iter().for_each(|&tag| nodes[tag as usize] += 1);
        let omitted = |tag: &u32| written[*tag as usize] * 2 < nodes[*tag as usize];
        let html = |tag: &u32| columns.space_of_tag(*tag) == Space::Html;
        let has_end = |tag: &u32| !is_void(columns.tag_name(*tag));
        self.by_name.values().copied().filter(html).filter(has_end).filter(omitted).collect()
    }
}
