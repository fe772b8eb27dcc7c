//! The kinds of edits that are planted.

use std::fmt;

/// What is done to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A block comes: one that the page has, with other words.
    Insert,
    /// A block goes.
    Delete,
    /// Some words of a text are replaced.
    Words,
    /// An attribute is changed, added or removed.
    Attribute,
    /// A block goes to another parent.
    Move,
    /// Two blocks below one parent change places.
    Reorder,
    /// An element is put around a block.
    Wrap,
    /// An element goes, and what is in it stays.
    Unwrap,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Insert,
        Self::Delete,
        Self::Words,
        Self::Attribute,
        Self::Move,
        Self::Reorder,
        Self::Wrap,
        Self::Unwrap,
    ];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Insert => "insert",
            Self::Delete => "delete",
            Self::Words => "words",
            Self::Attribute => "attribute",
            Self::Move => "move",
            Self::Reorder => "reorder",
            Self::Wrap => "wrap",
            Self::Unwrap => "unwrap",
        })
    }
}
