//! Matrix: a message into a room, in HTML and in plain text. An event has less than 65 536 bytes; the key of the message is the number of the transaction, so
//! that a server takes a repetition for what it is. `m.mentions` says that nobody is meant.

use super::dialect::{MATRIX, Plain};
use super::fit::{line, text};
use super::route::bearer;
use crate::post::Post;
use http::Method;
use http::header::AUTHORIZATION;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use tidemark_engine::courier::Refusal;
use tidemark_engine::message::Message;
use url::Url;

/// Of each of the two forms; both escaped as JSON, and lines as tags, stay below the limit.
const ROOM: usize = 9_000;
const LINE: usize = 600;

pub(super) fn post(server: &Url, token: &str, room: &str, message: &Message) -> Result<Post, Refusal> {
    let safe = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let path = format!("_matrix/client/v3/rooms/{}/send/m.room.message/{}", safe(room), safe(&message.key));
    let url = server
        .join(&path)
        .map_err(|error| Refusal::for_good(format!("the room cannot be addressed: {error}")))?;
    let mut post = Post::json(url, &content(message));
    post.method = Method::PUT;
    post.headers.insert(AUTHORIZATION, bearer(token)?);
    Ok(post)
}

fn content(message: &Message) -> serde_json::Value {
    let plain = [
        line(&message.subject, &Plain, LINE),
        text(message, &Plain, ROOM),
        line(&message.stop, &Plain, LINE),
    ];
    let html = format!(
        "<p><b>{}</b></p><p>{}</p><p><i>{}</i></p>",
        line(&message.subject, &MATRIX, LINE),
        text(message, &MATRIX, ROOM).replace('\n', "<br>"),
        line(&message.stop, &MATRIX, LINE)
    );
    json!({
        "msgtype": "m.text", "body": plain.join("\n\n"),
        "format": "org.matrix.custom.html", "formatted_body": html, "m.mentions": {},
    })
}
