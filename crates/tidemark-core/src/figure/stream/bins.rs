//! Documents in bins: as many to a bin as it takes to have no more than a thousand bins.
//!
//! When there are too many, neighbours become one: each document is in at most a few merges, so the cost is linear. Similarities of a bin are
//! means; of readings the smallest and the largest are kept, because a redesign is a short dip that a mean would hide.

use crate::redesign::{Detector, Reading, Step};

/// Most bins.
pub(super) const MOST: usize = 1000;

#[derive(Clone, Debug)]
pub(super) struct Bins {
    /// Documents in a bin; fewer in the last.
    pub(super) width: u64,
    pub(super) bins: Vec<Bin>,
}

/// Some neighbouring documents.
#[derive(Clone, Debug, Default)]
pub(super) struct Bin {
    documents: u64,
    /// Sums and counts of similarities: to the document before, to the one before that.
    sums: Vec<(f64, u64)>,
    pub(super) readings: Vec<(Detector, Extent, Extent)>,
}

/// From the smallest to the largest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Default for Bins {
    fn default() -> Self {
        Self { width: 1, bins: Vec::new() }
    }
}

impl Bins {
    pub(super) fn take(&mut self, step: &Step) {
        let bin = Bin::of(step);
        match self.bins.last_mut() {
            Some(last) if last.documents < self.width => last.join(&bin),
            _ => self.bins.push(bin),
        }
        if self.bins.len() > MOST {
            self.halve();
        }
    }

    fn halve(&mut self) {
        self.width *= 2;
        let pairs = self.bins.chunks_mut(2).map(|pair| match pair {
            [first, second] => {
                first.join(second);
                std::mem::take(first)
            }
            rest => std::mem::take(&mut rest[0]),
        });
        self.bins = pairs.collect();
    }
}

impl Bin {
    fn of(step: &Step) -> Self {
        let reading =
            |reading: &Reading| (reading.detector, Extent::of(reading.value), Extent::of(reading.bound));
        Self {
            documents: 1,
            sums: step.similarities.iter().map(|&similarity| (similarity, 1)).collect(),
            readings: step.readings.iter().map(reading).collect(),
        }
    }

    /// The mean similarity to documents so many steps back, counted from 0.
    pub(super) fn similarity(&self, back: usize) -> Option<f64> {
        self.sums.get(back).map(|&(sum, count)| sum / count as f64)
    }

    fn join(&mut self, other: &Self) {
        self.documents += other.documents;
        if self.sums.len() < other.sums.len() {
            self.sums.resize(other.sums.len(), (0.0, 0));
        }
        for (mine, theirs) in self.sums.iter_mut().zip(&other.sums) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1);
        }
        for (mine, theirs) in self.readings.iter_mut().zip(&other.readings) {
            *mine = (mine.0, mine.1.join(theirs.1), mine.2.join(theirs.2));
        }
    }
}

impl Extent {
    fn of(value: f64) -> Self {
        Self { low: value, high: value }
    }

    fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(document: u64, similarities: Vec<f64>, value: f64) -> Step {
        let reading = Reading { detector: Detector::MaxAvgDiff, value, bound: 0.5, report: None };
        Step { document, similarities, readings: vec![reading], detections: Vec::new() }
    }

    #[test]
    fn few_documents_have_a_bin_each_and_many_share() {
        let mut bins = Bins::default();
        for document in 0..100_000_u32 {
            let value = if document == 77_777 { 0.1 } else { 0.9 };
            bins.take(&step(u64::from(document), vec![f64::from(document % 2); 3], value));
            assert!(bins.bins.len() <= MOST);
            assert!(bins.width == 1 || document >= 1000);
        }
        assert_eq!(bins.width, 128);
        assert_eq!(bins.bins.iter().map(|bin| bin.documents).sum::<u64>(), 100_000);
        assert!(bins.bins.iter().all(|bin| bin.similarity(2) == Some(0.5) && bin.similarity(3).is_none()));
        let dips: Vec<usize> =
            (0..bins.bins.len()).filter(|&at| bins.bins[at].readings[0].1.low < 0.5).collect();
        assert_eq!(dips, [77_777 / 128], "the dip of one document is still there");
    }

    #[test]
    fn the_beginning_has_fewer_similarities() {
        let mut bins = Bins { width: 2, bins: Vec::new() };
        bins.take(&step(0, vec![], 1.0));
        bins.take(&step(1, vec![0.25], 1.0));
        assert_eq!([bins.bins[0].similarity(0), bins.bins[0].similarity(1)], [Some(0.25), None]);
    }
}
