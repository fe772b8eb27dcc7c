//! What became of each row between two versions of a list.
//!
//! Cost: O(n log n) in rows, linear in fields; what is left after equal rows and equal keys is paired by likeness
//! within a budget, see [`RecordsDiff::coarse`].
//! Order is judged at the end, over all pairs, so that a row can be both changed and moved. Road not taken: a line diff of
//! the rows, which tells a moved row as one removed and one added.

use super::matching::Matching;
use super::{Field, Records, Row};
use crate::diff::order::kept;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What became of the rows; places are indices into the rows of the two lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordsDiff {
    /// New rows, in the order of new.
    pub added: Vec<usize>,
    /// Rows that are gone, in the order of old.
    pub removed: Vec<usize>,
    /// Rows that say something else, in the order of new.
    pub changed: Vec<RowChange>,
    /// The fewest rows whose moving explains the new order, in the order of new.
    pub reordered: Vec<RowMove>,
    /// Whether the budget was reached: a changed row may have been told as removed and added.
    pub coarse: bool,
}

/// A row that is still there and says something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowChange {
    /// Place in the old list.
    pub old_row: usize,
    /// Place in the new list.
    pub new_row: usize,
    /// The fields that changed; empty if they only changed places.
    pub fields: Vec<FieldChange>,
}

/// A field of a row that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// Its place in the new row, or in the old row if it is gone.
    pub index: usize,
    /// The head of its column.
    pub name: Option<String>,
    /// Where it is in the row.
    pub path: String,
    /// What it said; nothing if it is new.
    pub from: Option<String>,
    /// What it says; nothing if it is gone.
    pub to: Option<String>,
}

/// A row in another place among the rows that stayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowMove {
    /// Place in the old list.
    pub old_row: usize,
    /// Place in the new list.
    pub new_row: usize,
}

impl RecordsDiff {
    /// Whether all rows are as they were.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.removed.is_empty()
            && self.changed.is_empty()
            && self.reordered.is_empty()
    }
}

/// Compares two versions of a list.
pub fn compare(old: &Records, new: &Records) -> RecordsDiff {
    let mut matching = Matching::new(&old.rows, &new.rows);
    matching.by_content();
    matching.by_key();
    let coarse = matching.by_likeness();
    told(&old.rows, &new.rows, &matching, coarse)
}

/// What the pairs, given as the partner of each old row, and the rows left over amount to.
fn told(old: &[Row], new: &[Row], matching: &Matching<'_>, coarse: bool) -> RecordsDiff {
    let pairs = matching.pairs();
    let mut changed: Vec<RowChange> = pairs.iter().filter_map(|&pair| change(old, new, pair)).collect();
    changed.sort_unstable_by_key(|change| change.new_row);
    let kept = kept(&pairs.iter().map(|&(_, new)| new).collect::<Vec<_>>());
    let moved = pairs.iter().zip(kept).filter(|(_, kept)| !kept);
    let mut reordered: Vec<RowMove> =
        moved.map(|(&(old_row, new_row), _)| RowMove { old_row, new_row }).collect();
    reordered.sort_unstable_by_key(|moved| moved.new_row);
    RecordsDiff { added: matching.new_left(), removed: matching.old_left(), changed, reordered, coarse }
}

/// What changed in a pair; equality is decided by the fields themselves, not by their hash.
fn change(old: &[Row], new: &[Row], (old_row, new_row): (usize, usize)) -> Option<RowChange> {
    let (old, new) = (&old[old_row].fields, &new[new_row].fields);
    if old.iter().map(said).eq(new.iter().map(said)) {
        return None;
    }
    Some(RowChange { old_row, new_row, fields: field_changes(old, new) })
}

fn said(field: &Field) -> (&str, &str) {
    (&field.path, &field.text)
}

/// Fields pair up by path, several of one path in order.
fn field_changes(old: &[Field], new: &[Field]) -> Vec<FieldChange> {
    let mut waiting = FxHashMap::<&str, VecDeque<usize>>::default();
    old.iter()
        .enumerate()
        .for_each(|(place, field)| waiting.entry(&field.path).or_default().push_back(place));
    let mut changes = Vec::new();
    for (index, field) in new.iter().enumerate() {
        let partner = waiting.get_mut(field.path.as_str()).and_then(VecDeque::pop_front);
        let from = partner.map(|place| old[place].text.clone());
        if from.as_ref() != Some(&field.text) {
            let (name, path) = (field.name.clone(), field.path.clone());
            changes.push(FieldChange { index, name, path, from, to: Some(field.text.clone()) });
        }
    }
    let mut gone: Vec<usize> = waiting.into_values().flatten().collect();
    gone.sort_unstable();
    changes.extend(gone.into_iter().map(|index| {
        let Field { path, text, name, .. } = old[index].clone();
        FieldChange { index, name, path, from: Some(text), to: None }
    }));
    changes
}
