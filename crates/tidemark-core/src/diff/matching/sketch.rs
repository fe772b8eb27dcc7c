//! How alike two subtrees are, at a glance: the words of each as a set of 256 bits.
//!
//! Source: a Bloom filter with one hash a word. Cost: each text of a page once, when first asked for; a comparison is a few instructions. The
//! filters of large subtrees fill up and tell less, but a large subtree is nearly always known by what is inside it.

use crate::diff::side::{Side, Sides};
use crate::digest::Kind;
use std::hash::{BuildHasher as _, BuildHasherDefault};

type Bits = [u64; 4];

/// Sketches of both pages, made when asked for.
pub(crate) struct Sketches {
    old: Vec<Bits>,
    new: Vec<Bits>,
}

impl Sketches {
    pub(crate) fn new() -> Self {
        Self { old: Vec::new(), new: Vec::new() }
    }

    /// How alike two nodes of the same tag are, in [0, 1]: words, attributes and shape.
    pub(crate) fn affinity(&mut self, sides: &Sides<'_>, old: u32, new: u32) -> f32 {
        if self.old.is_empty() {
            (self.old, self.new) = (sketches(&sides.old), sketches(&sides.new));
        }
        let words = overlap(&self.old[old as usize], &self.new[new as usize]);
        let attributes = if sides.same_attributes(old, new) { 1.0 } else { 0.0 };
        let nodes = [sides.old.end(old) - old, sides.new.end(new) - new];
        let shape = f32::from(u16::try_from(*nodes.iter().min().unwrap_or(&1)).unwrap_or(u16::MAX))
            / f32::from(u16::try_from(*nodes.iter().max().unwrap_or(&1)).unwrap_or(u16::MAX));
        0.7 * words + 0.2 * attributes + 0.1 * shape
    }
}

/// Share of the words of both that both have; nothing said on either side is no evidence.
fn overlap(old: &Bits, new: &Bits) -> f32 {
    let (mut common, mut all) = (0, 0);
    for (old, new) in old.iter().zip(new) {
        common += (old & new).count_ones();
        all += (old | new).count_ones();
    }
    if all == 0 { 0.0 } else { common as f32 / all as f32 }
}

fn sketches(side: &Side<'_>) -> Vec<Bits> {
    let hasher = BuildHasherDefault::<rustc_hash::FxHasher>::default();
    let mut sketches = vec![[0; 4]; side.len()];
    for node in (0..side.len() as u32).rev() {
        let mut bits = sketches[node as usize];
        match side.kind(node) {
            Kind::Element => {
                for name in ["href", "src", "alt", "id"] {
                    side.attribute(node, name)
                        .into_iter()
                        .for_each(|value| mark(&mut bits, hasher.hash_one(value)));
                }
            }
            Kind::Text | Kind::Cdata => {
                side.content(node)
                    .split_ascii_whitespace()
                    .for_each(|word| mark(&mut bits, hasher.hash_one(word)));
            }
            _ => {}
        }
        sketches[node as usize] = bits;
        if node > 0 {
            let parent = &mut sketches[side.parent(node) as usize];
            parent.iter_mut().zip(bits).for_each(|(parent, bits)| *parent |= bits);
        }
    }
    sketches
}

fn mark(bits: &mut Bits, hash: u64) {
    bits[(hash >> 62) as usize] |= 1 << (hash >> 56 & 63);
}
