//! The cheapest way to give each row a column of its own.
//!
//! Source: Kuhn, *The Hungarian Method for the Assignment Problem* (1955), in the form with potentials that adds one row at a time
//! along a shortest path. Cost: O(rows² × columns) time, for at most as many rows as columns.
//! We differ: costs are whole numbers, so that no rounding can lead the search astray. Crates for it exist; none counts its steps
//! or can be told beforehand how many it takes, and this one is short.

/// A table of costs, row by row.
pub(super) struct Costs {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) values: Vec<i64>,
}

impl Costs {
    fn at(&self, row: usize, column: usize) -> i64 {
        self.values[row * self.columns + column]
    }
}

/// The column of each row. Needs at least as many columns as rows.
pub(super) fn assign(costs: &Costs) -> Vec<usize> {
    let mut state = State {
        costs,
        row_prices: vec![0; costs.rows],
        column_prices: vec![0; costs.columns],
        row_of: vec![None; costs.columns],
    };
    (0..costs.rows).for_each(|row| state.add(row));
    let mut columns = vec![0; costs.rows];
    for (column, row) in state.row_of.iter().enumerate() {
        if let Some(row) = row {
            columns[*row] = column;
        }
    }
    columns
}

/// Some rows have their columns already, as cheaply as possible; no pair costs less than the prices of its row and column.
struct State<'a> {
    costs: &'a Costs,
    row_prices: Vec<i64>,
    column_prices: Vec<i64>,
    row_of: Vec<Option<usize>>,
}

/// What is known of the way from the new row to a column.
#[derive(Clone, Copy)]
struct Way {
    slack: i64,
    /// The column before; none for the new row itself.
    from: Option<usize>,
    is_done: bool,
}

impl State<'_> {
    /// Adds a row: rows along the cheapest way to a free column hand their columns on.
    fn add(&mut self, new: usize) {
        let mut ways = vec![Way { slack: i64::MAX, from: None, is_done: false }; self.costs.columns];
        let (mut row, mut last) = (new, None);
        while let Some(column) = self.nearest(row, last, &mut ways) {
            self.pay(new, ways[column].slack, &mut ways);
            ways[column].is_done = true;
            last = Some(column);
            match self.row_of[column] {
                Some(next) => row = next,
                None => break,
            }
        }
        while let Some(column) = last {
            last = ways[column].from;
            self.row_of[column] = last.map_or(Some(new), |before| self.row_of[before]);
        }
    }

    /// Looks around from a row; the column with the least slack among those not done.
    fn nearest(&self, row: usize, from: Option<usize>, ways: &mut [Way]) -> Option<usize> {
        let mut nearest: Option<(i64, usize)> = None;
        for (column, way) in ways.iter_mut().enumerate().filter(|(_, way)| !way.is_done) {
            let slack = self.costs.at(row, column) - self.row_prices[row] - self.column_prices[column];
            if slack < way.slack {
                (way.slack, way.from) = (slack, from);
            }
            if nearest.is_none_or(|(least, _)| way.slack < least) {
                nearest = Some((way.slack, column));
            }
        }
        nearest.map(|(_, column)| column)
    }

    /// Raises prices so that the nearest column costs nothing more.
    fn pay(&mut self, new: usize, price: i64, ways: &mut [Way]) {
        self.row_prices[new] += price;
        for (column, way) in ways.iter_mut().enumerate() {
            match self.row_of[column] {
                Some(row) if way.is_done => {
                    self.row_prices[row] += price;
                    self.column_prices[column] -= price;
                }
                _ => way.slack -= price,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least cost, by trying everything.
    fn least(costs: &Costs, row: usize, taken: &mut Vec<usize>) -> i64 {
        if row == costs.rows {
            return 0;
        }
        let mut best = i64::MAX;
        for column in 0..costs.columns {
            if !taken.contains(&column) {
                taken.push(column);
                best = best.min(costs.at(row, column) + least(costs, row + 1, taken));
                taken.pop();
            }
        }
        best
    }

    fn check(rows: usize, columns: usize, values: Vec<i64>) {
        let costs = Costs { rows, columns, values };
        let assigned = assign(&costs);
        let mut distinct = assigned.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), rows, "each row has a column of its own");
        let total: i64 = assigned.iter().enumerate().map(|(row, &column)| costs.at(row, column)).sum();
        assert_eq!(total, least(&costs, 0, &mut Vec::new()), "{:?}", costs.values);
    }

    #[test]
    fn worked_by_hand() {
        let costs = Costs { rows: 3, columns: 3, values: vec![4, 1, 3, 2, 0, 5, 3, 2, 2] };
        assert_eq!(assign(&costs), [1, 0, 2]);
        check(0, 0, vec![]);
        check(0, 3, vec![]);
        check(1, 3, vec![5, 2, 2]);
    }

    #[test]
    fn the_cheapest_of_all_is_found() {
        let mut seed = 7u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for round in 0..2000 {
            let rows = next(5) as usize + 1;
            let columns = rows + next(3) as usize;
            let below = if round % 2 == 0 { 4 } else { 1 << 30 };
            check(rows, columns, (0..rows * columns).map(|_| next(below).cast_signed()).collect());
        }
    }
}
