//! Line charts as SVG: a few panels with a common legend, numbers of any magnitude on the x axis.

use crate::table::grouped;
use tidemark_core::figure::{Anchor, COLOURS, GRID, INK, Scale, Svg, Words};

/// Panels under one title.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What is shown.
    pub title: String,
    /// What the x axes count; they are logarithmic.
    pub x_label: String,
    /// What the y axes count; they are linear and begin at zero.
    pub y_label: String,
    /// The panels; all have series of the same names in the same order.
    pub panels: Vec<Panel>,
}

/// Lines in one frame.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What is special about this one.
    pub title: String,
    /// The lines.
    pub series: Vec<Series>,
}

/// One line.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Number of its colour; there are six.
    pub colour: usize,
    /// Whether it is drawn in dashes.
    pub dashed: bool,
    /// Its points from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Two panels in a row.
const COLUMNS: usize = 2;
/// Size of a panel, and of the frame in it with its distance from the panel's corner.
const PANEL: (f64, f64) = (460.0, 280.0);
const FRAME: (f64, f64, f64, f64) = (64.0, 36.0, 356.0, 190.0);
/// Room above the panels, and below them for the legend.
const HEAD: f64 = 48.0;
const FOOT: f64 = 64.0;

impl Chart {
    /// Draws the chart.
    pub fn to_svg(&self) -> String {
        let rows = self.panels.len().div_ceil(COLUMNS);
        let (width, height) = (PANEL.0 * COLUMNS as f64, HEAD + PANEL.1 * rows as f64 + FOOT);
        let mut pen = Svg::new(width, height, &self.title);
        let bold = Words { anchor: Anchor::Middle, size: Some(17.0), bold: true, ..Words::default() };
        pen.words((width / 2.0, 28.0), bold, &self.title);
        for (at, panel) in self.panels.iter().enumerate() {
            let (x, y) = (PANEL.0 * (at % COLUMNS) as f64, HEAD + PANEL.1 * (at / COLUMNS) as f64);
            pen.open(x, y);
            self.panel(&mut pen, panel);
            pen.close();
        }
        self.legend(&mut pen, width, height - FOOT + 24.0);
        pen.finish()
    }

    fn panel(&self, pen: &mut Svg, panel: &Panel) {
        let (left, top, width, height) = FRAME;
        let xs = panel.series.iter().flat_map(|series| series.points.iter().map(|point| point.0));
        let ys = panel.series.iter().flat_map(|series| series.points.iter().map(|point| point.1));
        let x = Scale::logarithmic(xs, left, left + width);
        let y = Scale::linear(ys, top + height, top);
        pen.words(
            (left, top - 12.0),
            Words { size: Some(14.0), bold: true, ..Words::default() },
            &panel.title,
        );
        for (value, place) in y.ticks() {
            pen.line((left, place), (left + width, place), GRID);
            pen.words((left - 8.0, place + 4.0), at(Anchor::End), &shown(value));
        }
        for (value, place) in x.ticks() {
            pen.line((place, top), (place, top + height), GRID);
            pen.words((place, top + height + 18.0), at(Anchor::Middle), &shown(value));
        }
        pen.line((left, top + height), (left + width, top + height), INK);
        pen.words((left + width / 2.0, top + height + 38.0), at(Anchor::Middle), &self.x_label);
        let turned = Words { turned: true, ..at(Anchor::Middle) };
        pen.words((16.0, top + height / 2.0), turned, &self.y_label);
        for series in &panel.series {
            let points: Vec<(f64, f64)> =
                series.points.iter().map(|&(a, b)| (x.place(a), y.place(b))).collect();
            draw(pen, &points, series);
        }
    }

    fn legend(&self, pen: &mut Svg, width: f64, top: f64) {
        let Some(panel) = self.panels.first() else { return };
        let half = panel.series.len().div_ceil(2).max(1);
        let step = width / (half + 1) as f64;
        for (at, series) in panel.series.iter().enumerate() {
            let (x, y) = (step * (0.6 + (at % half) as f64), top + 22.0 * (at / half) as f64);
            draw(pen, &[(x, y - 4.0), (x + 36.0, y - 4.0)], series);
            pen.words((x + 44.0, y), Words::default(), &series.name);
        }
    }
}

fn draw(pen: &mut Svg, points: &[(f64, f64)], series: &Series) {
    pen.points(points, COLOURS[series.colour % COLOURS.len()], series.dashed);
}

fn at(anchor: Anchor) -> Words<'static> {
    Words { anchor, ..Words::default() }
}

/// A number without digits it does not need, its thousands apart.
fn shown(value: f64) -> String {
    if value >= 1000.0 {
        return grouped(format_args!("{value:.0}"));
    }
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_core::digest::PageDigest;
    use tidemark_core::page::Reading;

    #[test]
    fn a_chart_is_well_formed_and_says_its_words() {
        let series = |name: &str| Series {
            name: name.to_owned(),
            colour: 0,
            dashed: false,
            points: vec![(1e3, 5.0), (1e6, 7.0)],
        };
        let panel = Panel { title: "one".to_owned(), series: vec![series("a < b"), series("c & d")] };
        let chart = Chart {
            title: "Chart".to_owned(),
            x_label: "nodes".to_owned(),
            y_label: "ns".to_owned(),
            panels: vec![panel.clone(), panel],
        };
        let svg = chart.to_svg();
        for words in ["Chart", "nodes", "a &lt; b", "c &amp; d", "1 000 000"] {
            assert!(svg.contains(words), "{words} in {svg}");
        }
        let digest = PageDigest::encode(svg.as_bytes(), &Reading::default()).unwrap();
        assert_eq!(digest.about().notes, []);
        assert_eq!(digest.tagged("polyline").count(), 2 * 2 + 2, "lines and legend");
    }

    #[test]
    fn numbers_are_written_short() {
        assert_eq!([0.0, 0.25, 0.5, 20.0, 1e6].map(shown), ["0", "0.25", "0.5", "20", "1 000 000"]);
    }
}
