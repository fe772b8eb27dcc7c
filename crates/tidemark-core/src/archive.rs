//! Web archives: pages as they were fetched, one after the other.
//!
//! Source: the WARC format (ISO 28500) and HTTP/1.1 (RFC 9112). A room of its own, and not one of `page`, because a page knows nothing of how it
//! came here, and whoever fetches pages needs the heads and codings of HTTP, too. Whoever has the bytes pushes them in; gzip around the
//! archive is undone by them, gzip inside an answer here. Cost: linear; memory bounded by one answer, whatever lengths an archive claims.
//!
//! ```
//! use tidemark_core::archive::{Found, Reader};
//!
//! let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Tides";
//! let head = format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: {}", answer.len());
//! let mut pages = Vec::new();
//! let mut reader = Reader::new(1 << 20);
//! reader.push(format!("{head}\r\n\r\n{answer}\r\n\r\n").as_bytes(), &mut |found| pages.push(found));
//! let [Found::Page(page)] = &pages[..] else { panic!("one page") };
//! assert_eq!((page.url.as_str(), &page.body[..]), ("http://a.example/", &b"<p>Tides"[..]));
//! assert!(reader.finish().is_none());
//! ```

mod coding;
mod fields;
mod http;
mod warc;

pub use warc::Reader;

/// What an archive holds of interest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A page.
    Page(Capture),
    /// Something that should be a page and cannot be read; reading goes on after it.
    Trouble(Trouble),
}

/// A page as it was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Where it was fetched from.
    pub url: String,
    /// When, as the archive writes it.
    pub date: Option<String>,
    /// What the server called it, without parameters: `text/html`.
    pub media_type: String,
    /// The charset that the server named.
    pub charset: Option<String>,
    /// The page, with all codings undone.
    pub body: Vec<u8>,
}

/// Why something in an archive cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// Bytes between records.
    #[error("no record begins at byte {at}, where one should")]
    NoRecord {
        /// Bytes before it.
        at: u64,
    },
    /// A head without end.
    #[error("the head of the record at byte {at} does not end")]
    Head {
        /// Bytes before the record.
        at: u64,
    },
    /// A record that does not say how long it is.
    #[error("the record at byte {at} has no length")]
    Length {
        /// Bytes before the record.
        at: u64,
    },
    /// Too large a page.
    #[error("{url} is larger than {most} bytes")]
    TooLarge {
        /// Where the page is from.
        url: String,
        /// The limit.
        most: usize,
    },
    /// No answer of a web server.
    #[error("{url} is no HTTP answer")]
    Answer {
        /// Where it is from.
        url: String,
    },
    /// A coding that is not undone here.
    #[error("{url} is coded as {coding}, which cannot be undone")]
    Coding {
        /// Where the page is from.
        url: String,
        /// What the server calls the coding.
        coding: String,
    },
    /// A coding that cannot be undone.
    #[error("{url} is damaged")]
    Damaged {
        /// Where the page is from.
        url: String,
    },
    /// An archive that ends too early.
    #[error("the archive ends in the middle of the record at byte {at}")]
    Cut {
        /// Bytes before the record.
        at: u64,
    },
}
