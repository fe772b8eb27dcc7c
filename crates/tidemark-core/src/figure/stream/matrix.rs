//! Figure 1: every document beside every other. A redesign cuts the bright square in two.

use super::Recording;
use super::frame::{Frame, LEFT, TOP, counted, shade, shades};
use crate::figure::{Anchor, FAINT, Pixels, Svg, Words};

/// Side of the matrix.
const SIDE: f64 = 600.0;

pub(super) fn draw(recording: &Recording, title: &str) -> Svg {
    let frame = Frame::new(recording, SIDE, SIDE);
    let mut svg = frame.begin(title, &about(recording));
    svg.rectangle((LEFT - 1.0, TOP - 1.0), (SIDE + 2.0, SIDE + 2.0), FAINT, "");
    svg.image((LEFT, TOP), (SIDE, SIDE), pixels(recording));
    frame.lines(&mut svg, true);
    frame.lanes(&mut svg);
    shades(&mut svg, (LEFT + SIDE + 60.0, TOP - 18.0));
    let turned = Words { anchor: Anchor::Middle, turned: true, ..Words::default() };
    svg.words((LEFT - 20.0, TOP + SIDE / 2.0), turned, "document");
    svg
}

fn pixels(recording: &Recording) -> Pixels {
    let sample = &recording.sample;
    let mut pixels = Pixels::new(sample.len().max(1), sample.len().max(1), shade(None));
    for one in 0..sample.len() {
        for other in 0..=one {
            let colour = shade(Some(sample.similarity(one, other)));
            pixels.set(one, other, colour);
            pixels.set(other, one, colour);
        }
    }
    pixels
}

fn about(recording: &Recording) -> String {
    let documents = counted(recording.documents);
    match recording.sample.every {
        1 => format!("Template similarity of {documents}, each beside each"),
        every => format!("Template similarity of {documents}; one of {every} is shown"),
    }
}
