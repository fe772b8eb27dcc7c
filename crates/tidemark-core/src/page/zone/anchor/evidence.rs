//! Evidence: how much a candidate looks like the node that was picked, as a weighted mean in [0, 1].
//!
//! What the anchor does not know has no weight: a node without an id is not held to account for it.
//! Cost: bounded for each candidate, whatever its size.

use super::witness::Scene;
use super::{ATTRIBUTES, LEVELS, NEIGHBOURS, after, before, pairs};
use crate::digest::NodeId;

const NAME: f64 = 1.0;
const ID: f64 = 4.0;
const ATTRIBUTE: f64 = 2.0;
const TEXT: f64 = 3.0;
const SURROUNDINGS: f64 = 2.0;
const PATH: f64 = 1.0;
const PLACE: f64 = 1.0;
const DEPTH: f64 = 0.5;

/// The mean of all evidence. `places` are where the stored paths lead on this page.
pub(super) fn likeness(scene: &Scene<'_>, places: &[Option<NodeId>], node: NodeId) -> f64 {
    let anchor = scene.anchor;
    let name = f64::from(u8::from(scene.digest.name(node) == anchor.tag));
    let id = anchor.id.as_ref().map(|_| f64::from(u8::from(scene.by_id(node).is_some())));
    let evidence = [
        (NAME, Some(name)),
        (ID, id),
        (ATTRIBUTE, attributes(scene, node)),
        (if anchor.word_count == 0 { NAME } else { TEXT }, Some(scene.text_likeness(node))),
        (SURROUNDINGS, surroundings(scene, node)),
        (PATH, Some(path(scene, node))),
        (PLACE, place(places, node)),
        (DEPTH, Some(1.0 / (1.0 + f64::from(anchor.depth.abs_diff(scene.digest.depth(node) as u32))))),
    ];
    let known = || evidence.iter().filter_map(|&(weight, value)| Some((weight, value?)));
    let all: f64 = known().map(|(weight, _)| weight).sum();
    known().map(|(weight, value)| weight * value).sum::<f64>() / all
}

/// Shared classes and attributes, by Dice; nothing to tell if neither has any.
fn attributes(scene: &Scene<'_>, node: NodeId) -> Option<f64> {
    let old: Vec<_> = scene.anchor.attributes.iter().take(ATTRIBUTES).collect();
    let new: Vec<_> = pairs(scene.digest, node).collect();
    if old.is_empty() && new.is_empty() {
        return None;
    }
    let shared = old.iter().filter(|(name, value)| new.contains(&(name.as_str(), value.as_str()))).count();
    Some((2.0 * shared as f64 / (old.len() + new.len()) as f64).min(1.0))
}

/// Share of the remembered words around the node that are still near it: in twice the distance, for something small may
/// have come between.
fn surroundings(scene: &Scene<'_>, node: NodeId) -> Option<f64> {
    let range = scene.range(node);
    let near: [(&[u64], Vec<u64>); 2] = [
        (&scene.anchor.before, before(scene.wording, range.start).take(2 * NEIGHBOURS).collect()),
        (&scene.anchor.after, after(scene.wording, range.end).take(2 * NEIGHBOURS).collect()),
    ];
    let old = near.iter().map(|(words, _)| words.len().min(NEIGHBOURS)).sum::<usize>();
    let still =
        near.iter().flat_map(|(words, now)| words.iter().take(NEIGHBOURS).filter(|word| now.contains(word)));
    (old > 0).then(|| still.count() as f64 / old as f64)
}

/// Share of the tag path that is the same, counted from the node up.
fn path(scene: &Scene<'_>, node: NodeId) -> f64 {
    let old = || scene.anchor.tag_path.rsplit('/').take(LEVELS);
    let new = std::iter::once(node).chain(scene.digest.ancestors(node)).map(|node| scene.digest.name(node));
    let same = old().zip(new).take_while(|(old, new)| old == new).count();
    same as f64 / old().count().max(1) as f64
}

/// Share of the stored paths that lead to the node.
fn place(places: &[Option<NodeId>], node: NodeId) -> Option<f64> {
    let here = places.iter().filter(|&&place| place == Some(node)).count();
    (!places.is_empty()).then(|| here as f64 / places.len() as f64)
}
