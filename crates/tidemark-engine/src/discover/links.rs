//! What a page links to: the feeds it names, and other pages.

use tidemark_core::digest::{NodeId, PageDigest};
use url::Url;

/// Most links of a page that are looked at.
const LINKS: usize = 5000;

/// What a page links to.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Feeds, with why they are thought to be.
    pub(super) feeds: Vec<(Url, String)>,
    /// Pages, with the words of the link.
    pub(super) pages: Vec<(Url, String)>,
}

pub(super) fn of(page: &PageDigest, home: &Url) -> Links {
    let base = page.tagged("base").next().and_then(|node| page.attribute(node, "href"));
    let base = base.and_then(|href| home.join(href).ok()).unwrap_or_else(|| home.clone());
    let mut links = Links::default();
    for node in page.tagged("link").take(LINKS).filter(|node| names_feed(page, *node)) {
        links
            .feeds
            .extend(target(page, node, &base).map(|url| (url, "the page names it as its feed".to_owned())));
    }
    for node in page.tagged("a").take(LINKS) {
        let Some(url) = target(page, node, &base) else { continue };
        if looks_like_feed(&url) {
            links.feeds.push((url, "the page links to it, and it is called like a feed".to_owned()));
        } else {
            links.pages.push((url, page.visible_text(node)));
        }
    }
    links.feeds.dedup_by(|one, other| one.0 == other.0);
    links
}

fn target(page: &PageDigest, node: NodeId, base: &Url) -> Option<Url> {
    let mut url = base.join(page.attribute(node, "href")?.trim()).ok()?;
    url.set_fragment(None);
    matches!(url.scheme(), "http" | "https").then_some(url)
}

fn names_feed(page: &PageDigest, node: NodeId) -> bool {
    let is = |name: &str, wanted: &[&str]| {
        let value = page.attribute(node, name).unwrap_or_default().to_ascii_lowercase();
        value.split(|c: char| c.is_whitespace() || c == ';').any(|word| wanted.contains(&word))
    };
    is("rel", &["alternate"])
        && is(
            "type",
            &["application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"],
        )
}

fn looks_like_feed(url: &Url) -> bool {
    let last = url.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    matches!(
        last.as_str(),
        "feed" | "rss" | "atom" | "feed.xml" | "rss.xml" | "atom.xml" | "feed.json" | "index.rdf"
    )
}
