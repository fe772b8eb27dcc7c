//! A picture as pixels.
//!
//! Edges are smooth: a pixel takes as much of a colour as the shape covers of it. Cost: linear in the pixels that shapes touch.
//! A renderer of SVG would be many times the size of this, and would need fonts that may not be there.

use super::letters::strokes;
use super::shape::{Look, Pair, Shape};
use super::{Anchor, INK, Pixels, whole};

/// Pixels for a unit of the picture, if it does not get too large by it.
const SCALE: f64 = 2.0;
/// Most pixels from side to side.
const MOST: f64 = 6000.0;
/// Length of a dash and of what is between two.
const DASH: (f64, f64) = (6.0, 4.0);

/// Draws shapes on white.
pub(super) fn pixels((width, height): Pair, shapes: &[Shape]) -> Pixels {
    let scale = SCALE.min(MOST / width.max(1.0)).min(MOST / height.max(1.0));
    let side = |length: f64| whole((length * scale).ceil().clamp(1.0, MOST));
    let pixels = Pixels::new(side(width), side(height), [255; 3]);
    let mut canvas = Canvas { pixels, scale, shift: (0.0, 0.0), shifts: Vec::new() };
    shapes.iter().for_each(|shape| canvas.draw(shape));
    canvas.pixels
}

struct Canvas {
    pixels: Pixels,
    scale: f64,
    shift: Pair,
    shifts: Vec<Pair>,
}

impl Canvas {
    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Open((x, y)) => {
                self.shifts.push(self.shift);
                self.shift = (self.shift.0 + x, self.shift.1 + y);
            }
            Shape::Close => self.shift = self.shifts.pop().unwrap_or_default(),
            Shape::Words { at, look, words } => self.words(*at, look, words),
            Shape::Rectangle { at, size, colour, .. } => self.rectangle(*at, *size, rgb(colour)),
            Shape::Line { from, to, colour } => self.stroke(*from, *to, 0.5, rgb(colour)),
            Shape::Points { points, colour, dashed, dots } => {
                self.points(points, rgb(colour), *dashed, *dots);
            }
            Shape::Image { at, size, pixels } => self.image(*at, *size, pixels),
            Shape::Title(_) => {}
        }
    }

    fn words(&mut self, (x, y): Pair, look: &Look, words: &str) {
        let size = look.size.unwrap_or(12.0);
        let (strokes, width) = strokes(words, size);
        let back = match look.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let place = |&(right, down): &Pair| {
            if look.turned { (x + down, y - (right - back)) } else { (x + right - back, y + down) }
        };
        let colour = rgb(look.colour.as_deref().unwrap_or(INK));
        let radius = size * if look.bold { 0.065 } else { 0.045 };
        for stroke in strokes {
            for pair in stroke.windows(2) {
                self.stroke(place(&pair[0]), place(&pair[1]), radius, colour);
            }
        }
    }

    fn points(&mut self, points: &[Pair], colour: [u8; 3], dashed: bool, dots: bool) {
        let radius = if dots { 1.0 } else { 0.75 };
        let mut gone = 0.0;
        for pair in points.windows(2) {
            if dashed {
                gone = self.dashes(pair[0], pair[1], radius, colour, gone);
            } else {
                self.stroke(pair[0], pair[1], radius, colour);
            }
        }
        for &point in points.iter().filter(|_| dots) {
            self.stroke(point, point, 3.0, colour);
        }
    }

    /// Draws the dashes of one piece; how far the whole line is then.
    fn dashes(&mut self, from: Pair, to: Pair, radius: f64, colour: [u8; 3], gone: f64) -> f64 {
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let on = |at: f64| {
            let share = if length > 0.0 { at / length } else { 0.0 };
            (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
        };
        let period = DASH.0 + DASH.1;
        let mut start = -(gone % period);
        while start < length && length < MOST * SCALE {
            let (first, last) = (start.max(0.0), (start + DASH.0).min(length));
            if first < last {
                self.stroke(on(first), on(last), radius, colour);
            }
            start += period;
        }
        gone + length
    }

    fn rectangle(&mut self, at: Pair, size: Pair, colour: [u8; 3]) {
        let ((left, top), (right, bottom)) = (self.place(at), self.place((at.0 + size.0, at.1 + size.1)));
        let covered =
            |from: f64, to: f64, pixel: f64| (to.min(pixel + 1.0) - from.max(pixel)).clamp(0.0, 1.0);
        self.paint((left, top), (right, bottom), colour, |x, y| {
            covered(left, right, x) * covered(top, bottom, y)
        });
    }

    /// A line with round ends, of a radius in units of the picture.
    fn stroke(&mut self, from: Pair, to: Pair, radius: f64, colour: [u8; 3]) {
        let (from, to, radius) = (self.place(from), self.place(to), radius * self.scale);
        let room = radius + 1.0;
        let low = (from.0.min(to.0) - room, from.1.min(to.1) - room);
        let high = (from.0.max(to.0) + room, from.1.max(to.1) + room);
        self.paint(low, high, colour, |x, y| radius + 0.5 - distance((x + 0.5, y + 0.5), from, to));
    }

    fn image(&mut self, at: Pair, size: Pair, image: &Pixels) {
        let ((left, top), (right, bottom)) = (self.place(at), self.place((at.0 + size.0, at.1 + size.1)));
        let (columns, rows) = (self.range(left, right, true), self.range(top, bottom, false));
        let source = |pixel: usize, from: f64, to: f64, side: usize| {
            whole((pixel as f64 + 0.5 - from) / (to - from) * side as f64).min(side - 1)
        };
        for y in rows.filter(|_| image.width() > 0 && image.height() > 0) {
            for x in columns.clone() {
                let from = (source(x, left, right, image.width()), source(y, top, bottom, image.height()));
                self.pixels.set(x, y, image.at(from.0, from.1));
            }
        }
    }

    /// Mixes a colour into the pixels between two corners, as much as each is covered.
    fn paint(&mut self, low: Pair, high: Pair, colour: [u8; 3], covered: impl Fn(f64, f64) -> f64) {
        let (columns, rows) = (self.range(low.0, high.0, true), self.range(low.1, high.1, false));
        for y in rows {
            for x in columns.clone() {
                let share = covered(x as f64, y as f64).clamp(0.0, 1.0);
                if share > 0.0 {
                    let mixed = mix(self.pixels.at(x, y), colour, share);
                    self.pixels.set(x, y, mixed);
                }
            }
        }
    }

    /// The pixels from one place to another, inside the canvas.
    fn range(&self, from: f64, to: f64, across: bool) -> std::ops::Range<usize> {
        let most = if across { self.pixels.width() } else { self.pixels.height() } as f64;
        let inside = |place: f64| if place.is_finite() { place.clamp(0.0, most) } else { 0.0 };
        whole(inside(from.floor()))..whole(inside(to.ceil()))
    }

    fn place(&self, (x, y): Pair) -> Pair {
        ((x + self.shift.0) * self.scale, (y + self.shift.1) * self.scale)
    }
}

/// From a point to the nearest of a line.
fn distance(point: Pair, from: Pair, to: Pair) -> f64 {
    let (along, off) = ((to.0 - from.0, to.1 - from.1), (point.0 - from.0, point.1 - from.1));
    let length = along.0 * along.0 + along.1 * along.1;
    let share = if length > 0.0 { (off.0 * along.0 + off.1 * along.1) / length } else { 0.0 };
    let share = share.clamp(0.0, 1.0);
    (off.0 - along.0 * share).hypot(off.1 - along.1 * share)
}

fn mix(under: [u8; 3], over: [u8; 3], share: f64) -> [u8; 3] {
    let one = |at: usize| f64::from(under[at]) * (1.0 - share) + f64::from(over[at]) * share;
    [one(0).round(), one(1).round(), one(2).round()].map(|channel| whole(channel).min(255) as u8)
}

/// A colour as our pictures write it, `#rrggbb`; black if it is something else.
pub(super) fn rgb(colour: &str) -> [u8; 3] {
    let number = colour.strip_prefix('#').and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let [_, red, green, blue] = number.unwrap_or(0).to_be_bytes();
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use crate::figure::{Pixels, Svg, Words};

    fn drawn(draw: impl FnOnce(&mut Svg)) -> Pixels {
        let mut svg = Svg::new(20.0, 10.0, "");
        draw(&mut svg);
        super::pixels(svg.size(), svg.shapes())
    }

    #[test]
    fn a_unit_is_two_pixels_and_groups_shift() {
        let pixels = drawn(|svg| {
            svg.open(2.0, 1.0);
            svg.rectangle((1.0, 1.0), (3.0, 2.25), "#102030", "");
            svg.close();
            svg.rectangle((19.0, 0.0), (50.0, 1.0), "#ff0000", "");
        });
        assert_eq!((pixels.width(), pixels.height()), (40, 20));
        assert_eq!(
            [pixels.at(5, 4), pixels.at(6, 4), pixels.at(11, 7), pixels.at(12, 7)],
            [[255; 3], [16, 32, 48], [16, 32, 48], [255; 3]]
        );
        assert_eq!(pixels.at(6, 8), [136, 144, 152], "half a pixel is half a colour");
        assert_eq!([pixels.at(39, 1), pixels.at(39, 2)], [[255, 0, 0], [255; 3]]);
    }

    #[test]
    fn words_lines_and_images_leave_marks_and_nothing_breaks_outside() {
        let mut image = Pixels::new(2, 1, [0; 3]);
        image.set(1, 0, [9; 3]);
        let pixels = drawn(|svg| {
            svg.image((0.0, 0.0), (4.0, 2.0), image);
            svg.words((10.0, 9.0), Words::default(), "I");
            svg.line((f64::NAN, 0.0), (1.0, f64::INFINITY), "#000000");
            svg.points(&[(-5e9, 0.0), (5e9, 5.0)], "nonsense", true);
            svg.curve(&[], "#000000", true);
        });
        assert_eq!([pixels.at(3, 3), pixels.at(4, 0)], [[0; 3], [9; 3]]);
        assert!((18..22).any(|x| pixels.at(x, 12)[0] < 128), "a stroke of the letter");
    }
}
