//! A track as a picture: versions from left to right, segments from top to bottom, a cell for each, and how restless each segment is.
//!
//! Cost: linear in the cells. Versions in a row that are the same are one rectangle, so a calm page is a small picture.

use super::legend::sign;
use super::{Anchor, COLOURS, Entry, FAINT, GRID, Svg, Words, legend};
use crate::render::outline::shortened;
use crate::segment::sign::Sign;
use crate::segment::track::Strip;
use crate::segment::{Column, Track};
use std::ops::Range;

/// Most segments that are drawn, the frame included.
const MOST: usize = 400;
/// Room above the cells, below them, for the labels, and for the bars.
const HEAD: f64 = 92.0;
const FOOT: f64 = 56.0;
const LEFT: f64 = 330.0;
const RIGHT: f64 = 150.0;
/// Height of a row, and how much of it a cell takes.
const ROW: f64 = 18.0;
const CELL: f64 = 14.0;
/// Width of all cells together, if they are neither too wide nor too narrow for it.
const CELLS: f64 = 720.0;
/// Longest bar of volatility.
const BAR: f64 = 80.0;
/// Smallest picture that has room for its legend.
const NARROWEST: f64 = 860.0;

/// Draws a track. The versions are called by their names.
pub fn picture(track: &Track, title: &str, names: &[String]) -> String {
    let strips = &track.strips()[..track.strips().len().min(MOST)];
    let plan = Plan::new(track, strips.len(), names);
    let mut svg = Svg::new(plan.width(), plan.height(), title);
    plan.head(&mut svg, track, title);
    for (at, strip) in strips.iter().enumerate() {
        plan.row(&mut svg, HEAD + ROW * at as f64, strip);
    }
    let left_out = track.strips().len() - strips.len();
    if left_out > 0 {
        let told = format!("and {left_out} more segments");
        svg.words((16.0, plan.height() - FOOT + 10.0), faint(Anchor::Start), &told);
    }
    let entries = Sign::ALL.map(|of| Entry { colour: colour(of), sign: mark(of), name: of.name() });
    legend(&mut svg, (16.0, plan.height() - 30.0), &entries);
    svg.finish()
}

/// Where things are.
struct Plan<'a> {
    rows: usize,
    versions: usize,
    /// Width of a version.
    step: f64,
    names: &'a [String],
}

impl<'a> Plan<'a> {
    fn new(track: &Track, rows: usize, names: &'a [String]) -> Self {
        let versions = track.versions();
        let step = (CELLS / versions.max(1) as f64).clamp(4.0, ROW);
        Self { rows, versions, step, names }
    }

    fn width(&self) -> f64 {
        (LEFT + self.cells() + RIGHT).max(NARROWEST)
    }

    fn height(&self) -> f64 {
        HEAD + ROW * self.rows as f64 + FOOT
    }

    fn cells(&self) -> f64 {
        self.step * self.versions as f64
    }

    fn head(&self, svg: &mut Svg, track: &Track, title: &str) {
        let bold = Words { size: Some(17.0), bold: true, ..Words::default() };
        svg.words((16.0, 28.0), bold, &shortened(title, 90));
        svg.words((16.0, 48.0), faint(Anchor::Start), &about(track));
        svg.words((LEFT - 10.0, HEAD - 10.0), faint(Anchor::End), "version");
        svg.words((LEFT + self.cells() + 12.0, HEAD - 10.0), faint(Anchor::Start), "changes per version");
        let every = [1, 2, 5, 10, 20, 50].into_iter().find(|&every: &usize| every as f64 * self.step >= ROW);
        let every = every.unwrap_or(100);
        for version in (0..self.versions).filter(|version| (version + 1) % every == 0) {
            let x = LEFT + self.step * (version as f64 + 0.5);
            svg.words((x, HEAD - 10.0), faint(Anchor::Middle), &(version + 1).to_string());
        }
    }

    fn row(&self, svg: &mut Svg, y: f64, strip: &Strip) {
        let (number, label) = label(strip);
        svg.words((40.0, y + 11.5), faint(Anchor::End), &number);
        svg.words((50.0, y + 11.5), Words { size: Some(11.0), ..Words::default() }, &label);
        svg.line((LEFT, y + CELL / 2.0), (LEFT + self.cells(), y + CELL / 2.0), GRID);
        for (run, sign) in runs(strip) {
            self.cell(svg, y, run, sign);
        }
        let volatility = strip.place.volatility();
        let x = LEFT + self.cells() + 12.0;
        svg.rectangle((x, y + 3.0), (BAR * volatility, CELL - 6.0), COLOURS[1], "");
        svg.words(
            (x + BAR * volatility + 6.0, y + 11.5),
            faint(Anchor::Start),
            &format!("{:.0} %", 100.0 * volatility),
        );
    }

    fn cell(&self, svg: &mut Svg, y: f64, run: Range<usize>, of: Sign) {
        let (x, count) = (LEFT + self.step * run.start as f64, run.len() as f64);
        let gap = if self.step >= 8.0 { 1.0 } else { 0.5 };
        let name = |version: usize| self.names.get(version).map_or("", String::as_str);
        let title = match run.len() {
            1 => format!("{} {}: {}", run.start + 1, name(run.start), of.name()),
            _ => format!(
                "{} {} to {} {}: {}",
                run.start + 1,
                name(run.start),
                run.end,
                name(run.end - 1),
                of.name()
            ),
        };
        svg.rectangle((x + gap, y), (self.step * count - 2.0 * gap, CELL), colour(of), &title);
        if self.step >= 12.0 {
            sign(svg, (x + self.step / 2.0, y + CELL / 2.0), CELL, mark(of));
        }
    }
}

/// Runs of versions that are drawn as one: the same for a while, or one with a sign of its own.
fn runs(strip: &Strip) -> Vec<(Range<usize>, Sign)> {
    let mut runs: Vec<(Range<usize>, Sign)> = Vec::new();
    for (version, mark) in strip.marks.iter().enumerate() {
        match (runs.last_mut(), mark.sign()) {
            (_, Sign::Empty) => {}
            (Some((run, Sign::Same)), Sign::Same) if run.end == version => run.end += 1,
            (_, sign) => runs.push((version..version + 1, sign)),
        }
    }
    runs
}

fn label(strip: &Strip) -> (String, String) {
    match (&strip.label, strip.column) {
        (_, Column::FRAME) => ("0".to_owned(), "(the frame that holds the segments)".to_owned()),
        (None, column) => (column.0.to_string(), String::new()),
        (Some(label), column) if label.words.is_empty() => {
            (column.0.to_string(), shortened(&label.place, 44))
        }
        (Some(label), column) => (column.0.to_string(), shortened(&label.words, 44)),
    }
}

fn about(track: &Track) -> String {
    let measures = track.measures();
    let told = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1}"));
    format!(
        "{} versions, {} segments a version, {} of them modified a change, {} % ruled out by their signatures",
        measures.versions,
        told(measures.mean_segments()),
        told(measures.mean_modified()),
        told(measures.step.excluded().map(|share| 100.0 * share)),
    )
}

fn colour(of: Sign) -> &'static str {
    match of {
        Sign::Same => "#d3dde6",
        Sign::New => COLOURS[1],
        Sign::Flip => COLOURS[0],
        Sign::Back => COLOURS[2],
        Sign::Moved => COLOURS[3],
        Sign::Empty => "#ffffff",
    }
}

fn mark(of: Sign) -> &'static str {
    match of {
        Sign::Same | Sign::Empty => "",
        Sign::New => "●",
        Sign::Flip => "↔",
        Sign::Back => "↩",
        Sign::Moved => "→",
    }
}

fn faint(anchor: Anchor) -> Words<'static> {
    Words { anchor, size: Some(11.0), colour: Some(FAINT), ..Words::default() }
}
