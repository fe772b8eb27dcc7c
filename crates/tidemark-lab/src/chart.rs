//! Line charts as SVG: a few panels with a common legend, numbers of any magnitude on the x axis.
//!
//! Written by hand because a chart of ours is lines, ticks and words; a plotting library would be the largest dependency here.

mod scale;

use scale::Scale;
use std::fmt::Write;

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
/// Told apart by people who see few colours, too.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9"];
const TEXT: &str = "#333333";
const GRID: &str = "#e3e3e3";

impl Chart {
    /// Draws the chart.
    pub fn to_svg(&self) -> String {
        let rows = self.panels.len().div_ceil(COLUMNS);
        let (width, height) = (PANEL.0 * COLUMNS as f64, HEAD + PANEL.1 * rows as f64 + FOOT);
        let mut pen = Pen::default();
        pen.put(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"{TEXT}\">"
        ));
        pen.put("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
        pen.words(width / 2.0, 28.0, "middle", "font-size=\"17\" font-weight=\"bold\"", &self.title);
        for (at, panel) in self.panels.iter().enumerate() {
            let (x, y) = (PANEL.0 * (at % COLUMNS) as f64, HEAD + PANEL.1 * (at / COLUMNS) as f64);
            pen.put(&format!("<g transform=\"translate({x} {y})\">"));
            self.panel(&mut pen, panel);
            pen.put("</g>");
        }
        self.legend(&mut pen, width, height - FOOT + 24.0);
        pen.put("</svg>");
        pen.out
    }

    fn panel(&self, pen: &mut Pen, panel: &Panel) {
        let (left, top, width, height) = FRAME;
        let xs = panel.series.iter().flat_map(|series| series.points.iter().map(|point| point.0));
        let ys = panel.series.iter().flat_map(|series| series.points.iter().map(|point| point.1));
        let x = Scale::logarithmic(xs, left, left + width);
        let y = Scale::linear(ys, top + height, top);
        pen.words(left, top - 12.0, "start", "font-size=\"14\" font-weight=\"bold\"", &panel.title);
        for (value, place) in y.ticks() {
            pen.line((left, place), (left + width, place), GRID);
            pen.words(left - 8.0, place + 4.0, "end", "", &scale::shown(value));
        }
        for (value, place) in x.ticks() {
            pen.line((place, top), (place, top + height), GRID);
            pen.words(place, top + height + 18.0, "middle", "", &scale::shown(value));
        }
        pen.line((left, top + height), (left + width, top + height), TEXT);
        pen.words(left + width / 2.0, top + height + 38.0, "middle", "", &self.x_label);
        let turned = format!("transform=\"rotate(-90 16 {0})\"", top + height / 2.0);
        pen.words(16.0, top + height / 2.0, "middle", &turned, &self.y_label);
        for series in &panel.series {
            let points: Vec<(f64, f64)> =
                series.points.iter().map(|&(a, b)| (x.place(a), y.place(b))).collect();
            pen.series(&points, series);
        }
    }

    fn legend(&self, pen: &mut Pen, width: f64, top: f64) {
        let Some(panel) = self.panels.first() else { return };
        let half = panel.series.len().div_ceil(2).max(1);
        let step = width / (half + 1) as f64;
        for (at, series) in panel.series.iter().enumerate() {
            let (x, y) = (step * (0.6 + (at % half) as f64), top + 22.0 * (at / half) as f64);
            pen.series(&[(x, y - 4.0), (x + 36.0, y - 4.0)], series);
            pen.words(x + 44.0, y, "start", "", &series.name);
        }
    }
}

/// Writes elements.
#[derive(Default)]
struct Pen {
    out: String,
}

impl Pen {
    fn put(&mut self, element: &str) {
        writeln!(self.out, "{element}").expect("a string takes any text");
    }

    fn words(&mut self, x: f64, y: f64, anchor: &str, more: &str, words: &str) {
        let words = words.replace('&', "&amp;").replace('<', "&lt;");
        self.put(&format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {more}>{words}</text>"));
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.put(&format!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
        ));
    }

    /// A line with a dot at each point.
    fn series(&mut self, points: &[(f64, f64)], series: &Series) {
        let colour = COLOURS[series.colour % COLOURS.len()];
        let dashes = if series.dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        let places: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let places = places.join(" ");
        self.put(&format!(
            "<polyline points=\"{places}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>"
        ));
        for (x, y) in points {
            self.put(&format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"));
        }
    }
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
}
