//! What became of a segment with a version, as one sign: in a strip on a terminal, or as a cell of a picture.

use super::Fate;

/// What became of a segment with a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its fate; nothing while it is not there.
    pub fate: Option<Fate>,
    /// Whether it went to another place on the page.
    pub moved: bool,
}

/// A mark in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Not there.
    Empty,
    /// As it was.
    Same,
    /// With content never seen, or there for the first time.
    New,
    /// With content it had before.
    Flip,
    /// There again, with content it had before.
    Back,
    /// As it was, in another place.
    Moved,
}

impl Mark {
    /// The mark in one word; what changed and moved at once counts as changed.
    pub fn sign(self) -> Sign {
        match self.fate {
            None | Some(Fate::Lost) => Sign::Empty,
            Some(Fate::Opened | Fate::New) => Sign::New,
            Some(Fate::Flip(_)) => Sign::Flip,
            Some(Fate::Back(_)) => Sign::Back,
            Some(Fate::Same) if self.moved => Sign::Moved,
            Some(Fate::Same) => Sign::Same,
        }
    }
}

impl Sign {
    /// All, in the order of a legend.
    pub const ALL: [Self; 6] = [Self::Same, Self::New, Self::Flip, Self::Back, Self::Moved, Self::Empty];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "not there",
            Self::Same => "same",
            Self::New => "new",
            Self::Flip => "as before",
            Self::Back => "back",
            Self::Moved => "moved",
        }
    }

    /// As one character.
    pub fn symbol(self) -> char {
        match self {
            Self::Empty => ' ',
            Self::Same => '·',
            Self::New => '●',
            Self::Flip => '↔',
            Self::Back => '↩',
            Self::Moved => '→',
        }
    }

    /// As one character of ASCII.
    pub fn ascii(self) -> char {
        match self {
            Self::Empty => ' ',
            Self::Same => '.',
            Self::New => '*',
            Self::Flip => '~',
            Self::Back => '<',
            Self::Moved => '>',
        }
    }
}
