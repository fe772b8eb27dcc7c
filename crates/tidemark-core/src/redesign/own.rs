//! Our own detector: does the stream leave the design it had for another one?
//!
//! Source: ours. The paper's CLUSTER asks one threshold of one measure; here a document is asked whether it is more like documents of another
//! design than like any of the present one, in four facets at once ([`Fingerprint::likeness`]). By how much more is evidence, which is added
//! up as in a CUSUM test (Page, 1954): documents of the rival design add to it, documents of the present one take away.
//! The certainty is `1 - exp(-evidence)`, and the design that reaches the wanted certainty is the new one from its first document on.
//! - The threshold of what belongs to the present design is learned from how like each other its documents are.
//! - Kinds of pages that were seen once are remembered longer than the history, so they are no surprise when they come back.
//! - A rival that comes back again and again between documents of the present design alternates with it (A/B): its evidence counts the less
//!   the oftener it came back, so that a long absence of the other is needed.
//! - The design that was left stays a rival: when it comes back for good, that is a roll-back and reported as a redesign.
//!
//! Cost: a comparison with each kept document: history and kinds of the present design, and of at most [`RIVALS`] others.

use super::Fingerprint;
use super::design::Design;
use super::detector::{Verdict, View};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// First documents of a stream, which are its design whatever they are.
const WARM_UP: usize = 5;
/// Rival designs remembered.
const RIVALS: usize = 6;
/// Likenesses that the threshold is learned from, and what is assumed before there are any.
const LEARNED: usize = 32;
const ASSUMED: [f64; 4] = [0.7, 0.8, 0.9, 1.0];
/// What belongs to the present design is at most so many standard deviations less like it than usual, but may be less by [`SLACK`],
/// and is like it at least by the first and need not be more like it than the second of [`THRESHOLD`].
const DEVIATIONS: f64 = 4.0;
const SLACK: f64 = 0.08;
const THRESHOLD: (f64, f64) = (0.45, 0.86);
/// How much nearer to a rival than to the present design is nothing by itself.
const NEARER: f64 = 0.08;
/// What being nearer counts, by itself and by what is usual in the stream.
const GAIN: f64 = 2.0;
const UNUSUAL: f64 = 0.12;
/// What one document can count at most, so that four are the fewest that settle a redesign.
const MOST: f64 = 0.75;
/// What a document of the present design takes away.
const LOSS: f64 = 1.0;
/// A rival that was away for more documents of the present design begins anew.
const AWAY: u64 = 12;
/// Documents over which the certainty of a redesign grows.
const GROWING: usize = 32;
/// The certainty that makes a rival the present design.
const SETTLED: f64 = 0.95;

/// The present design of a stream and its rivals.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Own {
    present: Design,
    rivals: Vec<Design>,
    /// How like the present design its last documents were.
    usual: VecDeque<f64>,
    /// Whether the present design is a redesign whose certainty still grows.
    is_new: bool,
}

impl Own {
    pub(super) fn judge(&mut self, view: &View<'_>) -> Verdict {
        if view.document == 0 {
            self.present = Design::new(0, view.fingerprint);
        } else if self.present.count < WARM_UP && !self.is_new {
            self.present.take(view.document, view.fingerprint, view.settings.history);
        } else {
            self.place(view);
        }
        self.verdict(view)
    }

    pub(super) fn retained(&self) -> usize {
        self.rivals.iter().chain([&self.present]).map(Design::retained).sum()
    }

    /// Finds the design of a document.
    fn place(&mut self, view: &View<'_>) {
        let home = self.present.nearest(view.fingerprint);
        let (_, slack) = self.expected();
        match self.nearest_rival(view.fingerprint) {
            Some((rival, near)) if near >= THRESHOLD.0.max(home + slack / 2.0) => {
                let most = MOST * self.present.strangeness(view.fingerprint);
                self.join(rival, self.evidence(near, home).min(most), view);
            }
            _ if home >= self.threshold() => self.stay(home, view),
            _ => self.begin(view),
        }
    }

    /// A document of the present design.
    fn stay(&mut self, home: f64, view: &View<'_>) {
        if self.is_new {
            let other = self.nearest_rival(view.fingerprint).map_or(0.0, |(_, near)| near);
            self.present.evidence += self.evidence(home, other).min(MOST);
        }
        self.present.take(view.document, view.fingerprint, view.settings.history);
        self.is_new &= self.present.count <= GROWING;
        self.usual.push_back(home);
        if self.usual.len() > LEARNED {
            self.usual.pop_front();
        }
        self.rivals.iter_mut().for_each(|rival| rival.evidence = (rival.evidence - LOSS).max(0.0));
    }

    /// A document of a rival.
    fn join(&mut self, rival: usize, evidence: f64, view: &View<'_>) {
        let present = self.present.last;
        let rival = &mut self.rivals[rival];
        rival.returns = rival.returns.saturating_add(u32::from(present > rival.last));
        if rival.count == 0 || present > rival.last.saturating_add(AWAY) {
            (rival.first, rival.count, rival.evidence) = (view.document, 0, 0.0);
        }
        // The first document of all had nothing to be nearer to; the second one speaks for both.
        let documents = if rival.retained() == 1 { 2.0 } else { 1.0 };
        rival.evidence += evidence * documents;
        rival.take(view.document, view.fingerprint, view.settings.history);
        if certainty(rival) >= SETTLED.max(view.settings.certainty) {
            self.redesign(view.document);
        }
    }

    /// A document like none before it.
    fn begin(&mut self, view: &View<'_>) {
        if self.rivals.len() == RIVALS {
            let oldest = (0..RIVALS).min_by_key(|&rival| self.rivals[rival].last);
            self.rivals.swap_remove(oldest.unwrap_or(0));
        }
        self.rivals.push(Design::new(view.document, view.fingerprint));
    }

    /// The rival that the newest document belongs to is the present design from now on, with all that came up beside it.
    fn redesign(&mut self, document: u64) {
        let Some(at) = self.rivals.iter().position(|rival| rival.last == document) else { return };
        let new = self.rivals.swap_remove(at);
        self.rivals.retain(|rival| rival.first < new.first);
        let mut old = std::mem::replace(&mut self.present, new);
        (old.evidence, old.returns, old.count) = (0.0, self.present.returns, 0);
        self.rivals.push(old);
        self.usual.clear();
        self.is_new = true;
    }

    fn nearest_rival(&self, fingerprint: &Fingerprint) -> Option<(usize, f64)> {
        let near = self.rivals.iter().map(|rival| rival.nearest(fingerprint)).enumerate();
        near.max_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// What a document says for a design that it is nearer to than to another.
    fn evidence(&self, near: f64, other: f64) -> f64 {
        let (_, slack) = self.expected();
        let nearer = near - other;
        let by_itself = GAIN * (nearer - NEARER);
        by_itself.max(UNUSUAL * nearer / slack).max(0.0)
    }

    /// How like the present design a document of it is at least.
    fn threshold(&self) -> f64 {
        let (usual, slack) = self.expected();
        (usual - slack).clamp(THRESHOLD.0, THRESHOLD.1)
    }

    /// How like the present design its documents are, and how much less is nothing unusual.
    fn expected(&self) -> (f64, f64) {
        // Four documents are worth one assumption.
        let assumed = ASSUMED.into_iter().skip(self.usual.len() / 4);
        let values: Vec<f64> = self.usual.iter().copied().chain(assumed).collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        (mean, SLACK.max(DEVIATIONS * variance.sqrt()))
    }

    /// The likeliest redesign: a rival on its way, or the one that was just settled.
    fn verdict(&self, view: &View<'_>) -> Verdict {
        let bound = view.settings.certainty;
        let leading = self.rivals.iter().max_by(|a, b| certainty(a).total_cmp(&certainty(b)));
        let leading = leading.filter(|rival| !self.is_new || certainty(rival) >= bound);
        let design = leading.or(self.is_new.then_some(&self.present));
        let value = design.map_or(0.0, certainty);
        let report = design.filter(|_| value >= bound).map(|design| (design.first, value));
        Verdict { value, bound, report }
    }
}

/// How sure it is that a design is the new one.
fn certainty(design: &Design) -> f64 {
    1.0 - (-design.evidence / (f64::from(design.returns) + 1.0).sqrt()).exp()
}
