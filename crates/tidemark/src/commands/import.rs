//! `tidemark import`: watches of other programs, histories, whole exports. What is read is checked before anything is written.

mod adding;
mod captures;
mod history;

pub(super) use adding::{Adding, Outcome};

use super::carry::{hex, with_bar};
use super::print_json;
use crate::cli::Import;
use crate::settings::Settings;
use crate::terminal::{ADDED, CHANGED, FAINT, counted, printable, styled};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;
use tidemark_engine::intake::{self, Intake, LARGEST_ARCHIVE, Problem};

/// Entries of each kind that are listed.
const SHOWN: usize = 50;

pub(crate) fn run(command: &Import, settings: &Settings) -> Result<ExitCode> {
    let source = &command.source;
    if source.is_dir() && source.join(tidemark_store::LINES).is_file() && !command.history {
        return whole(command, settings);
    }
    if source.is_dir() || command.history {
        return history::run(command, settings);
    }
    let bytes = bytes(source)?;
    if captures::is_archive(&bytes) {
        return history::run(command, settings);
    }
    let name = source.display();
    let intake = intake::read(&bytes, command.form.map(Into::into))
        .with_context(|| format!("cannot take in {name}; nothing was added"))?;
    watches(command, settings, intake)
}

/// Everything that an export holds.
fn whole(command: &Import, settings: &Settings) -> Result<ExitCode> {
    if command.dry_run {
        bail!("--dry-run is for watches; an export is read whole or not at all, into an empty database");
    }
    settings.open()?;
    let imported = with_bar(|progress| tidemark_store::import(&command.source, &settings.database, progress))
        .context("cannot take in the export")?;
    let hash = hex(&imported.hash);
    if command.json.json {
        print_json(&serde_json::json!({
            "schema": "tidemark/import-whole/1", "rows": imported.rows, "versions": imported.versions, "hash": hash,
        }))?;
    } else {
        let rows = counted(imported.rows as usize, "row");
        let versions = counted(imported.versions as usize, "version");
        super::print(&format!(
            "took in {rows} and {versions}, and they are those that were exported\n{}\n",
            styled(FAINT, &format!("BLAKE3 {hash}"))
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    form: &'static str,
    dry_run: bool,
    added: Vec<Outcome>,
    known: Vec<Outcome>,
    problems: Vec<Problem>,
}

fn watches(command: &Import, settings: &Settings, intake: Intake) -> Result<ExitCode> {
    let mut report = Report {
        schema: "tidemark/import/1",
        form: intake.form.name(),
        dry_run: command.dry_run,
        added: Vec::new(),
        known: Vec::new(),
        problems: intake.problems,
    };
    let further = intake.further.iter().map(|url| Problem {
        entry: url.to_string(),
        reason: "a further sitemap: fetch it, and take it in too".to_owned(),
    });
    report.problems.extend(further);
    let store = settings.open()?;
    let mut adding = Adding::new(&*store, &command.tag, command.dry_run)?;
    let bar = indicatif::ProgressBar::new(intake.proposed.len() as u64);
    for proposed in intake.proposed {
        let (is_new, outcome) = adding.add(proposed)?;
        if is_new { &mut report.added } else { &mut report.known }.push(outcome);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if command.json.json {
        print_json(&report)?;
    } else {
        report.print()?;
    }
    Ok(ExitCode::from(u8::from(!report.problems.is_empty())))
}

impl Report {
    fn print(&self) -> Result<()> {
        let mut text = String::new();
        for outcome in self.added.iter().take(SHOWN) {
            outcome.write(&mut text)?;
        }
        cut(&mut text, self.added.len())?;
        for problem in self.problems.iter().take(SHOWN) {
            writeln!(
                text,
                "{} {}: {}",
                styled(CHANGED, "!"),
                printable(&problem.entry),
                printable(&problem.reason)
            )?;
        }
        cut(&mut text, self.problems.len())?;
        let would = if self.dry_run { "would be " } else { "" };
        writeln!(
            text,
            "read as {}: {} {would}{}, {} known already, {}",
            self.form,
            self.added.len(),
            styled(ADDED, "added"),
            self.known.len(),
            counted(self.problems.len(), "problem")
        )?;
        super::print(&text)
    }
}

fn cut(text: &mut String, count: usize) -> Result<()> {
    if count > SHOWN {
        writeln!(text, "{}", styled(FAINT, &format!("… {} more (--json lists all)", count - SHOWN)))?;
    }
    Ok(())
}

/// The bytes of a file, not more than are ever read.
fn bytes(path: &Path) -> Result<Vec<u8>> {
    let name = crate::input::name(path);
    let mut bytes = Vec::new();
    let most = LARGEST_ARCHIVE as u64 + 1;
    let read = if crate::input::is_standard(path) {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
    };
    read.with_context(|| format!("cannot read {name}"))?;
    Ok(bytes)
}
