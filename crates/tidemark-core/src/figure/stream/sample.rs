//! Documents that stand for their neighbours in the matrix: all of a short stream, every second, fourth, eighth … of a long one.
//!
//! The whole matrix of n documents takes n² comparisons and the memory of n documents; with at most [`MOST`] of them it takes neither.

use crate::redesign::Sketch;

/// Most documents of a matrix.
const MOST: usize = 400;

#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// One document of so many is kept.
    pub(super) every: u64,
    kept: Vec<Sketch>,
}

impl Default for Sample {
    fn default() -> Self {
        Self { every: 1, kept: Vec::new() }
    }
}

impl Sample {
    pub(super) fn take(&mut self, document: u64, shingles: &Sketch) {
        if document.is_multiple_of(self.every) {
            self.kept.push(shingles.clone());
        }
        if self.kept.len() > MOST {
            self.every *= 2;
            let mut at = 0;
            self.kept.retain(|_| {
                at += 1;
                at % 2 == 1
            });
        }
    }

    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    pub(super) fn similarity(&self, one: usize, other: usize) -> f64 {
        self.kept[one].similarity(&self.kept[other])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_stream_keeps_every_so_many_documents() {
        let mut sample = Sample::default();
        for document in 0..10_000 {
            sample.take(document, &Sketch::of(vec![document], 1));
        }
        assert_eq!((sample.every, sample.len()), (32, 10_000_usize.div_ceil(32)));
        for at in 0..sample.len() {
            assert_eq!(sample.kept[at], Sketch::of(vec![32 * at as u64], 1));
        }
    }
}
