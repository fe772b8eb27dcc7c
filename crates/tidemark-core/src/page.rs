//! A page before it is a digest: bytes become text ([`decode`]), text becomes a tree.
//!
//! Any bytes give a page. What was out of the ordinary is listed beside it as [`Note`]s; only a page
//! beyond its [`Limits`] is refused.

pub(crate) mod arena;
pub mod decode;
pub(crate) mod html;
pub(crate) mod nesting;
pub mod plain;
pub(crate) mod prescan;
pub(crate) mod tokenizer;
pub mod words;
pub(crate) mod xml;
pub mod zone;

use std::fmt;

/// The grammar a page was read with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// HTML with the error recovery of the WHATWG standard. Any text is HTML.
    Html,
    /// XML, kept as XML: XHTML, RSS, Atom, SVG or any other vocabulary.
    Xml,
}

impl Format {
    /// The name used in files, flags and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Xml => "xml",
        }
    }

    /// The inverse of [`Format::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Html, Self::Xml].into_iter().find(|format| format.name() == name)
    }

    /// What a server's `Content-Type` says about the grammar, if anything.
    pub fn from_media_type(content_type: &str) -> Option<Self> {
        let media = content_type.split(';').next()?.trim().to_ascii_lowercase();
        match media.as_str() {
            "text/html" => Some(Self::Html),
            "text/xml" | "application/xml" => Some(Self::Xml),
            other if other.ends_with("+xml") => Some(Self::Xml),
            _ => None,
        }
    }

    /// The grammar of a text that came without a declaration.
    ///
    /// A text is XML if its first element is not `html` and it opens with an XML declaration or with
    /// the root of a vocabulary that is never HTML. XHTML without a declared type is read as HTML,
    /// because nearly all of it is served so, and a page must not change its grammar on the day
    /// somebody forgets to close a tag.
    pub fn sniff(text: &str) -> Self {
        let root = prescan::first_element(text);
        let declared = text.trim_start().starts_with("<?xml");
        match root {
            Some(name) if name.eq_ignore_ascii_case("html") => Self::Html,
            Some("rss" | "feed" | "rdf:RDF" | "svg" | "urlset" | "sitemapindex" | "opml") => Self::Xml,
            _ if declared => Self::Xml,
            _ => Self::Html,
        }
    }
}

/// How to read a page: what is known about it from outside, and how large it may be.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The charset named by the server or the reader; it outranks everything but a byte order mark.
    pub charset: Option<String>,
    /// The grammar, where it is known; otherwise it is [sniffed](Format::sniff).
    pub format: Option<Format>,
    /// Bounds on what is accepted.
    pub limits: Limits,
}

/// Bounds that keep a hostile page cheap.
///
/// `bytes` and `nodes` refuse the page; `depth` and `attributes` flatten it, as browsers do, and leave a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest accepted input in bytes; never more than [`Limits::MAX_BYTES`].
    pub bytes: usize,
    /// Largest accepted number of nodes.
    pub nodes: usize,
    /// Levels of nesting kept in HTML; what is deeper is flattened. XML is kept as deep as it is.
    pub depth: u32,
    /// Attributes kept for one element.
    pub attributes: usize,
}

impl Limits {
    /// Offsets in a digest are 32 bits wide, and decoding can make three bytes out of one.
    pub const MAX_BYTES: usize = 512 << 20;

    /// Text a parsed page may hold. Recovery copies open formatting elements, attributes included,
    /// so a small hostile page could otherwise grow without bound.
    pub(crate) fn text(&self) -> usize {
        self.bytes.saturating_mul(4).clamp(1 << 16, u32::MAX as usize)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 64 << 20, nodes: 8_000_000, depth: 512, attributes: 256 }
    }
}

/// Why a page was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// More bytes than [`Limits::bytes`].
    #[error("the page has {found} bytes, the limit is {limit}; raise the size limit to read it")]
    TooManyBytes {
        /// Size of the input.
        found: usize,
        /// The limit in force.
        limit: usize,
    },
    /// More nodes than [`Limits::nodes`].
    #[error("the page has more than {limit} nodes; raise the node limit to read it")]
    TooManyNodes {
        /// The limit in force.
        limit: usize,
    },
    /// Error recovery multiplied the text of the page beyond four times the size limit.
    #[error("the parsed page holds more than {limit} bytes of text; raise the size limit to read it")]
    TooMuchText {
        /// The limit in force.
        limit: usize,
    },
}

/// Something out of the ordinary that a reader of the page should know; it never stops the reading.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    /// Bytes that the page's encoding does not allow were replaced by U+FFFD.
    Undecodable,
    /// Elements nested deeper than the limit were left out or flattened; what is inside them is kept.
    DepthCapped,
    /// Attributes beyond the limit of one element were left out of the tree.
    AttributesCapped,
    /// The XML is not well formed; told is the first place and the reason.
    NotWellFormed {
        /// Offset in the decoded text.
        at: usize,
        /// The parser's words.
        reason: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undecodable => f.write_str("some bytes are not allowed in the page's encoding"),
            Self::DepthCapped => {
                f.write_str("elements nested too deeply were flattened; what is inside them is kept")
            }
            Self::AttributesCapped => {
                f.write_str("an element has too many attributes; the last ones were left out")
            }
            Self::NotWellFormed { at, reason } => {
                write!(f, "not well-formed XML at character byte {at}: {reason}")
            }
        }
    }
}
