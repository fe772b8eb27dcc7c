//! Figure 5: the matrix of the history where a redesign fills it. The lower triangle (1) compares with documents before, the upper (2) with
//! each other: dark below and bright above is a redesign.

use super::Recording;
use super::frame::{begin, colour, shade, shades, small};
use super::squares::Square;
use crate::figure::{Anchor, COLOURS, FAINT, Pair, Pixels, Svg, Words};

const SIDE: f64 = 220.0;
/// From one square to the next, and down to the next row without what detectors say.
const STEP: Pair = (290.0, 310.0);
/// Height of a line of words.
const LINE: f64 = 15.0;
const CORNER: Pair = (64.0, 104.0);
/// Squares beside each other.
const BESIDE: usize = 4;

pub(super) fn draw(recording: &Recording, title: &str) -> Svg {
    let squares = recording.squares.all();
    let across = squares.len().clamp(2, BESIDE);
    let down = squares.len().div_ceil(BESIDE).max(1);
    let step = (STEP.0, STEP.1 + LINE * recording.settings.detectors.len() as f64);
    let size = (CORNER.0 + step.0 * across as f64, CORNER.1 + step.1 * down as f64);
    let mut svg = begin(size, title, &about(recording, squares.len()));
    shades(&mut svg, (440.0, 64.0));
    for (at, square) in squares.iter().enumerate() {
        let place = (step.0 * (at % BESIDE) as f64, step.1 * (at / BESIDE) as f64);
        svg.open(CORNER.0 + place.0, CORNER.1 + place.1);
        panel(&mut svg, recording, square);
        svg.close();
    }
    svg
}

fn panel(svg: &mut Svg, recording: &Recording, square: &Square) {
    let rows = recording.settings.history.max(1);
    svg.rectangle((-1.0, -1.0), (SIDE + 2.0, SIDE + 2.0), FAINT, "");
    svg.image((0.0, 0.0), (SIDE, SIDE), pixels(square, rows));
    stairs(svg, rows);
    let mark = Words {
        anchor: Anchor::Middle,
        size: Some(17.0),
        bold: true,
        colour: Some(COLOURS[1]),
        turned: false,
    };
    svg.words((SIDE * 0.3, SIDE * 0.75), mark, "(1)");
    svg.words((SIDE * 0.75, SIDE * 0.3), mark, "(2)");
    let last = square.last + 1;
    let first = last.saturating_sub(rows as u64 - 1).max(1);
    svg.words(
        (SIDE / 2.0, SIDE + 16.0),
        small(Anchor::Middle, FAINT),
        &format!("documents {first} to {last}"),
    );
    let turned = Words {
        anchor: Anchor::Middle,
        turned: true,
        size: Some(11.0),
        colour: Some(FAINT),
        ..Words::default()
    };
    svg.words((-10.0, SIDE / 2.0), turned, &format!("{rows} to 1 documents back"));
    captions(svg, recording, square);
}

fn captions(svg: &mut Svg, recording: &Recording, square: &Square) {
    let numbers = |lower: bool| square.triangle(lower);
    let before = numbers(true)
        .map_or("nothing".to_owned(), |(most, mean)| format!("mean {mean:.2}, largest {most:.2}"));
    let inside = numbers(false).map_or("nothing".to_owned(), |(_, mean)| format!("mean {mean:.2}"));
    svg.words((0.0, SIDE + 38.0), small(Anchor::Start, FAINT), &format!("(1) to documents before: {before}"));
    svg.words((0.0, SIDE + 53.0), small(Anchor::Start, FAINT), &format!("(2) to each other: {inside}"));
    let found = recording.findings.all().iter();
    let found = found.filter(|found| Some(found.first) == square.first);
    let shown = found.take(recording.settings.detectors.len());
    for (at, found) in shown.enumerate() {
        let told =
            format!("redesign at {}: {}, certainty {:.2}", found.first + 1, found.detector, found.certainty);
        svg.words((0.0, SIDE + 68.0 + LINE * at as f64), small(Anchor::Start, colour(found.detector)), &told);
    }
}

/// The border between the triangles: the diagonal belongs to the lower one.
fn stairs(svg: &mut Svg, rows: usize) {
    let cell = SIDE / rows as f64;
    let corners = (0..=rows).flat_map(|at| {
        let (here, next) = (cell * at as f64, cell * (at + 1).min(rows) as f64);
        [(here, here), (next, here)]
    });
    svg.curve(&corners.collect::<Vec<_>>(), COLOURS[1], false);
}

/// Row 1, the document just before, is at the top, as in the paper.
fn pixels(square: &Square, rows: usize) -> Pixels {
    let mut pixels = Pixels::new(rows, rows, shade(None));
    for (row, column) in (0..rows).flat_map(|row| (0..rows).map(move |column| (row, column))) {
        pixels.set(column, row, shade(square.at(row + 1, column + 1)));
    }
    pixels
}

fn about(recording: &Recording, shown: usize) -> String {
    let history = recording.settings.history;
    let left_out = recording.squares.seen.saturating_sub(shown);
    let base = format!("The last {history} documents, beside each other and beside those before");
    if left_out > 0 { format!("{base}; {left_out} more redesigns are left out") } else { base }
}
