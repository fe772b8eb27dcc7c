//! The signature matrix: versions × segments.
//!
//! Source: `CaSePer`, equations 8 to 11. Cost: a row holds one signature for each segment of its version; a query looks through the window.
//! A content is *new* only if no earlier version in the window had it (equation 11, multi-hop): a page that goes to and fro between two states shows
//! something new once, and then flips. We differ: the newest row is the last, not the first, for rows are only ever added; a column
//! may begin late, be empty and go on; what a column has been through is counted beyond the window.

use super::Column;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Signatures of the last versions of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignatureMatrix {
    pub(super) window: usize,
    pub(super) rows: VecDeque<Row>,
    pub(super) places: Vec<Place>,
    /// Versions ever added.
    pub(super) versions: u64,
}

/// One version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Signatures by column, in the order of the columns, the frame first.
    pub cells: Vec<(Column, u128)>,
    /// Columns that went to another place on the page.
    pub moved: Vec<Column>,
}

/// What a column has been through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The column.
    pub column: Column,
    /// Number of the version that had it first.
    pub first: u64,
    /// Number of the version that had it last.
    pub last: u64,
    /// Versions that had it.
    pub seen: u64,
    /// Times its content was new, the first time not counted.
    pub news: u64,
    /// Times its content was one it had before.
    pub flips: u64,
    /// Number of the version its present content came with.
    pub since: u64,
}

/// What became of a segment with a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// As it was.
    Same,
    /// The column begins: a block that was not there.
    Opened,
    /// A content that no earlier version had.
    New,
    /// A content that it had before, last with the version of this number.
    Flip(u64),
    /// The block is gone: an empty cell.
    Lost,
    /// The block is there again, with a content it had before, last with the version of this number.
    Back(u64),
}

impl Fate {
    /// Whether the segment is not as it was in the version before.
    pub fn is_change(self) -> bool {
        self != Self::Same
    }
}

/// Rows that are kept if nobody says otherwise.
pub const WINDOW: usize = 64;

impl Default for SignatureMatrix {
    fn default() -> Self {
        Self::with_window(WINDOW)
    }
}

impl SignatureMatrix {
    /// A matrix without rows that will keep so many, at least two.
    pub fn with_window(window: usize) -> Self {
        Self { window: window.max(2), rows: VecDeque::new(), places: Vec::new(), versions: 0 }
    }

    /// Adds a version; what became of each column with it.
    pub fn append(&mut self, row: Row) -> Vec<(Column, Fate)> {
        let number = self.versions;
        let fates = self.fates_of(&row);
        for &(column, fate) in &fates {
            self.note(column, fate, number);
        }
        self.rows.push_back(row);
        self.versions = self.versions.saturating_add(1);
        if self.rows.len() > self.window {
            self.rows.pop_front();
            let oldest = self.versions.saturating_sub(self.rows.len() as u64);
            self.places.retain(|place| place.last >= oldest);
        }
        fates
    }

    /// The versions in the window with their numbers, oldest first.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = (u64, &Row)> + ExactSizeIterator {
        let oldest = self.versions.saturating_sub(self.rows.len() as u64);
        self.rows.iter().enumerate().map(move |(at, row)| (oldest.saturating_add(at as u64), row))
    }

    /// Every column that a version in the window has, with what it has been through.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The cell of a column in a version of the window.
    pub fn cell(&self, version: u64, column: Column) -> Option<u128> {
        let oldest = self.versions.saturating_sub(self.rows.len() as u64);
        let row = self.rows.get(usize::try_from(version.checked_sub(oldest)?).ok()?)?;
        row.cell(column)
    }

    /// Versions ever added, those before the window included.
    pub fn versions(&self) -> u64 {
        self.versions
    }

    /// Changes of a column per version since it began, in [0, 1]: how restless a place is.
    pub fn volatility(&self, column: Column) -> Option<f64> {
        self.place(column).map(Place::volatility)
    }

    /// What a column has been through.
    pub fn place(&self, column: Column) -> Option<&Place> {
        let at = self.places.binary_search_by_key(&column, |place| place.column).ok()?;
        Some(&self.places[at])
    }

    /// What a version would bring: all columns of it and of the one before, in order.
    pub fn fates_of(&self, row: &Row) -> Vec<(Column, Fate)> {
        let before = self.rows.back();
        let mut fates: Vec<(Column, Fate)> =
            row.cells.iter().map(|&(column, signature)| (column, self.fate(column, signature))).collect();
        let lost = before.into_iter().flat_map(|before| &before.cells);
        fates.extend(
            lost.filter(|(column, _)| row.cell(*column).is_none()).map(|&(column, _)| (column, Fate::Lost)),
        );
        fates.sort_unstable_by_key(|&(column, _)| column);
        fates
    }

    /// Equation 11.
    fn fate(&self, column: Column, signature: u128) -> Fate {
        let last = self.rows.back().and_then(|row| row.cell(column));
        if last == Some(signature) {
            return Fate::Same;
        }
        let had = self.rows().rev().find(|(_, row)| row.cell(column) == Some(signature));
        match (last, had, self.place(column)) {
            (Some(_), Some((version, _)), _) => Fate::Flip(version),
            (None, Some((version, _)), _) => Fate::Back(version),
            (None, None, None) => Fate::Opened,
            (_, None, _) => Fate::New,
        }
    }

    fn note(&mut self, column: Column, fate: Fate, number: u64) {
        let at = self.places.binary_search_by_key(&column, |place| place.column);
        let at = at.unwrap_or_else(|at| {
            let fresh =
                Place { column, first: number, last: number, seen: 0, news: 0, flips: 0, since: number };
            self.places.insert(at, fresh);
            at
        });
        let place = &mut self.places[at];
        match fate {
            Fate::Lost => return,
            Fate::New => place.news += 1,
            Fate::Flip(_) | Fate::Back(_) => place.flips += 1,
            Fate::Same | Fate::Opened => {}
        }
        if fate.is_change() {
            place.since = number;
        }
        place.seen += 1;
        place.last = number;
    }
}

impl Place {
    /// Changes per version since it began, in [0, 1]: how restless it is.
    pub fn volatility(&self) -> f64 {
        let steps = self.last.saturating_sub(self.first);
        if steps == 0 { 0.0 } else { (self.news + self.flips) as f64 / steps as f64 }
    }
}

impl Row {
    /// The signature of a column.
    pub fn cell(&self, column: Column) -> Option<u128> {
        let at = self.cells.binary_search_by_key(&column, |cell| cell.0).ok()?;
        Some(self.cells[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, Fate, Row, SignatureMatrix};

    fn row(cells: &[(u32, u128)]) -> Row {
        Row { cells: cells.iter().map(|&(column, cell)| (Column(column), cell)).collect(), moved: Vec::new() }
    }

    fn fates(matrix: &mut SignatureMatrix, cells: &[(u32, u128)]) -> Vec<Fate> {
        matrix.append(row(cells)).into_iter().map(|(_, fate)| fate).collect()
    }

    #[test]
    fn equation_11_a_flip_is_not_news() {
        let mut matrix = SignatureMatrix::default();
        assert_eq!(fates(&mut matrix, &[(1, 10)]), [Fate::Opened]);
        assert_eq!(fates(&mut matrix, &[(1, 11)]), [Fate::New]);
        assert_eq!(fates(&mut matrix, &[(1, 10)]), [Fate::Flip(0)]);
        assert_eq!(fates(&mut matrix, &[(1, 11)]), [Fate::Flip(1)]);
        assert_eq!(fates(&mut matrix, &[(1, 11)]), [Fate::Same]);
        assert_eq!(fates(&mut matrix, &[(1, 12)]), [Fate::New]);
        let place = matrix.place(Column(1)).unwrap();
        assert_eq!((place.news, place.flips, place.since, place.seen), (2, 2, 5, 6));
        assert!((matrix.volatility(Column(1)).unwrap() - 0.8).abs() < 1e-9);
    }

    #[test]
    fn a_lost_block_leaves_an_empty_cell_and_can_come_back() {
        let mut matrix = SignatureMatrix::default();
        fates(&mut matrix, &[(1, 10), (2, 20)]);
        assert_eq!(fates(&mut matrix, &[(2, 20)]), [Fate::Lost, Fate::Same]);
        assert_eq!(matrix.cell(1, Column(1)), None);
        assert_eq!(fates(&mut matrix, &[(2, 20), (3, 30)]), [Fate::Same, Fate::Opened]);
        assert_eq!(fates(&mut matrix, &[(1, 10), (2, 20), (3, 30)]), [Fate::Back(0), Fate::Same, Fate::Same]);
    }

    #[test]
    fn the_window_bounds_what_is_kept() {
        let mut matrix = SignatureMatrix::with_window(4);
        for version in 0..100u32 {
            matrix.append(row(&[(0, u128::from(version)), (1 + version, 7)]));
        }
        assert_eq!((matrix.rows().len(), matrix.versions()), (4, 100));
        assert_eq!(matrix.places().len(), 5);
        assert_eq!(matrix.place(Column(0)).unwrap().news, 99);
        assert_eq!(matrix.cell(96, Column(97)), Some(7));
        assert_eq!(matrix.cell(95, Column(96)), None);
    }
}
