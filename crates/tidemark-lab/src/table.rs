//! Tables as text: the first column to the left, numbers to the right.

use std::fmt;

/// Rows under a heading.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with its heading.
    pub fn new<const N: usize>(heading: [&str; N]) -> Self {
        Self { rows: vec![heading.map(str::to_owned).to_vec()] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cells = |column| self.rows.iter().filter_map(move |row| row.get(column));
        (0..columns).map(|column| cells(column).map(|cell| cell.chars().count()).max().unwrap_or(0)).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
                0 => format!("{cell:<width$}"),
                _ => format!("  {cell:>width$}"),
            });
            let line: String = cells.collect();
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A whole number with its thousands apart, as in `12 345`.
pub fn grouped(number: impl ToString + Copy) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// One number as a share of another, `-` where there is nothing to share.
pub fn share(part: usize, whole: usize) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.3}", part as f64 / whole as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(["name", "bytes"]);
        table.row(["a".to_owned(), grouped(1_234_567)]);
        table.row(["lööng".to_owned(), grouped(12)]);
        assert_eq!(table.to_string(), "name       bytes\na      1 234 567\nlööng         12\n");
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1000, 100_000].map(grouped), ["0", "999", "1 000", "100 000"]);
    }

    #[test]
    fn a_share_of_nothing_is_no_number() {
        assert_eq!([share(1, 4), share(1, 0)], ["0.250", "-"]);
    }
}
