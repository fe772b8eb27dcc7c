//! What in a change is of interest to a reader.
//!
//! Source: Kuppusamy & Aghila, eq. 14 and 16: the words of what changed are compared with the terms of the profile. Cost: linear in the words of the changes,
//! read in full up to a budget of four times both pages, and no less far than they are shown.
//!
//! Words that came or went are of interest, and all words of a block that moved; the words around them are what a phrase may begin in, or what a negative term is
//! found in. Each page is looked at on its own, so that what stands only in the old one does not silence the new one. Of attributes, those with words in them count.

use super::change::ChangeKind;
use super::wording::{Chunk, PageSide, Wording};
use super::{Line, SpanKind};
use crate::diff::AttributeEdit;
use crate::digest::NodeId;
use crate::profile::matcher::{Match, weight};
use crate::profile::{Matcher, Term};
use std::ops::Range;
use std::sync::Arc;

/// A term that a change speaks of.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// Whether the words came or went, or moved along as they were.
    pub kind: SpanKind,
    /// The words as the page says them.
    pub said: String,
    /// The term they speak of.
    pub term: Arc<Term>,
    /// Where in the change's line they stand: spans and bytes in them. None if they are beyond what is shown, or in an attribute.
    pub spans: Vec<(usize, Range<usize>)>,
    /// Where on the pages they stand: nodes and bytes of their content.
    pub(crate) places: Vec<(PageSide, NodeId, Range<usize>)>,
}

impl Mention {
    /// Why it is of interest: `hurricane ← storm, hyponym`.
    pub fn reason(&self) -> String {
        self.term.reason(&self.said)
    }
}

/// How much a change is of interest: the weights of the interests it speaks of.
pub(super) fn interest(mentions: &[Mention]) -> f64 {
    weight(mentions.iter().map(|mention| &*mention.term))
}

/// The terms that the words of a change speak of, those of the old page first.
pub(super) fn mentions(
    matcher: &Matcher,
    kind: ChangeKind,
    wording: &Wording<'_>,
    line: &Line,
) -> Vec<Mention> {
    let sides = if kind == ChangeKind::Moved {
        &[SpanKind::Added][..]
    } else {
        &[SpanKind::Removed, SpanKind::Added]
    };
    let mut found = Vec::new();
    for &side in sides.iter().filter(|_| !matcher.is_empty()) {
        let read = Side::of(wording, side, kind == ChangeKind::Moved);
        found.extend(read.mentions(matcher, line));
    }
    found
}

/// The terms that the attributes of a change speak of.
pub(super) fn in_attributes(matcher: &Matcher, attributes: &[(NodeId, AttributeEdit)]) -> Vec<Mention> {
    let mut found = Vec::new();
    let worded = |name: &str| matches!(name, "alt" | "title" | "placeholder" | "value" | "label");
    for (_, edit) in attributes.iter().filter(|(_, edit)| worded(&edit.name) && !matcher.is_empty()) {
        for (kind, value) in [(SpanKind::Removed, &edit.old), (SpanKind::Added, &edit.new)] {
            let text = value.as_deref().unwrap_or_default();
            let mention = |Match { range, term }| Mention {
                kind,
                said: text[range].to_owned(),
                term,
                spans: Vec::new(),
                places: Vec::new(),
            };
            found.extend(matcher.find(text).matches.into_iter().map(mention));
        }
    }
    found
}

/// The words of a change as one of the pages has them.
struct Side<'a> {
    kind: SpanKind,
    text: String,
    /// The chunks it is made of, with where they begin.
    chunks: Vec<(usize, &'a Chunk<'a>)>,
    /// Whether what is in both pages counts too.
    all: bool,
}

impl<'a> Side<'a> {
    fn of(wording: &'a Wording<'a>, kind: SpanKind, all: bool) -> Self {
        let (mut text, mut chunks) = (String::new(), Vec::new());
        for chunk in wording.chunks.iter().filter(|chunk| chunk.kind == SpanKind::Same || chunk.kind == kind)
        {
            chunks.push((text.len(), chunk));
            text.push_str(&chunk.text);
        }
        Self { kind, text, chunks, all }
    }

    fn mentions(&self, matcher: &Matcher, line: &Line) -> Vec<Mention> {
        let letters = Letters::of(line, self.kind, self.all);
        let (mut at, mut letter) = (0, 0);
        let mut found = Vec::new();
        for Match { range, term } in matcher.find(&self.text).matches {
            letter += count(&self.text[at..range.start]);
            at = range.start;
            let said = &self.text[range.clone()];
            let kind = if self.all { SpanKind::Same } else { self.kind };
            let (counts, places) = self.places(&range);
            if counts {
                let spans = letters.spans(letter..letter + count(said));
                let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
                found.push(Mention { kind, said, term, spans, places });
            }
        }
        found
    }

    /// Whether the words in a range count, and where on the page those stand that do.
    fn places(&self, range: &Range<usize>) -> (bool, Vec<(PageSide, NodeId, Range<usize>)>) {
        let (mut counts, mut places) = (false, Vec::new());
        let first = self.chunks.partition_point(|(start, chunk)| start + chunk.text.len() <= range.start);
        for &(start, chunk) in self.chunks[first..].iter().take_while(|(start, _)| *start < range.end) {
            let part = range.start.max(start) - start..range.end.min(start + chunk.text.len()) - start;
            if (chunk.kind == SpanKind::Same && !self.all) || chunk.text[part.clone()].trim().is_empty() {
                continue;
            }
            counts = true;
            places.extend(chunk.source.map(|source| {
                (source.page, source.node, source.start + part.start..source.start + part.end)
            }));
        }
        (counts, places)
    }
}

/// The letters of a line as one page has them, without space: space is made even in a line, so that only the letters keep their numbers.
struct Letters {
    /// For each letter its span and its bytes, if it counts.
    places: Vec<Option<(usize, Range<usize>)>>,
}

impl Letters {
    fn of(line: &Line, kind: SpanKind, all: bool) -> Self {
        let mut places = Vec::new();
        for (at, span) in line.spans.iter().enumerate() {
            if span.kind != SpanKind::Same && span.kind != kind {
                continue;
            }
            let counts = all || span.kind == kind;
            let letters = span.text.char_indices().filter(|(_, character)| !character.is_whitespace());
            places.extend(
                letters.map(|(start, character)| counts.then(|| (at, start..start + character.len_utf8()))),
            );
        }
        Self { places }
    }

    /// Where letters stand, joined where they stand in one span.
    fn spans(&self, letters: Range<usize>) -> Vec<(usize, Range<usize>)> {
        let mut spans: Vec<(usize, Range<usize>)> = Vec::new();
        let letters = self.places.iter().skip(letters.start).take(letters.len());
        for (at, range) in letters.flatten() {
            match spans.last_mut() {
                Some((last, bytes)) if last == at => bytes.end = range.end,
                _ => spans.push((*at, range.clone())),
            }
        }
        spans
    }
}

fn count(text: &str) -> usize {
    text.chars().filter(|character| !character.is_whitespace()).count()
}
