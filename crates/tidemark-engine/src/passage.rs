//! What a reader is told of a change, piece by piece: made from the script, kept beside the verdict, and the only thing that terminals, mails and chats are written from.

pub use tidemark_core::render::{ChangeKind, SpanKind};

use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// One piece of a change: a block of a page, an entry of a feed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// What happened to it.
    pub kind: ChangeKind,
    /// The headings it stands under, outermost first; none for what stands in no page, as the entry of a feed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Vec<String>>,
    /// Its words, with what differs.
    pub spans: Vec<Stretch>,
    /// Where it leads: the entry of a feed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Why it is of interest to the reader, the strongest reason first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
}

/// Words that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// Whether they were there before.
    pub kind: SpanKind,
    /// The words. From a hostile page, but for control characters and marks that turn the direction of writing.
    pub text: String,
    /// Whether they are of interest to the reader.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_interest: bool,
}

impl Passage {
    /// A line of text that stands in no page.
    pub fn plain(kind: ChangeKind, text: &str) -> Self {
        let text = Stretch { kind: SpanKind::Same, text: text.to_owned(), of_interest: false };
        Self { kind, place: None, spans: vec![text], link: None, reasons: Vec::new() }
    }

    /// The headings as one line, such as `Prices › Kettles`; empty where there are none.
    pub fn path(&self) -> String {
        self.place.as_deref().unwrap_or_default().join(" › ")
    }

    /// In one line: `~ costs [-10-]{+12+}`, with what is of interest between stars.
    pub fn line(&self) -> String {
        let marked = self.kind == ChangeKind::Changed;
        let mut line = format!("{} ", self.kind.sign());
        for stretch in &self.spans {
            let star = if stretch.of_interest { "*" } else { "" };
            let (open, close) = match stretch.kind {
                SpanKind::Removed if marked => ("[-", "-]"),
                SpanKind::Added if marked => ("{+", "+}"),
                _ => ("", ""),
            };
            let _ = write!(line, "{open}{star}{}{star}{close}", stretch.text);
        }
        line.trim_end().to_owned()
    }
}

/// Passages line by line, with headings where they begin and reasons below.
pub fn lines(passages: &[Passage]) -> Vec<String> {
    let (mut lines, mut place): (Vec<String>, Option<&[String]>) = (Vec::new(), None);
    for passage in passages {
        if let Some(here) = passage.place.as_deref().filter(|here| place != Some(here)) {
            let path = if here.is_empty() { "top of the page".to_owned() } else { passage.path() };
            lines.push(format!("@@ {path} @@"));
            place = Some(here);
        }
        lines.push(passage.line());
        lines.extend(passage.reasons.iter().map(|reason| format!("  * {reason}")));
    }
    lines
}
