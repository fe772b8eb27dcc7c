//! The words of a block as one line: the same, removed, added.

use crate::diff::words;
use serde::{Deserialize, Serialize};

/// What a span of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpanKind {
    /// In both pages.
    Same,
    /// In the old page only.
    Removed,
    /// In the new page only.
    Added,
}

/// A stretch of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Where it is from.
    pub kind: SpanKind,
    /// Its text, with space made even.
    pub text: String,
}

/// A line of text with its differences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its spans; two in a row are of different kinds.
    pub spans: Vec<Span>,
}

impl Line {
    /// Two texts word by word.
    pub fn between(old: &str, new: &str) -> Self {
        let mut spans = Vec::new();
        for run in words::compare(old, new) {
            let pieces = if run.same {
                [(SpanKind::Same, &old[run.old]), (SpanKind::Same, "")]
            } else {
                [(SpanKind::Removed, &old[run.old]), (SpanKind::Added, &new[run.new])]
            };
            spans.extend(pieces.map(|(kind, text)| Span { kind, text: text.to_owned() }));
        }
        Self { spans }.evened()
    }

    /// Whether there are no words in it.
    pub fn is_empty(&self) -> bool {
        self.spans.iter().all(|span| span.text.trim().is_empty())
    }

    /// Whether words differ.
    pub fn is_changed(&self) -> bool {
        self.spans.iter().any(|span| span.kind != SpanKind::Same && !span.text.trim().is_empty())
    }

    /// All its text, of one page: what is the same, and what only that page has.
    pub fn side(&self, side: SpanKind) -> String {
        let spans = self.spans.iter().filter(|span| span.kind == SpanKind::Same || span.kind == side);
        spans.map(|span| span.text.as_str()).collect::<String>().trim().to_owned()
    }

    /// Share of the words that are not in both, in [0, 1].
    pub(crate) fn distance(&self) -> f64 {
        let count = |kind: SpanKind| -> f64 {
            let spans = self.spans.iter().filter(|span| span.kind == kind);
            spans.map(|span| span.text.split_whitespace().count()).sum::<usize>() as f64
        };
        let (same, differ) = (count(SpanKind::Same), count(SpanKind::Removed) + count(SpanKind::Added));
        if differ == 0.0 { 0.0 } else { differ / (2.0 * same + differ) }
    }

    /// The same line with long stretches that did not change cut short.
    #[must_use]
    pub fn in_short(&self, words: usize) -> Self {
        let last = self.spans.len().saturating_sub(1);
        let spans = self.spans.iter().enumerate().map(|(at, span)| match span.kind {
            SpanKind::Same => Span { kind: span.kind, text: cut(&span.text, words, at > 0, at < last) },
            _ => span.clone(),
        });
        Self { spans: spans.collect() }
    }

    /// Makes all space even, also across spans.
    pub(super) fn evened(self) -> Self {
        let mut spans: Vec<Span> = Vec::with_capacity(self.spans.len());
        let mut after_space = true;
        for Span { kind, text } in self.spans {
            let mut even = String::with_capacity(text.len());
            for character in text.chars() {
                let is_space = character.is_whitespace();
                if !is_space {
                    even.push(character);
                } else if !after_space {
                    even.push(' ');
                }
                after_space = is_space;
            }
            match spans.last_mut() {
                _ if even.is_empty() => {}
                Some(last) if last.kind == kind => last.text.push_str(&even),
                _ => spans.push(Span { kind, text: even }),
            }
        }
        Self { spans }
    }
}

/// A stretch that did not change, with so many words where it meets a change.
fn cut(text: &str, words: usize, after_change: bool, before_change: bool) -> String {
    let all: Vec<&str> = text.split_inclusive(' ').collect();
    let (head, tail) = (if after_change { words } else { 0 }, if before_change { words } else { 0 });
    if all.len() <= head + tail + 1 {
        return text.to_owned();
    }
    let start = if head > 0 { all[..head].concat() } else { String::new() };
    let end = if tail > 0 { all[all.len() - tail..].concat() } else { String::new() };
    format!("{start}… {end}")
}
