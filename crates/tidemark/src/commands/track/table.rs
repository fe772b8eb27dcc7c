//! A track for people: a strip of signs for each segment, and table 1. Readable without colours, and in plain letters.

use super::super::segment::ending;
use super::{FAINT, Followed, counted, styled, title};
use crate::cli::TrackCommand;
use crate::terminal::{ADDED, CHANGED, STRONG, printable};
use anstyle::Style;
use anyhow::Result;
use std::io::{IsTerminal, Write};
use tidemark_core::segment::sign::Sign;
use tidemark_core::segment::track::Strip;
use tidemark_core::segment::{Column, Measures};

/// Widest label.
const LABEL: usize = 60;

pub(super) fn print(command: &TrackCommand, followed: &Followed) -> Result<()> {
    let mut out = anstream::stdout().lock();
    let drawing = Drawing::new(command, followed);
    writeln!(out, "{}", drawing.heading())?;
    for strip in followed.track.strips().iter().filter(|strip| command.all || !strip.is_still()) {
        writeln!(out, "{}", drawing.line(strip).trim_end())?;
    }
    writeln!(out, "{}", styled(FAINT, &drawing.legend()))?;
    for line in drawing.about(command) {
        writeln!(out, "{}", styled(FAINT, &line))?;
    }
    writeln!(out)?;
    for (value, name) in measures(followed.track.measures()) {
        writeln!(out, "{value:>8}  {name}")?;
    }
    Ok(())
}

struct Drawing<'a> {
    followed: &'a Followed,
    ascii: bool,
    /// The first version that is shown.
    first: usize,
}

impl<'a> Drawing<'a> {
    fn new(command: &TrackCommand, followed: &'a Followed) -> Self {
        let versions = followed.names.len();
        let shown = if command.limit == 0 { versions } else { command.limit };
        Self { followed, ascii: command.ascii || !speaks_unicode(), first: versions.saturating_sub(shown) }
    }

    fn width(&self) -> usize {
        (self.followed.names.len() - self.first).max("versions".len())
    }

    fn heading(&self) -> String {
        let width = self.width();
        styled(STRONG, &format!("segment  {:<width$}  changes  flips  since", "versions"))
    }

    fn line(&self, strip: &Strip) -> String {
        let signs: Vec<Sign> = strip.marks[self.first..].iter().map(|mark| mark.sign()).collect();
        let drawn: String = signs.iter().map(|&sign| self.drawn(sign)).collect();
        let room = " ".repeat(self.width() - signs.len());
        let place = &strip.place;
        let volatility = format!("{:.0} %", 100.0 * place.volatility());
        format!(
            "{:>7}  {drawn}{room}  {volatility:>7}  {:>5}  {:>5}  {}",
            strip.column.0,
            place.flips,
            place.since + 1,
            styled(FAINT, &self.label(strip))
        )
    }

    fn drawn(&self, sign: Sign) -> String {
        let symbol = self.symbol(sign).to_string();
        style(sign).map_or_else(|| symbol.clone(), |style| styled(style, &symbol))
    }

    fn symbol(&self, sign: Sign) -> char {
        if self.ascii { sign.ascii() } else { sign.symbol() }
    }

    fn label(&self, strip: &Strip) -> String {
        let text = match &strip.label {
            _ if strip.column == Column::FRAME => "(what holds the segments)".to_owned(),
            None => String::new(),
            Some(label) if label.words.is_empty() => ending(&label.place, LABEL),
            Some(label) => label.words.clone(),
        };
        let text = printable(&text);
        if self.ascii { plain(&text) } else { text }
    }

    fn legend(&self) -> String {
        let entries = Sign::ALL.iter().filter(|&&sign| sign != Sign::Empty);
        let entries: Vec<String> =
            entries.map(|&sign| format!("{} {}", self.symbol(sign), sign.name())).collect();
        format!("{}, nothing: not there", entries.join(", "))
    }

    /// What is shown and what is not.
    fn about(&self, command: &TrackCommand) -> Vec<String> {
        let names = &self.followed.names;
        let mut about = vec![format!("{}: {}", counted(names.len(), "version"), printable(&title(names)))];
        if self.first > 0 {
            about.push(format!("the last {} are shown (--limit 0 for all)", names.len() - self.first));
        }
        let still = self.followed.track.strips().iter().filter(|strip| strip.is_still()).count();
        if still > 0 && !command.all {
            about.push(format!("{} never changed (--all lists them)", counted(still, "segment")));
        }
        about
    }
}

/// Table 1, and what the signatures rule out.
fn measures(measures: &Measures) -> Vec<(String, &'static str)> {
    let told = |value: Option<f64>, unit: &str| {
        value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}{unit}"))
    };
    let percent = |share: Option<f64>| told(share.map(|share| 100.0 * share), " %");
    let step = &measures.step;
    vec![
        (told(measures.mean_segments(), ""), "segments a version (MSC)"),
        (told(measures.mean_track_length(), ""), "versions (MPETL)"),
        (told(measures.mean_modified(), ""), "segments modified a change (MSM)"),
        (told(measures.mean_personal(), ""), "of them with terms of a profile (MSMP)"),
        (told(measures.mean_undetected(), ""), "segments with undetected changes (MSUD)"),
        (told(measures.detection(), " %"), "successful detection (SDP)"),
        (percent(step.excluded()), "of the segments ruled out by their signatures"),
        (percent(step.excluded_by_history()), "if content seen before is ruled out, too"),
        (percent(step.excluded_nodes()), "of the nodes ruled out"),
        (percent(step.excluded_nodes_by_history()), "if content seen before is ruled out, too"),
    ]
}

fn style(sign: Sign) -> Option<Style> {
    match sign {
        Sign::New => Some(CHANGED),
        Sign::Back | Sign::Flip => Some(ADDED),
        Sign::Moved => Some(STRONG),
        Sign::Same => Some(FAINT),
        Sign::Empty => None,
    }
}

/// Text in plain letters; what cannot be written so is a question mark.
fn plain(text: &str) -> String {
    let letter = |letter: char| if letter.is_ascii() { letter } else { '?' };
    text.replace('…', "...").chars().map(letter).collect()
}

/// A file takes any character; a terminal does if its locale says so.
fn speaks_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
        .unwrap_or_default()
        .to_ascii_lowercase();
    cfg!(windows) || !std::io::stdout().is_terminal() || locale.contains("utf-8") || locale.contains("utf8")
}
