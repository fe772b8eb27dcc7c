//! A stream of documents: the last h fingerprints, the similarities between them, and the detectors that watch.
//!
//! Source: Gottron, sections 4.1 and 4.2. Cost: h comparisons a document for the paper's detectors, some dozens more for ours;
//! memory bounded by h, whatever the length of the stream. The whole of it can be stored and taken up again.

use super::detector::{View, Watch};
use super::{Detection, Fingerprint, Matrix, Reading, Settings};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Documents in the order of publication, watched for redesigns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stream {
    settings: Settings,
    documents: u64,
    history: VecDeque<Fingerprint>,
    matrix: Matrix,
    watches: Vec<Watch>,
}

/// What one document brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Its number, from 0.
    pub document: u64,
    /// Its similarity vector: to the document just before it, to the one before that, … up to h of them.
    pub similarities: Vec<f64>,
    /// What each detector saw.
    pub readings: Vec<Reading>,
    /// The latest detection of each detector that has one, with its certainty as it is now.
    pub detections: Vec<Detection>,
}

impl Step {
    /// Detections that were reported for the first time with this document.
    pub fn raised(&self) -> impl Iterator<Item = &Detection> {
        self.detections.iter().filter(|detection| detection.reported == self.document)
    }
}

impl Stream {
    /// A stream that has not begun.
    pub fn new(settings: Settings) -> Self {
        let settings = Settings { history: settings.history.max(1), ..settings };
        Self {
            documents: 0,
            history: VecDeque::new(),
            matrix: Matrix::new(settings.history),
            watches: settings.detectors.iter().map(|&detector| Watch::new(detector)).collect(),
            settings,
        }
    }

    /// Takes the next document.
    pub fn push(&mut self, fingerprint: Fingerprint) -> Step {
        let document = self.documents;
        self.documents = document.saturating_add(1);
        let similarity = |other: &Fingerprint| fingerprint.shingles.similarity(&other.shingles);
        let similarities: Vec<f64> = self.history.iter().rev().map(similarity).collect();
        self.matrix.push(similarities.clone());
        let view =
            View { document, fingerprint: &fingerprint, matrix: &self.matrix, settings: &self.settings };
        let (readings, detections): (Vec<_>, Vec<_>) =
            self.watches.iter_mut().map(|watch| watch.read(&view)).unzip();
        self.history.push_back(fingerprint);
        while self.history.len() > self.settings.history {
            self.history.pop_front();
        }
        Step { document, similarities, readings, detections: detections.into_iter().flatten().collect() }
    }

    /// How it is watched.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Documents so far.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// The matrix S after the newest document.
    pub fn matrix(&self) -> &Matrix {
        &self.matrix
    }

    /// Fingerprints in memory: bounded by the history, whatever the length of the stream.
    pub fn retained(&self) -> usize {
        self.history.len() + self.watches.iter().map(Watch::retained).sum::<usize>()
    }
}
