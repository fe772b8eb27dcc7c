//! What the pictures of a stream have in common: title, axis of documents, a lane of detections for each detector, shades.

use super::Recording;
use crate::figure::{Anchor, COLOURS, FAINT, GRID, Pair, Pixels, Svg, Words, whole};
use crate::redesign::{Detection, Detector};
use crate::render::outline::shortened;

/// Room above the data.
pub(super) const TOP: f64 = 74.0;
/// Room to the left of it, for names.
pub(super) const LEFT: f64 = 124.0;
/// Room to the right, for the last label.
pub(super) const RIGHT: f64 = 76.0;
/// Height of the axis below the data, of a lane, and of the legend.
const AXIS: f64 = 44.0;
const LANE: f64 = 20.0;
const LEGEND: f64 = 40.0;
/// Tallest bar of a lane.
const BAR: f64 = 14.0;
/// Most detections that are drawn in a lane, and most that are drawn through the data.
const MOST: usize = 200;
pub(super) const LINES: usize = 40;
/// Where nothing was compared.
const NOTHING: [u8; 3] = [0xfb, 0xf1, 0xdc];
/// The darkest shade; the brightest is white.
const DARK: [u8; 3] = [0x16, 0x1c, 0x2c];

/// Where the data of a picture lie: documents from left to right.
pub(super) struct Frame<'a> {
    pub(super) recording: &'a Recording,
    pub(super) size: Pair,
}

impl<'a> Frame<'a> {
    pub(super) fn new(recording: &'a Recording, width: f64, height: f64) -> Self {
        Self { recording, size: (width, height) }
    }

    /// An empty picture with title and axis, lanes and legend below the data.
    pub(super) fn begin(&self, title: &str, about: &str) -> Svg {
        let lanes = self.recording.settings.detectors.len() as f64;
        let height = TOP + self.size.1 + AXIS + LANE * lanes + LEGEND;
        let mut svg = begin((LEFT + self.size.0 + RIGHT, height), title, about);
        self.axis(&mut svg);
        svg
    }

    /// Where a document begins.
    pub(super) fn x(&self, document: f64) -> f64 {
        LEFT + self.size.0 * document / (self.recording.documents.max(1) as f64)
    }

    /// Lines through the data where a new template begins.
    pub(super) fn lines(&self, svg: &mut Svg, also_across: bool) {
        for found in self.found().take(LINES) {
            let x = self.x(found.first as f64);
            let colour = colour(found.detector);
            svg.line((x, TOP), (x, TOP + self.size.1 + 6.0), colour);
            if also_across {
                let y = TOP + x - LEFT;
                svg.line((LEFT - 6.0, y), (LEFT + self.size.0, y), colour);
            }
        }
    }

    /// A lane for each detector: a bar for each detection, as tall as it is sure.
    pub(super) fn lanes(&self, svg: &mut Svg) {
        for (lane, &detector) in self.recording.settings.detectors.iter().enumerate() {
            let floor = TOP + self.size.1 + AXIS + LANE * (lane as f64 + 1.0) - 4.0;
            svg.words((LEFT - 10.0, floor - 2.0), small(Anchor::End, colour(detector)), detector.name());
            svg.line((LEFT, floor), (LEFT + self.size.0, floor), GRID);
            self.bars(svg, detector, floor);
        }
        let y = TOP + self.size.1 + AXIS + LANE * self.recording.settings.detectors.len() as f64 + 22.0;
        let told = "bar: the first document of a new template, as tall as the detection is certain; beside it both as numbers";
        svg.words((LEFT, y), small(Anchor::Start, FAINT), told);
    }

    fn bars(&self, svg: &mut Svg, detector: Detector, floor: f64) {
        let mut free = f64::NEG_INFINITY;
        for found in self.found().filter(|found| found.detector == detector).take(MOST) {
            let (x, height) = (self.x(found.first as f64), BAR * found.certainty.clamp(0.0, 1.0));
            let told = format!("{}: {:.2}", found.first + 1, found.certainty);
            let title = format!(
                "{detector}: from document {} on, told after {}, certainty {:.2}",
                found.first + 1,
                found.delay(),
                found.certainty
            );
            svg.rectangle((x - 2.0, floor - height), (4.0, height), colour(detector), &title);
            if x > free {
                svg.words((x + 5.0, floor - 2.0), small(Anchor::Start, colour(detector)), &told);
                free = x + 12.0 + 6.5 * told.len() as f64;
            }
        }
    }

    /// Numbers of documents, counted from 1.
    fn axis(&self, svg: &mut Svg) {
        let y = TOP + self.size.1;
        let documents = self.recording.documents;
        let every = every(documents);
        for document in (0..).map(|tick| tick * every).take_while(|&document| document <= documents) {
            let number = document.max(1);
            let x = self.x(number as f64 - 0.5);
            svg.line((x, y), (x, y + 4.0), FAINT);
            svg.words((x, y + 17.0), small(Anchor::Middle, FAINT), &number.to_string());
        }
        let name = Words { anchor: Anchor::Middle, ..Words::default() };
        svg.words((LEFT + self.size.0 / 2.0, y + 34.0), name, "document");
    }

    /// What is to be marked.
    pub(super) fn found(&self) -> impl Iterator<Item = &'a Detection> {
        let told = &self.recording.settings.detectors;
        self.recording.findings.all().iter().filter(|found| told.contains(&found.detector))
    }
}

/// An empty picture with a title and what is to be said about it.
pub(super) fn begin((width, height): Pair, title: &str, about: &str) -> Svg {
    let mut svg = Svg::new(width, height, title);
    let bold = Words { size: Some(17.0), bold: true, ..Words::default() };
    svg.words((16.0, 28.0), bold, &shortened(title, whole(width / 11.0)));
    svg.words((16.0, 49.0), Words { colour: Some(FAINT), ..Words::default() }, about);
    svg
}

/// The shades and what they mean, ending at a point on the right.
pub(super) fn shades(svg: &mut Svg, (right, y): Pair) {
    let mut pixels = Pixels::new(64, 1, [0; 3]);
    for x in 0..64 {
        pixels.set(x, 0, shade(Some(x as f64 / 63.0)));
    }
    let left = right - 330.0;
    svg.words((left, y + 10.0), small(Anchor::End, FAINT), "similarity 0");
    svg.rectangle((left + 6.0, y), (130.0, 12.0), FAINT, "");
    svg.image((left + 7.0, y + 1.0), (128.0, 10.0), pixels);
    svg.words((left + 142.0, y + 10.0), small(Anchor::Start, FAINT), "1");
    let [red, green, blue] = NOTHING;
    svg.rectangle((left + 164.0, y), (14.0, 12.0), FAINT, "");
    svg.rectangle((left + 165.0, y + 1.0), (12.0, 10.0), &format!("#{red:02x}{green:02x}{blue:02x}"), "");
    svg.words((left + 184.0, y + 10.0), small(Anchor::Start, FAINT), "nothing to compare with");
}

/// The brighter, the more similar.
pub(super) fn shade(similarity: Option<f64>) -> [u8; 3] {
    let Some(similarity) = similarity else { return NOTHING };
    let share = similarity.clamp(0.0, 1.0);
    DARK.map(|dark| whole(f64::from(dark) + (255.0 - f64::from(dark)) * share) as u8)
}

/// The colour of a detector.
pub(super) fn colour(detector: Detector) -> &'static str {
    match detector {
        Detector::NewAvgDrop => COLOURS[4],
        Detector::MaxAvgDiff => COLOURS[0],
        Detector::Statistics => COLOURS[2],
        Detector::Cluster => COLOURS[3],
        Detector::Tidemark => COLOURS[1],
    }
}

pub(super) fn small(anchor: Anchor, colour: &str) -> Words<'_> {
    Words { anchor, size: Some(11.0), colour: Some(colour), ..Words::default() }
}

/// "1 document", "2 documents".
pub(super) fn counted(documents: u64) -> String {
    if documents == 1 { "1 document".to_owned() } else { format!("{documents} documents") }
}

/// The distance of ticks: 1, 2 or 5 times a power of ten, ten of them or fewer.
fn every(documents: u64) -> u64 {
    let powers = (0..19).map(|power| 10_u64.pow(power));
    let steps = powers.flat_map(|power| [1, 2, 5].map(|factor| power.saturating_mul(factor)));
    steps.into_iter().find(|&step| documents / step <= 10).unwrap_or(u64::MAX)
}
