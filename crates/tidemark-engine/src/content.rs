//! What came back, read as what it is: a page, a feed, text, JSON, a PDF, or a file that can only be compared by its hash.
//!
//! Everything but such a file becomes a digest, so that zones, differences and marks are the same for all. Cost: that of reading it once.

use crate::extract::{Extracting, Extraction};
use std::sync::Arc;
use tidemark_core::digest::PageDigest;
use tidemark_core::feed::Feed;
use tidemark_core::page::{Format, Limits, Reading, plain};

/// The media type of PDF.
const PDF: &str = "application/pdf";
/// What a digest takes, as a multiple of its page.
const DIGEST_WEIGHT: usize = 5;

/// Bytes as they were read.
#[derive(Clone, Debug)]
pub struct Content {
    /// What they are.
    pub kind: ContentKind,
    /// The page they make; none for a file that is compared by hash.
    pub digest: Option<Arc<PageDigest>>,
    /// Why they are compared by hash although they might be a page.
    pub refused: Option<String>,
}

/// What can be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContentKind {
    /// HTML.
    Html,
    /// XML that is no feed.
    Xml,
    /// RSS, RDF, Atom, JSON Feed.
    Feed,
    /// Plain text.
    Text,
    /// JSON that is no feed.
    Json,
    /// PDF, by its text.
    Pdf,
    /// Anything else, compared by hash.
    File,
}

impl ContentKind {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Html => "page",
            Self::Xml => "XML",
            Self::Feed => "feed",
            Self::Text => "text",
            Self::Json => "JSON",
            Self::Pdf => "PDF",
            Self::File => "file",
        }
    }

    /// By the word of the server where it is precise, else by the first bytes.
    pub fn of(body: &[u8], content_type: Option<&str>) -> Self {
        let media = content_type.and_then(|value| value.split(';').next()).unwrap_or_default().trim();
        let media = media.to_ascii_lowercase();
        match media.as_str() {
            "application/rss+xml"
            | "application/atom+xml"
            | "application/rdf+xml"
            | "application/feed+json" => {
                return Self::Feed;
            }
            _ if media == "application/json" || media.ends_with("+json") || media == "text/json" => {
                return if is_json_feed(body) { Self::Feed } else { Self::Json };
            }
            "text/html" | "application/xhtml+xml" => return Self::Html,
            "" | "text/plain" | "application/octet-stream" | "text/xml" | "application/xml" | PDF => {}
            _ if media.ends_with("+xml") => {}
            _ if media.starts_with("text/") || is_program_text(&media) => return Self::Text,
            _ => return Self::File,
        }
        Self::sniffed(body, &media)
    }

    fn sniffed(body: &[u8], media: &str) -> Self {
        let is_xml = media.ends_with("xml");
        let head = body[..body.len().min(1024)].trim_ascii_start();
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        match head.first() {
            _ if is_pdf(head, media) => Self::Pdf,
            Some(b'<') => Self::of_markup(head, is_xml),
            _ if is_xml => Self::Xml,
            Some(b'{' | b'[') if media != "text/plain" && !head.contains(&0) => {
                if is_json_feed(body) {
                    Self::Feed
                } else {
                    Self::Json
                }
            }
            _ if media == "text/plain" => Self::Text,
            _ if looks_binary(head) || media == PDF => Self::File,
            _ => Self::Text,
        }
    }

    fn of_markup(head: &[u8], is_xml: bool) -> Self {
        let text = String::from_utf8_lossy(head);
        match Format::sniff(&text) {
            Format::Xml if ["<rss", "<feed", "<rdf:RDF"].iter().any(|root| text.contains(root)) => Self::Feed,
            Format::Xml => Self::Xml,
            Format::Html if is_xml => Self::Xml,
            Format::Html => Self::Html,
        }
    }
}

impl Content {
    /// Reads bytes, with nobody to extract anything. Nothing fails: what is beyond the limits is a file.
    pub fn read(body: &[u8], content_type: Option<&str>, limits: Limits) -> Self {
        Self::extracted(body, content_type, limits, Extracting::default())
    }

    /// Reads bytes, or what is extracted from them. Nothing fails here either: what cannot be extracted is a file.
    pub fn extracted(
        body: &[u8],
        content_type: Option<&str>,
        limits: Limits,
        extracting: Extracting<'_>,
    ) -> Self {
        let kind = ContentKind::of(body, content_type);
        let what = match (kind, extracting.jq) {
            (ContentKind::Pdf, _) => Extraction::Pdf,
            (ContentKind::Json, Some(jq)) => Extraction::Jq(jq.to_owned()),
            (_, Some(jq)) if looks_like_json(body) => Extraction::Jq(jq.to_owned()),
            _ => return Self::plain(kind, body, content_type, limits),
        };
        let reading = Reading { charset: Some("utf-8".to_owned()), format: None, limits };
        let fits = plain::bounded(body, &reading).map_err(|error| error.to_string());
        let taken = fits.and_then(|()| extracting.extractor.extract(&what, body));
        match what {
            Extraction::Pdf => Self::made(ContentKind::Pdf, taken.and_then(|text| pages(&text, &reading))),
            Extraction::Jq(_) => {
                Self::made(ContentKind::Json, taken.and_then(|json| results(&json, &reading)))
            }
        }
    }

    /// What it takes to keep it, roughly, in bytes: a digest is a few times its page.
    pub fn weight(&self, body: &[u8]) -> usize {
        let made = self.digest.as_ref().map_or(0, |digest| digest.about().bytes);
        body.len().max(made) * DIGEST_WEIGHT + 1024
    }

    fn plain(kind: ContentKind, body: &[u8], content_type: Option<&str>, limits: Limits) -> Self {
        let charset = content_type.and_then(charset);
        let format = match kind {
            ContentKind::Html => Some(Format::Html),
            ContentKind::Xml => Some(Format::Xml),
            _ => None,
        };
        let reading = Reading { charset, format, limits };
        let digest = match kind {
            ContentKind::File | ContentKind::Pdf => return Self { kind, digest: None, refused: None },
            ContentKind::Text => plain::text(body, &reading),
            ContentKind::Json => return Self::json(body, &reading),
            ContentKind::Feed if body.trim_ascii_start().starts_with(b"{") => {
                return Self::json(body, &reading);
            }
            ContentKind::Html | ContentKind::Xml | ContentKind::Feed => PageDigest::encode(body, &reading),
        };
        Self::made(kind, digest.map_err(|error| error.to_string()))
    }

    /// The feed in it, if it is one.
    pub fn feed(&self, body: &[u8], content_type: Option<&str>) -> Option<Feed> {
        let reading = Reading { charset: content_type.and_then(charset), ..Reading::default() };
        (self.kind == ContentKind::Feed).then(|| Feed::read(body, &reading).ok()).flatten()
    }

    fn json(body: &[u8], reading: &Reading) -> Self {
        let kind = if is_json_feed(body) { ContentKind::Feed } else { ContentKind::Json };
        match plain::json(body, reading) {
            Ok(Some(digest)) => Self::made(kind, Ok(digest)),
            Ok(None) => {
                Self::made(ContentKind::Text, plain::text(body, reading).map_err(|error| error.to_string()))
            }
            Err(error) => Self::made(kind, Err(error.to_string())),
        }
    }

    fn made(kind: ContentKind, digest: Result<PageDigest, String>) -> Self {
        match digest {
            Ok(digest) => Self { kind, digest: Some(Arc::new(digest)), refused: None },
            Err(refused) => Self { kind: ContentKind::File, digest: None, refused: Some(refused) },
        }
    }
}

/// The pages of a PDF.
fn pages(text: &[u8], reading: &Reading) -> Result<PageDigest, String> {
    let text = String::from_utf8_lossy(text);
    if text.trim().is_empty() {
        return Err("the PDF has no text in it; it may be pictures of pages".to_owned());
    }
    plain::pages(&text, reading).map_err(|error| error.to_string())
}

/// The results of a filter. Some that jq knows are no JSON, such as a number that is none: those are compared as text.
fn results(json: &[u8], reading: &Reading) -> Result<PageDigest, String> {
    let read =
        plain::json(json, reading).and_then(|page| page.map_or_else(|| plain::text(json, reading), Ok));
    read.map_err(|error| error.to_string())
}

/// The charset that a `Content-Type` names.
fn charset(content_type: &str) -> Option<String> {
    let parameters = content_type.split(';').skip(1).filter_map(|part| part.split_once('='));
    let value = parameters.into_iter().find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?.1;
    Some(value.trim().trim_matches(['"', '\'']).to_owned())
}

/// Whether a document begins like a PDF; one that is announced may have some bytes before its head.
fn is_pdf(head: &[u8], media: &str) -> bool {
    let mark = b"%PDF-";
    head.starts_with(mark) || media == PDF && head.windows(mark.len()).any(|window| window == mark)
}

/// Servers announce JSON as text and as pages.
fn looks_like_json(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    matches!(body.trim_ascii_start().first(), Some(b'{' | b'['))
}

fn is_program_text(media: &str) -> bool {
    ["javascript", "yaml", "toml", "x-sh", "sql"].iter().any(|name| media.contains(name))
}

fn is_json_feed(body: &[u8]) -> bool {
    let head = &body[..body.len().min(512)];
    String::from_utf8_lossy(head).contains("jsonfeed.org/version")
}

/// Control characters that no text has. UTF-16 has zeros in every other place and begins with a mark.
fn looks_binary(head: &[u8]) -> bool {
    let marked = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    !marked && head.iter().any(|byte| *byte < 9 || (14..=26).contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_is_by_type_and_by_bytes() {
        for (body, media, kind) in [
            (&b"<p>x"[..], Some("text/html; charset=utf-8"), ContentKind::Html),
            (b"<!doctype html><p>", None, ContentKind::Html),
            (b"<?xml version='1.0'?><rss version='2.0'>", Some("text/xml"), ContentKind::Feed),
            (b"<feed xmlns='http://www.w3.org/2005/Atom'>", Some("application/xml"), ContentKind::Feed),
            (b"<?xml version='1.0'?><a/>", Some("application/xml"), ContentKind::Xml),
            (b"{\"a\": 1}", Some("application/json"), ContentKind::Json),
            (
                b"{\"version\": \"https://jsonfeed.org/version/1.1\"}",
                Some("application/json"),
                ContentKind::Feed,
            ),
            (b"hello", Some("text/plain"), ContentKind::Text),
            (b"hello", None, ContentKind::Text),
            (b"\x89PNG\r\n\x1a\n\0", None, ContentKind::File),
            (b"%PDF-1.7", Some("application/pdf"), ContentKind::Pdf),
            (b"%PDF-1.7", Some("application/octet-stream"), ContentKind::Pdf),
            (b"\r\nx%PDF-1.7", Some("application/pdf"), ContentKind::Pdf),
            (b"\r\nx%PDF-1.7", None, ContentKind::Text),
            (b"not one", Some("application/pdf"), ContentKind::File),
            (b"<!doctype html><p>no such file", Some("application/pdf"), ContentKind::Html),
            (b"a,b", Some("text/csv"), ContentKind::Text),
        ] {
            assert_eq!(ContentKind::of(body, media), kind, "{media:?} {}", String::from_utf8_lossy(body));
        }
    }

    #[test]
    fn what_is_announced_wrongly_is_still_read() {
        let json = Content::read(b"<h1>Oops</h1>", Some("application/json"), Limits::default());
        assert_eq!(json.kind, ContentKind::Text);
        let small = Limits { bytes: 10, ..Limits::default() };
        let large = Content::read(&[b'x'; 20], Some("text/html"), small);
        assert!(large.digest.is_none() && large.refused.is_some());
        let latin = Content::read(b"caf\xe9", Some("text/plain; charset=\"iso-8859-1\""), Limits::default());
        let digest = latin.digest.unwrap();
        assert_eq!(digest.visible_text(tidemark_core::digest::NodeId::ROOT), "café");
    }
}
