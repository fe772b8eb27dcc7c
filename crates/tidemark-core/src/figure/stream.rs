//! Pictures of a stream of documents: what the detectors saw, and what they made of it.
//!
//! Source: Gottron, figures 1 (matrix), 2 (stripe), 5 (triangles) and 7 (indicators); detections and their certainty are marked in all of them.
//! A [`Recording`] goes along with the stream and keeps a bounded part of it, so that the picture of a hundred thousand documents is as large
//! as that of a thousand; what was put together or left out is said in the picture.

mod bins;
mod frame;
mod indicators;
mod matrix;
mod sample;
mod squares;
mod stripe;
mod triangles;

use super::Svg;
use crate::redesign::{Findings, Fingerprint, Settings, Step};
use bins::Bins;
use sample::Sample;
use squares::Squares;

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Every document beside every other.
    Matrix,
    /// Every document beside those of its history.
    Stripe,
    /// The history's matrix, where a redesign fills it.
    Triangles,
    /// What each detector reads, and what it is held against.
    Indicators,
}

impl Figure {
    /// All of them, in the order of the paper.
    pub const ALL: [Self; 4] = [Self::Matrix, Self::Stripe, Self::Triangles, Self::Indicators];

    /// The name used in flags.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Matrix => "matrix",
            Self::Stripe => "stripe",
            Self::Triangles => "triangles",
            Self::Indicators => "indicators",
        }
    }

    /// The inverse of [`Figure::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.name() == name)
    }
}

/// What pictures need to know of a stream.
#[derive(Clone, Debug)]
pub struct Recording {
    settings: Settings,
    documents: u64,
    bins: Bins,
    sample: Sample,
    squares: Squares,
    findings: Findings,
}

impl Recording {
    /// Of a stream with these settings.
    pub fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            documents: 0,
            bins: Bins::default(),
            sample: Sample::default(),
            squares: Squares::new(settings.history),
            findings: Findings::default(),
        }
    }

    /// Takes a document and what it brought.
    pub fn take(&mut self, fingerprint: &Fingerprint, step: &Step) {
        self.documents = step.document + 1;
        self.bins.take(step);
        self.sample.take(step.document, &fingerprint.shingles);
        self.squares.take(step);
        self.findings.take(step);
    }

    /// What was found.
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    /// Draws it.
    pub fn draw(&self, figure: Figure, title: &str) -> Svg {
        match figure {
            Figure::Matrix => matrix::draw(self, title),
            Figure::Stripe => stripe::draw(self, title),
            Figure::Triangles => triangles::draw(self, title),
            Figure::Indicators => indicators::draw(self, title),
        }
    }
}
