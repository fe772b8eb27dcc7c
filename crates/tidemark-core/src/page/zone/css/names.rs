//! What the selector engine asks of a vocabulary: how names and values are kept, and which grammar is allowed.

use cssparser::{ParseError, ToCss};
use precomputed_hash::PrecomputedHash;
use selectors::parser::{self, SelectorImpl, SelectorParseErrorKind};
use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

/// The vocabulary of a page: every name is a plain text.
#[derive(Clone, Debug)]
pub(crate) struct Names;

impl SelectorImpl for Names {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Name;
    type Identifier = Name;
    type LocalName = Name;
    type NamespaceUrl = Name;
    type NamespacePrefix = Name;
    type BorrowedNamespaceUrl = Name;
    type BorrowedLocalName = Name;
    type NonTSPseudoClass = Never;
    type PseudoElement = Never;
}

/// A name or value in a selector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Name(pub(super) Box<str>);

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for Name {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.0, out)
    }
}

impl PrecomputedHash for Name {
    fn precomputed_hash(&self) -> u32 {
        xxh3_64(self.0.as_bytes()) as u32
    }
}

/// Pseudo-classes of state and pseudo-elements: a page at rest has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Never {}

impl ToCss for Never {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl parser::NonTSPseudoClass for Never {
    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

impl parser::PseudoElement for Never {}

/// Which parts of the grammar are read.
pub(crate) struct Reader;

impl parser::Parser<'_> for Reader {
    type Impl = Names;
    type Error = SelectorParseErrorKind;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    // A slip inside of `:is()` must be told, not matched to nothing.
    fn allow_forgiving_selectors(&self) -> bool {
        false
    }

    fn namespace_for_prefix(&self, prefix: &Name) -> Option<Name> {
        Some(prefix.clone())
    }

    fn parse_non_ts_pseudo_class(&self, _: &str) -> Result<Never, ParseError<Self::Error>> {
        Err(ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement))
    }
}
