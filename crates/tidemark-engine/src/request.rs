//! How a page is asked for. Two watches with the same request share one page: it is fetched once for both.

use crate::render::{Render, Step};
use serde::{Deserialize, Serialize};
use std::fmt;
use url::Url;

/// A URL with all that is sent to it. Never shown as it is where it can hold a secret: see [`Request::is_secret`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Where to; `http` or `https`, without a fragment.
    pub url: Url,
    /// How.
    #[serde(default)]
    pub method: Method,
    /// Further headers, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// Cookies sent to the host of the URL.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cookies: Vec<(String, String)>,
    /// Who asks; sent to the origin of the URL only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credentials: Option<Credentials>,
    /// The body of a POST.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
    /// A proxy for this page alone: `http://`, `https://` or `socks5://`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy: Option<Url>,
    /// Whether `robots.txt` is obeyed; switched off for one's own site.
    #[serde(default = "yes")]
    pub robots: bool,
    /// Whether and how it is shown in a browser first.
    #[serde(default, skip_serializing_if = "Render::is_default")]
    pub render: Render,
    /// The jq filter that JSON goes through before it is compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jq: Option<String>,
}

/// How a page is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// The usual one.
    #[default]
    Get,
    /// For pages behind a query that is posted.
    Post,
}

/// Who asks.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Credentials {
    /// A name and a password.
    Basic {
        /// Name.
        user: String,
        /// Password.
        password: String,
    },
    /// A token.
    Bearer(String),
}

/// What is posted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// Its media type.
    pub media: String,
    /// Its text.
    pub text: String,
}

/// Why a text is not the address of a page.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// No URL at all.
    #[error("'{text}' is not a web address: {reason}")]
    Url {
        /// As it was given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Not a scheme we speak.
    #[error("'{0}' is neither http nor https")]
    Scheme(String),
}

impl Request {
    /// A plain GET. An address without a scheme is taken for https. A user and password in the address become credentials.
    pub fn get(text: &str) -> Result<Self, RequestError> {
        let text = text.trim();
        let mut url = parse(text)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(RequestError::Scheme(url.scheme().to_owned()));
        }
        url.set_fragment(None);
        let credentials = take_credentials(&mut url);
        Ok(Self {
            url,
            method: Method::Get,
            headers: Vec::new(),
            cookies: Vec::new(),
            credentials,
            body: None,
            proxy: None,
            robots: true,
            render: Render::default(),
            jq: None,
        })
    }

    /// The host with its port where that is not the usual one: what politeness is counted by.
    pub fn host(&self) -> String {
        host_of(&self.url)
    }

    /// What tells this request from others, as one text. Equal exactly if the requests are.
    pub fn key(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| self.url.to_string())
    }

    /// Whether it holds something that must not be shown.
    pub fn is_secret(&self) -> bool {
        let types = self.render.steps.iter().any(Step::is_secret);
        self.credentials.is_some() || !self.cookies.is_empty() || !self.headers.is_empty() || types
    }
}

/// The host of a URL with its port where that is not the usual one.
pub fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

fn parse(text: &str) -> Result<Url, RequestError> {
    let wrong =
        |error: url::ParseError| RequestError::Url { text: text.to_owned(), reason: error.to_string() };
    match Url::parse(text) {
        // `example.org:8080/x` reads as the scheme `example.org`.
        Ok(url) if url.has_host() || !url.scheme().contains('.') && url.scheme() != "localhost" => Ok(url),
        Ok(_) | Err(url::ParseError::RelativeUrlWithoutBase) => {
            Url::parse(&format!("https://{text}")).map_err(wrong)
        }
        Err(error) => Err(wrong(error)),
    }
}

fn take_credentials(url: &mut Url) -> Option<Credentials> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let plain = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
    let (user, password) = (plain(url.username()), plain(url.password().unwrap_or_default()));
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Some(Credentials::Basic { user, password })
}

const fn yes() -> bool {
    true
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Basic { user, .. } => write!(f, "Basic({user}, …)"),
            Self::Bearer(_) => f.write_str("Bearer(…)"),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Get => "GET",
            Self::Post => "POST",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_lack_its_scheme() {
        assert_eq!(Request::get("example.org/a#b").unwrap().url.as_str(), "https://example.org/a");
        assert_eq!(Request::get("example.org:8080").unwrap().url.as_str(), "https://example.org:8080/");
        assert_eq!(Request::get("localhost:8080/x").unwrap().host(), "localhost:8080");
    }

    #[test]
    fn other_schemes_are_refused() {
        for text in ["file:///etc/passwd", "ftp://example.org/", "javascript:alert(1)", "data:text/html,x"] {
            assert!(matches!(Request::get(text), Err(RequestError::Scheme(_))), "{text}");
        }
        assert!(matches!(Request::get("http://"), Err(RequestError::Url { .. })));
    }

    #[test]
    fn a_password_leaves_the_address_and_is_never_printed() {
        let request = Request::get("https://ann:p%20w@example.org/").unwrap();
        assert_eq!(request.url.as_str(), "https://example.org/");
        assert_eq!(
            request.credentials,
            Some(Credentials::Basic { user: "ann".into(), password: "p w".into() })
        );
        assert!(!format!("{request:?}").contains("p w"));
    }
}
