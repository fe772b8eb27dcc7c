//! What can be set, with the values that were chosen on the development streams: `docs/decisions/0008-redesign-defaults.md`.

use super::Detector;
use serde::{Deserialize, Serialize};

/// How a stream is watched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Documents in the history, h; at least 1.
    pub history: usize,
    /// Who watches.
    pub detectors: Vec<Detector>,
    /// From which certainty on our own detector reports. Lower is earlier. The paper's detectors report when their condition holds, and
    /// their certainty grows from there.
    pub certainty: f64,
    /// NEW-AVG-DROP: the share by which the average similarity must fall.
    pub drop: f64,
    /// STATISTICS: how sure the t-test must be.
    pub significance: f64,
    /// CLUSTER: the similarity t below which a document has a template of its own.
    pub threshold: f64,
    /// CLUSTER: the documents h2 after which a shift is permanent.
    pub second_horizon: usize,
    /// CLUSTER: the share of the history that both clusters of a shift must have.
    pub share: f64,
}

impl Settings {
    /// The paper's settings, with a history of so many documents: CLUSTER at t = 0.15.
    pub fn of_the_paper(detectors: Vec<Detector>, history: usize) -> Self {
        Self { history, detectors, threshold: 0.15, ..Self::default() }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            history: 20,
            detectors: vec![Detector::Tidemark],
            certainty: 0.95,
            drop: 0.4,
            significance: 0.999,
            threshold: 0.35,
            second_horizon: 4,
            share: 0.1,
        }
    }
}
