//! The similarities between the last documents: the square view on the stripe.
//!
//! Source: Gottron, section 4.2. After document i with history d(i-h+1) … d(i), entry s(j,k) is the similarity of d(i-h+k) and d(i-h+k-j).
//! It compares with a document before the history where j >= k (lower triangle, diagonal included) and inside it where j < k.
//! Cost: h² numbers, whatever the length of the stream.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The matrix S: a similarity vector for each of the last h documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Matrix {
    history: usize,
    /// Vectors of the last documents, the oldest first; each starts with the document just before its own.
    columns: VecDeque<Vec<f64>>,
}

impl Matrix {
    /// An empty matrix for a history of so many documents.
    pub(super) fn new(history: usize) -> Self {
        Self { history, columns: VecDeque::new() }
    }

    /// Adds the vector of the newest document and forgets that of the oldest.
    pub(super) fn push(&mut self, vector: Vec<f64>) {
        self.columns.push_back(vector);
        while self.columns.len() > self.history {
            self.columns.pop_front();
        }
    }

    /// Number of rows and columns, h.
    pub fn history(&self) -> usize {
        self.history
    }

    /// s(j,k), both from 1 to h; nothing where the stream had not begun.
    pub fn at(&self, row: usize, column: usize) -> Option<f64> {
        let missing = self.history.saturating_sub(self.columns.len());
        let vector = self.columns.get(column.checked_sub(missing + 1)?)?;
        vector.get(row.checked_sub(1)?).copied()
    }

    /// The similarity vector of the newest document, the nearest neighbour first.
    pub fn newest(&self) -> &[f64] {
        self.columns.back().map_or(&[], Vec::as_slice)
    }

    /// Whether every entry is there: from document 2h-1 on, counted from 0.
    pub fn is_full(&self) -> bool {
        self.columns.len() == self.history && self.columns.iter().all(|vector| vector.len() == self.history)
    }

    /// Entries that compare with documents before the history: j >= k.
    pub fn lower(&self) -> impl Iterator<Item = f64> {
        self.entries(|row, column| row >= column)
    }

    /// Entries that compare documents of the history: j < k.
    pub fn upper(&self) -> impl Iterator<Item = f64> {
        self.entries(|row, column| row < column)
    }

    /// The vectors, that of the oldest document first.
    pub(super) fn vectors(&self) -> impl DoubleEndedIterator<Item = &[f64]> {
        self.columns.iter().map(Vec::as_slice)
    }

    fn entries(&self, wanted: impl Fn(usize, usize) -> bool + Copy) -> impl Iterator<Item = f64> {
        let side = 1..=self.history;
        side.clone().flat_map(move |column| {
            side.clone().filter(move |&row| wanted(row, column)).filter_map(move |row| self.at(row, column))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Similarity of two documents as a number that names both: d(7) and d(4) give 7.04.
    fn named(document: usize, other: usize) -> f64 {
        document as f64 + other as f64 / 100.0
    }

    fn after(documents: usize, history: usize) -> Matrix {
        let mut matrix = Matrix::new(history);
        for document in 0..documents {
            let earlier = (document.saturating_sub(history)..document).rev();
            matrix.push(earlier.map(|other| named(document, other)).collect());
        }
        matrix
    }

    #[test]
    fn indices_are_those_of_the_specification() {
        // After document i = 9 with h = 3, s(j,k) compares d(6+k) with d(6+k-j).
        let matrix = after(10, 3);
        for (row, column) in (1..=3).flat_map(|row| (1..=3).map(move |column| (row, column))) {
            assert_eq!(matrix.at(row, column), Some(named(6 + column, 6 + column - row)));
        }
        assert_eq!([matrix.at(0, 1), matrix.at(1, 0), matrix.at(4, 1), matrix.at(1, 4)], [None; 4]);
        assert_eq!(matrix.newest(), [named(9, 8), named(9, 7), named(9, 6)]);
    }

    #[test]
    fn the_diagonal_belongs_to_the_lower_triangle() {
        let matrix = after(10, 3);
        // History d(7) d(8) d(9); before it d(4) d(5) d(6).
        assert_eq!(matrix.upper().collect::<Vec<_>>(), [named(8, 7), named(9, 8), named(9, 7)]);
        let lower: Vec<f64> = matrix.lower().collect();
        assert_eq!(lower, [(7, 6), (7, 5), (7, 4), (8, 6), (8, 5), (9, 6)].map(|(a, b)| named(a, b)));
    }

    #[test]
    fn it_is_full_when_the_oldest_of_the_history_has_a_whole_history() {
        assert!(!after(5, 3).is_full());
        assert!(after(6, 3).is_full());
        // After d(1), the history of three is d(0) d(1) and nothing before.
        let matrix = after(2, 3);
        assert_eq!([matrix.at(1, 3), matrix.at(2, 3), matrix.at(1, 2)], [Some(named(1, 0)), None, None]);
    }
}
