//! Whether the columns of a file are those of a page.
//!
//! Whatever passes here can be walked, compared and written without a panic, and is numbered exactly as encoding would
//! number it, so that comparing columns compares pages. Cost: one pass over each column.

use super::NativeError;
use crate::digest::Kind;
use crate::digest::columns::{Columns, is_packed_kind};
use crate::digest::tree::Tree;
use crate::page::Limits;
use rustc_hash::FxHashSet;

/// Checks the columns.
pub(crate) fn page(columns: &Columns<'_>, limits: &Limits) -> Result<(), NativeError> {
    if columns.children.len() > limits.nodes {
        return Err(NativeError::TooLarge("too many nodes"));
    }
    if !Tree::is_one(columns.children) {
        return Err(NativeError::Malformed("the numbers of children do not make a tree"));
    }
    lengths(columns)?;
    ends(columns.tag_name_ends, columns.tag_names)?;
    ends(columns.name_ends, columns.names)?;
    ends(columns.attribute_value_ends, columns.attribute_values)?;
    ends(columns.content_ends, columns.content)?;
    rising(columns.attribute_ends, columns.attribute_names.len())?;
    numbered(columns.tags, columns.tag_kinds.len())?;
    numbered(columns.attribute_names, columns.name_ends.len())?;
    kinds(columns)?;
    distinct(columns)
}

fn lengths(columns: &Columns<'_>) -> Result<(), NativeError> {
    let nodes = columns.children.len();
    let sound = columns.tags.len() == nodes
        && columns.attribute_ends.len() == nodes
        && columns.content_ends.len() == nodes
        && columns.tag_kinds.len() == columns.tag_name_ends.len()
        && columns.attribute_names.len() == columns.attribute_value_ends.len();
    sound.then_some(()).ok_or(NativeError::Malformed("columns of one table have different lengths"))
}

/// Ends never fall, stay inside the text, meet it at the end, and never cut a character.
fn ends(ends: &[u32], text: &str) -> Result<(), NativeError> {
    rising(ends, text.len())?;
    let whole = text.is_ascii() || ends.iter().all(|&end| text.is_char_boundary(end as usize));
    whole.then_some(()).ok_or(NativeError::Malformed("a text is cut inside a character"))
}

fn rising(ends: &[u32], length: usize) -> Result<(), NativeError> {
    let sound = ends.is_sorted() && ends.last().copied().unwrap_or(0) as usize == length;
    sound.then_some(()).ok_or(NativeError::Malformed("offsets do not cover their column"))
}

/// Numbers count their list up in the order of first appearance, and use all of it.
fn numbered(numbers: &[u32], count: usize) -> Result<(), NativeError> {
    let mut next = 0;
    for &number in numbers {
        if number >= next {
            if number > next {
                return Err(NativeError::Malformed("a list is not numbered in order of appearance"));
            }
            next += 1;
        }
    }
    (next as usize == count).then_some(()).ok_or(NativeError::Malformed("a list has unused entries"))
}

/// Only what can have children has them, only elements have attributes, only the rest has content,
/// and the document is at the root and nowhere else.
fn kinds(columns: &Columns<'_>) -> Result<(), NativeError> {
    let malformed = Err(NativeError::Malformed("a node is not what its kind allows"));
    if !columns.tag_kinds.iter().all(|&kind| is_packed_kind(kind)) {
        return malformed;
    }
    let forbidden: Vec<u8> = (0..columns.tag_kinds.len() as u32)
        .map(|tag| {
            let kind = columns.kind_of_tag(tag);
            mask(!kind.has_children(), kind != Kind::Element, kind.has_children())
        })
        .collect();
    let (mut attributes, mut content, mut broken) = (0, 0, 0);
    let rows = columns.tags.iter().zip(columns.children);
    let ends = columns.attribute_ends.iter().zip(columns.content_ends);
    for ((&tag, &children), (&attribute_end, &content_end)) in rows.zip(ends) {
        let has = mask(children > 0, attribute_end > attributes, content_end > content);
        broken |= has & forbidden[tag as usize];
        (attributes, content) = (attribute_end, content_end);
    }
    if broken != 0 {
        return malformed;
    }
    let documents = |tag: &u32| columns.kind_of_tag(*tag) == Kind::Document;
    let first = columns.tags.first().is_some_and(documents);
    let others = columns.tags[1..].iter().any(|&tag| tag == columns.tags[0]);
    let twice = (1..columns.tag_kinds.len() as u32).any(|tag| documents(&tag));
    if first && !others && !twice { Ok(()) } else { malformed }
}

/// Children, attributes and content as bits.
fn mask(children: bool, attributes: bool, content: bool) -> u8 {
    u8::from(children) | u8::from(attributes) << 1 | u8::from(content) << 2
}

/// No entry of a list stands in it twice, and kinds that are no elements have their own names.
fn distinct(columns: &Columns<'_>) -> Result<(), NativeError> {
    let mut tags = FxHashSet::default();
    for tag in 0..columns.tag_kinds.len() as u32 {
        let (kind, name) = (columns.kind_of_tag(tag), columns.tag_name(tag));
        let named = kind == Kind::Element || name == kind.name();
        if !named || !tags.insert((columns.tag_kinds[tag as usize], name)) {
            return Err(NativeError::Malformed("the list of tags is not one of distinct names"));
        }
    }
    let mut names = FxHashSet::default();
    let distinct = columns.all_names().all(|name| names.insert(name));
    distinct.then_some(()).ok_or(NativeError::Malformed("the list of attribute names has a name twice"))
}
