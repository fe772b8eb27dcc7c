//! Services that push to a phone: ntfy, Gotify, Pushover. Short plain texts; what is long is cut.
//!
//! Limits: ntfy 4096 bytes, more becomes an attachment; Pushover 1024 characters, 250 of a title, 512 of an address; Gotify says none.

use super::clean::{clean, short};
use super::dialect::{PUSHOVER, Plain};
use super::fit::{line, text};
use super::route::{bearer, secret_header};
use super::wording::target;
use crate::post::Post;
use http::HeaderName;
use http::header::AUTHORIZATION;
use serde_json::json;
use tidemark_engine::courier::Refusal;
use tidemark_engine::message::Message;
use url::Url;

const TITLE: usize = 250;
const NTFY: usize = 4096;
const GOTIFY: usize = 16_000;
const PUSHED: usize = 1024;
const ADDRESS: usize = 512;

pub(super) fn ntfy(
    server: &Url,
    token: Option<&str>,
    topic: &str,
    message: &Message,
) -> Result<Post, Refusal> {
    let mut body = json!({
        "topic": topic, "title": line(&message.subject, &Plain, TITLE), "message": text(message, &Plain, NTFY),
    });
    if let Some(link) = target(message) {
        body["click"] = link.as_str().into();
    }
    let mut post = Post::json(server.clone(), &body);
    if let Some(token) = token {
        post.headers.insert(AUTHORIZATION, bearer(token)?);
    }
    Ok(post)
}

pub(super) fn gotify(server: &Url, token: &str, message: &Message) -> Result<Post, Refusal> {
    let mut extras = json!({"client::display": {"contentType": "text/plain"}});
    if let Some(link) = target(message) {
        extras["client::notification"] = json!({"click": {"url": link.as_str()}});
    }
    let body = json!({
        "title": line(&message.subject, &Plain, TITLE), "message": text(message, &Plain, GOTIFY), "priority": 5,
        "extras": extras,
    });
    let url = server.join("message").map_err(|error| Refusal::for_good(error.to_string()))?;
    let mut post = Post::json(url, &body);
    post.headers.insert(HeaderName::from_static("x-gotify-key"), secret_header(token)?);
    Ok(post)
}

pub(super) fn pushover(url: Url, token: &str, user: &str, message: &Message) -> Post {
    let mut body = json!({
        "token": token, "user": user, "html": 1, "timestamp": message.made.as_second(),
        "title": short(&clean(&message.subject), TITLE), "message": text(message, &PUSHOVER, PUSHED),
    });
    if let Some(link) = target(message).filter(|link| link.as_str().len() <= ADDRESS) {
        body["url"] = link.as_str().into();
    }
    Post::json(url, &body)
}
