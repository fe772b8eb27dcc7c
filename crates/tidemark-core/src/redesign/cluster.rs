//! CLUSTER: a permanent shift from one cluster of templates to another.
//!
//! Source: Gottron, section 4.3. Cost: h labels beside the similarities that are there anyway.
//! A new document joins the cluster of its nearest document in the history, or begins one if that is less similar than the threshold.
//! A cluster that lies wholly before the last h2 documents and one that lies wholly within them are a shift, if both have their share of the
//! history. The paper leaves open of which documents the share is taken; the history is what is still known.

use super::detector::{Verdict, View};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The clusters of the documents in the history, each named for its first document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Clusters {
    labels: VecDeque<u64>,
}

impl Clusters {
    pub(super) fn judge(&mut self, view: &View<'_>) -> Verdict {
        let (value, bound) = (self.assign(view), view.settings.threshold);
        while self.labels.len() > view.settings.history {
            self.labels.pop_front();
        }
        Verdict { value, bound, report: self.shift(view) }
    }

    /// Finds the cluster of the newest document; its largest similarity.
    fn assign(&mut self, view: &View<'_>) -> f64 {
        let vector = view.matrix.newest();
        let near = (0..vector.len()).max_by(|&a, &b| vector[a].total_cmp(&vector[b]).then(b.cmp(&a)));
        let largest = near.map_or(0.0, |steps| vector[steps]);
        let label = near
            .filter(|_| largest >= view.settings.threshold)
            .and_then(|steps| self.labels.iter().rev().nth(steps));
        self.labels.push_back(label.copied().unwrap_or(view.document));
        largest
    }

    /// First document and certainty of a shift between large clusters.
    fn shift(&self, view: &View<'_>) -> Option<(u64, f64)> {
        let (history, recent) = (view.settings.history, view.settings.second_horizon);
        let border = self.labels.len().checked_sub(recent).filter(|_| self.labels.len() == history)?;
        let count = |label: u64, from: usize, to: usize| {
            self.labels.range(from..to).filter(|&&other| other == label).count()
        };
        let large = |count: usize| count as f64 >= view.settings.share * history as f64 && count > 0;
        let ended = |&label: &u64| count(label, border, history) == 0 && large(count(label, 0, border));
        let began = |&label: &u64| count(label, 0, border) == 0 && large(count(label, border, history));
        self.labels.iter().find(|&label| ended(label))?;
        let (steps, label) = self.labels.iter().enumerate().skip(border).find(|(_, label)| began(label))?;
        let seen = count(*label, border, history) as f64;
        Some((view.oldest().saturating_add(steps as u64), 1.0 - 0.5_f64.powf(seen)))
    }
}
