//! The children of a frame node, then and now: which is which.
//!
//! Source: `CaSePer`, section 3, the bi-fold segmentation of later versions. Cost: near linear in the children; what is not has a bound.
//! Pairs are made by one [`Clue`] after the other, always in order and only between pairs that are known.

use super::draft::Draft;
use super::outline::{Face, Item, Role};
use crate::diff::order::{heaviest, rising};
use crate::diff::sequence::Steps;
use imara_diff::Token;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// By what a block is known again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clue {
    /// It is equal: the paper's cascaded node sequence, by hashes instead of names. Frame nodes by a name that no other child has.
    Equal,
    /// It has most of its words.
    Alike,
    /// It is called the same: the paper's boundary nodes, every block being one.
    Called,
    /// It stands where as many stood before.
    Placed,
}

/// Pairs more children of a frame node. `partners` has for each new item the place of the old one that it was; `free` says which items may be paired.
pub(crate) fn align(
    old: &[Item],
    new: (&Draft<'_>, &[Face]),
    clue: Clue,
    partners: &mut [Option<usize>],
    free: (&[bool], &[bool]),
) {
    for gap in gaps(partners, free.0, free.1) {
        if gap.old.is_empty() || gap.new.is_empty() {
            continue;
        }
        for (at_old, at_new) in pairs(old, new, clue, &gap) {
            partners[gap.new[at_new]] = Some(gap.old[at_old]);
        }
    }
}

/// How sure it is that two blocks are one, in [0, 1]: by their words and by what they are called.
pub(crate) fn affinity(old: &Item, draft: &Draft<'_>, new: &Face) -> f32 {
    let called = if old.face.mark == new.mark { 1.0 } else { 0.0 };
    0.75 * old.gist.likeness(&draft.gist(new.node)) + 0.25 * called
}

/// From here on two blocks between known ones are taken for one that was edited.
const ALIKE: f32 = 0.45;
/// Most pairs of blocks that are compared in one gap.
const PAIRS: usize = 1 << 16;

/// Free items between two pairs that are known.
#[derive(Clone, Debug, Default)]
struct Gap {
    old: Vec<usize>,
    new: Vec<usize>,
}

fn pairs(old: &[Item], (draft, new): (&Draft<'_>, &[Face]), clue: Clue, gap: &Gap) -> Vec<(usize, usize)> {
    match clue {
        Clue::Equal => {
            let frames = frame_marks(old, new);
            let key = |face: &Face, signature: &dyn Fn() -> u128| {
                if frames.contains(&face.mark) { (1, u128::from(face.mark)) } else { (0, signature()) }
            };
            in_step(
                gap,
                |at| key(&old[at].face, &|| old[at].signature),
                |at| key(&new[at], &|| draft.signature(new[at].node)),
            )
        }
        Clue::Called => in_step(gap, |at| old[at].face.mark, |at| new[at].mark),
        Clue::Alike if gap.old.len() * gap.new.len() <= PAIRS => {
            heaviest(gap.old.len(), gap.new.len(), |at_old, at_new| {
                let affinity = affinity(&old[gap.old[at_old]], draft, &new[gap.new[at_new]]);
                if affinity >= ALIKE { affinity } else { 0.0 }
            })
        }
        Clue::Placed if gap.old.len() == gap.new.len() => (0..gap.old.len()).map(|at| (at, at)).collect(),
        Clue::Alike | Clue::Placed => Vec::new(),
    }
}

/// Marks of frame nodes that no other child has, then or now: these are known again whatever is inside.
fn frame_marks(old: &[Item], new: &[Face]) -> FxHashSet<u64> {
    let mut counts: FxHashMap<u64, (u32, u32)> = FxHashMap::default();
    old.iter().for_each(|item| counts.entry(item.face.mark).or_default().0 += 1);
    new.iter().for_each(|face| counts.entry(face.mark).or_default().1 += 1);
    let is_frame = |item: &&Item| matches!(item.role, Role::Frame(_));
    old.iter().filter(is_frame).map(|item| item.face.mark).filter(|mark| counts[mark] == (1, 1)).collect()
}

/// Pairs equal keys of a gap in order.
fn in_step<K: Eq + Hash>(
    gap: &Gap,
    old: impl Fn(usize) -> K,
    new: impl Fn(usize) -> K,
) -> Vec<(usize, usize)> {
    let mut numbers = FxHashMap::default();
    let mut number = |key: K| {
        let next = numbers.len() as u32;
        Token(*numbers.entry(key).or_insert(next))
    };
    let old: Vec<Token> = gap.old.iter().map(|&place| number(old(place))).collect();
    let new: Vec<Token> = gap.new.iter().map(|&place| number(new(place))).collect();
    Steps::of(&old, &new, numbers.len() as u32).kept().collect()
}

/// The free items between those that are pairs and kept their order.
fn gaps(partners: &[Option<usize>], free_old: &[bool], free_new: &[bool]) -> Vec<Gap> {
    let paired: Vec<(usize, usize)> =
        partners.iter().enumerate().filter_map(|(new, old)| Some(((*old)?, new))).collect();
    let places: Vec<usize> = paired.iter().map(|pair| pair.0).collect();
    let fixed: Vec<(usize, usize)> = rising(&places).into_iter().map(|at| paired[at]).collect();
    let mut gaps = Vec::with_capacity(fixed.len() + 1);
    let (mut old_at, mut new_at) = (0, 0);
    for (old, new) in fixed.into_iter().chain([(free_old.len(), free_new.len())]) {
        gaps.push(Gap {
            old: (old_at..old).filter(|&at| free_old[at]).collect(),
            new: (new_at..new).filter(|&at| free_new[at]).collect(),
        });
        (old_at, new_at) = (old + 1, new + 1);
    }
    gaps
}
