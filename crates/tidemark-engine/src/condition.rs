//! Whether what came back is the page at all, or something in its place: an error, a wall, nothing.
//!
//! Rules, in order; the first that holds decides and says why. What could be a page of few words is judged by its words only if it has few: a long article may speak of
//! captchas as it likes. A page in a bad condition never becomes the baseline.
//! Cost: the status alone for most errors; otherwise one pass over a short page.

mod phrases;

use crate::fetch::{Fetched, Redirect};
use serde::{Deserialize, Serialize};
use std::fmt;
use tidemark_core::digest::{NodeId, PageDigest};
use url::Url;

/// Most words of a page that stands in for another.
const FEW_WORDS: usize = 250;
/// Most words of a login page: forms with little around them.
const LOGIN_WORDS: usize = 120;

/// What is wrong with a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Ailment {
    /// No answer that could be used.
    Unreachable {
        /// Why.
        reason: String,
    },
    /// A status that says so.
    Status {
        /// It.
        status: u16,
    },
    /// Nothing a reader could see.
    Blank,
    /// It led to somewhere else.
    Elsewhere {
        /// Where.
        to: String,
    },
    /// A page that says the page is not there, with a status that says it is.
    ErrorText {
        /// What it says.
        said: String,
    },
    /// A log-in form.
    Login,
    /// A question to agree to something first.
    Consent {
        /// What it says.
        said: String,
    },
    /// A test for robots.
    BotWall {
        /// What it says.
        said: String,
    },
    /// A domain for sale.
    Parked {
        /// What it says.
        said: String,
    },
}

impl fmt::Display for Ailment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable { reason } => f.write_str(reason),
            Self::Status { status } => match phrases::of_status(*status) {
                Some(words) => write!(f, "the server answers {status} ({words})"),
                None => write!(f, "the server answers {status}"),
            },
            Self::Blank => f.write_str("the page is blank"),
            Self::Elsewhere { to } => write!(f, "the address now leads elsewhere, to {to}"),
            Self::ErrorText { said } => write!(f, "an error page in its place: '{said}'"),
            Self::Login => f.write_str("a log-in page in its place"),
            Self::Consent { said } => write!(f, "a consent page in its place: '{said}'"),
            Self::BotWall { said } => write!(f, "a test for robots in its place: '{said}'"),
            Self::Parked { said } => write!(f, "the domain is parked: '{said}'"),
        }
    }
}

impl Ailment {
    /// Whether two are the same trouble: one event is enough for both.
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Whether the server says that the page is gone for good, or not there.
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Status { status: 404 | 410 } | Self::Parked { .. })
    }
}

/// By the head of the answer alone.
pub fn of_head(fetched: &Fetched) -> Option<Ailment> {
    let well = (200..300).contains(&fetched.status);
    (!well).then_some(Ailment::Status { status: fetched.status })
}

/// By where it led. `home` is where the baseline came from.
pub fn of_way(home: &Url, redirects: &[Redirect], asked: &Url) -> Option<Ailment> {
    let end = redirects.last().map_or(asked, |redirect| &redirect.to);
    let other_site = site(end) != site(home);
    let other_login = phrases::is_login_path(end.path()) && !phrases::is_login_path(home.path());
    let to_the_front = end.path() == "/" && home.path() != "/" && end.query().is_none();
    (other_site || other_login || to_the_front).then(|| Ailment::Elsewhere { to: end.to_string() })
}

/// By what it says.
pub fn of_words(page: &PageDigest) -> Option<Ailment> {
    let text = page.visible_text(page.tagged("body").next().unwrap_or(NodeId::ROOT));
    let words = text.split_whitespace().take(FEW_WORDS + 1).count();
    if words == 0 {
        return (!shows_pictures(page)).then_some(Ailment::Blank);
    }
    if words > FEW_WORDS {
        return None;
    }
    let title = page.tagged("title").next().map(|title| page.visible_text(title)).unwrap_or_default();
    let (title, text) = (title.to_lowercase(), text.to_lowercase());
    if let Some(said) = phrases::bot_wall(&title, &text).or_else(|| bot_markers(page)) {
        return Some(Ailment::BotWall { said });
    }
    if let Some(said) = phrases::parked(&text) {
        return Some(Ailment::Parked { said });
    }
    if let Some(said) = phrases::consent(&title, &text) {
        return Some(Ailment::Consent { said });
    }
    if words <= LOGIN_WORDS && asks_for_a_password(page) {
        return Some(Ailment::Login);
    }
    phrases::error(&title, &text, words).map(|said| Ailment::ErrorText { said })
}

/// Host without `www.`: https or not, with or without it, is the same site.
fn site(url: &Url) -> (String, Option<u16>) {
    let host = url.host_str().unwrap_or_default();
    (host.strip_prefix("www.").unwrap_or(host).to_owned(), url.port())
}

fn shows_pictures(page: &PageDigest) -> bool {
    ["img", "svg", "video", "canvas", "object", "embed", "iframe", "picture"]
        .iter()
        .any(|name| page.tagged(name).next().is_some())
}

fn asks_for_a_password(page: &PageDigest) -> bool {
    let is_password =
        |node| page.attribute(node, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("password"));
    page.tagged("input").any(is_password)
}

/// Scripts and frames that only tests for robots have.
fn bot_markers(page: &PageDigest) -> Option<String> {
    let sources = ["script", "iframe", "form"].into_iter().flat_map(|name| page.tagged(name));
    let mut sources =
        sources.filter_map(|node| page.attribute(node, "src").or_else(|| page.attribute(node, "action")));
    sources.find_map(phrases::bot_source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_core::page::Reading;

    fn words(html: &str) -> Option<Ailment> {
        of_words(&PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap())
    }

    #[test]
    fn walls_errors_and_nothing_are_told_apart() {
        let is = |html: &str, wanted: fn(&Ailment) -> bool| {
            let found = words(html);
            assert!(found.as_ref().is_some_and(wanted), "{html}: {found:?}");
        };
        is("", |ailment| *ailment == Ailment::Blank);
        is("<title>x</title><script>1</script>", |ailment| *ailment == Ailment::Blank);
        is("<title>Just a moment...</title><p>Checking your browser", |a| {
            matches!(a, Ailment::BotWall { .. })
        });
        is("<p>Please complete the CAPTCHA to continue", |a| matches!(a, Ailment::BotWall { .. }));
        is("<title>404 Not Found</title><h1>Not Found</h1>", |a| matches!(a, Ailment::ErrorText { .. }));
        is("<h1>Seite nicht gefunden</h1><p>Tut uns leid.", |a| matches!(a, Ailment::ErrorText { .. }));
        is("<form>Sign in <input name=u><input type=PASSWORD></form>", |ailment| *ailment == Ailment::Login);
        is("<h1>This domain is for sale</h1>", |a| matches!(a, Ailment::Parked { .. }));
        is("<title>Before you continue</title><p>We use cookies", |a| matches!(a, Ailment::Consent { .. }));
    }

    #[test]
    fn pages_that_speak_of_such_things_are_well() {
        let long =
            format!("<title>On captchas</title><p>{}", "A captcha asks whether you are a robot. ".repeat(60));
        assert_eq!(words(&long), None);
        assert_eq!(words("<h1>Kettle</h1><p>Price: 404 euro"), None);
        assert_eq!(words("<img src=a.png>"), None);
        let shop = format!("<form>Log in <input type=password></form><p>{}", "tea ".repeat(200));
        assert_eq!(words(&shop), None);
    }

    #[test]
    fn another_site_or_the_front_page_is_elsewhere() {
        let url = |text: &str| Url::parse(text).unwrap();
        let way = |home: &str, to: &str| {
            let redirects = [Redirect { status: 302, to: url(to) }];
            of_way(&url(home), &redirects, &url(home)).is_some()
        };
        assert!(!way("http://example.org/a", "https://www.example.org/a/"));
        assert!(!way("http://example.org/", "https://example.org/start"));
        assert!(way("http://example.org/a", "https://example.org/"));
        assert!(way("http://example.org/a", "https://example.org/login?next=a"));
        assert!(way("http://example.org/a", "https://other.example/a"));
    }
}
