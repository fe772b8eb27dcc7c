//! What a picture is made of. The pen records it once; `svg` writes it as text, `raster` as pixels.

use super::{Pixels, Words};

/// A point, or a size.
pub type Pair = (f64, f64);

/// One element of a picture.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Open(Pair),
    Close,
    Words { at: Pair, look: Look, words: String },
    Rectangle { at: Pair, size: Pair, colour: String, title: String },
    Line { from: Pair, to: Pair, colour: String },
    Points { points: Vec<Pair>, colour: String, dashed: bool, dots: bool },
    Image { at: Pair, size: Pair, pixels: Pixels },
    Title(String),
}

/// [`Words`] that own their colour.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) anchor: super::Anchor,
    pub(super) size: Option<f64>,
    pub(super) bold: bool,
    pub(super) colour: Option<String>,
    pub(super) turned: bool,
}

impl From<Words<'_>> for Look {
    fn from(words: Words<'_>) -> Self {
        let Words { anchor, size, bold, colour, turned } = words;
        Self { anchor, size, bold, colour: colour.map(str::to_owned), turned }
    }
}
