//! What a request says beside its URL, and which of it a second site gets to hear: nothing that is ours.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, COOKIE, HeaderName, HeaderValue, IF_MODIFIED_SINCE,
    IF_NONE_MATCH, USER_AGENT,
};
use http::{HeaderMap, Method};
use tidemark_engine::fetch::{Failure, Validators};
use tidemark_engine::request::{Credentials, Request};

const WANTED: HeaderValue =
    HeaderValue::from_static("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
const PACKED: HeaderValue = HeaderValue::from_static("gzip, br, zstd, deflate");

/// These are ours to write: they say where a message ends and who it is for, or make an answer that only we could understand.
const OURS: [&str; 18] = [
    "connection",
    "content-length",
    "content-type",
    "expect",
    "host",
    "http2-settings",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// What every site is told.
pub(crate) fn general(user_agent: &HeaderValue) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(8);
    headers.insert(USER_AGENT, user_agent.clone());
    headers.insert(ACCEPT, WANTED);
    headers.insert(ACCEPT_ENCODING, PACKED);
    headers
}

/// What only the site of the request is told: its own headers, and who asks.
pub(crate) fn add_private(headers: &mut HeaderMap, request: &Request) -> Result<(), Failure> {
    for (name, value) in &request.headers {
        let (name, value) = checked(name, value)?;
        headers.insert(name, value);
    }
    if let Some(credentials) = &request.credentials {
        headers.insert(AUTHORIZATION, secret(&authorization(credentials), "the credentials")?);
    }
    Ok(())
}

/// Cookies, behind those that a header of the request named.
pub(crate) fn add_cookies(headers: &mut HeaderMap, cookies: &str) -> Result<(), Failure> {
    if cookies.is_empty() {
        return Ok(());
    }
    let named = headers.get(COOKIE).and_then(|value| value.to_str().ok());
    let all = named.map_or_else(|| cookies.to_owned(), |named| format!("{named}; {cookies}"));
    headers.insert(COOKIE, secret(&all, "a cookie")?);
    Ok(())
}

/// "Has it changed since?" A validator that cannot be sent is left out: the whole page comes instead.
pub(crate) fn add_validators(headers: &mut HeaderMap, known: &Validators) -> bool {
    let value = |text: &Option<String>| HeaderValue::from_str(text.as_deref()?).ok();
    let (etag, modified) = (value(&known.etag), value(&known.last_modified));
    let any = etag.is_some() || modified.is_some();
    etag.map(|etag| headers.insert(IF_NONE_MATCH, etag));
    modified.map(|modified| headers.insert(IF_MODIFIED_SINCE, modified));
    any
}

/// What is posted is of this media type.
pub(crate) fn add_media(headers: &mut HeaderMap, request: &Request, method: &Method) -> Result<(), Failure> {
    if let (Some(body), true) = (&request.body, *method == Method::POST) {
        headers.insert(CONTENT_TYPE, plain(&body.media, "the media type")?);
    }
    Ok(())
}

fn checked(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), Failure> {
    let known = HeaderName::from_bytes(name.as_bytes());
    let known = known.map_err(|_| Failure::Unsendable(format!("'{name}' cannot be the name of a header")))?;
    if OURS.contains(&known.as_str()) {
        return Err(Failure::Unsendable(format!(
            "the header '{name}' is written by Tidemark itself: leave it out"
        )));
    }
    Ok((known, plain(value, &format!("the header '{name}'"))?))
}

fn authorization(credentials: &Credentials) -> String {
    match credentials {
        Credentials::Basic { user, password } => {
            format!("Basic {}", BASE64_STANDARD.encode(format!("{user}:{password}")))
        }
        Credentials::Bearer(token) => format!("Bearer {token}"),
    }
}

fn plain(value: &str, what: &str) -> Result<HeaderValue, Failure> {
    HeaderValue::from_str(value)
        .map_err(|_| Failure::Unsendable(format!("{what} holds characters that no header can")))
}

/// Never shown by a log, and not kept in the tables of HTTP/2.
fn secret(value: &str, what: &str) -> Result<HeaderValue, Failure> {
    let mut value = plain(value, what)?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_that_would_change_the_message_are_refused() {
        for (name, value) in [
            ("Host", "inner"),
            ("content-length", "0"),
            ("Transfer-Encoding", "chunked"),
            ("If-None-Match", "\"x\""),
            ("a b", "x"),
            ("X-A", "1\r\nHost: inner"),
        ] {
            let mut request = Request::get("https://example.org").unwrap();
            request.headers.push((name.into(), value.into()));
            let refused = add_private(&mut HeaderMap::new(), &request);
            assert!(matches!(refused, Err(Failure::Unsendable(_))), "{name}: {value}");
        }
        assert!(OURS.is_sorted());
    }

    #[test]
    fn credentials_are_not_printed() {
        let mut headers = HeaderMap::new();
        let request = Request::get("https://ann:secret@example.org").unwrap();
        add_private(&mut headers, &request).unwrap();
        assert_eq!(headers[AUTHORIZATION], "Basic YW5uOnNlY3JldA==");
        assert!(!format!("{headers:?}").contains("YW5u"));
    }
}
