//! Figure 7: what each detector reads, and what it is held against, document by document.

use super::Recording;
use super::bins::{Bin, Extent};
use super::frame::{Frame, LEFT, LINES, TOP, colour, counted, small};
use crate::figure::{Anchor, FAINT, GRID, INK, Pair, Svg, Words};
use crate::redesign::Detector;

const WIDTH: f64 = 900.0;
/// Height of a panel, and of its curves.
const PANEL: f64 = 176.0;
const CURVES: f64 = 130.0;

pub(super) fn draw(recording: &Recording, title: &str) -> Svg {
    let detectors = &recording.settings.detectors;
    let height = PANEL * detectors.len().max(1) as f64;
    let frame = Frame::new(recording, WIDTH, height);
    let mut svg = frame.begin(title, &about(recording));
    for (at, &detector) in detectors.iter().enumerate() {
        panel(&mut svg, &frame, (at, detector), TOP + PANEL * at as f64 + PANEL - CURVES - 10.0);
    }
    frame.lanes(&mut svg);
    svg
}

fn panel(svg: &mut Svg, frame: &Frame<'_>, (at, detector): (usize, Detector), top: f64) {
    let y = |value: f64| top + CURVES * (1.0 - value.clamp(0.0, 1.0));
    for tick in [0.0, 0.5, 1.0] {
        svg.line((LEFT, y(tick)), (LEFT + WIDTH, y(tick)), GRID);
        svg.words((LEFT - 8.0, y(tick) + 4.0), small(Anchor::End, FAINT), &tick.to_string());
    }
    for found in frame.found().filter(|found| found.detector == detector).take(LINES) {
        let x = frame.x(found.first as f64);
        svg.line((x, top), (x, top + CURVES), colour(detector));
    }
    let bold = Words { anchor: Anchor::End, bold: true, size: Some(11.0), colour: Some(INK), turned: false };
    svg.words((LEFT - 8.0, top - 12.0), bold, detector.name());
    let (value, bound) = names(detector);
    legend(svg, (LEFT, top - 16.0), INK, value, false);
    legend(svg, (LEFT + WIDTH / 2.0, top - 16.0), FAINT, bound, true);
    let read = |of: fn(&(Detector, Extent, Extent)) -> Extent| curve(frame, detector, at, of, y);
    svg.curve(&read(|reading| reading.2), FAINT, true);
    svg.curve(&read(|reading| reading.1), INK, false);
}

/// Up and down between the smallest and the largest of each bin, which are one where a bin is a document.
fn curve(
    frame: &Frame<'_>,
    detector: Detector,
    at: usize,
    of: fn(&(Detector, Extent, Extent)) -> Extent,
    y: impl Fn(f64) -> f64,
) -> Vec<Pair> {
    let bins = &frame.recording.bins;
    let begins = begins(detector, frame.recording.settings.history as u64);
    let mut points = Vec::new();
    let late = bins.bins.iter().enumerate().filter(|(bin, _)| *bin as u64 * bins.width >= begins);
    for (bin, reading) in late.filter_map(|(bin, data): (usize, &Bin)| Some((bin, data.readings.get(at)?))) {
        let first = bin as f64 * bins.width as f64;
        let x = frame.x((first + bins.width as f64 / 2.0).min(frame.recording.documents as f64));
        let extent = of(reading);
        points.push((x, y(extent.high)));
        if extent.low < extent.high {
            points.push((x, y(extent.low)));
        }
    }
    points
}

/// The first document whose reading says something.
fn begins(detector: Detector, history: u64) -> u64 {
    match detector {
        Detector::MaxAvgDiff | Detector::Statistics => 2 * history - 1,
        Detector::NewAvgDrop => history,
        Detector::Cluster => 1,
        Detector::Tidemark => 0,
    }
}

fn names(detector: Detector) -> (&'static str, &'static str) {
    match detector {
        Detector::NewAvgDrop => ("average similarity of the new document", "below this: told"),
        Detector::MaxAvgDiff => (
            "maximum of the lower triangle: to documents before",
            "average of the upper triangle: to each other",
        ),
        Detector::Statistics => ("probability that both triangles have one mean", "below this: told"),
        Detector::Cluster => ("largest similarity to the history", "below this: a template of its own"),
        Detector::Tidemark => ("certainty of the likeliest redesign", "from this on: told"),
    }
}

fn legend(svg: &mut Svg, (x, y): Pair, colour: &str, name: &str, dashed: bool) {
    svg.curve(&[(x, y), (x + 24.0, y)], colour, dashed);
    svg.words((x + 30.0, y + 4.0), small(Anchor::Start, INK), name);
}

fn about(recording: &Recording) -> String {
    let documents = counted(recording.documents);
    match recording.bins.width {
        1 => format!("What was read from {documents}, history {}", recording.settings.history),
        width => format!(
            "What was read from {documents}, history {}; from the smallest to the largest of {width}",
            recording.settings.history
        ),
    }
}
