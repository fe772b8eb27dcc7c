//! Discovery: from a page its feeds and its sitemap, from a site what may be worth watching.
//!
//! Feeds come first: those that the page names, else those at a few well-known places; each is fetched, and counts only if it is one. Then pages of the site, from its sitemaps and from the
//! links of the page, ranked by a rule that is told with each: linked from the page before not linked, near the top of the site before far below, changed lately before long ago.
//! Cost: bounded fetches, all through the port, so each passes the guard and obeys `robots.txt`.

mod links;
mod rank;

use crate::content::{Content, ContentKind};
use crate::fetch::{Fetched, Fetcher, Outcome, Validators};
use crate::intake::Sitemap;
use crate::request::Request;
use rank::Ranking;
use serde::Serialize;
use tidemark_core::page::Limits;
use url::Url;

/// Where feeds often are.
const WELL_KNOWN: [&str; 5] = ["/feed", "/rss.xml", "/atom.xml", "/feed.xml", "/index.xml"];
/// Feeds that are fetched to see whether they are.
const FEEDS: usize = 8;
/// Sitemaps that are read.
const SITEMAPS: usize = 6;
/// Pages of sitemaps that are looked at.
const PAGES: usize = 50_000;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Discovery {
    /// Its feeds.
    pub feeds: Vec<Candidate>,
    /// Its sitemaps.
    pub sitemaps: Vec<Url>,
    /// Pages of the site, the most promising first.
    pub pages: Vec<Candidate>,
    /// What could not be looked at, and why.
    pub problems: Vec<String>,
}

/// Something that may be watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// Where it is.
    pub url: Url,
    /// What it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Why it is proposed.
    pub why: String,
}

/// Looks around from a page. At most so many pages are proposed.
pub async fn discover(fetcher: &dyn Fetcher, request: &Request, most: usize) -> Result<Discovery, String> {
    let (home, page) = fetch(fetcher, request).await?;
    let mut found = Discovery::default();
    let content = Content::read(&page.body, page.content_type.as_deref(), Limits::default());
    if content.kind == ContentKind::Feed {
        found.feeds.extend(feed(&home, &page, "it is a feed itself"));
    }
    let links = content.digest.as_deref().map(|digest| links::of(digest, &home)).unwrap_or_default();
    feeds(fetcher, &home, &links.feeds, &mut found).await;
    let mut ranking = Ranking::new(&home);
    links.pages.iter().for_each(|(url, title)| ranking.linked(url, title));
    sitemaps(fetcher, &home, &mut found, &mut ranking).await;
    found.pages = ranking.best(most);
    Ok(found)
}

/// Feeds that the page names; where it names none, those at well-known places.
async fn feeds(fetcher: &dyn Fetcher, home: &Url, named: &[(Url, String)], found: &mut Discovery) {
    let known: Vec<(Url, String)> = if named.is_empty() && found.feeds.is_empty() {
        let why = || "it is where feeds often are".to_owned();
        WELL_KNOWN.iter().filter_map(|path| Some((home.join(path).ok()?, why()))).collect()
    } else {
        named.to_vec()
    };
    for (url, why) in known.into_iter().take(FEEDS) {
        if found.feeds.iter().any(|feed| feed.url == url) {
            continue;
        }
        match get(fetcher, &url).await {
            Ok((end, page)) if end.host_str() == url.host_str() || !named.is_empty() => {
                found.feeds.extend(feed(&url, &page, &why));
            }
            Err(reason) if !named.is_empty() => found.problems.push(format!("{url}: {reason}")),
            Ok(_) | Err(_) => {}
        }
    }
}

/// A feed, if that is what came back.
fn feed(url: &Url, page: &Fetched, why: &str) -> Option<Candidate> {
    let media = page.content_type.as_deref();
    let content = Content::read(&page.body, media, Limits::default());
    let feed = content.feed(&page.body, media).filter(|_| page.status == 200)?;
    let why = format!("{why}; it has {} entries", feed.items.len());
    Some(Candidate { url: url.clone(), title: titled(&feed.title.text), why })
}

/// Reads the sitemaps that `robots.txt` names, or the one at its usual place, and those that they name.
async fn sitemaps(fetcher: &dyn Fetcher, home: &Url, found: &mut Discovery, ranking: &mut Ranking) {
    let mut waiting = named_in_robots(fetcher, home).await;
    if waiting.is_empty() {
        waiting.extend(home.join("/sitemap.xml"));
    }
    let mut seen = 0;
    let mut at = 0;
    while at < waiting.len().min(SITEMAPS) {
        let url = waiting[at].clone();
        at += 1;
        let sitemap = match get(fetcher, &url).await {
            Ok((_, page)) => Sitemap::read(&page.body).map_err(|error| error.to_string()),
            Err(reason) => Err(reason),
        };
        match sitemap {
            Ok(sitemap) if sitemap.pages.is_empty() && sitemap.further.is_empty() => {}
            Ok(sitemap) => {
                found.sitemaps.push(url);
                waiting.extend(sitemap.further.into_iter().take(SITEMAPS));
                for entry in sitemap.pages.iter().take(PAGES - seen.min(PAGES)) {
                    ranking.listed(&entry.url, entry.modified);
                    seen += 1;
                }
            }
            Err(reason) => found.problems.push(format!("{url}: {reason}")),
        }
    }
}

async fn named_in_robots(fetcher: &dyn Fetcher, home: &Url) -> Vec<Url> {
    let Ok(url) = home.join("/robots.txt") else { return Vec::new() };
    let Ok((_, page)) = get(fetcher, &url).await else { return Vec::new() };
    let text = String::from_utf8_lossy(&page.body[..page.body.len().min(500 << 10)]).into_owned();
    let named = text.lines().filter_map(|line| line.split_once(':'));
    let named = named.filter(|(key, _)| key.trim().eq_ignore_ascii_case("sitemap"));
    named.filter_map(|(_, url)| home.join(url.trim()).ok()).take(SITEMAPS).collect()
}

async fn get(fetcher: &dyn Fetcher, url: &Url) -> Result<(Url, Fetched), String> {
    let request = Request::get(url.as_str()).map_err(|error| error.to_string())?;
    fetch(fetcher, &request).await
}

/// A page that was sent, and where it was in the end.
async fn fetch(fetcher: &dyn Fetcher, request: &Request) -> Result<(Url, Fetched), String> {
    let answer = fetcher.fetch(request, &Validators::default()).await;
    let end = answer.redirects.last().map_or_else(|| request.url.clone(), |redirect| redirect.to.clone());
    match answer.outcome {
        Outcome::Page(page) if page.status == 200 => Ok((end, page)),
        Outcome::Page(page) => Err(format!("the server answers {}", page.status)),
        Outcome::Unchanged => Err("the server says that nothing changed".to_owned()),
        Outcome::Failed(failure) => Err(failure.to_string()),
    }
}

/// A title worth showing.
fn titled(text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .take(40)
        .collect();
    let title: String = words.join(" ").chars().take(120).collect();
    (!title.is_empty()).then_some(title)
}
