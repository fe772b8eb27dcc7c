//! Zones with known truth: picked on one page, looked for on another.

use super::site::{Content, Design, Kind, Rendered};
use crate::plant::{self, Ground};
use fastrand::Rng;
use std::iter::Sum;
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::page::zone::Anchor;
use tidemark_core::redesign::{Across, Reanchor};

/// Zones picked on each page.
const PICKS: usize = 6;

/// How zones were found again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Zones that are still there.
    pub zones: usize,
    /// Found where they are.
    pub right: usize,
    /// Not found for sure, and the reader is asked.
    pub asked: usize,
    /// Of which the right one is among the candidates, and is the first of them.
    pub offered: [usize; 2],
    /// Zones that went.
    pub gone: usize,
    /// Something else was found, of zones that are there and of those that went.
    pub wrong: [usize; 2],
    /// What went wrong, in words.
    pub examples: Vec<String>,
}

impl Score {
    /// All that were wrong, as a share of all zones.
    pub fn wrong_share(&self) -> f64 {
        (self.wrong[0] + self.wrong[1]) as f64 / (self.zones + self.gone).max(1) as f64
    }

    /// Those found rightly, as a share of those there are.
    pub fn right_share(&self) -> f64 {
        self.right as f64 / self.zones.max(1) as f64
    }
}

impl Sum for Score {
    fn sum<I: Iterator<Item = Self>>(scores: I) -> Self {
        scores.fold(Self::default(), |mut all, score| {
            all.zones += score.zones;
            all.right += score.right;
            all.asked += score.asked;
            all.gone += score.gone;
            for at in 0..2 {
                all.offered[at] += score.offered[at];
                all.wrong[at] += score.wrong[at];
            }
            all.examples.extend(score.examples);
            all
        })
    }
}

/// Zones of a page on the same page in another design, some days later.
pub(super) fn redesigned(kind: Kind, seed: u64) -> Score {
    let rng = &mut Rng::with_seed(seed);
    let content = Content::new(kind, rng);
    let [old, new] = [2 * seed, 2 * seed + 1].map(Design::new);
    let (old, new) = (old.render(&content), new.render(&content.later(rng)));
    let across = Across::between(&old.digest, &new.digest);
    let picks = picks(&old, rng).into_iter();
    picks
        .map(|(name, node)| {
            judge(&across, [&old.digest, &new.digest], &name, node, new.truth.get(&name).copied())
        })
        .sum()
}

/// Zones of a page after ordinary edits.
pub(super) fn edited(kind: Kind, seed: u64) -> Score {
    let rng = &mut Rng::with_seed(seed);
    let old = Design::new(2 * seed).render(&Content::new(kind, rng));
    let Some(ground) = Ground::new("generated", old.page.as_bytes())
        .filter(|ground| ground.digest().len() == old.digest.len())
    else {
        return Score::default();
    };
    let Some(grown) = ground.plant(&plant::Kind::ALL, 2, seed) else { return Score::default() };
    let across = Across::between(ground.digest(), grown.digest());
    let picks = picks(&old, rng).into_iter();
    picks
        .map(|(name, node)| {
            judge(&across, [ground.digest(), grown.digest()], &name, node, grown.place_of(node))
        })
        .sum()
}

fn picks(page: &Rendered, rng: &mut Rng) -> Vec<(String, NodeId)> {
    let mut all: Vec<_> = page.truth.iter().map(|(name, node)| (name.clone(), *node)).collect();
    rng.shuffle(&mut all);
    all.truncate(PICKS);
    all
}

fn judge(
    across: &Across<'_>,
    [old, new]: [&PageDigest; 2],
    name: &str,
    node: NodeId,
    truth: Option<NodeId>,
) -> Score {
    let found = across.anchor(&Anchor::of(old, node));
    let is_right = |found: NodeId| truth.is_some_and(|truth| is_same_zone(new, found, truth));
    // Where an element and its words went apart, neither is the right place alone.
    let is_told = |found: NodeId| new.visible_text(found) == old.visible_text(node);
    let stayed = |found: NodeId| is_told(found) && !truth.is_some_and(is_told);
    let mut score =
        Score { zones: usize::from(truth.is_some()), gone: usize::from(truth.is_none()), ..Score::default() };
    match &found {
        Reanchor::Found(best) if is_right(best.node) => score.right += 1,
        Reanchor::Found(best) if stayed(best.node) => return Score::default(),
        Reanchor::Found(_) => score.wrong[usize::from(truth.is_none())] += 1,
        _ if truth.is_some_and(|truth| new.visible_text(truth).is_empty()) => return Score::default(),
        Reanchor::Ask(candidates) if truth.is_some() => {
            score.asked += 1;
            score.offered[0] += usize::from(candidates.iter().any(|candidate| is_right(candidate.node)));
            score.offered[1] +=
                usize::from(candidates.first().is_some_and(|candidate| is_right(candidate.node)));
        }
        Reanchor::Lost if truth.is_some() => score.asked += 1,
        _ => {}
    }
    if score.right == 0 && (score.zones > 0 || score.wrong[1] > 0) {
        let text = |page: &PageDigest, node| page.visible_text(node).chars().take(70).collect::<String>();
        let best = found.best().map(|best| format!("{:?} {:.2}", text(new, best.node), best.confidence));
        let told = ["asked", "wrong"][usize::from(matches!(found, Reanchor::Found(_)))];
        let truth = truth.map(|truth| text(new, truth));
        score.examples.push(format!("{told} {name}: {:?} → {truth:?}, said {best:?}", text(old, node)));
    }
    score
}

/// Whether one node is in the other and a reader sees the same in both.
fn is_same_zone(page: &PageDigest, one: NodeId, other: NodeId) -> bool {
    let (outer, inner) = (one.min(other), one.max(other));
    let inside = outer == inner || page.ancestors(inner).any(|node| node == outer);
    inside && page.visible_text(outer) == page.visible_text(inner)
}
