//! Changes as text, for terminals and mail: like a unified diff, with words marked and headings instead of line numbers.
//!
//! ```text
//! @@ Prices › Kettles @@
//! ~ The kettle costs [-10-]{+12+} €.
//! + A new paragraph about a *hurricane*.
//!   * hurricane ← storm, hyponym
//! ```
//!
//! What is of interest to a reader stands between stars, with the reasons below it.

use super::{Change, ChangeKind, Changes, Line, Mention, Span, SpanKind};
use crate::digest::PageDigest;
use crate::digest::element::is_seen_attribute;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

/// Most reasons told for one change.
const MOST_REASONS: usize = 8;

/// How to write.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// With colours of a terminal.
    pub colours: bool,
    /// Also what a reader of the page does not see.
    pub unseen: bool,
    /// Words shown around what changed.
    pub context: usize,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self { colours: false, unseen: false, context: 8 }
    }
}

/// Writes changes; nothing for none.
pub fn text(new: &PageDigest, changes: &Changes, options: &TextOptions) -> String {
    let mut writer = Writer { text: String::new(), options, headings: None };
    for change in changes.changes.iter().filter(|change| change.seen || options.unseen) {
        writer.change(new, change);
    }
    writer.text
}

struct Writer<'a> {
    text: String,
    options: &'a TextOptions,
    /// The headings written last.
    headings: Option<Vec<String>>,
}

impl Writer<'_> {
    fn change(&mut self, new: &PageDigest, change: &Change) {
        if self.headings.as_ref() != Some(&change.headings) {
            let path = change.headings.iter().map(|heading| clean(heading)).collect::<Vec<_>>().join(" › ");
            let path = if path.is_empty() { "top of the page".to_owned() } else { path };
            self.line("36", &format!("@@ {path} @@"));
            self.headings = Some(change.headings.clone());
        }
        let sign = change.kind.sign();
        let hidden = if change.seen { "" } else { " (not visible)" };
        if change.line.is_changed() || change.kind == ChangeKind::Moved {
            let (colour, side) = match change.kind {
                ChangeKind::Added => ("32", SpanKind::Added),
                ChangeKind::Removed => ("31", SpanKind::Removed),
                ChangeKind::Moved => ("33", SpanKind::Added),
                ChangeKind::Changed => ("", SpanKind::Same),
            };
            if change.kind == ChangeKind::Changed {
                let line = change.line.in_short(self.options.context);
                let line = with_mentions(&line, &change.mentions, self.options.colours);
                let _ = writeln!(self.text, "{sign} {line}{hidden}");
            } else {
                let said = one_side(&change.line, side, &change.mentions, self.options.colours, colour);
                self.line(colour, &format!("{sign} {said}{hidden}"));
            }
        } else if change.attributes.is_empty() {
            let name = change.new.map_or("", |node| new.name(node));
            self.line("2", &format!("{sign} {}{hidden}", if name.is_empty() { "empty space" } else { name }));
        }
        for (node, attribute) in &change.attributes {
            if !self.options.unseen && !is_seen_attribute(new, *node, &attribute.name) {
                continue;
            }
            let value = |value: &Option<String>| {
                value.as_ref().map_or("nothing".to_owned(), |value| format!("\"{}\"", clean(value)))
            };
            let (old, new_value) = (value(&attribute.old), value(&attribute.new));
            self.line(
                "35",
                &format!(
                    "~ {} {}: {old} → {new_value}{hidden}",
                    clean(new.name(*node)),
                    clean(&attribute.name)
                ),
            );
        }
        self.reasons(&change.mentions);
    }

    /// Why a change is of interest, each reason once.
    fn reasons(&mut self, mentions: &[Mention]) {
        let reasons = reasons(mentions);
        for reason in reasons.iter().take(MOST_REASONS) {
            self.line("2", &format!("  * {}", clean(reason)));
        }
        if reasons.len() > MOST_REASONS {
            self.line("2", &format!("  * … and {} more", reasons.len() - MOST_REASONS));
        }
    }

    fn line(&mut self, colour: &str, line: &str) {
        let line = coloured(self.options.colours, colour, line);
        self.text.push_str(&line);
        self.text.push('\n');
    }
}

/// The reasons why a change is of interest, the strongest first, each once.
pub fn reasons(mentions: &[Mention]) -> Vec<String> {
    let mut ordered: Vec<&Mention> = mentions.iter().collect();
    ordered.sort_by(|one, other| other.term.weight.total_cmp(&one.term.weight));
    let mut told = BTreeSet::new();
    ordered.into_iter().map(Mention::reason).filter(|reason| told.insert(reason.clone())).collect()
}

/// A line with what differs marked: `[-10-]{+12+}`.
pub fn marked(line: &Line, colours: bool) -> String {
    with_mentions(line, &[], colours)
}

/// The same with what is of interest between stars.
fn with_mentions(line: &Line, mentions: &[Mention], colours: bool) -> String {
    let mut text = String::new();
    for (span, ranges) in line.spans.iter().zip(ranges(line, mentions)) {
        let (colour, open, close) = match span.kind {
            SpanKind::Same => ("", "", ""),
            SpanKind::Removed => ("31", "[-", "-]"),
            SpanKind::Added => ("32", "{+", "+}"),
        };
        let shown = starred(&span.text, &ranges, colours, colour);
        text.push_str(&coloured(colours, colour, &format!("{open}{shown}{close}")));
    }
    text.trim().to_owned()
}

/// A line as one page has it, with what is of interest between stars.
fn one_side(line: &Line, side: SpanKind, mentions: &[Mention], colours: bool, colour: &str) -> String {
    let mut text = String::new();
    for (span, ranges) in line.spans.iter().zip(ranges(line, mentions)) {
        if span.kind == SpanKind::Same || span.kind == side {
            text.push_str(&starred(&span.text, &ranges, colours, colour));
        }
    }
    text.trim().to_owned()
}

/// A line cut where what is of interest begins and ends: each piece, and whether it is.
pub fn pieces(line: &Line, mentions: &[Mention]) -> Vec<(Span, bool)> {
    let mut pieces = Vec::new();
    for (span, ranges) in line.spans.iter().zip(ranges(line, mentions)) {
        let mut piece = |part: Range<usize>, of_interest| {
            let text = clean(&span.text[part]);
            if !text.is_empty() {
                pieces.push((Span { kind: span.kind, text }, of_interest));
            }
        };
        let mut at = 0;
        for range in ranges {
            let (start, end) = (range.start.max(at), range.end.max(at));
            piece(at..start, false);
            piece(start..end, true);
            at = end;
        }
        piece(at..span.text.len(), false);
    }
    pieces
}

/// For each span of a line the bytes that are of interest, in order.
pub(super) fn ranges(line: &Line, mentions: &[Mention]) -> Vec<Vec<Range<usize>>> {
    let mut ranges = vec![Vec::new(); line.spans.len()];
    for (span, range) in mentions.iter().flat_map(|mention| &mention.spans) {
        // A mention of another line would be a fault, but no reason to panic.
        if line.spans.get(*span).is_some_and(|span| span.text.get(range.clone()).is_some()) {
            ranges[*span].push(range.clone());
        }
    }
    ranges.iter_mut().for_each(|ranges| ranges.sort_by_key(|range| range.start));
    ranges
}

fn starred(text: &str, ranges: &[Range<usize>], colours: bool, colour: &str) -> String {
    let (mut told, mut at) = (String::new(), 0);
    for range in ranges {
        told.push_str(&clean(&text[at..range.start]));
        let star = format!("*{}*", clean(&text[range.clone()]));
        told.push_str(&coloured(colours, "1;7", &star));
        if colours && !colour.is_empty() {
            let _ = write!(told, "\x1b[{colour}m");
        }
        at = range.end;
    }
    told.push_str(&clean(&text[at..]));
    told
}

/// Whether a character can steer a terminal: control characters rewrite the screen, direction marks reorder the line.
pub fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn coloured(colours: bool, colour: &str, text: &str) -> String {
    if colours && !colour.is_empty() { format!("\x1b[{colour}m{text}\x1b[0m") } else { text.to_owned() }
}

/// A hostile page must not steer a terminal.
pub fn clean(text: &str) -> String {
    text.chars().filter(|&character| !is_harmful(character)).collect()
}
