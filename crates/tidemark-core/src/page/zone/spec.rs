//! A zone as a user writes it, or as it was picked.
//!
//! | written | means |
//! |---|---|
//! | `css:main > p` | what a CSS selector finds; `css:` may be left out |
//! | `xpath://main/p`, `//main/p` | what an XPath 1.0 expression finds; needs no prefix if it begins with `/` or `(` |
//! | `json:$.items[*].price`, `$.items` | what a `JSONPath` finds in a JSON document; needs no prefix if it begins with `$` |
//! | `text:Latest news...Imprint` | from one text up to another, see [`Boundary`] |

use super::{Anchor, Boundary, Css, JsonPath, XPath, ZoneError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One zone.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub enum ZoneSpec {
    /// All elements that a selector finds.
    Css(Css),
    /// All nodes that an expression finds.
    XPath(XPath),
    /// All values of a JSON document that a path finds.
    Json(JsonPath),
    /// What lies between two texts.
    Text(Boundary),
    /// A node that was picked on a page.
    Picked(Box<Anchor>),
}

/// How a zone is kept: as it is written, or, if it was picked, as its anchor.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Written(String),
    Picked(Box<Anchor>),
}

impl ZoneSpec {
    /// Reads a zone as a user writes it.
    pub fn parse(written: &str) -> Result<Self, ZoneError> {
        let written = written.trim();
        if let Some(rest) = written.strip_prefix("css:") {
            return Css::parse(rest).map(Self::Css);
        }
        if let Some(rest) = written.strip_prefix("xpath:") {
            return XPath::parse(rest).map(Self::XPath);
        }
        if let Some(rest) = written.strip_prefix("json:") {
            return JsonPath::parse(rest).map(Self::Json);
        }
        if let Some(rest) = written.strip_prefix("text:") {
            return Boundary::parse(rest).map(Self::Text);
        }
        // No selector begins with a slash, a bracket or a dollar.
        if written.starts_with(['/', '(']) {
            return XPath::parse(written).map(Self::XPath);
        }
        if written.starts_with('$') {
            return JsonPath::parse(written).map(Self::Json);
        }
        Css::parse(written).map(Self::Css)
    }
}

impl FromStr for ZoneSpec {
    type Err = ZoneError;

    fn from_str(written: &str) -> Result<Self, ZoneError> {
        Self::parse(written)
    }
}

impl fmt::Display for ZoneSpec {
    /// What [`ZoneSpec::parse`] reads; for a picked zone, the tag path it was picked at.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Css(css) => write!(f, "css:{}", css.source()),
            Self::XPath(xpath) => write!(f, "xpath:{}", xpath.source()),
            Self::Json(path) => write!(f, "json:{}", path.source()),
            Self::Text(boundary) => write!(f, "text:{boundary}"),
            Self::Picked(anchor) => write!(f, "picked at {}", anchor.tag_path()),
        }
    }
}

impl PartialEq for ZoneSpec {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Css(one), Self::Css(two)) => one.source() == two.source(),
            (Self::XPath(one), Self::XPath(two)) => one.source() == two.source(),
            (Self::Json(one), Self::Json(two)) => one.source() == two.source(),
            (Self::Text(one), Self::Text(two)) => one == two,
            (Self::Picked(one), Self::Picked(two)) => one == two,
            _ => false,
        }
    }
}

impl TryFrom<Stored> for ZoneSpec {
    type Error = ZoneError;

    fn try_from(stored: Stored) -> Result<Self, ZoneError> {
        match stored {
            Stored::Written(written) => Self::parse(&written),
            Stored::Picked(anchor) => Ok(Self::Picked(anchor)),
        }
    }
}

impl From<ZoneSpec> for Stored {
    fn from(zone: ZoneSpec) -> Self {
        match zone {
            ZoneSpec::Picked(anchor) => Self::Picked(anchor),
            written => Self::Written(written.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_choose_the_grammar() {
        for (written, kept) in [
            ("main > p", "css:main > p"),
            (" css: p ", "css: p"),
            ("//p", "xpath://p"),
            ("(//p)[1]", "xpath:(//p)[1]"),
            ("xpath:id('a')", "xpath:id('a')"),
            ("text:a...b", "text:a...b"),
            ("text: From here … to  there ", "text:From here...to  there"),
        ] {
            let zone = ZoneSpec::parse(written).unwrap();
            assert_eq!(zone.to_string(), kept);
            assert_eq!(ZoneSpec::parse(kept).unwrap(), zone);
            let json = serde_json::to_string(&zone).unwrap();
            assert_eq!(serde_json::from_str::<ZoneSpec>(&json).unwrap(), zone);
        }
    }

    #[test]
    fn errors_are_clear() {
        for (written, message) in [
            ("p >", "css, byte 3: nothing follows the combinator"),
            ("", "css, byte 0: a selector is missing here"),
            ("text:abc", "text, byte 3: write FROM...TO, with three dots between the two texts"),
            ("text:!...?", "text, byte 0: there is no word on either side of the dots"),
        ] {
            assert_eq!(ZoneSpec::parse(written).unwrap_err().to_string(), message);
        }
        assert!(serde_json::from_str::<ZoneSpec>("\"p >\"").is_err());
    }
}
