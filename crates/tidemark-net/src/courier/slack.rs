//! Slack by an incoming webhook: blocks of rich text, whose words are taken as they are. In Slack's own markup a page could not be kept from writing bold.
//!
//! Limits: 50 blocks; a header of 150 characters. Rich text has no limit of its own in the documents; the 3000 of a section are kept.

use super::clean::short;
use super::clean::{clean, defuse};
use super::dialect::{Bare, escape_html};
use super::fit::{Fitted, cost, fit, sign};
use super::wording::{Block, Line, Look, Piece, Role, more};
use crate::post::Post;
use serde_json::{Value, json};
use tidemark_engine::message::Message;
use url::Url;

const HEADER: usize = 150;
const ROOM: usize = 9000;
const SECTION: usize = 3000;

/// Beyond so many, items share a block.
const GROUPS: usize = 30;

/// What one piece takes as JSON beside its text and link.
const FRAME: usize = 60;

pub(super) fn post(url: &Url, message: &Message) -> Post {
    let subject = clean(&message.subject);
    let mut blocks = vec![json!({"type": "header", "text": plain(&short(&subject, HEADER / 2))})];
    blocks.extend(sections(message));
    let foot = short(&clean(&message.stop), SECTION / 2);
    if !foot.is_empty() {
        blocks.push(json!({"type": "context", "elements": [plain(&foot)]}));
    }
    // Shown in notifications only; markup all the same.
    let text = escape_html(&defuse(&subject)).replace("&quot;", "\"");
    let body = json!({"text": text, "mrkdwn": false, "unfurl_links": false, "unfurl_media": false, "blocks": blocks});
    Post::json(url.clone(), &body)
}

/// What belongs together is one block of rich text, as far as there are blocks.
fn sections(message: &Message) -> Vec<Value> {
    let dialect = Bare { frame: FRAME };
    let Fitted { mut blocks, left } = fit(message, &dialect, ROOM);
    blocks.extend(more(left).map(|text| Block::note(&text)));
    let (mut groups, mut size): (Vec<Vec<&Line>>, usize) = (vec![Vec::new()], 0);
    for block in &blocks {
        let cost = cost(block, &dialect);
        if size + cost > SECTION || (block.head && groups.len() < GROUPS) {
            groups.push(Vec::new());
            size = 0;
        }
        size += cost;
        groups.last_mut().into_iter().for_each(|group| group.extend(&block.lines));
    }
    let told = |group: &&Vec<&Line>| group.iter().any(|line| !line.pieces.is_empty());
    groups.iter().filter(told).map(|group| rich(group)).collect()
}

fn rich(lines: &[&Line]) -> Value {
    let mut elements = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let start = format!("{}{}", if at > 0 { "\n" } else { "" }, sign(line.role));
        elements.extend((!start.is_empty()).then(|| json!({"type": "text", "text": start})));
        elements.extend(line.pieces.iter().map(|piece| element(line, piece)));
    }
    json!({"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]})
}

fn element(line: &Line, piece: &Piece) -> Value {
    let mut style = json!({});
    match piece.look {
        Look::Removed | Look::Went => style["strike"] = true.into(),
        Look::Added => style["bold"] = true.into(),
        Look::Plain | Look::Came => {}
    }
    if piece.strong {
        let name = if line.role == Role::Title { "bold" } else { "code" };
        style[name] = true.into();
    }
    if matches!(line.role, Role::Place | Role::Reason) {
        style["italic"] = true.into();
    }
    let text = defuse(&piece.text);
    let mut element = match &piece.link {
        Some(link) => json!({"type": "link", "url": link.as_str(), "text": text}),
        None => json!({"type": "text", "text": text}),
    };
    if style != json!({}) {
        element["style"] = style;
    }
    element
}

fn plain(text: &str) -> Value {
    json!({"type": "plain_text", "text": defuse(text), "emoji": false})
}
