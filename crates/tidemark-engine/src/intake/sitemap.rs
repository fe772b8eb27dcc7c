//! Sitemaps: pages of a site, or further sitemaps.
//!
//! Source: the sitemaps protocol 0.9. A sitemap may also be plain text, an address a line.

use super::draft::Draft;
use super::{Form, Intake, Refusal, markup};
use jiff::Timestamp;
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::page::Format;
use url::Url;

/// What a sitemap says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sitemap {
    /// Pages.
    pub pages: Vec<SitemapEntry>,
    /// Further sitemaps.
    pub further: Vec<Url>,
}

/// A page in a sitemap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapEntry {
    /// Its address, as it is written.
    pub url: String,
    /// When it last changed, if that is said and is a time.
    pub modified: Option<Timestamp>,
}

impl Sitemap {
    /// Reads a sitemap, packed or not.
    pub fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        let plain = super::packed::plain(bytes)?;
        if plain.len() > super::LARGEST {
            return Err(Refusal::TooLarge(super::LARGEST));
        }
        if !plain.trim_ascii_start().starts_with(b"<") && !plain.starts_with(b"\xef\xbb\xbf<") {
            return Ok(Self::of_lines(&String::from_utf8_lossy(&plain)));
        }
        let page = markup::page(&plain, Form::Sitemap, Format::Xml)?;
        let mut sitemap = Self::default();
        for place in page.depth_first().filter(|node| is(&page, *node, "loc")) {
            let Some(above) = page.parent(place) else { continue };
            let url = markup::text(&page, place).trim().to_owned();
            if is(&page, above, "sitemap") {
                sitemap.further.extend(url.parse::<Url>().ok());
            } else if is(&page, above, "url") {
                sitemap.pages.push(SitemapEntry { url, modified: modified(&page, above) });
            }
            if sitemap.pages.len() + sitemap.further.len() > super::MOST {
                return Err(Refusal::TooMany);
            }
        }
        Ok(sitemap)
    }

    fn of_lines(text: &str) -> Self {
        let lines = text.lines().map(str::trim).filter(|line| line.starts_with("http")).take(super::MOST);
        let pages = lines.map(|line| SitemapEntry { url: line.to_owned(), modified: None });
        Self { pages: pages.collect(), further: Vec::new() }
    }
}

pub(super) fn take(bytes: &[u8], intake: &mut Intake) -> Result<(), Refusal> {
    let sitemap = Sitemap::read(bytes)?;
    intake.further = sitemap.further;
    for entry in &sitemap.pages {
        intake.take(Draft::new(&entry.url))?;
    }
    Ok(())
}

/// Whether a node has this name, whatever prefix it has.
fn is(page: &PageDigest, node: NodeId, name: &str) -> bool {
    let written = page.name(node);
    written.rsplit(':').next() == Some(name)
}

fn modified(page: &PageDigest, entry: NodeId) -> Option<Timestamp> {
    let node = page.children(entry).take(32).find(|node| is(page, *node, "lastmod"))?;
    let text = markup::text(page, node);
    let text = text.trim();
    text.parse().ok().or_else(|| format!("{}T00:00:00Z", text.get(..10)?).parse().ok())
}
