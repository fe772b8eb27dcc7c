//! What in a change is of interest to a reader.
//!
//! Source: Kuppusamy & Aghila, eq. 14 and 16: the words of what changed are compared with the terms of the profile. Cost: linear in the words of the changes,
//! read in full up to a budget of four times both pages, and no less far than they are shown.
//!
//! Words that came or went are of interest, and all words of a block that moved. The words around them are what a phrase may begin in, or what a negative term is
//! found in. Each page is looked at on its own, so that what stands only in the old one does not silence the new one. Of attributes, those with words in them count.
//!
//! We differ: in `Rent: 880` → `Rent: 912` a reader of rent is concerned, though that word did not change. Words that stay count half if something changed in their
//! sentence and not far from them. Counting whole paragraphs would find a little more and mark every corrected letter in a long one.

use super::change::ChangeKind;
use super::wording::{Chunk, PageSide, Wording};
use super::{Line, SpanKind};
use crate::diff::AttributeEdit;
use crate::digest::NodeId;
use crate::profile::matcher::{Match, weight};
use crate::profile::{Matcher, Term};
use std::ops::Range;
use std::sync::Arc;

/// What a term counts by whose words stay, near others that came or went.
const AROUND: f64 = 0.5;

/// How far from what changed such words may be, in bytes.
const NEAR: usize = 100;

/// A term that a change speaks of.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// Whether the words came or went, or are the same: moved along, or near others that came or went.
    pub kind: SpanKind,
    /// The words as the page says them.
    pub said: String,
    /// The term they speak of.
    pub term: Arc<Term>,
    /// Where in the change's line they stand: spans and bytes in them. None if they are beyond what is shown, in an attribute, or around what changed.
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
    /// Where something came or went.
    touched: Vec<Range<usize>>,
    /// Whether what is in both pages counts too.
    all: bool,
}

impl<'a> Side<'a> {
    fn of(wording: &'a Wording<'a>, kind: SpanKind, all: bool) -> Self {
        let (mut text, mut chunks, mut touched) = (String::new(), Vec::new(), Vec::new());
        for chunk in &wording.chunks {
            let start = text.len();
            if chunk.kind == SpanKind::Same || chunk.kind == kind {
                chunks.push((start, chunk));
                text.push_str(&chunk.text);
            }
            if chunk.kind != SpanKind::Same {
                touched.push(start..text.len());
            }
        }
        Self { kind, text, chunks, touched, all }
    }

    fn mentions(&self, matcher: &Matcher, line: &Line) -> Vec<Mention> {
        let letters = Letters::of(line, self.kind, self.all);
        let (mut at, mut letter) = (0, 0);
        let mut found = Vec::new();
        for Match { range, term } in matcher.find(&self.text).matches {
            letter += count(&self.text[at..range.start]);
            at = range.start;
            let said = &self.text[range.clone()];
            let spans = letters.spans(letter..letter + count(said));
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            let kind = if self.all { SpanKind::Same } else { self.kind };
            let places = self.places(&range, self.all);
            if !places.is_empty() {
                found.push(Mention { kind, said, term, spans, places });
            } else if self.is_near(&range) {
                let term = Arc::new(Term { weight: term.weight * AROUND, ..(*term).clone() });
                let places = self.places(&range, true);
                found.push(Mention { kind: SpanKind::Same, said, term, spans: Vec::new(), places });
            }
        }
        found
    }

    /// Where on the page the words in a range stand that count.
    fn places(&self, range: &Range<usize>, all: bool) -> Vec<(PageSide, NodeId, Range<usize>)> {
        let mut places = Vec::new();
        let first = self.chunks.partition_point(|(start, chunk)| start + chunk.text.len() <= range.start);
        for &(start, chunk) in self.chunks[first..].iter().take_while(|(start, _)| *start < range.end) {
            let part = range.start.max(start) - start..range.end.min(start + chunk.text.len()) - start;
            if (chunk.kind == SpanKind::Same && !all) || chunk.text[part.clone()].trim().is_empty() {
                continue;
            }
            places.extend(chunk.source.map(|source| {
                (source.page, source.node, source.start + part.start..source.start + part.end)
            }));
        }
        places
    }

    /// Whether something changed near these words, in their sentence. Asked of the new page only, or all would be told twice.
    fn is_near(&self, range: &Range<usize>) -> bool {
        let next = self.touched.partition_point(|touched| touched.end <= range.start);
        let before = next.checked_sub(1).map(|at| self.touched[at].end..range.start);
        let after = self.touched.get(next).map(|touched| range.end..touched.start.max(range.end));
        let is_short = |gap: &Range<usize>| gap.len() <= NEAR && !ends_sentence(&self.text[gap.clone()]);
        self.kind == SpanKind::Added && [before, after].iter().flatten().any(is_short)
    }
}

/// Whether a sentence or a block ends in a text.
fn ends_sentence(text: &str) -> bool {
    let mut followed = text.chars().zip(text.chars().skip(1));
    text.contains(['。', '！', '？', '\u{2029}'])
        || followed.any(|(sign, next)| matches!(sign, '.' | '!' | '?') && next.is_whitespace())
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

#[cfg(test)]
mod tests {
    use crate::diff::Difference;
    use crate::digest::PageDigest;
    use crate::page::Reading;
    use crate::profile::{Matcher, Profile};
    use crate::render::{Changes, SpanKind};

    /// What is said of interest in the only change, with its kind, and how much that is.
    fn said(profile: &str, old: &str, new: &str) -> (Vec<(SpanKind, String)>, f64) {
        let page =
            |text: &str| PageDigest::encode(format!("<p>{text}").as_bytes(), &Reading::default()).unwrap();
        let (old, new) = (page(old), page(new));
        let matcher = Matcher::new(&Profile::parse(profile).unwrap());
        let changes = Changes::for_reader(&old, &new, &Difference::of(&old, &new), &matcher);
        let [change] = &*changes.changes else { panic!("{changes:?}") };
        let said = change.mentions.iter().map(|mention| (mention.kind, mention.said.clone()));
        (said.collect(), change.interest)
    }

    #[test]
    fn words_near_a_change_count_half() {
        let (words, interest) = said("rent", "Rent: 880 euros", "Rent: 912 euros");
        assert_eq!(words, [(SpanKind::Same, "Rent".to_owned())], "once, not for each page");
        assert!((interest - 0.5).abs() < 1e-9);
        let (_, interest) = said("rent", "Rent: 880 euros", "Rent: 880 euros, no rent in May");
        assert!((interest - 1.0).abs() < 1e-9, "the stronger counts");
        let (words, _) = said("rent", "The rent is due on the first day", "The rent is due on the day");
        assert_eq!(words.len(), 1, "near what only went");
    }

    #[test]
    fn words_far_from_a_change_do_not() {
        let none = |old: &str, new: &str| assert_eq!(said("rent", old, new).0, [], "{new}");
        none("The rent was paid. Call us at 3.", "The rent was paid. Call us at 4.");
        let far = "and so on ".repeat(20);
        none(&format!("rent {far}3"), &format!("rent {far}4"));
        none("<a href=/a>rent</a>", "<a href=/b>rent</a>");
    }

    #[test]
    fn a_negative_term_silences_words_near_a_change() {
        assert_eq!(said("rent\n-bike", "Rent a bike: 7", "Rent a bike: 9").0, []);
    }
}
