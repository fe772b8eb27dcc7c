//! What is equal anywhere in the page, and what has the same `id`.

use crate::diff::mapping::Mapping;
use crate::diff::side::{Side, Sides};
use rustc_hash::FxHashMap;

/// Lightest subtree that is taken for itself wherever it stands: a short text or a cell with a number proves nothing.
const HEAVY: usize = 40;

/// Pairs equal subtrees that each page has once, largest first, wherever they are.
pub(super) fn anywhere(sides: &Sides<'_>, mapping: &mut Mapping) {
    let mut places: FxHashMap<u128, Place> = FxHashMap::default();
    visit_free(
        &sides.old,
        |node| mapping.has_old(node),
        |node| {
            places.entry(sides.old.hash(node)).or_default().met_old(node);
        },
    );
    if places.is_empty() {
        return;
    }
    visit_free(
        &sides.new,
        |node| mapping.has_new(node),
        |node| {
            if let Some(place) = places.get_mut(&sides.new.hash(node)) {
                place.met_new(node);
            }
        },
    );
    let mut node = 0;
    while (node as usize) < sides.old.len() {
        let place = places.get(&sides.old.hash(node)).copied().unwrap_or_default();
        let paired = place.is_unique() && place.old == node && mapping.pair_whole(sides, node, place.new);
        node = if paired || mapping.is_whole(node) { sides.old.end(node) } else { node + 1 };
    }
}

/// Visits the heavy nodes that have no partner yet.
fn visit_free(side: &Side<'_>, is_paired: impl Fn(u32) -> bool, mut visit: impl FnMut(u32)) {
    for node in 0..side.len() as u32 {
        if !is_paired(node) && side.weight(node) >= HEAVY {
            visit(node);
        }
    }
}

/// Where a hash was met.
#[derive(Clone, Copy, Default)]
struct Place {
    old: u32,
    new: u32,
    olds: u32,
    news: u32,
}

impl Place {
    fn met_old(&mut self, node: u32) {
        self.old = node;
        self.olds += 1;
    }

    fn met_new(&mut self, node: u32) {
        self.new = node;
        self.news += 1;
    }

    fn is_unique(self) -> bool {
        self.olds == 1 && self.news == 1
    }
}

/// Pairs elements of the same tag that have the same `id`, where each page has that `id` once.
pub(super) fn by_id(sides: &Sides<'_>, mapping: &mut Mapping) {
    let old = ids(&sides.old, |node| mapping.has_old(node));
    let new: FxHashMap<&str, Option<u32>> =
        ids(&sides.new, |node| mapping.has_new(node)).into_iter().collect();
    for (id, old) in old {
        if let (Some(old), Some(Some(new))) = (old, new.get(id)) {
            mapping.pair(sides, old, *new);
        }
    }
}

/// Free nodes by `id`, in the order of the page; no node for an `id` met twice.
fn ids<'a>(side: &Side<'a>, is_paired: impl Fn(u32) -> bool) -> Vec<(&'a str, Option<u32>)> {
    let Some(name) = side.columns.all_names().position(|name| name == "id") else { return Vec::new() };
    let mut found: Vec<(&str, Option<u32>)> = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for node in 0..side.len() {
        for row in side.columns.attribute_rows(node) {
            if side.columns.attribute_names[row] as usize != name {
                continue;
            }
            let id = side.columns.attribute_value(row);
            if let Some(&place) = places.get(id) {
                found[place].1 = None;
            } else {
                places.insert(id, found.len());
                found.push((id, Some(node as u32).filter(|&node| !is_paired(node))));
            }
        }
    }
    found
}
