//! A message as mail: headers that no page can add to, a plain part and an HTML part.
//!
//! RFC 5322 (headers), 2047 (their encoding), 2369 (List-Unsubscribe), 3834 (Auto-Submitted).

use super::html::html;
use crate::courier::clean::{clean, short};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message as Letter};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::time::SystemTime;
use tidemark_engine::courier::Refusal;
use tidemark_engine::message::Message;

const SUBJECT: usize = 200;

/// No plain part is longer; who has more to say is cut at a line.
const PLAIN: usize = 200_000;

pub(super) fn compose(from: &Mailbox, to: &Address, message: &Message) -> Result<Letter, Refusal> {
    let domain = from.email.domain();
    let id = format!("<{}@{domain}>", local(&message.key));
    let root = format!("<thread.{}@{domain}>", digest(&message.thread));
    let letter = Letter::builder()
        .from(from.clone())
        .to(Mailbox::new(None, to.clone()))
        .subject(short(&clean(&message.subject), SUBJECT))
        .date(SystemTime::from(message.made))
        .message_id(Some(id))
        .in_reply_to(root.clone())
        .references(root)
        .raw_header(header("Auto-Submitted", "auto-generated".into())?)
        .raw_header(header("List-Unsubscribe", stop_address(from, message))?);
    letter
        .multipart(MultiPart::alternative_plain_html(plain(message), html(message)))
        .map_err(|error| Refusal::for_good(format!("the mail cannot be written: {error}")))
}

/// What can be read without any looks.
fn plain(message: &Message) -> String {
    let mut text = String::new();
    for line in message.plain().lines().map(clean) {
        if text.len() + line.len() < PLAIN {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    let _ = write!(text, "\n-- \n{}\n", clean(&message.stop));
    text
}

/// A mail to whoever runs this, for programs that offer a button; it goes to a person.
fn stop_address(from: &Mailbox, message: &Message) -> String {
    let subject = format!("stop {}", short(&clean(&message.channel), 60));
    format!("<mailto:{}?subject={}>", from.email, utf8_percent_encode(&subject, NON_ALPHANUMERIC))
}

/// A key as it is where it can be, so that it is found again in logs.
fn local(key: &str) -> String {
    let sound = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let plain = !key.is_empty() && key.len() <= 64 && key.bytes().all(sound);
    if plain { key.to_owned() } else { digest(key) }
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

fn header(name: &'static str, value: String) -> Result<HeaderValue, Refusal> {
    let name = HeaderName::new_from_ascii(name.to_owned());
    let name = name.map_err(|error| Refusal::for_good(format!("the mail cannot be written: {error}")))?;
    // A line that could be folded inside of an address would not be read by all: it is written as it is, and has no line end in it.
    Ok(HeaderValue::dangerous_new_pre_encoded(name, value.clone(), value))
}
