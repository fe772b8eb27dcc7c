//! Later versions: the segments of the version before, found again.
//!
//! Source: `CaSePer`, section 3, the bi-fold segmentation of later versions. Cost: linear in the page for its hashes, near linear in the children of the frame.
//! From the document down, the children of each frame node are put in step with those it had, first by what they say. What was lost is
//! then looked for in everything that is new, inside of it too. Only what is still open is known by what it is called or by its place:
//! a name or a place is a weaker clue than words, wherever they are.
//! We differ: the number of segments may change, see the errata; and a block that moved keeps its column wherever it went.

use super::align::{Clue, align};
use super::draft::{Child, Draft, Label};
use super::lost::{self, Lost};
use super::outline::{Face, Outline, Role};
use super::{Column, Cutting, Way};
use crate::diff::Mapping;
use crate::digest::{NodeId, PageDigest};
use rustc_hash::FxHashMap;

/// Labels the blocks of a new version with the columns they had.
pub(crate) fn carry<'a>(old: &Outline, new: &'a PageDigest, way: Way, cutting: Cutting) -> Draft<'a> {
    let (strong, weak): (&[Clue], &[Clue]) = match way {
        Way::Boundary => (&[], &[Clue::Called, Clue::Placed]),
        Way::Sequence => (&[Clue::Equal], &[Clue::Placed]),
        Way::Both => (&[Clue::Equal, Clue::Alike], &[Clue::Called, Clue::Placed]),
    };
    let mut carrier = Carrier::new(old, Draft::new(new, cutting));
    let mut from = 0;
    while from < carrier.draft.frames.len() {
        carrier.pair_children(from, strong);
        carrier.find_lost(way);
        let known = carrier.draft.frames.len();
        carrier.pair_children(0, weak);
        from = known; // what a weak clue opened gets the strong ones, too
    }
    if way != Way::Sequence {
        lost::claim_called(&mut carrier.draft, &mut Lost::of(old, &carrier.taken, false));
    }
    carrier.draft
}

/// The same by a mapping of the whole pages: dearer, for a mapping compares all of them, and kept for measuring the other two.
pub(crate) fn carry_by_mapping<'a>(
    old: &Outline,
    mapping: &Mapping,
    new: &'a PageDigest,
    cutting: Cutting,
) -> Draft<'a> {
    let mut carrier = Carrier::new(old, Draft::new(new, cutting));
    let items: FxHashMap<u32, (usize, usize)> =
        old.items().map(|(item, place)| (item.face.node, place)).collect();
    let mut frame = 0;
    while frame < carrier.draft.frames.len() {
        for at in 0..carrier.draft.frames[frame].children.len() {
            let node = carrier.draft.frames[frame].children[at].face.node;
            let place = mapping.to_old(NodeId(node)).and_then(|partner| items.get(&partner.0));
            if let Some(&(old_frame, place)) = place {
                carrier.label(frame, at, old_frame, place);
            }
        }
        frame += 1;
    }
    let taken = &mut carrier.taken;
    lost::claim_inside(&mut carrier.draft, |_, node| {
        let &(frame, place) = items.get(&mapping.to_old(NodeId(node))?.0)?;
        let is_free = !std::mem::replace(&mut taken[frame][place], true);
        Some(old.frames[frame].items[place].role).filter(|_| is_free)
    });
    carrier.draft
}

struct Carrier<'o, 'a> {
    old: &'o Outline,
    draft: Draft<'a>,
    /// For each frame and old item whether it is somebody's already; behind the frames, what was gone before.
    taken: Vec<Vec<bool>>,
}

impl<'o, 'a> Carrier<'o, 'a> {
    fn new(old: &'o Outline, draft: Draft<'a>) -> Self {
        let counts = old.frames.iter().map(|frame| frame.items.len()).chain([old.gone.len()]);
        let taken = counts.map(|count| vec![false; count]).collect();
        Self { old, draft, taken }
    }

    /// Pairs the children of frames that are pairs, and of those found among them, and so on.
    fn pair_children(&mut self, from: usize, clues: &[Clue]) {
        let mut frame = from;
        while frame < self.draft.frames.len() {
            // What was stored may have been tampered with: a frame that is not there has nothing to be paired with.
            let old_frame = self.draft.frames[frame].old.map(|old| old as usize);
            if let Some(old_frame) = old_frame.filter(|&old| old < self.old.frames.len()) {
                self.pair(frame, old_frame, clues);
            }
            frame += 1;
        }
    }

    fn pair(&mut self, frame: usize, old_frame: usize, clues: &[Clue]) {
        let held = &self.old.frames[old_frame].items;
        let free_old: Vec<bool> = self.taken[old_frame].iter().map(|taken| !taken).collect();
        let children = &self.draft.frames[frame].children;
        let faces: Vec<Face> = children.iter().map(|child| child.face).collect();
        let free_new: Vec<bool> = children.iter().map(|child| child.label == Label::New).collect();
        let before: Vec<Option<usize>> = children.iter().map(|child| child.partner).collect();
        let mut partners = before.clone();
        for &clue in clues {
            let is_open = |at: usize, partners: &[Option<usize>]| free_new[at] && partners[at].is_none();
            let open_new: Vec<bool> = (0..free_new.len()).map(|at| is_open(at, &partners)).collect();
            let mut open_old = free_old.clone();
            partners.iter().flatten().for_each(|&old| open_old[old] = false);
            align(held, (&self.draft, &faces), clue, &mut partners, (&open_old, &open_new));
        }
        for (at, partner) in partners.into_iter().enumerate() {
            if let Some(partner) = partner.filter(|_| before[at].is_none()) {
                self.label(frame, at, old_frame, partner);
            }
        }
    }

    /// Takes a child for an old item.
    fn label(&mut self, frame: usize, at: usize, old_frame: usize, place: usize) {
        if std::mem::replace(&mut self.taken[old_frame][place], true) {
            return;
        }
        let face = self.draft.frames[frame].children[at].face;
        let label = match self.old.frames[old_frame].items[place].role {
            Role::Frame(old) => Label::Frame(self.draft.open(face.node, Some(old))),
            Role::Block(Column::FRAME) => Label::New, // a crumb may have grown
            Role::Block(column) => Label::Block(column),
        };
        let parent = &mut self.draft.frames[frame];
        let partner = (parent.old == Some(old_frame as u32)).then_some(place);
        parent.children[at] = Child { face, label, partner };
    }

    /// Looks for what was lost in everything that is new.
    fn find_lost(&mut self, way: Way) {
        let mut lost = Lost::of(self.old, &self.taken, true);
        if way != Way::Boundary {
            lost::claim_inside(&mut self.draft, |draft, node| lost.equal(draft, node));
        }
        if way == Way::Both {
            lost::claim_alike(&mut self.draft, &mut lost);
        }
        for (frame, place) in lost.found() {
            self.taken[frame][place] = true;
        }
    }
}
