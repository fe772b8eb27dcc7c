//! The words of a change in the order of both pages, each with the place it is from.
//!
//! A [`Line`] is made of them, and so is what is [of interest](super::interest) in them. Cost: linear in the nodes of the block, up to so many bytes.

use super::merge::{Event, Merge, Step};
use super::{Line, Span, SpanKind};
use crate::diff::Edit;
use crate::diff::words::Run;
use crate::digest::element::is_inline;
use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::arena::Space;
use std::borrow::Cow;
use std::ops::Range;

/// A reader is shown the beginning of what is very long.
pub(crate) const LONGEST: usize = 4000;

/// Between the words of two blocks: a space for the eye, the end of any phrase.
const BLOCK: &str = "\u{2029}";

/// One of the two pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PageSide {
    Old,
    New,
}

/// Where text is from: a node, and the byte of its content it begins at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) page: PageSide,
    pub(crate) node: NodeId,
    pub(crate) start: usize,
}

/// A stretch of text from one place.
#[derive(Debug)]
pub(crate) struct Chunk<'a> {
    pub(crate) kind: SpanKind,
    pub(crate) text: Cow<'a, str>,
    pub(crate) source: Option<Source>,
}

/// The words of a change.
#[derive(Debug, Default)]
pub(crate) struct Wording<'a> {
    pub(crate) chunks: Vec<Chunk<'a>>,
    /// How many of them a reader is shown.
    shown: usize,
}

impl Wording<'_> {
    /// What a reader is shown.
    pub(crate) fn line(&self) -> Line {
        let mut spans: Vec<Span> = Vec::new();
        for chunk in &self.chunks[..self.shown] {
            match spans.last_mut() {
                Some(last) if last.kind == chunk.kind => last.text.push_str(&chunk.text),
                _ => spans.push(Span { kind: chunk.kind, text: chunk.text.as_ref().to_owned() }),
            }
        }
        Line { spans }.evened()
    }

    /// How many bytes of text there are.
    pub(crate) fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.text.len()).sum()
    }
}

/// All words of a block of the new page.
pub(crate) fn all_of<'a>(merge: &'a Merge<'a>, block: NodeId, most: usize) -> Wording<'a> {
    let mut writer = Writer::new(merge, most);
    merge.walk(block, |event| {
        match event {
            Event::Open(_) if writer.is_full() => return Step::Stop,
            Event::Open(node) if is_inline(merge.new, node) => writer.open(node),
            Event::Open(_) => writer.block(SpanKind::Same),
            Event::Close(node) => writer.close(node),
            Event::Ghost(old) if is_inline(merge.old, old) => writer.ghost(old),
            Event::Ghost(_) => {}
        }
        Step::In
    });
    writer.finish()
}

/// The words of one line of a block: from a child on, up to the next block in it, or the next line break.
pub(crate) fn line_from<'a>(merge: &'a Merge<'a>, block: NodeId, start: u32, most: usize) -> Wording<'a> {
    let mut writer = Writer::new(merge, most);
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
    writer.finish()
}

/// Whether a new line of the block begins with this node: it is a block itself, or a line break.
pub(crate) fn breaks_line(digest: &PageDigest, block: NodeId, node: NodeId) -> bool {
    let is_break = digest.space(node) == Space::Html && digest.name(node) == "br";
    digest.parent(node) == Some(block) && (is_break || !is_inline(digest, node))
}

/// The words of a block that went.
pub(crate) fn removed<'a>(merge: &'a Merge<'a>, old: NodeId, most: usize) -> Wording<'a> {
    let mut writer = Writer::new(merge, most);
    writer.ghost(old);
    writer.finish()
}

struct Writer<'a> {
    merge: &'a Merge<'a>,
    wording: Wording<'a>,
    length: usize,
    most: usize,
    is_cut: bool,
    /// Parts of the line that are open and came here from another place.
    moved_in: Vec<NodeId>,
}

impl<'a> Writer<'a> {
    fn new(merge: &'a Merge<'a>, most: usize) -> Self {
        Self { merge, wording: Wording::default(), length: 0, most, is_cut: false, moved_in: Vec::new() }
    }

    fn finish(mut self) -> Wording<'a> {
        if !self.is_cut {
            self.wording.shown = self.wording.chunks.len();
        }
        self.wording
    }

    fn is_full(&mut self) -> bool {
        if self.length > LONGEST && !self.is_cut {
            self.is_cut = true;
            self.wording.shown = self.wording.chunks.len();
        }
        self.length > LONGEST.max(self.most)
    }

    fn push(&mut self, kind: SpanKind, text: impl Into<Cow<'a, str>>, source: Option<Source>) {
        let text = text.into();
        if !text.is_empty() {
            self.length += text.len();
            self.wording.chunks.push(Chunk { kind, text, source });
        }
    }

    /// A new block begins.
    fn block(&mut self, kind: SpanKind) {
        self.length += 1;
        self.wording.chunks.push(Chunk { kind, text: Cow::Borrowed(BLOCK), source: None });
    }

    /// What a reader sees of a node itself.
    fn node(&mut self, kind: SpanKind, page: PageSide, node: NodeId) {
        let digest = match page {
            PageSide::Old => self.merge.old,
            PageSide::New => self.merge.new,
        };
        self.push(kind, shown(digest, node), Some(Source { page, node, start: 0 }));
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
                self.node(if came { SpanKind::Added } else { SpanKind::Same }, PageSide::New, node);
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
        let merge = self.merge;
        let (old_text, new_text) =
            (merge.old.content(old).unwrap_or_default(), merge.new.content(new).unwrap_or_default());
        let from = |page, node, range: &Range<usize>| Some(Source { page, node, start: range.start });
        for run in runs {
            if !run.same {
                self.push(SpanKind::Removed, &old_text[run.old.clone()], from(PageSide::Old, old, &run.old));
            }
            let kind = if run.same { SpanKind::Same } else { SpanKind::Added };
            self.push(kind, &new_text[run.new.clone()], from(PageSide::New, new, &run.new));
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
                self.block(SpanKind::Removed);
            }
            self.node(SpanKind::Removed, PageSide::Old, node);
            at += 1;
        }
    }
}

/// What a reader sees of a node itself.
fn shown(digest: &PageDigest, node: NodeId) -> Cow<'_, str> {
    match digest.kind(node) {
        Kind::Text | Kind::Cdata => Cow::Borrowed(digest.content(node).unwrap_or_default()),
        _ => Cow::Owned(told(digest, node)),
    }
}

/// What stands for a node that is no text.
fn told(digest: &PageDigest, node: NodeId) -> String {
    let attribute = |name: &str| digest.attribute(node, name).unwrap_or_default();
    match digest.kind(node) {
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
