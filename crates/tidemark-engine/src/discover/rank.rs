//! Which pages of a site are proposed first, and why.
//!
//! The rule, told with each page: those linked from the page come first, then those nearer to the top of the site, then those without a query, then those changed later, then by name.

use super::{Candidate, titled};
use jiff::Timestamp;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use url::Url;

/// Most pages that are weighed.
const MOST: usize = 60_000;

/// Pages of one host with what is known of them.
pub(super) struct Ranking {
    home: Url,
    pages: BTreeMap<Url, Known>,
}

#[derive(Default)]
struct Known {
    linked: bool,
    title: String,
    modified: Option<Timestamp>,
}

impl Ranking {
    pub(super) fn new(home: &Url) -> Self {
        Self { home: home.clone(), pages: BTreeMap::new() }
    }

    /// A page that the first one links to.
    pub(super) fn linked(&mut self, url: &Url, title: &str) {
        if let Some(known) = self.known(url.clone()) {
            known.linked = true;
            if known.title.is_empty() {
                title.clone_into(&mut known.title);
            }
        }
    }

    /// A page that a sitemap lists.
    pub(super) fn listed(&mut self, url: &str, modified: Option<Timestamp>) {
        if let Ok(url) = url.parse::<Url>()
            && let Some(known) = self.known(url)
        {
            known.modified = modified.or(known.modified);
        }
    }

    /// The best, in order.
    pub(super) fn best(&self, most: usize) -> Vec<Candidate> {
        let mut pages: Vec<(&Url, &Known)> = self.pages.iter().collect();
        pages.sort_by_key(|(url, known)| {
            (!known.linked, depth(url), url.query().is_some(), Reverse(known.modified), url.as_str())
        });
        pages.into_iter().take(most).map(|(url, known)| candidate(url, known)).collect()
    }

    /// Only pages of the same host, and not the first one itself.
    fn known(&mut self, mut url: Url) -> Option<&mut Known> {
        url.set_fragment(None);
        let is_ours =
            url.host_str() == self.home.host_str() && url.port() == self.home.port() && url != self.home;
        let is_page = matches!(url.scheme(), "http" | "https") && !is_file(&url);
        let has_room = self.pages.len() < MOST || self.pages.contains_key(&url);
        (is_ours && is_page && has_room).then(|| self.pages.entry(url).or_default())
    }
}

fn candidate(url: &Url, known: &Known) -> Candidate {
    let place = match depth(url) {
        0 => "the top of the site".to_owned(),
        1 => "one step below the top".to_owned(),
        steps => format!("{steps} steps below the top"),
    };
    let mut why = if known.linked {
        format!("linked from the page, {place}")
    } else {
        format!("in the sitemap, {place}")
    };
    if let Some(modified) = known.modified {
        why = format!("{why}, changed {}", modified.strftime("%Y-%m-%d"));
    }
    Candidate { url: url.clone(), title: titled(&known.title), why }
}

fn depth(url: &Url) -> usize {
    url.path().split('/').filter(|part| !part.is_empty()).count()
}

/// Pictures, scripts and the like are no pages.
fn is_file(url: &Url) -> bool {
    let end = url.path().rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let files = [
        "png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "css", "js", "zip", "gz", "mp3", "mp4", "woff",
        "woff2", "avif",
    ];
    files.contains(&end.as_str())
}
