//! A design of a site as our own detector knows it: the last documents made with it, and one of each kind seen longer ago.
//!
//! Cost: a document is compared with all that is kept: at most the history and [`KINDS`].

use super::Fingerprint;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Kinds of documents remembered beyond the history.
const KINDS: usize = 12;
/// A document that leaves the history is a kind of its own if nothing that is kept is as like it as this.
const OWN_KIND: f64 = 0.85;
/// What a document in a known surrounding counts: it takes more than the usual history of them to settle a redesign.
const KIND: f64 = 0.18;
/// Surroundings less like any other than the first are strange, those more like than the second are known.
const SURROUNDINGS: (f64, f64) = (0.4, 0.75);

/// Documents that look made with one design.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Design {
    /// Its first document, since it was last away for long.
    pub(super) first: u64,
    /// Its last document.
    pub(super) last: u64,
    /// Documents since `first`; none of a design that the site has left.
    pub(super) count: usize,
    /// How much speaks for it as the site's new design.
    pub(super) evidence: f64,
    /// How often it came back after a document of the site's present design: templates that alternate do so all the time.
    pub(super) returns: u32,
    recent: VecDeque<Fingerprint>,
    kinds: VecDeque<Fingerprint>,
}

impl Design {
    /// A design that begins with a document.
    pub(super) fn new(document: u64, fingerprint: &Fingerprint) -> Self {
        let recent = VecDeque::from([fingerprint.clone()]);
        Self { first: document, last: document, count: 1, recent, ..Self::default() }
    }

    /// The largest likeness of a document to one that is kept.
    pub(super) fn nearest(&self, fingerprint: &Fingerprint) -> f64 {
        self.kept().map(|kept| kept.likeness(fingerprint)).fold(0.0, f64::max)
    }

    /// How much a document that is not of this design can count, in [0, 1]: strange surroundings count in full; a strange body in surroundings
    /// that are known is as likely a kind of page that was never seen, and counts little.
    pub(super) fn strangeness(&self, fingerprint: &Fingerprint) -> f64 {
        let known = self.kept().map(|kept| kept.surroundings(fingerprint)).fold(0.0, f64::max);
        let strange = (SURROUNDINGS.1 - known) / (SURROUNDINGS.1 - SURROUNDINGS.0);
        KIND + (1.0 - KIND) * strange.clamp(0.0, 1.0)
    }

    /// Takes a document in and lets the oldest go.
    pub(super) fn take(&mut self, document: u64, fingerprint: &Fingerprint, history: usize) {
        self.last = document;
        self.count = self.count.saturating_add(1);
        self.recent.push_back(fingerprint.clone());
        while self.recent.len() > history {
            if let Some(oldest) = self.recent.pop_front() {
                self.remember(oldest);
            }
        }
    }

    pub(super) fn retained(&self) -> usize {
        self.recent.len() + self.kinds.len()
    }

    fn remember(&mut self, leaving: Fingerprint) {
        if self.nearest(&leaving) < OWN_KIND {
            if self.kinds.len() == KINDS {
                self.kinds.pop_front();
            }
            self.kinds.push_back(leaving);
        }
    }

    fn kept(&self) -> impl Iterator<Item = &Fingerprint> {
        self.recent.iter().chain(&self.kinds)
    }
}
