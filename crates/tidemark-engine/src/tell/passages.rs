//! Changes, entries and lines of content as passages.

use crate::passage::{Passage, Stretch};
use tidemark_core::diff::AttributeEdit;
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::feed::Item;
use tidemark_core::profile::matcher::Match;
use tidemark_core::redesign::{ContentLine, LineKind};
use tidemark_core::render::text::{TextOptions, clean, pieces, reasons};
use tidemark_core::render::{Change, ChangeKind, Line, Span, SpanKind};

/// Most passages that are kept beside a verdict, the most characters of one, and of one reason, heading or address.
const MOST: usize = 24;
const LONGEST: usize = 600;
const SHORT: usize = 200;
const MOST_REASONS: usize = 8;

/// The passages of changes that are kept, and how many there are in all.
pub(super) fn of_changes(new: &PageDigest, changes: &[Change]) -> (Vec<Passage>, usize) {
    kept(changes.iter().flat_map(|change| of_change(new, change)))
}

/// So many as are kept, and how many there are in all.
pub(super) fn kept(all: impl IntoIterator<Item = Passage>) -> (Vec<Passage>, usize) {
    let (mut kept, mut count) = (Vec::new(), 0);
    for passage in all {
        count += 1;
        if kept.len() < MOST {
            kept.push(passage);
        }
    }
    (kept, count)
}

/// An entry of a feed, by its title, or by its text where it has none.
pub(super) fn of_item(kind: ChangeKind, item: &Item, said: &str, matches: &[Match]) -> Passage {
    let title = if item.title.text.is_empty() { &item.description.text } else { &item.title.text };
    let link = item.link.as_deref().map(short).filter(|link| !link.ends_with('…'));
    Passage { link, reasons: reasons_of(said, matches), ..Passage::plain(kind, &cut(&clean(title), LONGEST)) }
}

/// A line of content on both sides of a redesign.
pub(super) fn of_line(line: &ContentLine, said: &str, matches: &[Match]) -> Passage {
    let (kind, words) = match line.kind {
        LineKind::Removed => (ChangeKind::Removed, Line::between(&line.old, "")),
        LineKind::Added => (ChangeKind::Added, Line::between("", &line.new)),
        _ => (
            ChangeKind::Changed,
            Line::between(&line.old, &line.new).in_short(TextOptions::default().context),
        ),
    };
    let spans = bounded(pieces(&words, &[]));
    Passage { kind, place: None, spans, link: None, reasons: reasons_of(said, matches) }
}

/// A block, and a passage for each attribute of it that a reader sees.
fn of_change(new: &PageDigest, change: &Change) -> Vec<Passage> {
    let place: Vec<String> = change.headings.iter().map(|heading| short(heading)).collect();
    let passage =
        |kind, spans| Passage { kind, place: Some(place.clone()), spans, link: None, reasons: Vec::new() };
    let mut told = Vec::new();
    if change.line.is_changed() || change.kind == ChangeKind::Moved {
        told.push(passage(change.kind, spans(change)));
    }
    told.extend(
        change
            .shown_attributes(new)
            .map(|(node, edit)| passage(ChangeKind::Changed, of_attribute(new, *node, edit))),
    );
    if let Some(last) = told.last_mut() {
        last.reasons =
            reasons(&change.mentions).iter().take(MOST_REASONS).map(|reason| short(reason)).collect();
    }
    told
}

fn spans(change: &Change) -> Vec<Stretch> {
    let side = match change.kind {
        ChangeKind::Changed => {
            let line = change.line.in_short(TextOptions::default().context);
            return bounded(pieces(&line, &change.mentions));
        }
        ChangeKind::Removed => SpanKind::Removed,
        ChangeKind::Added | ChangeKind::Moved => SpanKind::Added,
    };
    let mut all = pieces(&change.line, &change.mentions);
    all.retain(|(span, _)| span.kind == SpanKind::Same || span.kind == side);
    bounded(all)
}

fn of_attribute(page: &PageDigest, node: NodeId, edit: &AttributeEdit) -> Vec<Stretch> {
    let value = |value: &Option<String>| {
        value.as_ref().map_or("nothing".to_owned(), |value| format!("\"{}\"", short(value)))
    };
    let stretch = |kind, text| Stretch { kind, text, of_interest: false };
    vec![
        stretch(SpanKind::Same, format!("{} {}: ", short(page.name(node)), short(&edit.name))),
        stretch(SpanKind::Removed, value(&edit.old)),
        stretch(SpanKind::Same, " → ".to_owned()),
        stretch(SpanKind::Added, value(&edit.new)),
    ]
}

/// Pieces as stretches, cut where they are too long, without space at the ends.
fn bounded(pieces: Vec<(Span, bool)>) -> Vec<Stretch> {
    let (mut room, mut told) = (LONGEST, Vec::new());
    for (span, of_interest) in pieces {
        if room == 0 {
            break;
        }
        let text = cut(&span.text, room);
        room = room.saturating_sub(text.chars().count());
        told.push(Stretch { kind: span.kind, text, of_interest });
    }
    if let Some(first) = told.first_mut() {
        first.text = first.text.trim_start().to_owned();
    }
    if let Some(last) = told.last_mut() {
        last.text = last.text.trim_end().to_owned();
    }
    told.retain(|stretch| !stretch.text.is_empty());
    told
}

/// Why words are of interest, each reason once.
fn reasons_of(said: &str, matches: &[Match]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for found in matches {
        let reason = short(&found.term.reason(said.get(found.range.clone()).unwrap_or_default()));
        if told.len() < MOST_REASONS && !told.contains(&reason) {
            told.push(reason);
        }
    }
    told
}

fn short(text: &str) -> String {
    cut(&clean(text), SHORT)
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
