//! What is told to the origin of a request only: its headers, who asks, what it posts. A browser would send headers to every host of a page, so each request is looked
//! at before it goes out, and gets what it may have.

use crate::headers;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Method};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tidemark_engine::fetch::Failure;
use tidemark_engine::request::{self, Request};
use url::{Origin, Url};

/// What is private to an origin.
pub(crate) struct Private {
    origin: Origin,
    headers: BTreeMap<String, String>,
    post: Option<Posted>,
    posted: bool,
}

struct Posted {
    media: String,
    text: String,
}

impl Private {
    pub(crate) fn of(request: &Request) -> Result<Self, Failure> {
        let mut map = HeaderMap::new();
        headers::add_private(&mut map, request)?;
        let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = map.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
        headers::add_media(&mut map, request, &Method::POST)?;
        let media = map.get(CONTENT_TYPE).map_or_else(String::new, text);
        let posts = request.method == request::Method::Post;
        let post = posts.then(|| Posted {
            media,
            text: request.body.as_ref().map_or_else(String::new, |body| body.text.clone()),
        });
        Ok(Self { origin: request.url.origin(), headers, post, posted: false })
    }

    /// Whether a redirect would post to another site what is for this one.
    pub(crate) fn strays(&self, url: &Url, paused: &Value) -> bool {
        self.posted && paused["request"]["method"] == "POST" && url.origin() != self.origin
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.post.is_none()
    }

    /// Adds to a request what it may have, and takes away what a redirect carried along.
    pub(crate) fn add(&mut self, go: &mut Value, url: &Url, paused: &Value, is_main: bool) {
        if self.is_empty() {
            return;
        }
        let given = paused["request"]["headers"].as_object();
        let mut all: BTreeMap<String, String> = given
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| Some((name.to_ascii_lowercase(), value.as_str()?.to_owned())))
            .filter(|(name, _)| !self.headers.contains_key(name))
            .collect();
        if url.origin() == self.origin {
            all.extend(self.headers.clone());
            self.add_post(go, &mut all, is_main);
        }
        let list: Vec<Value> =
            all.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        go["headers"] = list.into();
    }

    /// Posted once, with the first request.
    fn add_post(&mut self, go: &mut Value, all: &mut BTreeMap<String, String>, is_main: bool) {
        if !is_main {
            return;
        }
        if let Some(post) = self.post.take() {
            self.posted = true;
            go["method"] = "POST".into();
            go["postData"] = BASE64_STANDARD.encode(post.text).into();
            all.insert("content-type".to_owned(), post.media);
        }
    }
}
