//! What the colours of a picture mean.

use super::{Anchor, Svg, Words};

/// A colour and its meaning.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The colour.
    pub colour: &'a str,
    /// A sign in the cell, or nothing.
    pub sign: &'a str,
    /// What it means.
    pub name: &'a str,
}

/// Side of a cell.
const CELL: f64 = 14.0;
/// Room for a letter.
const LETTER: f64 = 6.6;

/// Draws entries from left to right; how wide they are together.
pub fn legend(svg: &mut Svg, (x, y): (f64, f64), entries: &[Entry<'_>]) -> f64 {
    let mut at = x;
    for entry in entries {
        svg.rectangle((at, y), (CELL, CELL), super::GRID, "");
        svg.rectangle((at + 0.5, y + 0.5), (CELL - 1.0, CELL - 1.0), entry.colour, "");
        sign(svg, (at + CELL / 2.0, y + CELL / 2.0), CELL, entry.sign);
        svg.words((at + CELL + 6.0, y + 11.0), Words::default(), entry.name);
        at += CELL + 24.0 + LETTER * entry.name.chars().count() as f64;
    }
    at - x
}

/// A sign in the middle of a cell.
pub(super) fn sign(svg: &mut Svg, (x, y): (f64, f64), size: f64, sign: &str) {
    if !sign.is_empty() {
        let look = Words {
            anchor: Anchor::Middle,
            size: Some(size * 0.75),
            colour: Some("#ffffff"),
            ..Words::default()
        };
        svg.words((x, y + size * 0.27), look, sign);
    }
}
