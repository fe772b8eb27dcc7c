//! Discord by a webhook: one embed. Limits: a title of 256 characters, a description of 4096, a footer of 2048, 6000 in all; nobody is mentioned.

use super::clean::{clean, short};
use super::dialect::Markdown;
use super::fit::{line, text};
use super::wording::target;
use crate::post::Post;
use serde_json::json;
use tidemark_engine::message::Message;
use url::Url;

const TITLE: usize = 256;
const DESCRIPTION: usize = 4096;
const FOOTER: usize = 500;

pub(super) fn post(url: Url, message: &Message) -> Post {
    let mut embed = json!({
        "title": line(&message.subject, &Markdown, TITLE),
        "description": text(message, &Markdown, DESCRIPTION),
        "timestamp": message.made.to_string(),
        "footer": {"text": short(&clean(&message.stop), FOOTER)},
    });
    if let Some(link) = target(message) {
        embed["url"] = link.as_str().into();
    }
    Post::json(url, &json!({"embeds": [embed], "allowed_mentions": {"parse": []}}))
}
