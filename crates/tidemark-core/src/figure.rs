//! Pictures as SVG and PNG: what a few rectangles, lines and words can show.
//!
//! Written by hand, because our pictures are cells, ticks and words; a plotting library would be the largest dependency here.
//! [`Svg`] is the pen: it escapes every text, so that a page can put nothing into a picture but words. [`Scale`] is an axis.
//! A picture is one function from data to text, in a file of its own.

mod legend;
mod letters;
mod pixels;
mod raster;
mod scale;
mod shape;
pub mod stream;
mod svg;
pub mod track;

pub use legend::{Entry, legend};
pub use pixels::Pixels;
pub use scale::Scale;
pub use shape::Pair;
pub use svg::{Anchor, Svg, Words};

/// Told apart by people who see few colours, too (Okabe and Ito).
pub const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9"];
/// Colour of words and axes.
pub const INK: &str = "#333333";
/// Colour of words that matter less.
pub const FAINT: &str = "#6b6b6b";
/// Colour of lines behind the data.
pub const GRID: &str = "#e3e3e3";

/// The whole part of a number, and 0 for one below.
#[expect(clippy::cast_sign_loss, reason = "a negative number becomes 0, which is meant")]
fn whole(number: f64) -> usize {
    number as usize
}
