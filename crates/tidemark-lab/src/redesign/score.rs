//! What a detector found in a stream, held against the truth.

use super::Watched;
use std::fmt;
use std::iter::Sum;
use tidemark_core::redesign::{Settings, Stream};

/// How far from the first document of a redesign a detection may be.
pub(super) const TOLERANCE: u64 = 3;

/// What is counted, in words.
pub(super) fn what_is_counted() -> String {
    format!(
        "A detection is a hit (TP) if the document it names is within {TOLERANCE} documents of the first one of a redesign that was not hit before;\n\
         otherwise it is a false alarm (FP). A redesign without a hit is missed (FN). TN: all other documents. Reports of consecutive documents are\n\
         one detection. Delay: mean number of documents from the true first one to the report, both included."
    )
}

/// Counts over one or several streams.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Redesigns that were found.
    pub hits: usize,
    /// Detections of nothing.
    pub false_alarms: usize,
    /// Redesigns that were not found.
    pub missed: usize,
    /// Documents until the report, summed over the hits.
    pub delay: u64,
    /// All documents.
    pub documents: usize,
    /// Documents that gave a report, before reports were made into detections.
    pub reports: usize,
}

/// A detection with all documents that its reports named.
struct Found {
    reported: u64,
    named: Vec<u64>,
}

impl Score {
    /// Runs the first detector of the settings over a stream.
    pub fn of(stream: &Watched, settings: &Settings) -> Self {
        let (found, reports) = detections(stream, settings);
        let mut score = Self { documents: stream.fingerprints.len(), reports, ..Self::default() };
        let mut open = stream.redesigns.clone();
        for detection in found {
            let is_near =
                |truth: &u64| detection.named.iter().any(|named| named.abs_diff(*truth) <= TOLERANCE);
            match open.iter().position(is_near) {
                Some(hit) => {
                    score.hits += 1;
                    score.delay += (detection.reported + 1).saturating_sub(open.remove(hit)).max(1);
                }
                None => score.false_alarms += 1,
            }
        }
        Self { missed: open.len(), ..score }
    }

    /// False alarms and misses.
    pub fn errors(&self) -> usize {
        self.false_alarms + self.missed
    }

    /// Redesigns there were.
    pub fn redesigns(&self) -> usize {
        self.hits + self.missed
    }

    /// Documents rightly taken for nothing new.
    pub fn quiet(&self) -> usize {
        self.documents.saturating_sub(self.hits + self.errors())
    }

    /// The mean delay of the hits.
    pub fn mean_delay(&self) -> String {
        if self.hits == 0 { "-".to_owned() } else { format!("{:.1}", self.delay as f64 / self.hits as f64) }
    }
}

fn detections(stream: &Watched, settings: &Settings) -> (Vec<Found>, usize) {
    let mut watched = Stream::new(settings.clone());
    let (mut found, mut reports): (Vec<Found>, usize) = (Vec::new(), 0);
    for fingerprint in &stream.fingerprints {
        let step = watched.push(fingerprint.clone());
        found.extend(
            step.raised().map(|raised| Found { reported: raised.reported, named: vec![raised.first] }),
        );
        let report = step.readings.first().and_then(|reading| reading.report);
        reports += usize::from(report.is_some());
        if let (Some(open), Some(named)) = (found.last_mut(), report) {
            open.named.push(named);
        }
    }
    (found, reports)
}

impl Sum for Score {
    fn sum<I: Iterator<Item = Self>>(scores: I) -> Self {
        scores.fold(Self::default(), |all, score| Self {
            hits: all.hits + score.hits,
            false_alarms: all.false_alarms + score.false_alarms,
            missed: all.missed + score.missed,
            delay: all.delay + score.delay,
            documents: all.documents + score.documents,
            reports: all.reports + score.reports,
        })
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {} / {}", self.hits, self.false_alarms, self.missed)
    }
}
