//! The pen: elements of SVG, one a line. Every text passes through one escape.

use crate::render::text::is_harmful;
use std::fmt::Write;

/// A picture while it is drawn.
#[derive(Clone, Debug)]
pub struct Svg {
    out: String,
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
        let mut svg = Self { out: String::new() };
        svg.put(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"{}\">",
            super::INK
        ));
        svg.title(title);
        svg.put("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
        svg
    }

    /// The picture.
    pub fn finish(mut self) -> String {
        self.put("</svg>");
        self.out
    }

    /// Opens a group that is shifted by so much.
    pub fn open(&mut self, x: f64, y: f64) {
        self.put(&format!("<g transform=\"translate({x} {y})\">"));
    }

    /// Closes the last group.
    pub fn close(&mut self) {
        self.put("</g>");
    }

    /// Writes words.
    pub fn words(&mut self, (x, y): (f64, f64), look: Words<'_>, words: &str) {
        let anchor = match look.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let size = look.size.map_or_else(String::new, |size| format!(" font-size=\"{size}\""));
        let weight = if look.bold { " font-weight=\"bold\"" } else { "" };
        let colour = look.colour.map_or_else(String::new, |colour| format!(" fill=\"{}\"", escaped(colour)));
        let turn =
            if look.turned { format!(" transform=\"rotate(-90 {x:.1} {y:.1})\"") } else { String::new() };
        self.put(&format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{size}{weight}{colour}{turn}>{}</text>",
            escaped(words)
        ));
    }

    /// A filled rectangle; a title is shown to those who point at it.
    pub fn rectangle(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), colour: &str, title: &str) {
        let open = format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{}\"",
            escaped(colour)
        );
        if title.is_empty() {
            self.put(&format!("{open}/>"));
        } else {
            self.put(&format!("{open}><title>{}</title></rect>", escaped(title)));
        }
    }

    /// A line.
    pub fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str) {
        self.put(&format!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{}\"/>",
            escaped(colour)
        ));
    }

    /// A line through points, with a dot at each.
    pub fn points(&mut self, points: &[(f64, f64)], colour: &str, dashed: bool) {
        let colour = escaped(colour);
        let dashes = if dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        let places: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let places = places.join(" ");
        self.put(&format!(
            "<polyline points=\"{places}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>"
        ));
        for (x, y) in points {
            self.put(&format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"));
        }
    }

    /// What the element around is about.
    pub fn title(&mut self, title: &str) {
        self.put(&format!("<title>{}</title>", escaped(title)));
    }

    fn put(&mut self, element: &str) {
        writeln!(self.out, "{element}").expect("a string takes any text");
    }
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
