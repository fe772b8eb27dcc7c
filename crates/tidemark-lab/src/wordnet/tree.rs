//! The depth-first order of synsets below their first hypernym.

use super::source::Synset;

/// Synsets in their new order.
pub(super) struct Order {
    /// Old numbers in the new order.
    pub(super) old: Vec<usize>,
    /// New numbers in the old order.
    pub(super) new: Vec<u32>,
    /// Size of the subtree, in the old order.
    pub(super) sizes: Vec<u32>,
    /// The hypernym that a synset stands below, in old numbers.
    pub(super) parents: Vec<Option<usize>>,
    /// The first synset of each part of speech but the first.
    pub(super) bounds: [u32; 3],
}

impl Order {
    pub(super) fn of(synsets: &[Synset]) -> Self {
        let mut parents: Vec<Option<usize>> =
            synsets.iter().map(|synset| synset.hypernyms.first().copied()).collect();
        let mut children = vec![Vec::new(); synsets.len()];
        for (child, parent) in parents.iter().enumerate() {
            parent.iter().for_each(|&parent| children[parent].push(child));
        }
        let (mut old, mut new) = (Vec::new(), vec![u32::MAX; synsets.len()]);
        for part in 0..4 {
            let of_part = || (0..synsets.len()).filter(|&at| synsets[at].part == part);
            let roots: Vec<usize> = of_part().filter(|&at| parents[at].is_none()).collect();
            // What no root leads to is a ring of hypernyms; it is cut at its first synset.
            for root in roots.into_iter().chain(of_part()).collect::<Vec<_>>() {
                if new[root] == u32::MAX {
                    parents[root] = None;
                    number_below(root, &children, &mut old, &mut new);
                }
            }
        }
        let sizes = sizes(&old, &parents);
        let bounds = [1, 2, 3].map(|part| synsets.iter().filter(|synset| synset.part < part).count() as u32);
        Self { old, new, sizes, parents, bounds }
    }
}

fn number_below(root: usize, children: &[Vec<usize>], old: &mut Vec<usize>, new: &mut [u32]) {
    let mut waiting = vec![root];
    while let Some(at) = waiting.pop() {
        if new[at] == u32::MAX {
            new[at] = old.len() as u32;
            old.push(at);
            waiting.extend(children[at].iter().rev());
        }
    }
}

fn sizes(old: &[usize], parents: &[Option<usize>]) -> Vec<u32> {
    let mut sizes = vec![1; old.len()];
    for &at in old.iter().rev() {
        if let Some(parent) = parents[at] {
            sizes[parent] += sizes[at];
        }
    }
    sizes
}
