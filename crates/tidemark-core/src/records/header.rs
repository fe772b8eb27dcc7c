//! What the columns of a table are called.

use super::subtree::siblings;
use crate::digest::{Kind, NodeId, PageDigest};
use std::ops::Range;

/// Longest name kept, and widest cell believed.
const NAME: usize = 80;
const SPAN: usize = 100;

/// Takes head rows out of the rows; gives the names of the columns, from the table's `thead` if no row is a head.
pub(super) fn take(page: &PageDigest, root: NodeId, rows: Vec<Range<u32>>) -> (Vec<String>, Vec<Range<u32>>) {
    let is_head = |row: &Range<u32>| is_head(page, NodeId(row.start));
    let (heads, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_head);
    let head = heads.first().map(|row| NodeId(row.start)).or_else(|| outside(page, root));
    (head.map_or_else(Vec::new, |head| names(page, head)), rows)
}

/// A `tr` of nothing but `th`.
fn is_head(page: &PageDigest, row: NodeId) -> bool {
    let mut cells = cells(page, row).peekable();
    page.name(row) == "tr" && cells.peek().is_some() && cells.all(|cell| page.name(cell) == "th")
}

/// The last row of the `thead` beside a `tbody`.
fn outside(page: &PageDigest, root: NodeId) -> Option<NodeId> {
    let table = page.parent(root).filter(|_| page.name(root) == "tbody")?;
    let head = page.children(table).find(|&node| page.name(node) == "thead")?;
    page.children(head).filter(|&node| page.name(node) == "tr").last()
}

fn names(page: &PageDigest, head: NodeId) -> Vec<String> {
    let name = |cell| page.visible_text(cell).chars().take(NAME).collect::<String>();
    cells(page, head).flat_map(|cell| std::iter::repeat_n(name(cell), span(page, cell))).take(1000).collect()
}

/// The cells of a row with the first column of each.
pub(super) fn columns(page: &PageDigest, nodes: Range<u32>) -> Vec<(NodeId, usize)> {
    let rows = siblings(page, nodes).filter(|&row| page.name(row) == "tr");
    let in_row = |row| {
        cells(page, row).scan(0, |column, cell| {
            let first = *column;
            *column += span(page, cell);
            Some((cell, first))
        })
    };
    rows.flat_map(in_row).collect()
}

fn cells(page: &PageDigest, row: NodeId) -> impl Iterator<Item = NodeId> {
    page.children(row)
        .filter(|&cell| page.kind(cell) == Kind::Element && matches!(page.name(cell), "td" | "th"))
}

fn span(page: &PageDigest, cell: NodeId) -> usize {
    page.attribute(cell, "colspan").and_then(|span| span.trim().parse().ok()).unwrap_or(1).clamp(1, SPAN)
}
