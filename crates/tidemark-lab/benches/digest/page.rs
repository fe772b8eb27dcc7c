//! The pages all contests run over.

use anyhow::Result;
use std::fmt;
use tidemark_core::digest::{PageDigest, Variant};
use tidemark_core::page::{Limits, Reading};
use tidemark_lab::corpus::{self, Document, Origin};
use tidemark_lab::table::grouped;

/// One page, read in the ways that more than one contest starts from.
pub(crate) struct Page {
    pub(crate) bytes: Vec<u8>,
    pub(crate) digest: PageDigest,
    pub(crate) plain: Vec<u8>,
}

impl Page {
    fn new(document: &Document) -> Result<Self> {
        let digest = PageDigest::encode(&document.bytes, &Reading::default())?;
        let plain = digest.to_native(Variant::Plain)?;
        Ok(Self { bytes: document.bytes.clone(), digest, plain })
    }

    /// The page as text; only pages that are UTF-8 are chosen.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("pages that are no UTF-8 were left out")
    }

    pub(crate) fn encode(&self) -> PageDigest {
        PageDigest::encode(&self.bytes, &Reading::default()).expect("the page was encoded before")
    }

    pub(crate) fn load(&self) -> PageDigest {
        PageDigest::from_native(&self.plain, &Limits::default()).expect("a file just written is sound")
    }
}

/// All pages.
pub(crate) struct Pages {
    pub(crate) pages: Vec<Page>,
    origin: Origin,
}

impl Pages {
    /// Articles and some versions of histories, as far as they are UTF-8: the peers read nothing else.
    pub(crate) fn read() -> Result<Self> {
        let (documents, origin) = corpus::pages()?;
        let sample = corpus::sample(&documents).into_iter();
        let readable = sample.filter(|document| std::str::from_utf8(&document.bytes).is_ok());
        Ok(Self { pages: readable.map(Page::new).collect::<Result<_>>()?, origin })
    }
}

impl fmt::Display for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes: usize = self.pages.iter().map(|page| page.bytes.len()).sum();
        let nodes: usize = self.pages.iter().map(|page| page.digest.len()).sum();
        let origin = match self.origin {
            Origin::Corpus => "pages of the corpus",
            Origin::Generated => "generated pages",
        };
        write!(f, "{} {origin}, {} bytes, {} nodes", self.pages.len(), grouped(bytes), grouped(nodes))
    }
}
