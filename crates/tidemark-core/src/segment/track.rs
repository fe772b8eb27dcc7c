//! All versions of a page in a row, as they are told: a strip of marks for each segment, and the measures.
//!
//! Cost: for each version its segments, its labels, and if it is not as the one before the whole-page script, which judges the signatures.
//! An [`Evolution`] keeps what the next visit needs; a track keeps what a reader wants to see of all of them.

use super::label::{Label, Labels};
use super::matrix::Place;
use super::measures::Measures;
use super::sign::{Mark, Sign};
use super::step::Step;
use super::{Advance, Column, Evolution, Segmentation, Version};
use crate::diff::Difference;
use crate::digest::PageDigest;

/// The versions of a page in segments.
#[derive(Debug, Default)]
pub struct Track {
    evolution: Evolution,
    measures: Measures,
    strips: Vec<Strip>,
    before: Option<(PageDigest, Segmentation)>,
}

/// Two versions in a row that differ.
#[derive(Clone, Copy, Debug)]
pub struct Between<'a> {
    /// The old one.
    pub old: Version<'a>,
    /// The new one.
    pub new: Version<'a>,
    /// Columns that are not as they were, in order.
    pub changed: &'a [Column],
    /// The whole pages compared.
    pub difference: &'a Difference,
}

/// One segment through all versions.
#[derive(Clone, Debug)]
pub struct Strip {
    /// Its column.
    pub column: Column,
    /// What it is called, in the last version that has it; the frame has no label.
    pub label: Option<Label>,
    /// What it has been through.
    pub place: Place,
    /// One mark a version.
    pub marks: Vec<Mark>,
}

impl Track {
    /// Of a page never seen; content counts as seen for so many versions.
    pub fn with_window(window: usize) -> Self {
        Self { evolution: Evolution::with_window(window), ..Self::default() }
    }

    /// Takes in the next version; what it came to, if it is not the first and not as the one before.
    pub fn advance(&mut self, page: PageDigest) -> Option<Step> {
        self.advance_for(page, |_| None)
    }

    /// The same for a reader: how many of the changed segments have to do with the reader's interests is for the caller to tell.
    pub fn advance_for(
        &mut self,
        page: PageDigest,
        personal: impl FnOnce(Between<'_>) -> Option<usize>,
    ) -> Option<Step> {
        let advance = self.evolution.advance(&page);
        let step = self.measure(&page, &advance, personal);
        self.mark(&page, &advance);
        self.before = Some((page, advance.segmentation));
        step
    }

    /// The strips by column, the frame first.
    pub fn strips(&self) -> &[Strip] {
        &self.strips
    }

    /// Table 1 for this page.
    pub fn measures(&self) -> &Measures {
        &self.measures
    }

    /// How many versions there were.
    pub fn versions(&self) -> usize {
        self.measures.versions
    }

    fn measure(
        &mut self,
        page: &PageDigest,
        advance: &Advance,
        personal: impl FnOnce(Between<'_>) -> Option<usize>,
    ) -> Option<Step> {
        let Some((old, segmentation)) = &self.before else {
            self.measures.begin(&advance.segmentation);
            return None;
        };
        if old.changed(page).is_empty() {
            self.measures.same(&advance.segmentation);
            return None;
        }
        let difference = &Difference::of(old, page);
        let old = Version { page: old, segmentation };
        let mut step = Step::of(old, page, advance, &difference.script);
        let new = Version { page, segmentation: &advance.segmentation };
        step.personal = personal(Between { old, new, changed: &advance.changed(), difference });
        self.measures.step(&advance.segmentation, &step);
        Some(step)
    }

    fn mark(&mut self, page: &PageDigest, advance: &Advance) {
        let before = self.versions() - 1; // this one is counted already
        for &(column, fate) in &advance.fates {
            let Some(&place) = self.evolution.matrix().place(column) else { continue };
            let strip = self.strip(column, place);
            strip.marks.resize(before, Mark { fate: None, moved: false });
            strip.marks.push(Mark { fate: Some(fate), moved: advance.moved.binary_search(&column).is_ok() });
            strip.place = place;
        }
        let labels = Labels::new(page);
        for segment in advance.segmentation.segments() {
            if let Ok(at) = self.strips.binary_search_by_key(&segment.column, |strip| strip.column) {
                self.strips[at].label = Some(labels.of(segment));
            }
        }
        let all = self.versions();
        self.strips.iter_mut().for_each(|strip| strip.marks.resize(all, Mark { fate: None, moved: false }));
    }

    fn strip(&mut self, column: Column, place: Place) -> &mut Strip {
        let at = self.strips.binary_search_by_key(&column, |strip| strip.column);
        let at = at.unwrap_or_else(|at| {
            self.strips.insert(at, Strip { column, label: None, place, marks: Vec::new() });
            at
        });
        &mut self.strips[at]
    }
}

impl Strip {
    /// Whether it was there and the same in all versions.
    pub fn is_still(&self) -> bool {
        let is_begun = self.marks.first().is_some_and(|mark| mark.sign() == Sign::New);
        is_begun && self.marks[1..].iter().all(|mark| mark.sign() == Sign::Same)
    }
}
