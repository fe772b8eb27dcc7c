//! From two pages to a [`Mapping`], in stages that each only add pairs.
//!
//! Sources: `CaSePer`'s variant of X-Diff (match by id and type, by content hash, by type), `GumTree` (largest equal subtrees first, then from
//! what is inside to what is around it). Cost: near linear. What is not linear has a [`Budget`]; when it runs out, a cheaper
//! rule takes over and the result says that it is coarse.
//! Road not taken: the minimal edit script of a tree, which costs more than the square of its nodes and reads no better.

mod align;
mod equal;
mod gap;
mod in_place;
mod inside_out;
mod leftover;
mod named;
mod sketch;

use super::known::Known;
use super::mapping::Mapping;
use super::side::Sides;
use align::Aligner;

/// Steps left for work that is not linear. Counted, not timed, so that results repeat.
#[derive(Debug)]
pub(crate) struct Budget {
    steps: u64,
    pub(crate) exhausted: bool,
}

/// Most steps for one piece of work: what is compared at once is also kept at once.
const LARGEST: usize = 1 << 21;

impl Budget {
    /// A budget in proportion to the work that has to be done anyway.
    fn for_pages(sides: &Sides<'_>) -> Self {
        Self { steps: 100_000 + 32 * (sides.old.len() + sides.new.len()) as u64, exhausted: false }
    }

    /// Takes steps for one piece of work, if there are so many left and the piece is not too large to be held in memory.
    pub(crate) fn take(&mut self, steps: usize) -> bool {
        let enough = self.steps >= steps as u64 && steps <= LARGEST;
        if enough {
            self.steps -= steps as u64;
        } else {
            self.exhausted = true;
        }
        enough
    }
}

/// Matches two pages; whether all of it was done within the budget.
pub(crate) fn matched(sides: &mut Sides<'_>, known: &Known) -> (Mapping, bool) {
    let mut mapping = Mapping::new(sides.old.len(), sides.new.len());
    let mut budget = Budget::for_pages(sides);
    let equal = in_place::pair(sides, known, &mut mapping);
    if !mapping.is_whole(0) {
        sides.hash_around(equal);
        let sides = &*sides;
        equal::anywhere(sides, &mut mapping);
        equal::by_id(sides, &mut mapping);
        named::pair(sides, &mut mapping);
        inside_out::climb(sides, &mut mapping, &mut budget);
        let mut aligner = Aligner::new(sides);
        aligner.align_all(&mut mapping, &mut budget);
        leftover::pair(sides, &mut mapping, &mut aligner, &mut budget);
    }
    (mapping, !budget.exhausted)
}
