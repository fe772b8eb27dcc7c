//! Microsoft Teams by a workflow's webhook: an adaptive card of rich text runs, whose words are no markup. A message may have about 28 KB, however it is
//! counted; half of it is used.

use super::clean::{clean, defuse, short};
use super::dialect::Bare;
use super::fit::{Fitted, fit, sign};
use super::wording::{Block, Line, Look, Piece, Role, more, target};
use crate::post::Post;
use serde_json::{Value, json};
use tidemark_engine::message::Message;
use url::Url;

const ROOM: usize = 11_000;
const LINE: usize = 300;

/// What one run takes as JSON beside its text and link.
const FRAME: usize = 150;

pub(super) fn post(url: &Url, message: &Message) -> Post {
    let subject = short(&clean(&message.subject), LINE);
    let title = Piece::strong(&subject);
    let mut body = vec![rich(&[run(&title, Role::Title, Some("large"))], "none")];
    body.extend(lines(message));
    let foot = Piece::plain(&short(&clean(&message.stop), LINE));
    body.push(rich(&[run(&foot, Role::Note, Some("small"))], "medium"));
    let mut card = json!({
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4",
        "msteams": {"width": "Full"}, "body": body,
    });
    if let Some(link) = target(message) {
        card["actions"] = json!([{"type": "Action.OpenUrl", "title": "Open", "url": link.as_str()}]);
    }
    let attachment = json!({"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": null, "content": card});
    Post::json(url.clone(), &json!({"type": "message", "attachments": [attachment]}))
}

fn lines(message: &Message) -> Vec<Value> {
    let Fitted { mut blocks, left } = fit(message, &Bare { frame: FRAME }, ROOM);
    blocks.extend(more(left).map(|text| Block::note(&text)));
    blocks
        .iter()
        .flat_map(|block| &block.lines)
        .filter(|line| !line.pieces.is_empty())
        .map(line_block)
        .collect()
}

fn line_block(line: &Line) -> Value {
    let mut runs = Vec::new();
    let start = sign(line.role);
    runs.extend((!start.is_empty()).then(|| run(&Piece::plain(start), line.role, None)));
    runs.extend(line.pieces.iter().map(|piece| run(piece, line.role, None)));
    let spacing = if line.role == Role::Title { "medium" } else { "small" };
    rich(&runs, spacing)
}

fn rich(inlines: &[Value], spacing: &str) -> Value {
    json!({"type": "RichTextBlock", "spacing": spacing, "inlines": inlines})
}

fn run(piece: &Piece, role: Role, size: Option<&str>) -> Value {
    let mut run = json!({"type": "TextRun", "text": defuse(&piece.text)});
    match piece.look {
        Look::Removed | Look::Went => run["strikethrough"] = true.into(),
        Look::Added => run["underline"] = true.into(),
        Look::Plain | Look::Came => {}
    }
    if piece.strong {
        run["weight"] = "bolder".into();
        if role != Role::Title {
            run["highlight"] = true.into();
        }
    }
    if matches!(role, Role::Place | Role::Reason | Role::Said | Role::Note) {
        run["isSubtle"] = true.into();
    }
    if let Some(size) = size {
        run["size"] = size.into();
    }
    if let Some(link) = &piece.link {
        run["selectAction"] = json!({"type": "Action.OpenUrl", "url": link.as_str()});
    }
    run
}
