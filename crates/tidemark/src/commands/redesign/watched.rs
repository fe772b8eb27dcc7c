//! A stream while it is watched: documents go in, their names and what was found stay.

use crate::terminal::complain;
use anyhow::{Error, Result};
use indicatif::ProgressBar;
use std::collections::VecDeque;
use tidemark_core::figure::stream::Recording;
use tidemark_core::redesign::{Detection, Findings, Fingerprint, Settings, Stream};

/// Names that are kept: a redesign is told long before so many documents of it have come.
const NAMES: usize = 10_000;
/// Documents that could not be read, of which it is told which and why.
const TOLD: usize = 100;

/// What a document is called.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) name: String,
    /// When it was fetched, if the source knows.
    pub(super) date: Option<String>,
}

pub(super) struct Watched {
    stream: Stream,
    recording: Option<Recording>,
    findings: Findings,
    /// Names of redesigns' first documents, with the detections.
    found: Vec<Option<Name>>,
    names: VecDeque<Name>,
    trouble: Vec<(String, Error)>,
    failed: usize,
}

impl Watched {
    pub(super) fn new(settings: Settings, with_picture: bool) -> Self {
        Self {
            recording: with_picture.then(|| Recording::new(&settings)),
            stream: Stream::new(settings),
            findings: Findings::default(),
            found: Vec::new(),
            names: VecDeque::new(),
            trouble: Vec::new(),
            failed: 0,
        }
    }

    /// Takes the next document, or tells why there is none.
    pub(super) fn take(&mut self, name: Name, document: Result<Fingerprint>, bar: &ProgressBar) {
        match document {
            Ok(fingerprint) => self.push(name, fingerprint),
            Err(error) => self.pass_over(name.name, error, bar),
        }
    }

    /// Tells what cannot be read, and goes on.
    pub(super) fn pass_over(&mut self, name: String, error: Error, bar: &ProgressBar) {
        self.failed += 1;
        if self.failed <= TOLD {
            bar.suspend(|| complain(&error));
            self.trouble.push((name, error));
        }
    }

    fn push(&mut self, name: Name, fingerprint: Fingerprint) {
        self.names.push_back(name);
        if self.names.len() > NAMES {
            self.names.pop_front();
        }
        let copy = self.recording.as_ref().map(|_| fingerprint.clone());
        let step = self.stream.push(fingerprint);
        if let (Some(recording), Some(fingerprint)) = (&mut self.recording, copy) {
            recording.take(&fingerprint, &step);
        }
        self.findings.take(&step);
        for found in &self.findings.all()[self.found.len()..] {
            let back = self.stream.documents().saturating_sub(found.first) as usize;
            let name = self.names.len().checked_sub(back).and_then(|at| self.names.get(at));
            self.found.push(name.cloned());
        }
    }

    pub(super) fn documents(&self) -> u64 {
        self.stream.documents()
    }

    /// Detections, with the names of their first documents, in the order of the stream.
    pub(super) fn found(&self) -> Vec<(&Detection, Option<&Name>)> {
        let names = self.found.iter().map(Option::as_ref);
        let mut found: Vec<_> = self.findings.all().iter().zip(names).collect();
        found.sort_by_key(|(detection, _)| (detection.first, detection.detector));
        found
    }

    pub(super) fn recording(&self) -> Option<&Recording> {
        self.recording.as_ref()
    }

    /// The first documents that could not be read.
    pub(super) fn trouble(&self) -> &[(String, Error)] {
        &self.trouble
    }

    /// How many could not be read.
    pub(super) fn failed(&self) -> usize {
        self.failed
    }
}
