//! Documents that are no markup, as pages: plain text line by line, text in pages with a heading for each, JSON as nested lists. From there everything is done to them that is done to
//! a page: zones, differences word by word, marks on the page itself.
//!
//! Cost: linear. A line of text is a paragraph. A JSON object is a `ul`, an array an `ol`, a member begins with its name in a `b`, a string is a `q`,
//! any other value a `code`. Members are in the order of their names, since JSON gives them none. JSON nested deeper than 128 levels is refused,
//! to be read as text.

use super::decode::decode;
use super::{Format, PageError, Reading};
use crate::digest::PageDigest;
use serde_json::Value;

/// Reads plain text as a page.
pub fn text(bytes: &[u8], reading: &Reading) -> Result<PageDigest, PageError> {
    bounded(bytes, reading)?;
    let decoded = decode(bytes, reading.charset.as_deref());
    let mut html = String::with_capacity(decoded.text.len() + decoded.text.len() / 8);
    for line in decoded.text.lines() {
        html.push_str("<p>");
        push_escaped(&mut html, line);
        html.push('\n');
    }
    encode(&html, reading)
}

/// Reads the text of a document in pages, with a form feed between two of them. Each page stands under a heading with its number, so that a change tells it.
///
/// Headings and lines are all neighbours: a line that moves over the end of its page is still in order.
pub fn pages(text: &str, reading: &Reading) -> Result<PageDigest, PageError> {
    bounded(text.as_bytes(), reading)?;
    let mut html = String::with_capacity(text.len() + text.len() / 4);
    for (number, page) in (1..).zip(text.split('\u{c}')) {
        html.push_str("<h2>Page ");
        html.push_str(&i32::to_string(&number));
        html.push_str("</h2>\n");
        for line in page.lines().filter(|line| !line.trim().is_empty()) {
            html.push_str("<p>");
            push_escaped(&mut html, line.trim());
            html.push('\n');
        }
    }
    encode(&html, reading)
}

/// Reads JSON as a page; `None` if it is not JSON.
pub fn json(bytes: &[u8], reading: &Reading) -> Result<Option<PageDigest>, PageError> {
    bounded(bytes, reading)?;
    let decoded = decode(bytes, reading.charset.as_deref().or(Some("utf-8")));
    let Ok(value) = serde_json::from_str::<Value>(&decoded.text) else {
        return Ok(None);
    };
    let mut html = String::with_capacity(decoded.text.len() * 2);
    push_value(&mut html, &value);
    encode(&html, reading).map(Some)
}

/// An error for more than the limits allow.
pub fn bounded(bytes: &[u8], reading: &Reading) -> Result<(), PageError> {
    let limit = reading.limits.bytes;
    if bytes.len() > limit {
        return Err(PageError::TooManyBytes { found: bytes.len(), limit });
    }
    Ok(())
}

fn encode(html: &str, reading: &Reading) -> Result<PageDigest, PageError> {
    let mut limits = reading.limits;
    // The markup is ours; only what came from outside counts.
    limits.bytes = limits.bytes.saturating_mul(16).min(super::Limits::MAX_BYTES);
    let reading = Reading { charset: Some("utf-8".to_owned()), format: Some(Format::Html), limits };
    PageDigest::encode(html.as_bytes(), &reading)
}

/// Depth is bounded by the JSON reader.
fn push_value(html: &mut String, value: &Value) {
    match value {
        Value::Object(members) => {
            html.push_str("<ul>");
            for (name, value) in members {
                html.push_str("<li><b>");
                push_escaped(html, name);
                html.push_str("</b>: ");
                push_value(html, value);
            }
            html.push_str("</ul>");
        }
        Value::Array(items) => {
            html.push_str("<ol>");
            for item in items {
                html.push_str("<li>");
                push_value(html, item);
            }
            html.push_str("</ol>");
        }
        Value::String(text) => {
            html.push_str("<q>");
            push_escaped(html, text);
            html.push_str("</q>");
        }
        other => {
            html.push_str("<code>");
            html.push_str(&other.to_string());
            html.push_str("</code>");
        }
    }
}

fn push_escaped(html: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            // The tokenizer drops or replaces it.
            '\0' => html.push('\u{fffd}'),
            other => html.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::Difference;
    use crate::digest::NodeId;
    use crate::render::{self, Changes};

    fn told(old: &PageDigest, new: &PageDigest) -> Vec<String> {
        let changes = Changes::of(old, new, &Difference::of(old, new));
        let text = render::text::text(new, &changes, &render::text::TextOptions::default());
        text.lines().filter_map(|line| line.strip_prefix("~ ")).map(str::to_owned).collect()
    }

    fn json_page(text: &str) -> PageDigest {
        json(text.as_bytes(), &Reading::default()).unwrap().unwrap()
    }

    #[test]
    fn text_is_compared_line_by_line() {
        let page = |text: &str| super::text(text.as_bytes(), &Reading::default()).unwrap();
        let (old, new) = (page("one <b>\ntwo & 2\nthree"), page("one <b>\ntwo & 3\nthree"));
        assert_eq!(old.visible_lines(NodeId::ROOT), ["one <b>", "two & 2", "three"]);
        assert_eq!(told(&old, &new), ["two & [-2-]{+3+}"]);
    }

    #[test]
    fn json_is_told_with_the_names_of_its_members() {
        let old = json_page(r#"{"name": "kettle", "price": 10}"#);
        let new = json_page(r#"{"price": 12.5, "name": "kettle"}"#);
        assert_eq!(told(&old, &new), ["price: [-10-]{+12.5+}"]);
        assert!(told(&old, &json_page(r#"{"price":10,"name":"kettle"}"#)).is_empty());
    }

    #[test]
    fn what_is_not_json_is_said_to_be_none() {
        let deep = "[".repeat(100_000);
        for text in ["", "{", "<p>", deep.as_str()] {
            assert!(json(text.as_bytes(), &Reading::default()).unwrap().is_none());
        }
        assert!(json(b"null", &Reading::default()).unwrap().is_some());
    }
}
