//! The one shape of all detectors: a reading for each document, and one detection for each shift.
//!
//! Source: Gottron, sections 4.3 and 6 (certainty), and the rule that further reports of the same shift are one event.

use super::cluster::Clusters;
use super::own::Own;
use super::{Fingerprint, Matrix, Settings, triangles};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a further document of the new template takes away of the doubt that is left.
const GROWTH: f64 = 0.25;

/// Who watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Detector {
    /// A new document is less similar to those before it than they were to theirs.
    NewAvgDrop,
    /// No document of the history is as similar to one before it as its documents are to each other on average.
    MaxAvgDiff,
    /// The same by a t-test.
    Statistics,
    /// A cluster of templates ends, and another begins.
    Cluster,
    /// Ours.
    Tidemark,
}

impl Detector {
    /// All of them, ours last.
    pub const ALL: [Self; 5] =
        [Self::NewAvgDrop, Self::MaxAvgDiff, Self::Statistics, Self::Cluster, Self::Tidemark];

    /// The name used in flags, files and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NewAvgDrop => "new-avg-drop",
            Self::MaxAvgDiff => "max-avg-diff",
            Self::Statistics => "statistics",
            Self::Cluster => "cluster",
            Self::Tidemark => "tidemark",
        }
    }

    /// The inverse of [`Detector::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|detector| detector.name() == name)
    }
}

impl fmt::Display for Detector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A redesign, as far as a detector knows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Detection {
    /// Who found it.
    pub detector: Detector,
    /// The first document with the new template, counted from 0.
    pub first: u64,
    /// The document at which it was first reported.
    pub reported: u64,
    /// How sure the detector is, in [0, 1]; grows with each further document of the new template.
    pub certainty: f64,
}

impl Detection {
    /// Documents of the new template that it took, the first included.
    pub fn delay(&self) -> u64 {
        self.reported.saturating_sub(self.first).saturating_add(1)
    }
}

/// What a detector sees in one document: its indicator, and what it is held against.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Whose it is.
    pub detector: Detector,
    /// Average similarity of the new document (NEW-AVG-DROP), maximum of the lower triangle (MAX-AVG-DIFF), probability of one mean
    /// (STATISTICS), largest similarity to the history (CLUSTER), certainty of the likeliest redesign (ours).
    pub value: f64,
    /// Where the value must fall below it to report: share of the usual average, average of the upper triangle, 1 - significance,
    /// threshold; ours must rise above it.
    pub bound: f64,
    /// The first new document by this reading alone, where it reports one.
    pub report: Option<u64>,
}

/// What detectors are given for each document.
pub(super) struct View<'a> {
    pub(super) document: u64,
    pub(super) fingerprint: &'a Fingerprint,
    pub(super) matrix: &'a Matrix,
    pub(super) settings: &'a Settings,
}

impl View<'_> {
    /// The oldest document of the history.
    pub(super) fn oldest(&self) -> u64 {
        self.document.saturating_add(1).saturating_sub(self.settings.history as u64)
    }
}

/// What a detector says to one document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    pub(super) value: f64,
    pub(super) bound: f64,
    /// First new document and certainty.
    pub(super) report: Option<(u64, f64)>,
}

/// A detector at work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Watch {
    detector: Detector,
    state: State,
    open: Option<Detection>,
    /// The document of the last report: reports without a gap are one shift.
    last_report: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum State {
    None,
    Clusters(Clusters),
    Own(Box<Own>),
}

impl Watch {
    pub(super) fn new(detector: Detector) -> Self {
        let state = match detector {
            Detector::Cluster => State::Clusters(Clusters::default()),
            Detector::Tidemark => State::Own(Box::default()),
            _ => State::None,
        };
        Self { detector, state, open: None, last_report: None }
    }

    /// Reads one document; the detection that is open, new or grown.
    pub(super) fn read(&mut self, view: &View<'_>) -> (Reading, Option<Detection>) {
        let verdict = self.judge(view);
        self.settle(view, &verdict);
        let Verdict { value, bound, report } = verdict;
        let report = report.map(|(first, _)| first);
        (Reading { detector: self.detector, value, bound, report }, self.open)
    }

    /// Fingerprints kept.
    pub(super) fn retained(&self) -> usize {
        if let State::Own(own) = &self.state { own.retained() } else { 0 }
    }

    fn judge(&mut self, view: &View<'_>) -> Verdict {
        match (&mut self.state, self.detector) {
            (State::Own(own), _) => own.judge(view),
            (State::Clusters(clusters), _) => clusters.judge(view),
            (State::None, Detector::NewAvgDrop) => triangles::new_avg_drop(view),
            (State::None, Detector::Statistics) => triangles::statistics(view),
            (State::None, _) => triangles::max_avg_diff(view),
        }
    }

    /// Opens a detection, or lets the open one grow.
    fn settle(&mut self, view: &View<'_>, verdict: &Verdict) {
        match verdict.report {
            Some((first, certainty)) if !self.is_known(first, view.document) => {
                let (detector, reported) = (self.detector, view.document);
                self.open = Some(Detection { detector, first, reported, certainty });
            }
            report => self.grow(report, view),
        }
        if verdict.report.is_some() {
            self.last_report = Some(view.document);
        }
    }

    /// Whether a report is of the shift that is told already: of ours it names the same document, of the paper's it follows the last.
    fn is_known(&self, first: u64, document: u64) -> bool {
        let follows = || self.last_report.is_some_and(|last| last.saturating_add(1) == document);
        let is_ours = self.detector == Detector::Tidemark;
        self.open.is_some_and(|open| if is_ours { open.first >= first } else { follows() })
    }

    fn grow(&mut self, report: Option<(u64, f64)>, view: &View<'_>) {
        let Some(open) = &mut self.open else { return };
        open.certainty = match (self.detector, report) {
            (Detector::Tidemark, Some((first, now))) if first == open.first => open.certainty.max(now),
            (Detector::Tidemark, _) => open.certainty,
            _ if supports(view, open) => open.certainty + (1.0 - open.certainty) * GROWTH,
            _ => open.certainty,
        };
    }
}

/// Whether the newest document is nearest to one of the new template.
fn supports(view: &View<'_>, open: &Detection) -> bool {
    let vector = view.matrix.newest();
    let nearest = (0..vector.len()).max_by(|&a, &b| vector[a].total_cmp(&vector[b]).then(b.cmp(&a)));
    nearest.is_none_or(|steps| view.document.saturating_sub(1 + steps as u64) >= open.first)
}
