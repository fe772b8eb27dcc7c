//! The cookies of one visit: those of the request, and those that servers set on the way. Forgotten at its end.
//!
//! What a request brings belongs to its host alone (no domain), and to https alone if it was asked for by https. What a server sets goes where RFC 6265
//! lets it go. Without a list of public suffixes a site could set one for all of `co.uk`; within one visit it would only tell its own cookie to
//! a site it redirects to, which it could as well write into that address.

use cookie_store::{CookieStore, RawCookie};
use http::HeaderMap;
use http::header::SET_COOKIE;
use tidemark_engine::fetch::Failure;
use tidemark_engine::request::Request;
use url::Url;

/// A server that sets more in one answer, or longer ones, is not listened to further.
const COOKIES: usize = 50;
const LONGEST: usize = 4 << 10;

/// Cookies by site and path.
#[derive(Default)]
pub(crate) struct Jar {
    /// Made when the first cookie comes: most visits have none.
    store: Option<CookieStore>,
}

impl Jar {
    /// With the cookies of a request.
    pub(crate) fn new(request: &Request) -> Result<Self, Failure> {
        let mut jar = Self::default();
        for (name, value) in &request.cookies {
            let odd = |text: &str| text.contains([';', '\r', '\n', '\0']);
            if name.is_empty() || name.contains('=') || odd(name) || odd(value) {
                return Err(Failure::Unsendable(format!("'{name}' is not a cookie that can be sent")));
            }
            let mut cookie = RawCookie::new(name.clone(), value.clone());
            cookie.set_path("/");
            cookie.set_secure(request.url.scheme() == "https");
            let kept = jar.store.get_or_insert_default().insert_raw(&cookie, &request.url);
            kept.map_err(|error| Failure::Unsendable(format!("the cookie '{name}': {error}")))?;
        }
        Ok(jar)
    }

    /// What an answer sets.
    pub(crate) fn learn(&mut self, url: &Url, headers: &HeaderMap) {
        for value in headers.get_all(SET_COOKIE).iter().take(COOKIES) {
            if let Ok(text) = value.to_str()
                && text.len() <= LONGEST
            {
                // A cookie for another site is refused by the store, and that is all there is to say.
                let _ = self.store.get_or_insert_default().parse(text, url);
            }
        }
    }

    /// What is sent to a URL, as one header; empty if nothing is.
    pub(crate) fn header(&self, url: &Url) -> String {
        let Some(store) = &self.store else { return String::new() };
        let mut pairs: Vec<String> =
            store.get_request_values(url).map(|(name, value)| format!("{name}={value}")).collect();
        pairs.sort();
        pairs.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jar(url: &str) -> Jar {
        let mut request = Request::get(url).unwrap();
        request.cookies = vec![("b".into(), "2".into()), ("a".into(), "1".into())];
        Jar::new(&request).unwrap()
    }

    fn sent(jar: &Jar, url: &str) -> String {
        jar.header(&Url::parse(url).unwrap())
    }

    #[test]
    fn cookies_of_a_request_stay_with_its_host() {
        let jar = jar("https://example.org/a/b");
        assert_eq!(sent(&jar, "https://example.org/c"), "a=1; b=2");
        for other in
            ["https://www.example.org/", "https://example.com/", "http://example.org/", "https://org/"]
        {
            assert_eq!(sent(&jar, other), "", "{other}");
        }
    }

    #[test]
    fn a_server_sets_cookies_for_its_own_site_only() {
        let mut jar = jar("https://example.org/");
        let mut headers = HeaderMap::new();
        for text in ["c=3; Path=/x", "d=4; Domain=example.com", "a=5", "e=6; Domain=example.org", "=;;;\u{1}"]
        {
            headers.append(
                SET_COOKIE,
                http::HeaderValue::from_bytes(text.as_bytes()).unwrap_or_else(|_| "x".parse().unwrap()),
            );
        }
        jar.learn(&Url::parse("https://example.org/x/").unwrap(), &headers);
        assert_eq!(sent(&jar, "https://example.org/x/y"), "a=1; a=5; b=2; c=3; e=6");
        assert_eq!(sent(&jar, "https://www.example.org/x/"), "e=6");
        assert_eq!(sent(&jar, "https://example.com/"), "");
    }

    #[test]
    fn a_cookie_that_is_none_is_said_to_be() {
        for (name, value) in [("", "x"), ("a", "1; b=2"), ("a\r\nb", "1"), ("a=b", "1")] {
            let mut request = Request::get("https://example.org/").unwrap();
            request.cookies = vec![(name.into(), value.into())];
            assert!(matches!(Jar::new(&request), Err(Failure::Unsendable(_))), "{name:?}");
        }
    }
}
