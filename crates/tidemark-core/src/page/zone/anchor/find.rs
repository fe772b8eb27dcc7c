//! Finding a picked node again.
//!
//! 1. If a stored path leads to a node with the same name, attributes and text, between the same words, that is it.
//! 2. Otherwise every node of its name, or with its id, that has a witness is scored:
//!    `confidence = 0.6 · strongest witness + 0.4 · mean of the evidence`.
//! 3. The best is taken if its confidence is at least 0.5 and no other comes within 0.05 of it. Nested nodes with the same
//!    words are no rivals: either holds the zone.
//!
//! Cost: linear in the page. More than 4096 nodes with a witness are too many alike, and the node is lost.

use super::super::wording::Wording;
use super::super::{Css, XPath};
use super::evidence::likeness;
use super::witness::Scene;
use super::{Anchor, NEIGHBOURS, STEPS};
use crate::digest::{NodeId, PageDigest};

/// Least confidence of a find.
pub const THRESHOLD: f64 = 0.5;
/// Least distance to the second best.
pub const MARGIN: f64 = 0.05;
/// Most nodes that are scored.
const CANDIDATES: usize = 4096;

/// Where a picked node is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// At the same place, with the same name and attributes, and identified by what it says or what is around it.
    Exact(NodeId),
    /// Elsewhere or altered.
    Reanchored {
        /// The node it most likely is.
        node: NodeId,
        /// At least [`THRESHOLD`], at most 1.
        confidence: f64,
    },
    /// Not on the page, or too many look like it.
    Lost,
}

impl Anchor {
    /// Finds the node on a page.
    pub fn find(&self, digest: &PageDigest) -> Found {
        self.find_with(digest, &Wording::of(digest))
    }

    pub(in super::super) fn find_with(&self, digest: &PageDigest, wording: &Wording) -> Found {
        let scene = Scene::new(self, digest, wording);
        let places = self.places(digest);
        let at_place = places.iter().flatten().copied();
        if let Some(node) = at_place.clone().find(|&node| is_untouched(&scene, node)) {
            return Found::Exact(node);
        }
        let Some((node, confidence)) = best(&scene, &places) else { return Found::Lost };
        let same = digest.name(node) == self.tag && scene.same_attributes(node);
        let sure =
            scene.by_id(node).is_some() || scene.same_text(node) || scene.same_surroundings(node, NEIGHBOURS);
        if same && sure && at_place.clone().any(|place| place == node) {
            return Found::Exact(node);
        }
        Found::Reanchored { node, confidence }
    }

    /// Where each stored path leads on this page.
    fn places(&self, digest: &PageDigest) -> Vec<Option<NodeId>> {
        let mut places = Vec::new();
        if let Some(css) = &self.css {
            let found = Css::parse(css).ok().and_then(|css| css.find(digest));
            places.push(found.and_then(|found| <[NodeId; 1]>::try_from(found).ok()).map(|[node]| node));
        }
        if let Some(xpath) = &self.xpath {
            let found = XPath::parse(xpath).ok().and_then(|xpath| xpath.find(digest).ok());
            places.push(found.filter(|found| found.len() == 1).map(|found| found[0].start));
        }
        if !self.steps.is_empty() || self.depth == 0 {
            let down = |node, &step: &u32| digest.children(node).nth(step as usize);
            places.push(self.steps.iter().take(STEPS).try_fold(NodeId::ROOT, down));
        }
        places
    }
}

/// The same in every respect.
fn is_untouched(scene: &Scene<'_>, node: NodeId) -> bool {
    let told = scene.anchor.text.unique
        || scene.by_id(node).is_some()
        || alone(scene)
        || scene.same_surroundings(node, NEIGHBOURS);
    scene.digest.name(node) == scene.anchor.tag
        && scene.same_attributes(node)
        && scene.same_text(node)
        && told
}

/// Whether there was no text around the node, and there is none now: a page that is one node, or that has no words.
fn alone(scene: &Scene<'_>) -> bool {
    let nothing_around = scene.anchor.before.is_empty() && scene.anchor.after.is_empty();
    nothing_around && scene.wording.words.len() == scene.anchor.word_count as usize
}

/// The best candidate with its confidence, if it is good enough and has no rival.
fn best(scene: &Scene<'_>, places: &[Option<NodeId>]) -> Option<(NodeId, f64)> {
    let digest = scene.digest;
    let named = |&node: &NodeId| digest.name(node) == scene.anchor.tag || scene.by_id(node).is_some();
    let witnessed = digest.depth_first().filter(named).filter_map(|node| Some((node, scene.witness(node)?)));
    let mut scored: Vec<(NodeId, f64)> = witnessed
        .take(CANDIDATES + 1)
        .map(|(node, witness)| (node, 0.6 * witness + 0.4 * likeness(scene, places, node)))
        .collect();
    if scored.len() > CANDIDATES {
        return None;
    }
    scored.sort_by(|one, two| two.1.total_cmp(&one.1).then(one.0.cmp(&two.0)));
    let &(node, confidence) = scored.first()?;
    let rival = scored[1..].iter().find(|(other, _)| !is_same_zone(scene, node, *other));
    let clear = rival.is_none_or(|(_, other)| confidence - other >= MARGIN);
    (confidence >= THRESHOLD && clear).then_some((node, confidence.min(1.0)))
}

/// Whether one node is in the other and holds the same words.
fn is_same_zone(scene: &Scene<'_>, one: NodeId, other: NodeId) -> bool {
    let (outer, inner) = (one.min(other), one.max(other));
    inner.0 < scene.digest.end(outer) && scene.range(inner) == scene.range(outer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    fn page(text: &str) -> PageDigest {
        PageDigest::encode(text.as_bytes(), &Reading::default()).unwrap()
    }

    /// Picks the element with the attribute `n`, which the new page does not have, and tells what was found.
    fn refound(old: &str, new: &str) -> (Found, String) {
        let old = page(&old.replace(" n", ""));
        let picked = old.tagged("li").nth(1).unwrap();
        let new = page(new);
        let found = Anchor::of(&old, picked).find(&new);
        let text = match found {
            Found::Exact(node) | Found::Reanchored { node, .. } => {
                new.subtree(node).filter_map(|node| new.content(node)).collect()
            }
            Found::Lost => String::new(),
        };
        (found, text)
    }

    const OLD: &str = "<h1>Fruit of the day</h1><ul><li>apple green 1.20<li>pear yellow 2.30<li>plum blue 3.40</ul><p>Come and buy";

    #[test]
    fn found_where_it_was() {
        assert!(matches!(refound(OLD, OLD).0, Found::Exact(_)));
        let (found, text) = refound(OLD, &OLD.replace("pear yellow 2.30", "banana"));
        assert!(matches!(found, Found::Exact(_)), "another text between the same words: {found:?}");
        assert_eq!(text, "banana");
    }

    #[test]
    fn found_where_it_went() {
        for new in [
            OLD.replace("<li>apple", "<li>cherry red 4.50<li>apple"),
            OLD.replace("<ul>", "<div><ul>").replace("</ul>", "</ul></div>"),
            OLD.replace("<li>pear yellow 2.30", "")
                .replace("<p>Come", "<ol><li class=new>pear yellow 2.30</ol><p>Come"),
            OLD.replace("<li>pear yellow 2.30", "<li>pear yellow 2.99"),
        ] {
            let (found, text) = refound(OLD, &new);
            assert!(found != Found::Lost && text.starts_with("pear yellow"), "{new}: {found:?}: {text}");
        }
    }

    #[test]
    fn lost_rather_than_wrong() {
        assert_eq!(refound(OLD, &OLD.replace("<li>pear yellow 2.30", "")).0, Found::Lost);
        let twice = "<ul><li>x</ul><ol><li>pear yellow 2.30</ol><ol><li>pear yellow 2.30</ol>";
        assert_eq!(refound(OLD, twice).0, Found::Lost, "two are alike");
        assert_eq!(refound(OLD, "").0, Found::Lost);
    }
}
