//! JSON Feed 1 and 1.1 (jsonfeed.org), by `serde_json`, which bounds the depth of what it reads.

use super::{Dialect, Feed, FeedError, Item, Prose};
use crate::page::{PageError, Reading};
use serde_json::Value;

pub(super) fn read(text: &str, reading: &Reading) -> Result<Feed, FeedError> {
    let json: Value =
        serde_json::from_str(text).map_err(|error| FeedError::NotJson { reason: error.to_string() })?;
    let version = json.get("version").and_then(Value::as_str).unwrap_or_default();
    if !version.contains("://jsonfeed.org/version/") {
        return Err(FeedError::NotAFeed { found: "JSON without the version of JSON Feed".to_owned() });
    }
    let Some(items) = json.get("items").and_then(Value::as_array) else {
        return Err(FeedError::NotAFeed { found: "JSON without a list of items".to_owned() });
    };
    let items: Result<Vec<Item>, PageError> = items.iter().map(|value| item(value, reading)).collect();
    Ok(Feed { dialect: Dialect::Json, title: Prose::plain(&string(&json, "title")), items: items? })
}

fn item(json: &Value, reading: &Reading) -> Result<Item, PageError> {
    let content = match json.get("content_html") {
        Some(_) => Prose::html(&string(json, "content_html"), reading)?,
        None => Prose::plain(&string(json, "content_text")),
    };
    Ok(Item {
        id: some(json, "id"),
        link: some(json, "url").or_else(|| some(json, "external_url")),
        title: Prose::plain(&string(json, "title")),
        description: Prose::plain(&string(json, "summary")),
        content,
        published: some(json, "date_published"),
        updated: some(json, "date_modified"),
        authors: authors(json),
        categories: list(json, "tags").filter_map(written).collect(),
        enclosures: list(json, "attachments").filter_map(|attachment| some(attachment, "url")).collect(),
    })
}

/// Version 1 has one author, 1.1 a list.
fn authors(json: &Value) -> Vec<String> {
    json.get("author")
        .into_iter()
        .chain(list(json, "authors"))
        .filter_map(|author| some(author, "name"))
        .collect()
}

fn list<'a>(json: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    json.get(name).and_then(Value::as_array).into_iter().flatten()
}

fn string(json: &Value, name: &str) -> String {
    some(json, name).unwrap_or_default()
}

fn some(json: &Value, name: &str) -> Option<String> {
    json.get(name).and_then(written).filter(|text| !text.is_empty())
}

/// A string, or a number where a feed writes one for its id, as the standard asks readers to accept.
fn written(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
