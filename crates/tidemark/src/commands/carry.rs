//! `tidemark export`, `backup`, `restore` and `move`: the whole database goes somewhere else.

use super::print_json;
use crate::cli::{Backup, Export, Move, Restore};
use crate::settings::Settings;
use crate::terminal::{CHANGED, FAINT, counted, printable, styled};
use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fmt::Write as _;
use std::process::ExitCode;
use tidemark_engine::store::{Fault, StoreError};
use tidemark_store::{Copied, Progress};

/// Problems that are listed.
const SHOWN: usize = 20;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    rows: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    versions: Option<u64>,
    /// BLAKE3 over everything, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    problems: Vec<String>,
}

pub(crate) fn export(command: &Export, settings: &Settings) -> Result<ExitCode> {
    settings.open()?;
    let exported = with_bar(|progress| {
        tidemark_store::export(&settings.database, &command.folder, command.warc_only, progress)
    })
    .context("cannot export")?;
    let report = Report {
        schema: "tidemark/export-report/1",
        rows: exported.rows,
        versions: Some(exported.versions),
        hash: exported.hash.as_ref().map(hex),
        problems: exported.problems,
    };
    let place = command.folder.display();
    report.tell(
        command.json.json,
        &format!(
            "{place} holds {} and {}",
            rows(report.rows),
            counted(exported.versions as usize, "version")
        ),
    )
}

pub(crate) fn backup(command: &Backup, settings: &Settings) -> Result<ExitCode> {
    settings.open()?;
    let made = with_bar(|progress| tidemark_store::backup(&settings.database, &command.file, progress))
        .context("cannot make a backup")?;
    let said =
        format!("{} holds {}, complete and read again", command.file.display(), rows(made.copied.rows));
    Report::of("tidemark/backup/1", &made.copied, &made.faults).tell(command.json.json, &said)
}

pub(crate) fn restore(command: &Restore, settings: &Settings) -> Result<ExitCode> {
    settings.open()?;
    let restored = with_bar(|progress| {
        tidemark_store::restore(&command.file, &settings.database, command.even_damaged, progress)
    })
    .context("cannot restore")?;
    let said = format!("restored {} from {}", rows(restored.copied.rows), command.file.display());
    Report::of("tidemark/restore/1", &restored.copied, &restored.faults).tell(command.json.json, &said)
}

pub(crate) fn go(command: &Move, settings: &Settings) -> Result<()> {
    if command.to == settings.database {
        bail!("--to names the database that is used already");
    }
    settings.open()?;
    let copied = with_bar(|progress| tidemark_store::copy(&settings.database, &command.to, progress))
        .context("cannot move")?;
    let to = crate::settings::table::without_password(&command.to);
    let said = format!(
        "{to} holds {} now, the same as here. To use it, set database = \"{to}\"; stop 'tidemark run' first, and move again into an empty one if it ran meanwhile.",
        rows(copied.rows)
    );
    Report::of("tidemark/move/1", &copied, &[]).tell(command.json.json, &said).map(drop)
}

/// Does something long, with a bar on a terminal that says what and how far.
pub(super) fn with_bar<T>(job: impl FnOnce(Progress<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {human_pos}/{human_len} {msg}, {eta} left") {
        bar.set_style(style);
    }
    let result = job(&mut |what, done, all| {
        if bar.message() != what {
            bar.reset_eta();
            bar.set_message(what.to_owned());
        }
        bar.set_length(all);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    result
}

impl Report {
    fn of(schema: &'static str, copied: &Copied, faults: &[Fault]) -> Self {
        let problems = faults.iter().map(|fault| format!("{}: {}", fault.place, fault.what)).collect();
        Self { schema, rows: copied.rows, versions: None, hash: Some(hex(&copied.hash)), problems }
    }

    fn tell(&self, json: bool, said: &str) -> Result<ExitCode> {
        if json {
            print_json(self)?;
        } else {
            let mut text = format!("{said}\n");
            for problem in self.problems.iter().take(SHOWN) {
                writeln!(text, "{} {}", styled(CHANGED, "damaged:"), printable(problem))?;
            }
            if self.problems.len() > SHOWN {
                writeln!(text, "… {} more", self.problems.len() - SHOWN)?;
            }
            if let Some(hash) = &self.hash {
                writeln!(text, "{}", styled(FAINT, &format!("BLAKE3 {hash}")))?;
            }
            super::print(&text)?;
        }
        Ok(ExitCode::from(u8::from(!self.problems.is_empty())))
    }
}

fn rows(count: u64) -> String {
    counted(count as usize, "row")
}

pub(super) fn hex(hash: &[u8; 32]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
