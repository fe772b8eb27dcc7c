//! What each command does.

mod diff;
mod digest;
mod feed;
mod patch;
mod profile;
mod records;
mod redesign;
mod segment;
mod similarity;
mod track;

use crate::cli::{Arguments, Command, DigestCommand, FeedCommand, ProfileCommand};
use anyhow::Result;
use clap::CommandFactory;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;
use tidemark_core::render::{Line, SpanKind};

/// Exit code of a command that could not do its work; 1 means a difference, as in diff(1).
pub(crate) const TROUBLE: u8 = 2;

/// Exit code when the reader of our output goes away: what a shell reports for a program ended by SIGPIPE.
pub(crate) const CLOSED_PIPE: u8 = 141;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.command {
        Command::Digest(DigestCommand::Encode(command)) => digest::encode(command),
        Command::Digest(DigestCommand::Revert(command)) => digest::revert(command),
        Command::Digest(DigestCommand::Show(command)) => digest::show(command),
        Command::Diff(command) => return diff::run(command),
        Command::Records(command) => return records::run(command),
        Command::Feed(FeedCommand::Diff(command)) => return feed::run(command),
        Command::Profile(ProfileCommand::Match(command)) => return profile::find(command),
        Command::Profile(ProfileCommand::Show(command)) => profile::show(command),
        Command::Profile(ProfileCommand::Expand(command)) => profile::expand(command),
        Command::Track(command) => return track::run(command),
        Command::Redesign(command) => return redesign::run(command),
        Command::Segment(command) => segment::run(command),
        Command::Patch(command) => patch::run(command),
        Command::Similarity(command) => similarity::run(command),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Arguments::command(), "tidemark", &mut script);
            std::io::stdout().write_all(&script).map_err(Into::into)
        }
    }?;
    Ok(ExitCode::SUCCESS)
}

/// A stretch of a line, in JSON.
#[derive(Serialize)]
struct SpanRow {
    kind: &'static str,
    text: String,
}

impl SpanRow {
    fn list(line: &Line) -> Vec<Self> {
        let kind = |kind: SpanKind| match kind {
            SpanKind::Same => "same",
            SpanKind::Removed => "removed",
            SpanKind::Added => "added",
        };
        line.spans.iter().map(|span| Self { kind: kind(span.kind), text: span.text.clone() }).collect()
    }
}

/// Prints a value as JSON.
fn print_json(value: &impl Serialize) -> Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value).map_err(std::io::Error::from)?;
    Ok(writeln!(out)?)
}
