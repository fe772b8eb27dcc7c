//! The matrix of the history as it is when a redesign fills it: h documents of the new template, compared with each other and with those before.

use crate::redesign::Step;
use std::collections::VecDeque;

/// Most squares that are kept.
pub(super) const MOST: usize = 8;
/// How many histories are remembered, for redesigns that are seen late.
const BACK: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct Squares {
    history: usize,
    /// The last similarity vectors, with the number of the document after them.
    recent: VecDeque<Vec<f64>>,
    next: u64,
    /// First documents of redesigns that do not fill the history yet.
    waiting: Vec<u64>,
    done: Vec<Square>,
    /// Redesigns in all, those left out included.
    pub(super) seen: usize,
}

/// The matrix S after one document.
#[derive(Clone, Debug)]
pub(super) struct Square {
    /// The redesign that it was taken for.
    pub(super) first: Option<u64>,
    /// The newest document in it.
    pub(super) last: u64,
    /// Similarity vectors of the history, the oldest document first; nothing where there was no document.
    columns: Vec<Vec<f64>>,
}

impl Squares {
    pub(super) fn new(history: usize) -> Self {
        let (recent, waiting, done) = (VecDeque::new(), Vec::new(), Vec::new());
        Self { history: history.max(1), recent, next: 0, waiting, done, seen: 0 }
    }

    pub(super) fn take(&mut self, step: &Step) {
        self.recent.push_back(step.similarities.clone());
        self.next = step.document + 1;
        while self.recent.len() > BACK * self.history {
            self.recent.pop_front();
        }
        for raised in step.raised() {
            let is_known = self.waiting.contains(&raised.first)
                || self.done.iter().any(|square| square.first == Some(raised.first));
            self.seen += usize::from(!is_known);
            if !is_known && self.done.len() + self.waiting.len() < MOST {
                self.waiting.push(raised.first);
            }
        }
        let (full, waiting) =
            self.waiting.drain(..).partition(|&first| first + self.history as u64 <= self.next);
        self.waiting = waiting;
        let full: Vec<u64> = full;
        self.done.extend(full.into_iter().map(|first| self.square(Some(first))).collect::<Vec<_>>());
    }

    /// Those of all redesigns, by their first documents; of a stream without any, the last.
    pub(super) fn all(&self) -> Vec<Square> {
        let waiting = self.waiting.iter().map(|&first| self.square(Some(first)));
        let mut all: Vec<Square> = self.done.iter().cloned().chain(waiting).collect();
        all.sort_by_key(|square| square.first);
        if all.is_empty() {
            all.push(self.square(None));
        }
        all
    }

    /// The square that the redesign fills; a later one if the documents are forgotten, an earlier one if they have not come yet.
    fn square(&self, first: Option<u64>) -> Square {
        let oldest = self.next - self.recent.len() as u64;
        let wanted =
            first.map_or(self.next, |first| first + self.history as u64).max(oldest + self.history as u64);
        let end = wanted.min(self.next);
        let column = |at: usize| {
            let document = (end + at as u64).checked_sub(self.history as u64)?;
            self.recent.get(document.checked_sub(oldest)? as usize).cloned()
        };
        let columns = (0..self.history).map(|at| column(at).unwrap_or_default()).collect();
        Square { first, last: end.saturating_sub(1), columns }
    }
}

impl Square {
    /// s(j,k), both counted from 1.
    pub(super) fn at(&self, row: usize, column: usize) -> Option<f64> {
        self.columns.get(column.checked_sub(1)?)?.get(row.checked_sub(1)?).copied()
    }

    /// Largest and mean similarity of the lower triangle, or of the upper.
    pub(super) fn triangle(&self, lower: bool) -> Option<(f64, f64)> {
        let side = 1..=self.columns.len();
        let cells = side.clone().flat_map(|row| side.clone().map(move |column| (row, column)));
        let values: Vec<f64> = cells
            .filter(|(row, column)| (row >= column) == lower)
            .filter_map(|(row, column)| self.at(row, column))
            .collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (!values.is_empty()).then(|| (values.iter().copied().fold(0.0, f64::max), mean))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redesign::{Detection, Detector};

    /// Documents from `change` on are like each other and unlike those before; it is reported two documents later.
    fn squares(documents: u64, history: u64, change: u64) -> Squares {
        let mut squares = Squares::new(history as usize);
        for document in 0..documents {
            let earlier = (document.saturating_sub(history)..document).rev();
            let similarities = earlier
                .map(|other| if (other < change) == (document < change) { 0.9 } else { 0.1 })
                .collect();
            let detection = Detection {
                detector: Detector::Tidemark,
                first: change,
                reported: change + 2,
                certainty: 0.5,
            };
            let detections = if document >= change + 2 { vec![detection] } else { Vec::new() };
            squares.take(&Step { document, similarities, readings: Vec::new(), detections });
        }
        squares
    }

    #[test]
    fn a_redesign_fills_its_square() {
        let all = squares(60, 5, 20).all();
        assert_eq!((all.len(), all[0].first, all[0].last), (1, Some(20), 24));
        let (low, high) = (all[0].triangle(true).expect("lower"), all[0].triangle(false).expect("upper"));
        assert!((low.0 - 0.1).abs() < 1e-9 && (high.1 - 0.9).abs() < 1e-9, "{low:?} {high:?}");
    }

    #[test]
    fn a_stream_that_ends_early_or_has_no_redesign_has_its_last_square() {
        let all = squares(23, 5, 20).all();
        assert_eq!((all[0].first, all[0].last), (Some(20), 22));
        let none = squares(3, 5, 99).all();
        assert_eq!((none[0].first, none[0].last), (None, 2));
        assert_eq!([none[0].at(1, 5), none[0].at(1, 2), none[0].at(1, 3)], [Some(0.9), None, None]);
        assert_eq!(squares(0, 5, 99).all()[0].triangle(true), None);
    }
}
