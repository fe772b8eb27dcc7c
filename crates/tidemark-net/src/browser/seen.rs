//! What is seen of a page while it loads: its document, where that moved, and whether its network is quiet.

use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;
use tidemark_engine::fetch::Redirect;
use tokio::time::Instant;
use url::Url;

/// So long the network must be silent to be called quiet.
const QUIET: Duration = Duration::from_millis(500);
/// Requests under way that are counted.
const FLYING: usize = 4096;
/// These never end, or nobody waits for them.
const ENDLESS: [&str; 4] = ["EventSource", "Ping", "Media", "Prefetch"];

/// What was seen.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) status: u16,
    pub(crate) media: String,
    pub(crate) headers: Value,
    pub(crate) url: Option<Url>,
    pub(crate) redirects: Vec<Redirect>,
    pub(crate) crawl_delay: Option<Duration>,
    pub(crate) first_byte: Option<Instant>,
    /// The request for the document.
    document: String,
    loaded: bool,
    pub(crate) crashed: bool,
    flying: BTreeSet<String>,
    quiet_since: Option<Instant>,
}

impl Seen {
    /// Whether the page has loaded, and nothing was asked for in a while.
    pub(crate) fn is_quiet(&self, start: Instant) -> bool {
        let since = self.quiet_since.map_or(start, |since| since.max(start));
        self.loaded && self.flying.is_empty() && since.elapsed() >= QUIET
    }

    /// Takes note of an event.
    pub(crate) fn note(&mut self, method: &str, it: &Value, frame: &str) {
        match method {
            "Network.requestWillBeSent" => self.sent(it, frame),
            "Network.loadingFinished" | "Network.loadingFailed" | "Network.requestServedFromCache" => {
                self.landed(it);
            }
            "Network.responseReceived" if it["requestId"] == self.document.as_str() => {
                self.answered(&it["response"]);
            }
            "Page.loadEventFired" => self.loaded = true,
            _ => {}
        }
    }

    fn landed(&mut self, it: &Value) {
        if self.flying.remove(it["requestId"].as_str().unwrap_or_default()) {
            self.quiet_since = Some(Instant::now());
        }
    }

    fn sent(&mut self, it: &Value, frame: &str) {
        let Some(id) = it["requestId"].as_str() else { return };
        self.quiet_since = Some(Instant::now());
        if self.flying.len() < FLYING && !ENDLESS.iter().any(|kind| it["type"] == *kind) {
            self.flying.insert(id.to_owned());
        }
        if it["type"] != "Document" || it["frameId"] != frame {
            return;
        }
        let url = it["request"]["url"].as_str().and_then(|url| Url::parse(url).ok());
        let status = it["redirectResponse"]["status"].as_u64().and_then(|status| u16::try_from(status).ok());
        if let (Some(status), Some(to)) = (status, &url) {
            self.redirects.push(Redirect { status, to: without_fragment(to) });
        }
        id.clone_into(&mut self.document);
        self.loaded = false;
        self.url = url;
    }

    fn answered(&mut self, response: &Value) {
        self.status = response["status"].as_u64().and_then(|status| u16::try_from(status).ok()).unwrap_or(0);
        self.media = response["mimeType"].as_str().unwrap_or_default().to_ascii_lowercase();
        self.headers = response["headers"].clone();
        self.first_byte.get_or_insert_with(Instant::now);
    }
}

pub(crate) fn without_fragment(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}
