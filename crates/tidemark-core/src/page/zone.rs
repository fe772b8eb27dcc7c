//! Zones: a watch may look at a part of a page only, or leave parts of it out.
//!
//! A zone is written as a CSS selector, an XPath expression, a `JSONPath` or two texts it lies between ([`ZoneSpec`]), or it is picked:
//! then an [`Anchor`] remembers the node in several ways and finds it again after the page has moved it.
//! [`Zones::locate`] turns all of them into ranges of nodes, because a subtree is one range in a digest.

pub mod anchor;
mod boundary;
mod bounds;
mod css;
mod jsonpath;
mod located;
mod spec;
mod wording;
mod xpath;

pub use anchor::{Anchor, Found};
pub use boundary::Boundary;
pub use css::Css;
pub use jsonpath::JsonPath;
pub use located::{Located, Outcome};
pub use spec::ZoneSpec;
pub use xpath::XPath;

use serde::{Deserialize, Serialize};

/// What a watch looks at: everything it includes, without what it excludes. No zones at all are the whole page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Zones {
    /// Parts to look at; none means the whole page.
    #[serde(default)]
    pub include: Vec<ZoneSpec>,
    /// Parts to leave out, wherever they are.
    #[serde(default)]
    pub exclude: Vec<ZoneSpec>,
}

impl Zones {
    /// Reads lists of zones as a user writes them.
    pub fn parse<'a>(
        include: impl IntoIterator<Item = &'a str>,
        exclude: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, ZoneError> {
        let include = include.into_iter().map(ZoneSpec::parse).collect::<Result<_, _>>()?;
        let exclude = exclude.into_iter().map(ZoneSpec::parse).collect::<Result<_, _>>()?;
        Ok(Self { include, exclude })
    }
}

/// What is wrong with a zone as it was written, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{grammar}, byte {at}: {reason}")]
pub struct ZoneError {
    /// The grammar it was read with: `css`, `xpath`, `json` or `text`.
    pub grammar: &'static str,
    /// Where reading stopped, in bytes counted behind the prefix such as `css:`.
    pub at: usize,
    /// What is wrong there.
    pub reason: String,
}

impl ZoneError {
    fn css(at: usize, reason: &str) -> Self {
        Self { grammar: "css", at, reason: reason.to_owned() }
    }

    fn xpath(at: usize, reason: &str) -> Self {
        Self { grammar: "xpath", at, reason: reason.to_owned() }
    }

    fn json(at: usize, reason: &str) -> Self {
        Self { grammar: "json", at, reason: reason.to_owned() }
    }

    fn text(at: usize, reason: &str) -> Self {
        Self { grammar: "text", at, reason: reason.to_owned() }
    }
}
