//! Records: the rows of a list page with their fields, so that a change can be told by the row.
//!
//! Source: Rocco, Buttler & Liu (2003), 4.2, and the system it names, Omini (Buttler, Liu & Pu, 2001): first the object-rich
//! subtree, then the tag that separates its objects, each by several heuristics together.
//! Cost: linear in the nodes; a constant number of subtrees is tried.
//! We differ: a page whose richest subtree is running text has no records, and neither has one whose best list holds only
//! a small share of what it says. Rows of several nodes are found by their repeating shapes; table heads name the fields.

pub mod compare;
mod fields;
mod header;
mod keys;
mod likeness;
mod matching;
mod prose;
mod rows;
mod separator;
mod subtree;

pub use compare::{FieldChange, RecordsDiff, RowChange, RowMove, compare};

use crate::digest::{NodeId, PageDigest};
use std::ops::Range;
use subtree::Sizes;

/// Fewer rows than this are no list.
const MIN_ROWS: usize = 3;

/// Share of the text of a page that its list must hold.
const MIN_SHARE: f64 = 0.25;

/// The same for a table whose columns have names: its author calls it a list.
const MIN_TABLE_SHARE: f64 = 0.05;

/// Subtrees tried, richest first.
const TRIES: usize = 16;

/// The list of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Records {
    /// The node whose children make up the rows.
    pub root: NodeId,
    /// The tag that starts a row.
    pub separator: String,
    /// What the columns are called; empty where there is no head.
    pub columns: Vec<String>,
    /// The rows in the order of the page.
    pub rows: Vec<Row>,
}

/// One row of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its nodes: one subtree, or several next to each other.
    pub nodes: Range<u32>,
    /// What tells it from the other rows, where something does: its id, a link or a text.
    pub key: Option<String>,
    /// What it says, in order.
    pub fields: Vec<Field>,
}

/// A text of a row, the target of a link or the source of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The node that has it.
    pub node: NodeId,
    /// Where it is in the row: `td[2]/a`, `td[2]/a@href`. Steps beyond the innermost sixteen are left out.
    pub path: String,
    /// What it says, white space made single spaces.
    pub text: String,
    /// The head of its column.
    pub name: Option<String>,
}

impl Records {
    /// The list of a page, if it has one.
    pub fn find(page: &PageDigest) -> Option<Self> {
        Self::find_below(page, NodeId::ROOT)
    }

    /// The list in a part of a page, if it has one.
    pub fn find_below(page: &PageDigest, node: NodeId) -> Option<Self> {
        let sizes = Sizes::new(page);
        subtree::richest(page, &sizes, node, TRIES).into_iter().find_map(|root| {
            let records = Self::at(page, &sizes, root, separator::choose(page, &sizes, root)?)?;
            if prose::is_prose(page, &sizes, root, &records.rows) {
                return None;
            }
            let held: u64 = records.rows.iter().map(|row| sizes.within(page, row.nodes.clone())).sum();
            let share = if records.columns.is_empty() { MIN_SHARE } else { MIN_TABLE_SHARE };
            (held as f64 >= sizes.of(node) as f64 * share).then_some(records)
        })
    }

    /// The list of an earlier version in a later one: the richest node of the same tag path, split by the same tag. Close calls
    /// between two separators so do not flip from version to version. A page laid out anew is searched as if it were the first.
    pub fn find_again(old_page: &PageDigest, old: &Self, page: &PageDigest) -> Option<Self> {
        let sizes = Sizes::new(page);
        let path: Vec<&str> = tag_path(old_page, old.root);
        let roots = subtree::richest(page, &sizes, NodeId::ROOT, TRIES).into_iter();
        let again = roots.filter(|&root| tag_path(page, root) == path).find_map(|root| {
            let separator = page.children(root).find(|&node| page.name(node) == old.separator)?;
            Self::at(page, &sizes, root, separator)
        });
        again.or_else(|| Self::find(page))
    }

    /// The rows below one node, if there are enough.
    fn at(page: &PageDigest, sizes: &Sizes, root: NodeId, separator: NodeId) -> Option<Self> {
        let ranges = rows::split(page, sizes, root, separator);
        let separator = page.name(separator).to_owned();
        let (columns, ranges) = header::take(page, root, ranges);
        let mut rows: Vec<Row> = ranges
            .into_iter()
            .map(|nodes| Row { fields: fields::of(page, nodes.clone(), &columns), key: None, nodes })
            .filter(|row| !row.fields.is_empty())
            .collect();
        if rows.len() < MIN_ROWS {
            return None;
        }
        keys::give(page, &mut rows);
        Some(Self { root, separator, columns, rows })
    }
}

fn tag_path(page: &PageDigest, node: NodeId) -> Vec<&str> {
    page.ancestors(node).map(|ancestor| page.name(ancestor)).chain([page.name(node)]).collect()
}
