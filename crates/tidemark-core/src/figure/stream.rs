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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redesign::{Detector, Sketch, Stream};

    /// A stream whose template changes in the middle; every seventh document is of another kind.
    fn recording(documents: u64) -> Recording {
        let settings = Settings { history: 5, detectors: Detector::ALL.to_vec(), ..Settings::default() };
        let mut stream = Stream::new(settings.clone());
        let mut recording = Recording::new(&settings);
        for document in 0..documents {
            let template = if document < documents / 2 { 1000 } else { 2000 };
            let kind = if document % 7 == 0 { 100 } else { 0 };
            let sketch =
                |most: u64| Sketch::of((0..most).map(|at| template + at + kind * (at % 2)).collect(), 99);
            let fingerprint = Fingerprint {
                shingles: sketch(40),
                scaffold: sketch(9),
                paths: sketch(9),
                resources: sketch(3),
            };
            let step = stream.push(fingerprint.clone());
            recording.take(&fingerprint, &step);
        }
        recording
    }

    #[test]
    fn the_redesign_is_marked_in_every_figure() {
        let recording = recording(60);
        assert!(recording.findings().all().iter().any(|found| found.detector == Detector::Tidemark));
        for figure in Figure::ALL {
            assert_eq!(Figure::from_name(figure.name()), Some(figure));
            let svg = recording.draw(figure, "a <b>").finish();
            assert!(svg.contains("a &lt;b&gt;</title>") && svg.contains("tidemark"), "{svg}");
            let marked =
                svg.contains("tidemark: from document 31 on") || svg.contains("redesign at 31: tidemark");
            assert!(marked, "{} has no mark", figure.name());
        }
    }

    #[test]
    fn a_long_stream_makes_no_larger_picture_and_says_why() {
        let recording = recording(20_000);
        let said = [
            "one of 64 is shown",
            "a column is the mean of 32",
            "more redesigns are left out",
            "to the largest of 32",
        ];
        for (figure, said) in Figure::ALL.into_iter().zip(said) {
            let picture = recording.draw(figure, "long");
            assert!(picture.to_png().len() < 1_000_000);
            let svg = picture.finish();
            assert!(svg.contains(said), "{}: {said}", figure.name());
            assert!(svg.len() < 400_000, "{} has {} bytes", figure.name(), svg.len());
        }
    }

    #[test]
    fn a_stream_of_nothing_or_of_one_document_is_a_picture_too() {
        for documents in [0, 1, 2] {
            let recording = recording(documents);
            for figure in Figure::ALL {
                assert!(recording.draw(figure, "").to_png().len() > 1000);
                assert!(!recording.draw(figure, "").finish().contains("NaN"));
            }
        }
    }
}
