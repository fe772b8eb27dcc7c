//! `tidemark profile match`: where a page speaks of what a reader is interested in.

use super::{print_json, rounded};
use crate::cli::ProfileMatch;
use crate::input;
use crate::interests::Interests;
use crate::terminal::{FAINT, STRONG, counted, printable, styled};
use anyhow::{Result, bail};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;
use std::process::ExitCode;
use tidemark_core::digest::NodeId;
use tidemark_core::profile::matcher::weight;
use tidemark_core::profile::{Found, Match, Origin, Term, term};
use tidemark_core::render::{Mention, SpanKind};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    page: String,
    lines: Vec<LineRow>,
}

#[derive(Serialize)]
struct LineRow {
    line: usize,
    text: String,
    interest: f64,
    matches: Vec<MatchRow>,
}

/// Words that speak of a term, in JSON.
#[derive(Serialize)]
pub(in crate::commands) struct MatchRow {
    words: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    term: String,
    interest: String,
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<&'static str>,
    weight: f64,
    reason: String,
}

pub(crate) fn find(command: &ProfileMatch) -> Result<ExitCode> {
    let interests = Interests::load(command.profile.as_deref(), &command.interests, &command.reading)?;
    let matcher = interests.matcher(&command.expansion);
    if matcher.is_empty() {
        bail!(
            "there is nothing to look for; give a profile, a FOAF file or a term with --profile, --foaf or --term"
        );
    }
    let mut found: Vec<(usize, String, Found)> = lines(command)?
        .into_iter()
        .enumerate()
        .map(|(at, line)| (at + 1, matcher.find(&line), line))
        .map(|(at, found, line)| (at, line, found))
        .collect();
    found.retain(|(.., found)| !found.matches.is_empty());
    if command.json.json {
        let lines = found.iter().map(|(at, text, found)| LineRow::new(*at, text, found)).collect();
        let page = input::name(&command.page);
        print_json(&Report { schema: "tidemark/profile-match/1", page, lines })?;
    } else {
        print(&found)?;
    }
    Ok(ExitCode::from(u8::from(found.is_empty())))
}

/// What is looked at line by line: the lines of a page, or of text without markup.
fn lines(command: &ProfileMatch) -> Result<Vec<String>> {
    let bytes = input::bytes(&command.page, &command.reading.limits.limits())?;
    match str::from_utf8(&bytes) {
        Ok(text) if !text.contains('<') => Ok(text.lines().map(str::to_owned).collect()),
        _ => {
            let page = input::page(&command.page, &bytes, &command.reading)?;
            Ok(page.visible_lines(NodeId::ROOT))
        }
    }
}

impl LineRow {
    fn new(line: usize, text: &str, found: &Found) -> Self {
        let matches =
            found.matches.iter().map(|found| MatchRow::new(&text[found.range.clone()], &found.term, None));
        let interest = rounded(weight(found.matches.iter().map(|found| &*found.term)));
        Self { line, text: text.to_owned(), interest, matches: matches.collect() }
    }
}

impl MatchRow {
    /// A match in a change.
    pub(in crate::commands) fn of_mention(mention: &Mention) -> Self {
        let kind = match mention.kind {
            SpanKind::Same => "same",
            SpanKind::Removed => "removed",
            SpanKind::Added => "added",
        };
        Self::new(&mention.said, &mention.term, Some(kind))
    }

    fn new(words: &str, term: &Term, kind: Option<&'static str>) -> Self {
        let relation = match &term.origin {
            Origin::Expanded { relation, .. } => Some(term::name(*relation)),
            _ => None,
        };
        Self {
            words: words.to_owned(),
            kind,
            term: term.words.clone(),
            interest: term.interest().to_owned(),
            source: term.origin.told(),
            relation,
            weight: rounded(term.weight),
            reason: term.reason(words),
        }
    }
}

/// Each line with its matches between stars, and the reasons below it.
fn print(found: &[(usize, String, Found)]) -> Result<()> {
    let mut out = anstream::stdout().lock();
    let mut interests = BTreeSet::new();
    for (at, line, found) in found {
        writeln!(out, "{at:>5} {}", starred(line, &found.matches))?;
        let mut told = BTreeSet::new();
        for matched in &found.matches {
            interests.insert(matched.term.interest().to_owned());
            let reason = matched.reason(line);
            if told.insert(reason.clone()) {
                let reason = format!("      * {} ({:.2})", printable(&reason), matched.term.weight);
                writeln!(out, "{}", styled(FAINT, &reason))?;
            }
        }
    }
    let count: usize = found.iter().map(|(.., found)| found.matches.len()).sum();
    let sum = match count {
        0 => "nothing of interest".to_owned(),
        1 => "1 match".to_owned(),
        count => format!("{count} matches of {}", counted(interests.len(), "interest")),
    };
    Ok(writeln!(out, "{}", styled(FAINT, &sum))?)
}

/// A line around its matches: a few words before each and behind it.
fn starred(line: &str, matches: &[Match]) -> String {
    let (mut text, mut at) = (String::new(), 0);
    for matched in matches {
        let before = &line[at..matched.range.start];
        text.push_str(&printable(&shortened(before, at > 0)));
        text.push_str(&styled(STRONG, &format!("*{}*", printable(&line[matched.range.clone()]))));
        at = matched.range.end;
    }
    let rest: Vec<&str> = line[at..].split_inclusive(' ').collect();
    text.push_str(&printable(&rest[..rest.len().min(9)].concat()));
    if rest.len() > 9 {
        text.push('…');
    }
    text
}

/// What stands between two matches, or before the first one, with its middle or beginning left out if it is long.
fn shortened(text: &str, after_match: bool) -> String {
    let words: Vec<&str> = text.split_inclusive(' ').collect();
    let head = if after_match { 8 } else { 0 };
    if words.len() <= head + 9 {
        return text.to_owned();
    }
    format!("{}… {}", words[..head].concat(), words[words.len() - 8..].concat())
}
