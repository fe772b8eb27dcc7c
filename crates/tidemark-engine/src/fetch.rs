//! The port to the network: one request out, one answer back. Whatever a server or a network does is an answer, never an error.

use crate::request::Request;
use bytes::Bytes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::pin::Pin;
use std::time::Duration;
use url::Url;

/// Fetches pages, politely and safely.
pub trait Fetcher: Send + Sync {
    /// Asks once, following redirects. Never fails and always ends, within the time-outs it was made with.
    fn fetch<'a>(&'a self, request: &'a Request, known: &'a Validators) -> Fetching<'a>;
}

/// A fetch under way.
pub type Fetching<'a> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

/// What a server said of the version we know, to ask "has it changed since?".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    /// `ETag`, as it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// `Last-Modified`, as it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// Who said it, where redirects led elsewhere than was asked for: nobody else can be asked by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<Url>,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What it was.
    pub outcome: Outcome,
    /// Where it took us: every URL after the first that was asked for, in order.
    pub redirects: Vec<Redirect>,
    /// How long it took.
    pub timing: Timing,
    /// Bytes received on the wire for the last body, before decompression.
    pub received: u64,
    /// When the server wishes to be asked again, at the earliest.
    pub retry_after: Option<RetryAfter>,
    /// The pause between visits that the host's `robots.txt` asks for.
    pub crawl_delay: Option<Duration>,
}

/// One redirect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redirect {
    /// 301, 302, 303, 307 or 308.
    pub status: u16,
    /// Where to.
    pub to: Url,
}

/// What a fetch brought.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The server answered with a body, whatever its status (also 404 and 500).
    Page(Fetched),
    /// 304: still the version of the validators.
    Unchanged,
    /// No answer that could be used.
    Failed(Failure),
}

/// A body with what was said of it.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The status.
    pub status: u16,
    /// The body, decompressed, exactly as the server meant it.
    pub body: Bytes,
    /// `Content-Type`, if there was one.
    pub content_type: Option<String>,
    /// For the next visit.
    pub validators: Validators,
    /// `Last-Modified` as a time, where it is one.
    pub modified: Option<Timestamp>,
    /// How it looked, if a browser showed it and was asked for a picture.
    pub picture: Option<Box<Picture>>,
}

/// A page as a browser showed it.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// The picture.
    pub png: Bytes,
    /// In pixels.
    pub width: u32,
    /// In pixels; that of the page, or where it was cut.
    pub height: u32,
    /// Where its elements are, in the order of the document.
    pub boxes: Vec<NodeBox>,
}

/// Where an element is on a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeBox {
    /// Its tag, in small letters.
    pub tag: Box<str>,
    /// Its place.
    pub area: Area,
}

/// A rectangle on a picture, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
    /// How wide.
    pub width: u32,
    /// How high.
    pub height: u32,
}

/// When a server wishes to be asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    /// So long after its answer.
    In(Duration),
    /// Not before.
    At(Timestamp),
}

/// How long the parts of a fetch took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// Until the head of the last answer was there, redirects included.
    pub first_byte: Duration,
    /// In all.
    pub total: Duration,
}

/// Why there is no answer that could be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// The name has no address.
    #[error("the name {host} could not be resolved: {reason}")]
    Unresolved {
        /// The name.
        host: String,
        /// What the resolver said.
        reason: String,
    },
    /// The guard refused the address.
    #[error("{0}")]
    Refused(String),
    /// `robots.txt` asks not to.
    #[error(
        "robots.txt of {host} asks not to fetch this page (rule '{rule}'); --ignore-robots is for one's own site"
    )]
    Robots {
        /// Whose.
        host: String,
        /// The rule that matched.
        rule: String,
    },
    /// Nobody answered at the address.
    #[error("could not connect: {0}")]
    Connect(String),
    /// No trust: a certificate that is wrong, out of date or of another host.
    #[error("the connection is not secure: {0}")]
    Tls(String),
    /// Too slow.
    #[error("no {phase} within {} s", limit.as_secs_f64())]
    TimedOut {
        /// What was waited for.
        phase: Phase,
        /// How long.
        limit: Duration,
    },
    /// Larger than is accepted.
    #[error("larger than {limit} bytes {}", if *unpacked { "when unpacked" } else { "on the wire" })]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
        /// Whether it was found while unpacking.
        unpacked: bool,
    },
    /// The connection broke off, or the length was a lie.
    #[error("the answer broke off: {0}")]
    Cut(String),
    /// What came is not what was announced: bad compression, bad HTTP.
    #[error("the answer could not be read: {0}")]
    Garbled(String),
    /// Around in a circle, or too often.
    #[error("gave up after {0} redirects")]
    Redirects(usize),
    /// To somewhere that is no web address.
    #[error("redirected to '{0}', which is no web address")]
    Astray(String),
    /// 304 although nothing was asked to be compared with.
    #[error("the server says 'not modified' although no version was named")]
    Unasked,
    /// The browser did not show it.
    #[error("the page could not be rendered: {0}")]
    Rendering(String),
    /// The request itself cannot be sent.
    #[error("the request cannot be sent: {0}")]
    Unsendable(String),
}

/// What was waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// A connection.
    Connection,
    /// The head of the answer.
    FirstByte,
    /// The next piece of the body.
    NextByte,
    /// The end of it.
    End,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({}x{}, {} bytes)", self.width, self.height, self.png.len())
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connection => "connection",
            Self::FirstByte => "answer",
            Self::NextByte => "further byte",
            Self::End => "end of the answer",
        })
    }
}
