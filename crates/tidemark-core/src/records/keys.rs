//! What tells a row from the others through its changes.
//!
//! Cost: linear in the fields.

use super::{Field, Row};
use crate::digest::{NodeId, PageDigest};
use rustc_hash::{FxHashMap, FxHashSet};

/// The first field that nearly all rows have, no two alike, is their key; an id comes before links, links before texts.
pub(super) fn give(page: &PageDigest, rows: &mut [Row]) {
    let id = |row: &Row| page.attribute(NodeId(row.nodes.start), "id").map(|id| format!("#{id}"));
    let ids: Vec<String> = rows.iter().filter_map(id).collect();
    let distinct: FxHashSet<&String> = ids.iter().collect();
    if distinct.len() == rows.len() && !are_numbered(&ids) {
        return rows.iter_mut().for_each(|row| row.key = id(row));
    }
    let links = key_path(rows, |field| field.path.ends_with("@href"));
    let texts =
        || key_path(rows, |field| !field.path.contains('@') && field.text.contains(char::is_alphabetic));
    let Some(path) = links.or_else(texts) else { return };
    for row in rows {
        row.key = row.fields.iter().find(|field| field.path == path).map(|field| field.text.clone());
    }
}

/// The earliest path with a telling value in nine of ten rows, all of them different.
fn key_path(rows: &[Row], telling: impl Fn(&Field) -> bool) -> Option<String> {
    let mut paths = FxHashMap::<&str, (usize, usize, FxHashSet<&str>)>::default();
    for row in rows {
        for (place, field) in row.fields.iter().enumerate().filter(|(_, field)| telling(field)) {
            let (first, count, values) = paths.entry(&field.path).or_insert((place, 0, FxHashSet::default()));
            *first = place.min(*first);
            *count += 1;
            values.insert(&field.text);
        }
    }
    let fits = |count: usize, distinct: usize| count == distinct && count * 10 >= rows.len() * 9;
    let fitting = paths.into_iter().filter(|(_, (_, count, values))| fits(*count, values.len()));
    fitting.map(|(path, (first, ..))| (first, path)).min().map(|(_, path)| path.to_owned())
}

/// Whether ids only count the rows: such an id names a place, not a row.
fn are_numbered(ids: &[String]) -> bool {
    let number = |id: &String| id.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok();
    let numbers: Option<Vec<u32>> = ids.iter().map(number).collect();
    numbers.is_some_and(|numbers| {
        numbers.first().is_some_and(|first| *first <= 3)
            && (numbers[0]..).zip(&numbers).all(|(at, number)| at == *number)
    })
}
