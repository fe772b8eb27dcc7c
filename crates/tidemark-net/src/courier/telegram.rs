//! Telegram by a bot: HTML, 4096 UTF-16 units after entities were read. Names, commands and addresses in plain text are made links of by Telegram itself,
//! and people are told that they were named: all of it is defused.

use super::dialect::TELEGRAM;
use super::fit::{line, text};
use crate::post::Post;
use serde_json::{Value, json};
use tidemark_engine::message::Message;
use url::Url;

const TEXT: usize = 4096;
const SUBJECT: usize = 300;
const FOOT: usize = 300;

pub(super) fn post(url: Url, chat: &str, message: &Message) -> Post {
    let subject = line(&message.subject, &TELEGRAM, SUBJECT);
    let foot = line(&message.stop, &TELEGRAM, FOOT);
    let room = TEXT - SUBJECT - FOOT - 8;
    let whole = format!("<b>{subject}</b>\n\n{}\n\n<i>{foot}</i>", text(message, &TELEGRAM, room));
    let chat = chat.parse::<i64>().map_or_else(|_| Value::from(chat), Value::from);
    let body = json!({
        "chat_id": chat, "text": whole, "parse_mode": "HTML", "link_preview_options": {"is_disabled": true},
    });
    Post::json(url, &body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::courier::fit::Dialect as _;
    use crate::courier::wording::Piece;

    #[test]
    fn only_what_is_seen_counts() {
        let piece = Piece::strong("<&>");
        let mut written = String::new();
        TELEGRAM.write(&piece, &mut written);
        assert_eq!(written, "<b>&lt;&amp;&gt;</b>");
        assert_eq!(TELEGRAM.measure(&piece), 3);
        assert_eq!(TELEGRAM.measure(&Piece::plain("𝄞")), 2);
    }
}
