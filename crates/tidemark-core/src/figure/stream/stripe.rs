//! Figure 2: every document beside those of its history. A redesign is a dark triangle, an outlier a dark line.

use super::Recording;
use super::frame::{Frame, LEFT, TOP, counted, shade, shades};
use crate::figure::{Anchor, FAINT, Pixels, Svg, Words};

const WIDTH: f64 = 900.0;
/// Height of a row, if the stripe does not get too tall by it.
const ROW: f64 = 10.0;
const TALLEST: f64 = 400.0;

pub(super) fn draw(recording: &Recording, title: &str) -> Svg {
    let rows = recording.settings.history.max(1);
    let height = (ROW * rows as f64).clamp(60.0, TALLEST);
    let frame = Frame::new(recording, WIDTH, height);
    let mut svg = frame.begin(title, &about(recording));
    svg.rectangle((LEFT - 1.0, TOP - 1.0), (WIDTH + 2.0, height + 2.0), FAINT, "");
    svg.image((LEFT, TOP), (WIDTH, height), pixels(recording, rows));
    frame.lines(&mut svg, false);
    frame.lanes(&mut svg);
    shades(&mut svg, (LEFT + WIDTH + 60.0, TOP - 18.0));
    steps(&mut svg, rows, height);
    svg
}

/// How many documents back, beside the rows.
fn steps(svg: &mut Svg, rows: usize, height: f64) {
    let row = height / rows as f64;
    let faint = Words { anchor: Anchor::End, size: Some(11.0), colour: Some(FAINT), ..Words::default() };
    svg.words((LEFT - 8.0, TOP + (row / 2.0).max(5.0) + 4.0), faint, "1");
    if rows > 1 {
        svg.words((LEFT - 8.0, TOP + height - (row / 2.0).max(5.0) + 4.0), faint, &rows.to_string());
    }
    let turned = Words { anchor: Anchor::Middle, turned: true, ..Words::default() };
    svg.words((LEFT - 44.0, TOP + height / 2.0), turned, "documents");
    svg.words((LEFT - 30.0, TOP + height / 2.0), turned, "back");
}

fn pixels(recording: &Recording, rows: usize) -> Pixels {
    let bins = &recording.bins.bins;
    let mut pixels = Pixels::new(bins.len().max(1), rows, shade(None));
    for (x, bin) in bins.iter().enumerate() {
        (0..rows).for_each(|row| pixels.set(x, row, shade(bin.similarity(row))));
    }
    pixels
}

fn about(recording: &Recording) -> String {
    let (documents, history) = (counted(recording.documents), recording.settings.history);
    match recording.bins.width {
        1 => format!("Template similarity of {documents}, each to the {history} before it"),
        width => format!(
            "Template similarity of {documents}, each to the {history} before it; a column is the mean of {width}"
        ),
    }
}
