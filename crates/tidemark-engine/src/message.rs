//! A message: a notice put into words, before any service has its say. Plain text throughout; who delivers it knows what must be escaped, and how long it may be.

use crate::channel::{ChannelId, Kind};
use crate::passage::{self, Passage};
use crate::record::ChangeId;
use crate::watch::WatchId;
use jiff::Timestamp;
use serde::Serialize;
use std::fmt::Write as _;
use url::Url;

/// A notice put into words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Message {
    /// The same for every try, and of no other message anywhere.
    pub key: String,
    /// When the notice was begun.
    pub made: Timestamp,
    /// One line, without control characters, at most 200 characters.
    pub subject: String,
    /// What the reader's own template says, in place of the items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What is told. Never empty.
    pub items: Vec<Told>,
    /// Things that are not listed because there are too many.
    pub more: usize,
    /// Messages with the same text here belong together.
    pub thread: String,
    /// How the reader ends this, in words: a command.
    pub stop: String,
    /// The channel it goes through.
    pub via: ChannelId,
    /// As that is called.
    pub channel: String,
}

impl Message {
    /// The name of the form of [`Message::json`].
    pub const SCHEMA: &str = "tidemark/notice/1";

    /// The whole message as JSON, for programs; described in `docs/webhooks.md`.
    pub fn json(&self) -> serde_json::Value {
        let mut json = serde_json::to_value(self).unwrap_or_default();
        if let Some(fields) = json.as_object_mut() {
            fields.insert("schema".to_owned(), Self::SCHEMA.into());
        }
        json
    }

    /// The whole message as plain text.
    pub fn plain(&self) -> String {
        if let Some(text) = &self.text {
            return text.clone();
        }
        let mut text: String = self.items.iter().map(Told::plain).collect();
        if self.more > 0 {
            let _ = writeln!(text, "… and {} more", self.more);
        }
        text.trim_end().to_owned()
    }
}

impl Told {
    fn plain(&self) -> String {
        let mut text = format!("{}\n{}\n{}\n", self.name, self.said, self.url);
        if let Some(link) = &self.link {
            let _ = writeln!(text, "the change: {link}");
        }
        text.push('\n');
        for line in passage::lines(&self.passages) {
            let _ = writeln!(text, "{line}");
        }
        if self.more > 0 {
            let _ = writeln!(text, "… and {} more", self.more);
        }
        text + "\n"
    }
}

/// One thing that is told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Told {
    /// For which watch.
    pub watch: WatchId,
    /// What the reader calls that, or else the title of the page, or else its address.
    pub name: String,
    /// The page.
    pub url: Url,
    /// What it is.
    pub kind: Kind,
    /// When it was found.
    pub at: Timestamp,
    /// What happened, in a line.
    pub said: String,
    /// The change, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<ChangeId>,
    /// Old and new version, where it is a change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versions: Option<(u32, u32)>,
    /// How much of what the watch looks at changed, from 0 to 1.
    pub severity: f64,
    /// How much it is of interest to the reader.
    pub interest: f64,
    /// What changed, piece by piece.
    pub passages: Vec<Passage>,
    /// Pieces that are not listed because there are too many.
    pub more: usize,
    /// Where the change is shown, if anywhere but on a terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<Url>,
}
