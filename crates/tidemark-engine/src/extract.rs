//! What is taken out of a document before it is compared: the text of a PDF, what a jq filter makes of JSON. The version that is kept stays as it came, to the byte.
//!
//! Readers of such documents are large and the documents hostile, so the work is done behind this port, in a process of its own.

use std::borrow::Cow;
use std::fmt;

/// What to take out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extraction {
    /// The text of a PDF: UTF-8, a form feed between two pages.
    Pdf,
    /// What a jq filter makes of JSON values: all results as one JSON array.
    Jq(String),
}

/// Takes texts out of documents, within limits of its own.
pub trait Extractor: Send + Sync {
    /// What was taken out, or why nothing could be.
    fn extract(&self, what: &Extraction, bytes: &[u8]) -> Result<Vec<u8>, String>;
}

/// For those who have no extractor: documents that need one are compared by hash.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

/// Who extracts, and what a page asks for.
#[derive(Clone, Copy)]
pub struct Extracting<'a> {
    /// Who does it.
    pub extractor: &'a dyn Extractor,
    /// The filter that JSON goes through first.
    pub jq: Option<&'a str>,
}

impl Default for Extracting<'_> {
    fn default() -> Self {
        Self { extractor: &Nobody, jq: None }
    }
}

impl Extracting<'_> {
    /// What tells a page read this way from the same bytes read in another, by the hash of the bytes.
    pub fn key(&self, hash: [u8; 32]) -> [u8; 32] {
        let filtered = |filter: &str| *blake3::keyed_hash(&hash, filter.as_bytes()).as_bytes();
        self.jq.map_or(hash, filtered)
    }
}

impl Extractor for Nobody {
    fn extract(&self, what: &Extraction, _: &[u8]) -> Result<Vec<u8>, String> {
        Err(format!("nobody here can read {what}"))
    }
}

impl fmt::Debug for Extracting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extracting").field("jq", &self.jq).finish_non_exhaustive()
    }
}

impl fmt::Display for Extraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match self {
            Self::Pdf => Cow::Borrowed("the PDF"),
            Self::Jq(filter) => format!("what jq '{filter}' makes of it").into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_filter_has_a_key_of_its_own() {
        let key = |jq| Extracting { jq, ..Extracting::default() }.key([7; 32]);
        assert_eq!(key(None), [7; 32], "digests of pages without a filter stay where they are");
        assert!(key(Some(".a")) != key(Some(".b")) && key(Some("")) != key(None));
    }
}
