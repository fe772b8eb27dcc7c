//! Containers that are known by what is written on them: of the same tag and attributes, and the only ones below their parents.
//!
//! Source: the matching of X-Diff by signature, from the document down. Cost: linear. Without it, a container whose content moved or changed would be
//! looked for where its content went. Leaves and what has no children are left to the alignment: a lone word says less than its neighbours.

use crate::diff::mapping::Mapping;
use crate::diff::side::{Side, Sides};
use crate::digest::Kind;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash as _, Hasher as _};

/// Pairs containers below pairs.
pub(super) fn pair(sides: &Sides<'_>, mapping: &mut Mapping) {
    let (mut old_children, mut new_children) = (Vec::new(), Vec::new());
    let mut node = 0;
    while (node as usize) < sides.old.len() {
        if mapping.is_whole(node) {
            node = sides.old.end(node);
            continue;
        }
        if let Some(new) = mapping.new_of(node) {
            sides.old.children(node, &mut old_children);
            sides.new.children(new, &mut new_children);
            old_children.retain(|&child| !mapping.has_old(child));
            new_children.retain(|&child| !mapping.has_new(child));
            below(sides, mapping, &old_children, &new_children);
        }
        node += 1;
    }
}

fn below(sides: &Sides<'_>, mapping: &mut Mapping, old_children: &[u32], new_children: &[u32]) {
    for (old, new) in namesakes(sides, old_children, new_children) {
        mapping.pair(sides, old, new);
    }
}

/// Containers of the same tag and attributes, each the only one of these that is called so.
pub(super) fn namesakes(sides: &Sides<'_>, old: &[u32], new: &[u32]) -> Vec<(u32, u32)> {
    if old.is_empty() || new.is_empty() {
        return Vec::new();
    }
    let news = singles(&sides.new, new);
    let namesake = |(signature, old): (u64, u32)| {
        let new = news.iter().find(|&&(found, _)| found == signature)?.1;
        (sides.same_tag(old, new) && sides.same_attributes(old, new)).then_some((old, new))
    };
    singles(&sides.old, old).into_iter().filter_map(namesake).collect()
}

/// Containers whose tag and attributes no other of these has, in order. At most a few: where many differ, their names are no names.
fn singles(side: &Side<'_>, children: &[u32]) -> Vec<(u64, u32)> {
    const FEW: usize = 24;
    let is_container = |node: u32| side.kind(node) == Kind::Element && side.end(node) > node + 1;
    let mut met: FxHashMap<u64, usize> = FxHashMap::default();
    let mut found: Vec<(u64, u32, bool)> = Vec::new();
    for node in children.iter().copied().filter(|&node| is_container(node)) {
        let signature = signature(side, node);
        if let Some(&place) = met.get(&signature) {
            found[place].2 = false;
        } else {
            met.insert(signature, found.len());
            found.push((signature, node, true));
        }
    }
    found
        .into_iter()
        .filter(|single| single.2)
        .map(|(signature, node, _)| (signature, node))
        .take(FEW)
        .collect()
}

fn signature(side: &Side<'_>, node: u32) -> u64 {
    let mut hasher = FxHasher::default();
    side.tag(node).hash(&mut hasher);
    for row in side.columns.attribute_rows(node as usize) {
        side.columns.attribute_name(row).hash(&mut hasher);
        side.columns.attribute_value(row).hash(&mut hasher);
    }
    hasher.finish()
}
