//! Feeds: RSS 0.9x, 1.0 and 2.0, Atom and JSON Feed as one list of items, and what became of each item.
//!
//! Cost: linear in the bytes. A feed that is not well formed is refused, unlike a page: half a feed would read as
//! removed items. Road not taken: `feed-rs` panics on some hostile feeds (a letter before an e-mail address, a long duration),
//! makes up ids where there are none and refuses a whole feed for one odd type; it is our referee in the tests instead.

mod atom;
pub mod compare;
pub mod field;
mod json;
pub mod likeness;
mod names;
mod rss;

pub use compare::{FeedDiff, ItemChange, compare};
pub use field::ItemField;
pub use likeness::likeness;

use crate::digest::{NodeId, PageDigest};
use crate::page::decode::decode;
use crate::page::{Format, Note, PageError, Reading};

/// The vocabulary a feed is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// RSS 0.91 to 0.94 and 2.0.
    Rss,
    /// RSS 0.90 and 1.0, which are RDF.
    Rdf,
    /// Atom 0.3 and 1.0.
    Atom,
    /// JSON Feed 1 and 1.1.
    Json,
}

impl Dialect {
    /// The name used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rss => "rss",
            Self::Rdf => "rdf",
            Self::Atom => "atom",
            Self::Json => "json",
        }
    }
}

/// One version of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feed {
    /// The vocabulary it is written in.
    pub dialect: Dialect,
    /// What it is called.
    pub title: Prose,
    /// Its entries in the order of the feed.
    pub items: Vec<Item>,
}

/// One entry of a feed. What the feed does not say is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Item {
    /// The id the feed gives it; never one made up.
    pub id: Option<String>,
    /// Where it is published.
    pub link: Option<String>,
    /// Its headline.
    pub title: Prose,
    /// Its description or summary.
    pub description: Prose,
    /// Its full content, where the feed has it beside a description.
    pub content: Prose,
    /// When it was published, in the words of the feed.
    pub published: Option<String>,
    /// When it was last changed, in the words of the feed.
    pub updated: Option<String>,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Categories, subjects or tags.
    pub categories: Vec<String>,
    /// Addresses of attached files.
    pub enclosures: Vec<String>,
}

/// A piece of text that may hold markup.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Prose {
    /// As the feed has it, markup and all.
    pub raw: String,
    /// As a reader sees it.
    pub text: String,
}

/// Why a feed was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeedError {
    /// Beyond the limits of any page.
    #[error(transparent)]
    Page(#[from] PageError),
    /// Another vocabulary.
    #[error("this is not a feed but {found}; give the address of an RSS, Atom or JSON feed")]
    NotAFeed {
        /// What it is.
        found: String,
    },
    /// XML with a mistake in it.
    #[error("the feed is not well-formed XML at character byte {at}: {reason}; compare it as a page instead")]
    NotWellFormed {
        /// Offset in the decoded text.
        at: usize,
        /// The parser's words.
        reason: String,
    },
    /// JSON with a mistake in it.
    #[error("the feed is not sound JSON: {reason}; compare it as a page instead")]
    NotJson {
        /// The parser's words.
        reason: String,
    },
}

impl Feed {
    /// Reads a feed in any of the dialects.
    pub fn read(bytes: &[u8], reading: &Reading) -> Result<Self, FeedError> {
        if bytes.len() <= reading.limits.bytes {
            let text = decode(bytes, reading.charset.as_deref()).text;
            if text.trim_start().starts_with(['{', '[']) {
                return json::read(&text, reading);
            }
        }
        let reading = Reading { format: Some(Format::Xml), ..reading.clone() };
        let page = PageDigest::encode(bytes, &reading)?;
        Self::from_xml(&page, &reading)
    }

    fn from_xml(page: &PageDigest, reading: &Reading) -> Result<Self, FeedError> {
        let dialect = dialect(page)?;
        for note in &page.about().notes {
            if let Note::NotWellFormed { at, reason } = note {
                return Err(FeedError::NotWellFormed { at: *at, reason: reason.clone() });
            }
        }
        let tongue = names::Tongue::new(page, reading);
        match dialect {
            Dialect::Atom => atom::read(&tongue),
            Dialect::Rss | Dialect::Rdf | Dialect::Json => rss::read(&tongue, dialect),
        }
    }
}

/// Told by the root, so that a web page is called one before anybody looks for mistakes in it.
fn dialect(page: &PageDigest) -> Result<Dialect, FeedError> {
    let root = page.children(NodeId::ROOT).find(|&node| names::is_element(page, node));
    let name = root.map(|root| page.name(root));
    match name.map(names::local) {
        Some("rss") => Ok(Dialect::Rss),
        Some("RDF") => Ok(Dialect::Rdf),
        Some("feed") => Ok(Dialect::Atom),
        Some(name) => {
            let name: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
            Err(FeedError::NotAFeed { found: format!("a document of <{name}>") })
        }
        None => Err(FeedError::NotAFeed { found: "text without any element".to_owned() }),
    }
}

impl Prose {
    /// Text without markup.
    pub fn plain(raw: &str) -> Self {
        let mut text = String::new();
        crate::digest::push_collapsed(&mut text, raw.trim());
        Self { text, raw: raw.to_owned() }
    }

    /// HTML: what a reader sees of it is told by the parser.
    pub fn html(raw: &str, reading: &Reading) -> Result<Self, PageError> {
        if !raw.contains(['<', '&']) {
            return Ok(Self::plain(raw));
        }
        let utf8 = Some("utf-8".to_owned());
        let reading = Reading { charset: utf8, format: Some(Format::Html), limits: reading.limits };
        let text = PageDigest::encode(raw.as_bytes(), &reading)?.visible_text(NodeId::ROOT);
        Ok(Self { raw: raw.to_owned(), text })
    }
}
