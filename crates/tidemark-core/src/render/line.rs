//! The words of a block as one line: the same, removed, added.

use super::merge::{Event, Merge, Step};
use crate::diff::Edit;
use crate::diff::words::{self, Run};
use crate::digest::element::is_inline;
use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::arena::Space;

/// What a span of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

/// A reader is shown the beginning of what is very long.
const LONGEST: usize = 4000;

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
    fn evened(self) -> Self {
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

/// All words of a block of the new page.
pub(crate) fn line_of(merge: &Merge<'_>, block: NodeId) -> Line {
    let mut writer = LineWriter::new(merge);
    merge.walk(block, |event| {
        match event {
            Event::Open(_) if writer.is_full() => return Step::Stop,
            Event::Open(node) if is_inline(merge.new, node) => writer.open(node),
            Event::Open(_) => writer.push(SpanKind::Same, " "),
            Event::Close(node) => writer.close(node),
            Event::Ghost(old) if is_inline(merge.old, old) => writer.ghost(old),
            Event::Ghost(_) => {}
        }
        Step::In
    });
    writer.line.evened()
}

/// The words of one line of a block: from a child on, up to the next block in it, or the next line break.
pub(crate) fn line_from(merge: &Merge<'_>, block: NodeId, start: u32) -> Line {
    let mut writer = LineWriter::new(merge);
    merge.walk_from(block, start, |event| {
        match event {
            Event::Open(_) if writer.is_full() => return Step::Stop,
            Event::Open(node) if node.0 > start && breaks_line(merge.new, block, node) => return Step::Stop,
            Event::Open(node) if !is_inline(merge.new, node) => return Step::Stop,
            Event::Open(node) => writer.open(node),
            Event::Close(node) => writer.close(node),
            Event::Ghost(old) if is_inline(merge.old, old) => writer.ghost(old),
            Event::Ghost(_) => {}
        }
        Step::In
    });
    writer.line.evened()
}

/// Whether a new line of the block begins with this node: it is a block itself, or a line break.
pub(crate) fn breaks_line(digest: &PageDigest, block: NodeId, node: NodeId) -> bool {
    let is_break = digest.space(node) == Space::Html && digest.name(node) == "br";
    digest.parent(node) == Some(block) && (is_break || !is_inline(digest, node))
}

/// The words of a block that went.
pub(crate) fn removed_line(merge: &Merge<'_>, old: NodeId) -> Line {
    let mut writer = LineWriter::new(merge);
    writer.ghost(old);
    writer.line.evened()
}

struct LineWriter<'a> {
    merge: &'a Merge<'a>,
    line: Line,
    length: usize,
    /// Parts of the line that are open and came here from another place.
    moved_in: Vec<NodeId>,
}

impl<'a> LineWriter<'a> {
    fn new(merge: &'a Merge<'a>) -> Self {
        Self { merge, line: Line::default(), length: 0, moved_in: Vec::new() }
    }

    fn is_full(&self) -> bool {
        self.length > LONGEST
    }

    fn push(&mut self, kind: SpanKind, text: &str) {
        if text.is_empty() {
            return;
        }
        self.length += text.len();
        match self.line.spans.last_mut() {
            Some(last) if last.kind == kind => last.text.push_str(text),
            _ => self.line.spans.push(Span { kind, text: text.to_owned() }),
        }
    }

    fn open(&mut self, node: NodeId) {
        let merge = self.merge;
        if merge.moved.contains_key(&node) {
            self.moved_in.push(node);
        }
        let update = merge.updates.get(&node).map(|&edit| &merge.difference.script.edits[edit]);
        match update {
            Some(Edit::Update { old, text, .. }) if !text.is_empty() => self.runs(*old, node, text),
            _ => {
                let came = merge.is_added(node) || !self.moved_in.is_empty();
                self.push(if came { SpanKind::Added } else { SpanKind::Same }, &shown(merge.new, node));
            }
        }
    }

    fn close(&mut self, node: NodeId) {
        if self.moved_in.last() == Some(&node) {
            self.moved_in.pop();
        }
    }

    fn runs(&mut self, old: NodeId, new: NodeId, runs: &[Run]) {
        if !matches!(self.merge.new.kind(new), Kind::Text | Kind::Cdata) {
            return;
        }
        let (old, new) = (
            self.merge.old.content(old).unwrap_or_default(),
            self.merge.new.content(new).unwrap_or_default(),
        );
        for run in runs {
            if run.same {
                self.push(SpanKind::Same, &new[run.new.clone()]);
            } else {
                self.push(SpanKind::Removed, &old[run.old.clone()]);
                self.push(SpanKind::Added, &new[run.new.clone()]);
            }
        }
    }

    /// What stood here, without what moved out of it.
    fn ghost(&mut self, old: NodeId) {
        let (mut at, end) = (old.0, self.merge.old.end(old));
        while at < end && !self.is_full() {
            let node = NodeId(at);
            if node != old && self.merge.moved_away.contains_key(&node) {
                at = self.merge.old.end(node);
                continue;
            }
            if !is_inline(self.merge.old, node) {
                self.push(SpanKind::Removed, " ");
            }
            self.push(SpanKind::Removed, &shown(self.merge.old, node));
            at += 1;
        }
    }
}

/// What a reader sees of a node itself.
fn shown(digest: &PageDigest, node: NodeId) -> String {
    let attribute = |name: &str| digest.attribute(node, name).unwrap_or_default();
    match digest.kind(node) {
        Kind::Text | Kind::Cdata => digest.content(node).unwrap_or_default().to_owned(),
        Kind::Entity => format!("&{};", digest.content(node).unwrap_or_default()),
        Kind::Element if digest.space(node) == Space::Html => match digest.name(node) {
            "br" => " ".to_owned(),
            "img" => match attribute("alt") {
                "" => format!("[{}]", attribute("src").rsplit('/').next().unwrap_or_default()),
                alt => format!("[{alt}]"),
            },
            "input" if !matches!(attribute("type"), "hidden" | "password") => match attribute("value") {
                "" => String::new(),
                value => format!("[{value}]"),
            },
            "hr" => "———".to_owned(),
            _ => String::new(),
        },
        _ => String::new(),
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
