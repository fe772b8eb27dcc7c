//! The measures of a track: how many segments there are, how many change, how many changes the signatures miss, and what they rule out.
//!
//! Source: `CaSePer`, section 4, table 1. Cost: none but that of each [`Step`].
//! The paper names its measures and gives no formulas. Ours: MSC is over versions, MPETL over tracks, MSM, MSMP and MSUD over the steps in
//! which the page changed at all, SDP = 100 · (1 − MSUD / MSC).

use super::Segmentation;
use super::step::Step;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Counts over one or more tracks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measures {
    /// Pages that were followed.
    pub tracks: usize,
    /// Versions of them.
    pub versions: usize,
    /// Segments of all versions.
    pub segments: usize,
    /// Steps in which a page changed.
    pub steps: usize,
    /// What these steps came to.
    pub step: Step,
}

impl Measures {
    /// Begins a track with its first version.
    pub fn begin(&mut self, first: &Segmentation) {
        self.tracks += 1;
        self.count(first);
    }

    /// Adds a later version that is as the one before it.
    pub fn same(&mut self, version: &Segmentation) {
        self.count(version);
    }

    /// Adds a later version that is not.
    pub fn step(&mut self, version: &Segmentation, step: &Step) {
        self.count(version);
        self.steps += 1;
        self.step += *step;
    }

    /// MSC: segments a version.
    pub fn mean_segments(&self) -> Option<f64> {
        mean(self.segments, self.versions)
    }

    /// MPETL: versions a page.
    pub fn mean_track_length(&self) -> Option<f64> {
        mean(self.versions, self.tracks)
    }

    /// MSM: segments modified with a step.
    pub fn mean_modified(&self) -> Option<f64> {
        mean(self.step.changed, self.steps)
    }

    /// MSMP: segments modified in something that the reader asked for; nothing without a profile.
    pub fn mean_personal(&self) -> Option<f64> {
        mean(self.step.personal?, self.steps)
    }

    /// MSUD: segments with a change that their signatures did not tell.
    pub fn mean_undetected(&self) -> Option<f64> {
        mean(self.step.undetected, self.steps)
    }

    /// SDP: successful detection in percent.
    pub fn detection(&self) -> Option<f64> {
        let (undetected, segments) = (self.mean_undetected()?, self.mean_segments()?);
        (segments > 0.0).then(|| 100.0 * (1.0 - undetected / segments))
    }

    fn count(&mut self, version: &Segmentation) {
        self.versions += 1;
        self.segments += version.segments().len();
    }
}

impl AddAssign for Measures {
    fn add_assign(&mut self, other: Self) {
        self.tracks += other.tracks;
        self.versions += other.versions;
        self.segments += other.segments;
        self.steps += other.steps;
        self.step += other.step;
    }
}

pub(super) fn mean(sum: usize, count: usize) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}
