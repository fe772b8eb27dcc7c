//! The pen, and its elements as SVG, one a line. Every text passes through one escape.

use super::shape::{Look, Pair, Shape};
use super::{Pixels, raster};
use crate::render::text::is_harmful;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write;

/// A picture while it is drawn.
#[derive(Clone, Debug)]
pub struct Svg {
    size: Pair,
    shapes: Vec<Shape>,
}

/// Where a text stands from its point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// To the right of it.
    #[default]
    Start,
    /// On both sides of it.
    Middle,
    /// To the left of it.
    End,
}

/// How words look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words<'a> {
    /// Where they stand from their point.
    pub anchor: Anchor,
    /// Size of the letters; 12 if it is nothing.
    pub size: Option<f64>,
    /// Whether they are bold.
    pub bold: bool,
    /// Their colour, that of all words if it is nothing.
    pub colour: Option<&'a str>,
    /// Turned around their point to read from below.
    pub turned: bool,
}

impl Svg {
    /// An empty picture of this size, with a title for those who cannot see it.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        Self { size: (width, height), shapes: vec![Shape::Title(title.to_owned())] }
    }

    /// The picture as SVG.
    pub fn finish(self) -> String {
        let (width, height) = self.size;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"{}\">\n",
            super::INK
        );
        for (at, shape) in self.shapes.iter().enumerate() {
            put(&mut out, shape);
            if at == 0 {
                out.push_str("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
            }
        }
        out.push_str("</svg>\n");
        out
    }

    /// The picture as PNG, with two pixels where SVG has one.
    pub fn to_png(&self) -> Vec<u8> {
        raster::pixels(self.size, &self.shapes).to_png()
    }

    #[cfg(test)]
    pub(super) fn size(&self) -> Pair {
        self.size
    }

    #[cfg(test)]
    pub(super) fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Opens a group that is shifted by so much.
    pub fn open(&mut self, x: f64, y: f64) {
        self.shapes.push(Shape::Open((x, y)));
    }

    /// Closes the last group.
    pub fn close(&mut self) {
        self.shapes.push(Shape::Close);
    }

    /// Writes words.
    pub fn words(&mut self, at: Pair, look: Words<'_>, words: &str) {
        self.shapes.push(Shape::Words { at, look: look.into(), words: words.to_owned() });
    }

    /// A filled rectangle; a title is shown to those who point at it.
    pub fn rectangle(&mut self, at: Pair, size: Pair, colour: &str, title: &str) {
        let (colour, title) = (colour.to_owned(), title.to_owned());
        self.shapes.push(Shape::Rectangle { at, size, colour, title });
    }

    /// A line.
    pub fn line(&mut self, from: Pair, to: Pair, colour: &str) {
        self.shapes.push(Shape::Line { from, to, colour: colour.to_owned() });
    }

    /// A line through points, with a dot at each.
    pub fn points(&mut self, points: &[Pair], colour: &str, dashed: bool) {
        let (points, colour) = (points.to_vec(), colour.to_owned());
        self.shapes.push(Shape::Points { points, colour, dashed, dots: true });
    }

    /// A line through points, without dots.
    pub fn curve(&mut self, points: &[Pair], colour: &str, dashed: bool) {
        let (points, colour) = (points.to_vec(), colour.to_owned());
        self.shapes.push(Shape::Points { points, colour, dashed, dots: false });
    }

    /// Pixels, drawn as large as asked, each with sharp edges.
    pub fn image(&mut self, at: Pair, size: Pair, pixels: Pixels) {
        self.shapes.push(Shape::Image { at, size, pixels });
    }

    /// What the element around is about.
    pub fn title(&mut self, title: &str) {
        self.shapes.push(Shape::Title(title.to_owned()));
    }
}

fn put(out: &mut String, shape: &Shape) {
    let element = match shape {
        Shape::Open((x, y)) => format!("<g transform=\"translate({x} {y})\">"),
        Shape::Close => "</g>".to_owned(),
        Shape::Words { at, look, words } => text(*at, look, words),
        Shape::Rectangle { at, size, colour, title } => rectangle(*at, *size, colour, title),
        Shape::Line { from: (x1, y1), to: (x2, y2), colour } => format!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{}\"/>",
            escaped(colour)
        ),
        Shape::Points { points, colour, dashed, dots } => polyline(points, &escaped(colour), *dashed, *dots),
        Shape::Image { at: (x, y), size: (width, height), pixels } => format!(
            "<image x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" preserveAspectRatio=\"none\" \
             style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>",
            STANDARD.encode(pixels.to_png())
        ),
        Shape::Title(title) => format!("<title>{}</title>", escaped(title)),
    };
    out.push_str(&element);
    out.push('\n');
}

fn text((x, y): Pair, look: &Look, words: &str) -> String {
    let anchor = match look.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let size = look.size.map_or_else(String::new, |size| format!(" font-size=\"{size}\""));
    let weight = if look.bold { " font-weight=\"bold\"" } else { "" };
    let colour = look.colour.as_ref();
    let colour = colour.map_or_else(String::new, |colour| format!(" fill=\"{}\"", escaped(colour)));
    let turn = if look.turned { format!(" transform=\"rotate(-90 {x:.1} {y:.1})\"") } else { String::new() };
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{size}{weight}{colour}{turn}>{}</text>",
        escaped(words)
    )
}

fn rectangle((x, y): Pair, (width, height): Pair, colour: &str, title: &str) -> String {
    let open = format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{}\"",
        escaped(colour)
    );
    match title {
        "" => format!("{open}/>"),
        title => format!("{open}><title>{}</title></rect>", escaped(title)),
    }
}

fn polyline(points: &[Pair], colour: &str, dashed: bool, dots: bool) -> String {
    let dashes = if dashed { " stroke-dasharray=\"6 4\"" } else { "" };
    let width = if dots { 2.0 } else { 1.5 };
    let places: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let places = places.join(" ");
    let mut element = format!(
        "<polyline points=\"{places}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}/>"
    );
    for (x, y) in points.iter().filter(|_| dots) {
        let _ = write!(element, "\n<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
    }
    element
}

/// Text as XML may hold it. What no XML may hold, and what would turn the words around it, is shown as missing.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' | '\r' => safe.push(' '),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            character if is_harmful(character) => safe.push('\u{fffd}'),
            character => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup_and_none_is_ill_formed() {
        assert_eq!(
            escaped("<a b=\"c\">&\n\0\u{1b}\u{202e}\u{ffff}é"),
            "&lt;a b=&quot;c&quot;&gt;&amp; \u{fffd}\u{fffd}\u{fffd}\u{fffd}é"
        );
    }
}
