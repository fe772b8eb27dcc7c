//! Changes and events as they are told on a terminal.

use crate::named::title;
use crate::terminal::{ADDED, CHANGED, FAINT, REMOVED, STRONG, printable, styled};
use crate::when;
use anstyle::AnsiColor;
use jiff::Timestamp;
use std::fmt::Write;
use tidemark_core::render::text::is_harmful;
use tidemark_engine::notice::NoticeState;
use tidemark_engine::post::Delivery;
use tidemark_engine::record::{EventKind, Standing, Verdict};
use tidemark_engine::watch::Watch;

/// A change as one watch sees it.
pub(crate) struct Told<'a> {
    pub(crate) watch: &'a Watch,
    pub(crate) at: Timestamp,
    /// Old and new version.
    pub(crate) versions: (u32, u32),
    pub(crate) verdict: &'a Verdict,
    /// Most lines to show.
    pub(crate) lines: usize,
    /// Whether the day is told too.
    pub(crate) day: bool,
}

impl Told<'_> {
    /// A block: a head line and what changed.
    pub(crate) fn block(&self) -> String {
        let (old, new) = self.versions;
        let mut block = head(self.at, self.day, &title(self.watch));
        let id = self.watch.id.0;
        let _ = writeln!(block, "  {}", styled(FAINT, &format!("{id}@{old} → {id}@{new}{}", self.about())));
        let verdict = self.verdict;
        if verdict.standing != Standing::Told {
            let _ = writeln!(
                block,
                "  {}",
                styled(
                    FAINT,
                    &format!("{}: {}", verdict.standing.name(), printable(&verdict.reasons.join("; ")))
                )
            );
            return block;
        }
        let lines = verdict.lines();
        if lines.is_empty() {
            let _ = writeln!(block, "  {}", printable(&verdict.reasons.join("; ")));
        }
        for line in lines.iter().take(self.lines) {
            let _ = writeln!(block, "  {}", coloured(line));
        }
        if lines.len() > self.lines {
            let more = lines.len() - self.lines;
            let _ = writeln!(
                block,
                "  {}",
                styled(FAINT, &format!("… {more} more lines: tidemark diff {id}@{old} {id}@{new}"))
            );
        }
        block
    }

    fn about(&self) -> String {
        let held = match self.verdict.held {
            0 => String::new(),
            held => format!(" · {held} held back"),
        };
        let interest = if self.verdict.interest > 0.0 { " · of interest" } else { "" };
        format!("{held}{interest}")
    }
}

/// Time and name, without an end of line.
pub(crate) fn head(at: Timestamp, day: bool, name: &str) -> String {
    let time = if day { when::full(at) } else { when::clock(at) };
    format!("{} {}", styled(FAINT, &time), styled(STRONG, &printable(name)))
}

/// An event in one line.
pub(crate) fn event(
    at: Timestamp,
    day: bool,
    name: &str,
    kind: EventKind,
    detail: &serde_json::Value,
) -> String {
    let said = detail.get("said").and_then(serde_json::Value::as_str).unwrap_or_default();
    let style = match kind {
        EventKind::Unwell | EventKind::ZoneLost => REMOVED,
        EventKind::Well | EventKind::ZoneFound => ADDED,
        EventKind::Redesigned => AnsiColor::Magenta.on_default(),
    };
    format!(
        "{}  {} {}\n",
        head(at, day, name),
        styled(style, &format!("! {}", kind_name(kind))),
        printable(said)
    )
}

/// What became of a notice, in one line.
pub(crate) fn delivery(at: Timestamp, delivery: &Delivery) -> String {
    let (style, state) = match delivery.state {
        NoticeState::Delivered => (ADDED, "→ told".to_owned()),
        NoticeState::Dead => (REMOVED, "→ given up, not told".to_owned()),
        NoticeState::Open | NoticeState::Sealed => {
            let again =
                delivery.due.map(|due| format!(", again {}", when::from_now(due))).unwrap_or_default();
            (CHANGED, format!("→ not told yet{again}"))
        }
    };
    let trouble =
        delivery.trouble.as_ref().map(|trouble| format!(": {}", printable(trouble))).unwrap_or_default();
    let (to, subject) = (printable(&delivery.shown), printable(&delivery.subject));
    format!(
        "{} {} {to}  {}{trouble}\n",
        styled(FAINT, &when::clock(at)),
        styled(style, &state),
        styled(FAINT, &subject)
    )
}

/// The word for it.
pub(crate) const fn kind_name(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Unwell => "unwell:",
        EventKind::Well => "well again:",
        EventKind::Redesigned => "redesigned:",
        EventKind::ZoneLost => "zone lost:",
        EventKind::ZoneFound => "zone found:",
    }
}

/// A line of a verdict in the colours of `tidemark diff`.
pub(crate) fn coloured(line: &str) -> String {
    let line: String = line.chars().filter(|character| !is_harmful(*character)).collect();
    match line.chars().next() {
        Some('+') => styled(ADDED, &line),
        Some('-') => styled(REMOVED, &line),
        Some('>') => styled(CHANGED, &line),
        Some('@') => styled(AnsiColor::Cyan.on_default(), &line),
        Some('~') => words(&line),
        _ => line,
    }
}

/// Words that went between `[-` and `-]`, words that came between `{+` and `+}`.
fn words(line: &str) -> String {
    let mut told = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['[', '{']) {
        let (style, end) = match &rest[at..] {
            tail if tail.starts_with("[-") => (REMOVED, "-]"),
            tail if tail.starts_with("{+") => (ADDED, "+}"),
            _ => {
                told.push_str(&rest[..=at]);
                rest = &rest[at + 1..];
                continue;
            }
        };
        let Some(length) = rest[at..].find(end) else { break };
        let (before, marked) = (&rest[..at], &rest[at..at + length + 2]);
        told.push_str(before);
        told.push_str(&styled(style, marked));
        rest = &rest[at + length + 2..];
    }
    told + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_coloured_and_nothing_is_lost() {
        let line = "~ costs [-10-]{+12+} [x] {y} [-open";
        let plain = anstream::adapter::strip_str(&coloured(line)).to_string();
        assert_eq!(plain, line);
        assert!(coloured(line).contains("\x1b[31m[-10-]"));
        assert!(!coloured("+ a\x1b[2Jb").contains("\x1b[2J"));
    }
}
