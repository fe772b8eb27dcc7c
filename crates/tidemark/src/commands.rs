//! What each command does.

mod add;
mod carry;
mod changes;
mod check;
mod config;
mod demo;
mod diff;
mod digest;
mod discover;
mod doctor;
mod feed;
mod history;
mod import;
mod list;
mod notify;
mod outbox;
mod patch;
mod picture;
mod profile;
mod records;
mod redesign;
mod rerun;
mod rest;
mod run;
mod segment;
mod show;
mod similarity;
mod track;

use crate::cli::{Arguments, Command, DigestCommand, FeedCommand, ProfileCommand};
use crate::settings::Effective;
use anyhow::{Context, Result};
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
        Command::Diff(command) => return diff::run(command, &arguments.settings.given()),
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
        Command::Demo(command) => demo::run(command),
        Command::Doctor(command) => return doctor::run(command, &arguments.settings.given()),
        Command::Extract(kind) => return Ok(crate::extract::serve(*kind)),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Arguments::command(), "tidemark", &mut script);
            std::io::stdout().write_all(&script).map_err(Into::into)
        }
        watching => return watch(watching, &Effective::gather(&arguments.settings.given())?),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// The commands that need settings and a database.
fn watch(command: &Command, effective: &Effective) -> Result<ExitCode> {
    let settings = &effective.settings;
    match command {
        Command::Check(command) => return check::run(command, settings),
        Command::Add(command) => add::run(command, settings),
        Command::List(command) => list::run(command, settings),
        Command::ShowWatch(command) => show::run(command, settings),
        Command::Changes(command) => changes::run(command, settings),
        Command::History(command) => history::run(command, settings),
        Command::Cat(command) => history::cat(command, settings),
        Command::Picture(command) => picture::run(command, settings),
        Command::Rerun(command) => rerun::run(command, settings),
        Command::Pause(command) => rest::pause(command, settings, true),
        Command::Resume(command) => rest::pause(command, settings, false),
        Command::Remove(command) => rest::remove(command, settings),
        Command::Notify(command) => notify::run(command, settings),
        Command::Outbox(command) => outbox::run(command, settings),
        Command::Run(command) => run::run(command, settings),
        Command::Import(command) => return import::run(command, settings),
        Command::Export(command) => return carry::export(command, settings),
        Command::Backup(command) => return carry::backup(command, settings),
        Command::Restore(command) => return carry::restore(command, settings),
        Command::Move(command) => carry::go(command, settings),
        Command::Discover(command) => return discover::run(command, settings),
        Command::Config(command) => config::run(command, effective),
        _ => Ok(()),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// Threads that examine pages, write to the database and look up names: more would only wait for each other, each with memory of its own.
const BLOCKING: usize = 16;

/// Threads for what waits on the network.
fn runtime() -> Result<tokio::runtime::Runtime> {
    let mut threads = tokio::runtime::Builder::new_multi_thread();
    threads.enable_all().max_blocking_threads(BLOCKING).build().context("cannot start threads")
}

/// Prints text with its colours where they are wanted.
fn print(text: &str) -> Result<()> {
    Ok(anstream::stdout().lock().write_all(text.as_bytes())?)
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
