//! Zones on the other side of a redesign.
//!
//! A node goes where its words went. Words that changed leave a gap between their neighbours, and what stands in the gap now took their place:
//! a price is found by its label and by what follows it. The candidate is the element whose words are these and no others, by F1.
//! `confidence = F1 · (1 - (1 - 0.9·identity)·(1 - 0.9·surroundings))`, where identity is the share of its words that are still there, its root if
//! one of them is said once only, half of it if not, and surroundings the share of the words around it that are still around it, the near ones first.
//! Found is what has a confidence of 0.5 and is *known*: by a word or pair of words said once, by all of its words but numbers, or as a brief text
//! that stands, with nothing beside it, just between the same two words.
//! Everything else asks: a reader who is asked once loses a moment, one who watches the wrong thing loses what was to be watched.
//!
//! Source: the idea is that of `page::zone::anchor`; the way by an alignment of all words is ours. Cost: linear in the new page.

mod trace;

pub(super) use trace::single;

use super::Across;
use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::zone::{Anchor, Found};
use trace::Trace;

/// Least confidence of a find, and of what is worth asking about.
const FOUND: f64 = 0.5;
const ASKED: f64 = 0.15;
/// Least confidence of an anchor that is believed where the words went into a larger or a smaller element.
const SURE: f64 = 0.8;
/// Most candidates that a reader is asked about.
const CANDIDATES: usize = 5;
/// Attributes that say what an element without words is.
const TELLING: [&str; 8] = ["src", "href", "alt", "name", "action", "title", "placeholder", "data"];

/// An element that may be the zone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The element on the new page.
    pub node: NodeId,
    /// In [0, 1].
    pub confidence: f64,
}

/// What became of a zone.
#[derive(Clone, Debug, PartialEq)]
pub enum Reanchor {
    /// It is there.
    Found(Candidate),
    /// It may be one of these, best first; the reader decides.
    Ask(Vec<Candidate>),
    /// Nothing on the new page is like it.
    Lost,
}

impl Reanchor {
    /// The best candidate, sure or not.
    pub fn best(&self) -> Option<Candidate> {
        match self {
            Self::Found(candidate) => Some(*candidate),
            Self::Ask(candidates) => candidates.first().copied(),
            Self::Lost => None,
        }
    }

    fn found(node: NodeId, confidence: f64) -> Self {
        Self::Found(Candidate { node, confidence: confidence.clamp(0.0, 1.0) })
    }

    fn ask(candidates: Vec<Candidate>) -> Self {
        if candidates.is_empty() { Self::Lost } else { Self::Ask(candidates) }
    }
}

impl Across<'_> {
    /// Where a picked node is now: as the anchor finds it and where its words went, if both agree or one is sure alone.
    pub fn anchor(&self, anchor: &Anchor) -> Reanchor {
        let was = match anchor.find(self.old.digest) {
            Found::Exact(node) | Found::Reanchored { node, .. } => Some(node),
            Found::Lost => None,
        };
        let by_words = was.map_or(Reanchor::Lost, |node| self.node(node));
        let anchored = match anchor.find(self.new.digest) {
            Found::Exact(node) => Candidate { node, confidence: 1.0 },
            Found::Reanchored { node, confidence } => Candidate { node, confidence },
            Found::Lost => return by_words,
        };
        let replaced = was.is_some_and(|node| self.is_replaced(node));
        if replaced { Reanchor::ask(vec![anchored]) } else { self.agreed(anchored, by_words) }
    }

    /// Whether a longer text went as a whole, so that what stands in its place is something else.
    fn is_replaced(&self, node: NodeId) -> bool {
        let range = self.old.texts.range(self.old.digest, node);
        !range.is_empty() && Trace::of(self, range).replaced
    }

    /// Where a node of the old page is now, by content alone.
    pub fn node(&self, node: NodeId) -> Reanchor {
        let node = node.min(NodeId(self.old.digest.len() as u32 - 1));
        let (old, new) = (self.old.digest, self.new.digest);
        if matches!(old.name(node), "#document" | "html" | "body" | "head") {
            return new
                .tagged(old.name(node))
                .next()
                .map_or(Reanchor::Lost, |node| Reanchor::found(node, 1.0));
        }
        let range = self.old.texts.range(old, node);
        if range.is_empty() {
            return by_attributes(old, node, new);
        }
        let trace = Trace::of(self, range);
        let candidates = self.candidates(&trace, old.name(node));
        let is_it = |best: &&Candidate| {
            best.confidence >= FOUND && trace.is_it(&self.new.texts.range(new, best.node))
        };
        match candidates.first().filter(is_it) {
            Some(best) => Reanchor::Found(*best),
            None => Reanchor::ask(candidates),
        }
    }

    /// Elements by what they hold of the trace; of those that hold the same words one.
    fn candidates(&self, trace: &Trace, name: &str) -> Vec<Candidate> {
        let digest = self.new.digest;
        let mut scored: Vec<(f64, bool, NodeId, usize)> = Vec::new();
        for node in digest.depth_first().filter(|&node| digest.kind(node) == Kind::Element) {
            let range = self.new.texts.range(digest, node);
            let likeness = trace.likeness(&range);
            if likeness > ASKED {
                scored.push((likeness, digest.name(node) == name, node, range.start));
            }
        }
        scored
            .sort_by(|a, b| b.0.total_cmp(&a.0).then(a.3.cmp(&b.3)).then(b.1.cmp(&a.1)).then(b.2.cmp(&a.2)));
        scored.dedup_by_key(|(likeness, _, _, start)| (likeness.to_bits(), *start));
        let known = scored.into_iter().take(CANDIDATES).map(|(likeness, _, node, _)| {
            let range = self.new.texts.range(digest, node);
            Candidate { node, confidence: likeness * trace.certainty(self, &range) }
        });
        known.filter(|candidate| candidate.confidence >= ASKED).collect()
    }

    /// What the anchor finds, held against where the words went.
    fn agreed(&self, anchored: Candidate, by_words: Reanchor) -> Reanchor {
        match by_words {
            Reanchor::Found(other) if self.is_same_zone(anchored.node, other.node) => {
                let doubt = (1.0 - anchored.confidence) * (1.0 - other.confidence);
                Reanchor::found(anchored.node, 1.0 - doubt)
            }
            Reanchor::Ask(others)
                if others.iter().any(|other| self.is_same_zone(anchored.node, other.node)) =>
            {
                Reanchor::Found(anchored)
            }
            Reanchor::Lost if anchored.confidence >= FOUND => Reanchor::Found(anchored),
            Reanchor::Lost => Reanchor::ask(vec![anchored]),
            Reanchor::Found(other)
                if anchored.confidence >= SURE && self.is_nested(anchored.node, other.node) =>
            {
                Reanchor::found(anchored.node, anchored.confidence * other.confidence)
            }
            Reanchor::Found(other) => Reanchor::ask(vec![other, anchored]),
            Reanchor::Ask(others) => {
                Reanchor::ask([anchored].into_iter().chain(others).take(CANDIDATES).collect())
            }
        }
    }

    /// Whether one node is in the other and holds the same words.
    fn is_same_zone(&self, one: NodeId, other: NodeId) -> bool {
        let range = |node| self.new.texts.range(self.new.digest, node);
        self.is_nested(one, other) && range(one) == range(other)
    }

    fn is_nested(&self, one: NodeId, other: NodeId) -> bool {
        one.max(other).0 < self.new.digest.end(one.min(other))
    }
}

/// A node without words, by the telling attributes of it or of the first below it that has any.
fn by_attributes(old: &PageDigest, node: NodeId, new: &PageDigest) -> Reanchor {
    let told = old.subtree(node).find(|&node| telling(old, node).next().is_some());
    let Some(told) = told else { return Reanchor::Lost };
    let wanted: Vec<(&str, &str)> = telling(old, told).collect();
    let shared = |other: NodeId| telling(new, other).filter(|pair| wanted.contains(pair)).count();
    let alike =
        new.tagged(old.name(told)).map(|other| (other, shared(other))).filter(|(_, shared)| *shared > 0);
    let mut alike: Vec<(NodeId, usize)> = alike.collect();
    alike.sort_by_key(|&(node, shared)| (std::cmp::Reverse(shared), node));
    let confidence = |shared: usize| 0.9 * shared as f64 / wanted.len() as f64;
    match alike[..] {
        [(node, most), ..] if confidence(most) >= FOUND && alike.get(1).is_none_or(|next| next.1 < most) => {
            Reanchor::found(node, confidence(most))
        }
        _ => {
            let asked = alike.iter().take(CANDIDATES);
            Reanchor::ask(
                asked
                    .map(|&(node, shared)| Candidate { node, confidence: confidence(shared) / 2.0 })
                    .collect(),
            )
        }
    }
}

/// Attributes that tell, addresses by their last names.
fn telling(digest: &PageDigest, node: NodeId) -> impl Iterator<Item = (&str, &str)> {
    let last = |value: &'_ str| value.trim_end_matches('/').rfind('/').map_or(0, |at| at + 1);
    let known = digest.attributes(node).filter(|(name, value)| TELLING.contains(name) && !value.is_empty());
    known.map(move |(name, value)| match name {
        "src" | "href" | "action" | "data" => (name, &value[last(value)..]),
        _ => (name, value),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    const OLD: &str = "<div id=m><h2>Deck gear</h2><table class=t><tr><td>Brass anchor<td>12.50<td>In stock<tr><td>Oak ladder<td>40.00<td>In stock<tr><td>Tide clock<td>99.00<td>Sold out</table></div>";
    const NEW: &str = "<main><nav><a href=/>Home</a></nav><h1>Deck gear</h1><ul><li><h3>Brass anchor</h3><p>13.75</p><em>In stock</em><li><h3>Oak ladder</h3><p>40.00</p><em>In stock</em><li><h3>Tide clock</h3><p>99.00</p><em>Sold out</em></ul></main>";

    fn page(text: &str) -> PageDigest {
        PageDigest::encode(text.as_bytes(), &Reading::default()).unwrap()
    }

    fn followed(new: &str, tag: &str, number: usize) -> (Reanchor, String) {
        let (old, new) = (page(OLD), page(new));
        let node = old.tagged(tag).nth(number).unwrap();
        let found = Across::between(&old, &new).anchor(&Anchor::of(&old, node));
        let text = found.best().map(|best| new.visible_text(best.node)).unwrap_or_default();
        (found, text)
    }

    fn assert_found(tag: &str, number: usize, text: &str) {
        let (found, now) = followed(NEW, tag, number);
        assert!(matches!(found, Reanchor::Found(_)), "{tag} {number}: {found:?} {now}");
        assert_eq!(now, text);
    }

    #[test]
    fn zones_go_where_their_words_go() {
        assert_found("h2", 0, "Deck gear");
        assert_found("td", 0, "Brass anchor");
        assert_found("td", 4, "40.00");
        assert_found("tr", 1, "Oak ladder 40.00 In stock");
        assert_found("td", 5, "In stock");
    }

    #[test]
    fn a_price_that_changed_is_found_between_its_neighbours() {
        assert_found("td", 1, "13.75");
    }

    #[test]
    fn what_went_is_not_found() {
        for (new, why) in [
            ("", "an empty page"),
            ("<p>Something else entirely, in other words</p>", "another page"),
            (
                &*NEW.replace("Oak ladder", "Wool blanket").replace("40.00", "7.25"),
                "another row in its place",
            ),
        ] {
            let (found, text) = followed(new, "tr", 1);
            assert!(!matches!(found, Reanchor::Found(_)), "{why}: {found:?} {text}");
        }
    }
}
