//! All detections of a stream, each as sure as it became. Cost: a few steps a document, whatever was found before.

use super::{Detection, Detector, Step};

/// What was found in a stream so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    all: Vec<Detection>,
    /// Where the latest of each detector is.
    latest: Vec<(Detector, usize)>,
}

impl Findings {
    /// Takes what a document brought: new detections, and more certainty for the latest ones.
    pub fn take(&mut self, step: &Step) {
        for detection in &step.detections {
            let latest = self.latest.iter().position(|(detector, _)| *detector == detection.detector);
            match latest.map(|at| &mut self.latest[at].1) {
                Some(at) if is_same(&self.all[*at], detection) => self.all[*at] = *detection,
                Some(at) => {
                    *at = self.all.len();
                    self.all.push(*detection);
                }
                None => {
                    self.latest.push((detection.detector, self.all.len()));
                    self.all.push(*detection);
                }
            }
        }
    }

    /// In the order in which they were reported.
    pub fn all(&self) -> &[Detection] {
        &self.all
    }
}

fn is_same(old: &Detection, new: &Detection) -> bool {
    (old.first, old.reported) == (new.first, new.reported)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(document: u64, detections: &[(Detector, u64, u64, f64)]) -> Step {
        let detection = |&(detector, first, reported, certainty): &(Detector, u64, u64, f64)| Detection {
            detector,
            first,
            reported,
            certainty,
        };
        let detections = detections.iter().map(detection).collect();
        Step { document, similarities: Vec::new(), readings: Vec::new(), detections }
    }

    #[test]
    fn a_detection_is_kept_once_with_its_last_certainty() {
        use Detector::{Cluster, Tidemark};
        let mut findings = Findings::default();
        findings.take(&step(7, &[(Tidemark, 5, 7, 0.5)]));
        findings.take(&step(8, &[(Cluster, 4, 8, 0.2), (Tidemark, 5, 7, 0.8)]));
        findings.take(&step(9, &[(Cluster, 4, 8, 0.3), (Tidemark, 9, 9, 0.6)]));
        let found: Vec<(u64, f64)> =
            findings.all().iter().map(|found| (found.first, found.certainty)).collect();
        assert_eq!(found, [(5, 0.8), (4, 0.3), (9, 0.6)]);
    }
}
