//! Articles look like lists of paragraphs; this tells the two apart.
//!
//! Source: ours; Omini takes it for granted that a page has objects. Cost: linear in the fields.

use super::Row;
use super::subtree::Sizes;
use crate::digest::{Kind, NodeId, PageDigest};
use rustc_hash::{FxHashMap, FxHashSet};

/// Bytes a row has on average at most, unless its tag is made for rows.
const LONG: usize = 800;

/// Whether what looks like rows is running text.
pub(super) fn is_prose(page: &PageDigest, sizes: &Sizes, root: NodeId, rows: &[Row]) -> bool {
    match page.name(NodeId(rows[0].nodes.start)) {
        "tr" | "li" | "dt" | "article" | "item" | "entry" => false,
        "p" | "blockquote" | "pre" => !opens_with_links(page, rows),
        "a" | "b" | "br" | "em" | "font" | "i" | "img" | "span" | "strong" => {
            has_loose_text(page, sizes, root)
        }
        _ => is_long(rows) || !is_coherent(rows),
    }
}

/// Whether two of three rows begin with a link or an image.
fn opens_with_links(page: &PageDigest, rows: &[Row]) -> bool {
    let opens = |row: &&Row| matches!(page.name(row.fields[0].node), "a" | "img");
    rows.iter().filter(opens).count() * 3 >= rows.len() * 2
}

/// Whether a fifth of the text stands between the would-be rows.
fn has_loose_text(page: &PageDigest, sizes: &Sizes, root: NodeId) -> bool {
    let texts = page.children(root).filter(|&node| page.kind(node) == Kind::Text);
    texts.map(|node| sizes.of(node)).sum::<u64>() * 5 >= sizes.of(root)
}

fn is_long(rows: &[Row]) -> bool {
    let texts = rows.iter().flat_map(|row| &row.fields).filter(|field| !field.path.contains('@'));
    texts.map(|field| field.text.len()).sum::<usize>() > rows.len() * LONG
}

/// Whether half of what a row has is what most rows have, on average.
fn is_coherent(rows: &[Row]) -> bool {
    let paths: Vec<FxHashSet<&str>> =
        rows.iter().map(|row| row.fields.iter().map(|field| field.path.as_str()).collect()).collect();
    let mut counts = FxHashMap::<&str, usize>::default();
    paths.iter().flatten().for_each(|path| *counts.entry(path).or_default() += 1);
    let common = |path: &&&str| counts[**path] * 5 >= rows.len() * 3;
    let share = |row: &FxHashSet<&str>| row.iter().filter(common).count() as f64 / row.len() as f64;
    paths.iter().map(share).sum::<f64>() >= rows.len() as f64 / 2.0
}
