//! One of two pages while they are compared, in numbers that mean the same on both sides.

use crate::digest::columns::{Columns, before};
use crate::digest::hash::subtrees_around;
use crate::digest::tree::Tree;
use crate::digest::{Kind, NodeId, PageDigest};
use rustc_hash::FxHashMap;

/// A page with everything matching asks for, without a look-up on the way.
pub(crate) struct Side<'a> {
    pub(crate) digest: &'a PageDigest,
    pub(crate) columns: &'a Columns<'a>,
    pub(crate) tree: &'a Tree,
    /// Hash of every subtree that is not known to be equal; none before [`Sides::hash_around`].
    hashes: Vec<u128>,
    /// For each entry of the tag list its number in the list of both pages.
    tags: Vec<u32>,
    /// The same for attribute names.
    names: Vec<u32>,
}

/// Old and new.
pub(crate) struct Sides<'a> {
    pub(crate) old: Side<'a>,
    pub(crate) new: Side<'a>,
}

impl<'a> Sides<'a> {
    pub(crate) fn new(old: &'a PageDigest, new: &'a PageDigest) -> Self {
        let (mut tags, mut names) = (FxHashMap::default(), FxHashMap::default());
        let old = Side::new(old, &mut tags, &mut names);
        let new = Side::new(new, &mut tags, &mut names);
        Self { old, new }
    }

    /// Hashes what lies around subtrees that are known to be equal, given in pairs.
    pub(crate) fn hash_around(&mut self, mut equal: Vec<(u32, u32)>) {
        equal.sort_unstable();
        let numbered = |roots: &mut dyn Iterator<Item = u32>| roots.zip(0..).collect::<Vec<_>>();
        let old = numbered(&mut equal.iter().map(|pair| pair.0));
        let mut new = numbered(&mut equal.iter().map(|pair| pair.1));
        new.sort_unstable();
        self.old.hashes = subtrees_around(self.old.digest, &old);
        self.new.hashes = subtrees_around(self.new.digest, &new);
    }

    /// Whether two nodes may be one node in two versions: same kind, vocabulary and name.
    pub(crate) fn same_tag(&self, old: u32, new: u32) -> bool {
        self.old.tag(old) == self.new.tag(new)
    }

    /// Whether two subtrees are equal in every respect. Hashes only suggest it: a hostile page may have made two collide.
    pub(crate) fn same_subtree(&self, old: u32, new: u32) -> bool {
        let (a, b) = (self.old.columns, self.new.columns);
        let (old_end, new_end) = (self.old.end(old), self.new.end(new));
        let (old, old_end, new, new_end) = (old as usize, old_end as usize, new as usize, new_end as usize);
        let (old_rows, new_rows) = (rows(a, old, old_end), rows(b, new, new_end));
        let (old_text, new_text) = (text(a, old, old_end), text(b, new, new_end));
        let (old_values, new_values) = (values(a, &old_rows), values(b, &new_rows));
        a.children[old..old_end] == b.children[new..new_end]
            && same_numbers(&a.tags[old..old_end], &self.old.tags, &b.tags[new..new_end], &self.new.tags)
            && same_steps(
                &a.attribute_ends[old..old_end],
                old_rows.start,
                &b.attribute_ends[new..new_end],
                new_rows.start,
            )
            && same_steps(
                &a.content_ends[old..old_end],
                old_text.start,
                &b.content_ends[new..new_end],
                new_text.start,
            )
            && a.content.as_bytes()[old_text] == b.content.as_bytes()[new_text]
            && same_numbers(
                &a.attribute_names[old_rows.clone()],
                &self.old.names,
                &b.attribute_names[new_rows.clone()],
                &self.new.names,
            )
            && same_steps(
                &a.attribute_value_ends[old_rows],
                old_values.start,
                &b.attribute_value_ends[new_rows],
                new_values.start,
            )
            && a.attribute_values.as_bytes()[old_values] == b.attribute_values.as_bytes()[new_values]
    }

    /// Whether two nodes of the same tag have the same attributes in the same order.
    pub(crate) fn same_attributes(&self, old: u32, new: u32) -> bool {
        let (a, b) = (self.old.columns, self.new.columns);
        let (old_rows, new_rows) = (a.attribute_rows(old as usize), b.attribute_rows(new as usize));
        old_rows.len() == new_rows.len()
            && old_rows.zip(new_rows).all(|(old, new)| {
                self.old.names[a.attribute_names[old] as usize]
                    == self.new.names[b.attribute_names[new] as usize]
                    && a.attribute_value(old) == b.attribute_value(new)
            })
    }
}

impl<'a> Side<'a> {
    fn new(
        digest: &'a PageDigest,
        tags: &mut FxHashMap<(u32, &'a str), u32>,
        names: &mut FxHashMap<&'a str, u32>,
    ) -> Self {
        let columns = digest.columns();
        let tag_list = (0..columns.tag_kinds.len() as u32)
            .map(|tag| (columns.tag_kinds[tag as usize], columns.tag_name(tag)));
        Self {
            digest,
            columns,
            tree: digest.tree(),
            hashes: Vec::new(),
            tags: tag_list.map(|tag| number(tags, tag)).collect(),
            names: columns.all_names().map(|name| number(names, name)).collect(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.columns.children.len()
    }

    pub(crate) fn tag(&self, node: u32) -> u32 {
        self.tags[self.columns.tags[node as usize] as usize]
    }

    pub(crate) fn kind(&self, node: u32) -> Kind {
        self.columns.kind_of_tag(self.columns.tags[node as usize])
    }

    pub(crate) fn parent(&self, node: u32) -> u32 {
        self.tree.parent[node as usize]
    }

    pub(crate) fn end(&self, node: u32) -> u32 {
        self.tree.end[node as usize]
    }

    pub(crate) fn hash(&self, node: u32) -> u128 {
        self.hashes[node as usize]
    }

    pub(crate) fn content(&self, node: u32) -> &'a str {
        self.columns.content_of(node as usize)
    }

    /// Appends the children of a node.
    pub(crate) fn children(&self, node: u32, into: &mut Vec<u32>) {
        into.clear();
        let (mut child, end) = (node + 1, self.end(node));
        while child < end {
            into.push(child);
            child = self.end(child);
        }
    }

    /// How much a subtree weighs as evidence.
    pub(crate) fn weight(&self, node: u32) -> usize {
        self.columns.weight(node as usize..self.end(node) as usize)
    }

    /// The same for the node alone.
    pub(crate) fn own_weight(&self, node: u32) -> usize {
        self.content(node).len() + 8 + 8 * self.columns.attribute_rows(node as usize).len()
    }

    /// Whether there is anything in the subtree but empty space.
    pub(crate) fn says_something(&self, node: u32) -> bool {
        let (start, end) = (node as usize, self.end(node) as usize);
        end - start > 1
            || !matches!(self.kind(node), Kind::Text)
            || self.content(node).chars().any(char::is_alphanumeric)
    }

    /// The value of a node's attribute.
    pub(crate) fn attribute(&self, node: u32, name: &str) -> Option<&'a str> {
        let columns = self.columns;
        columns
            .attribute_rows(node as usize)
            .find(|&row| columns.attribute_name(row) == name)
            .map(|row| columns.attribute_value(row))
    }

    pub(crate) fn id(&self, node: u32) -> NodeId {
        debug_assert!((node as usize) < self.len());
        NodeId(node)
    }
}

fn number<T: Eq + std::hash::Hash>(numbers: &mut FxHashMap<T, u32>, entry: T) -> u32 {
    let next = numbers.len() as u32;
    *numbers.entry(entry).or_insert(next)
}

fn rows(columns: &Columns<'_>, start: usize, end: usize) -> std::ops::Range<usize> {
    before(columns.attribute_ends, start)..before(columns.attribute_ends, end)
}

fn text(columns: &Columns<'_>, start: usize, end: usize) -> std::ops::Range<usize> {
    before(columns.content_ends, start)..before(columns.content_ends, end)
}

fn values(columns: &Columns<'_>, rows: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    before(columns.attribute_value_ends, rows.start)..before(columns.attribute_value_ends, rows.end)
}

fn same_numbers(old: &[u32], old_list: &[u32], new: &[u32], new_list: &[u32]) -> bool {
    old.len() == new.len()
        && old.iter().zip(new).all(|(&old, &new)| old_list[old as usize] == new_list[new as usize])
}

/// Whether two runs of ends cut their columns into pieces of the same lengths.
fn same_steps(old: &[u32], old_start: usize, new: &[u32], new_start: usize) -> bool {
    let shift = (new_start as u32).wrapping_sub(old_start as u32);
    old.len() == new.len() && old.iter().zip(new).all(|(old, new)| old.wrapping_add(shift) == *new)
}
