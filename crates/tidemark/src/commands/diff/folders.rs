//! Two folders: files are paired by name, compared in parallel and told in one table.

use super::{Compared, print_json};
use crate::cli::{Diff, OutputFormat};
use crate::input;
use crate::terminal::{ADDED, CHANGED, FAINT, REMOVED, printable, styled};
use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tidemark_core::page::zone::Zones;
use tidemark_core::profile::Matcher;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    old: String,
    new: String,
    files: Vec<Row>,
}

/// What became of one file.
#[derive(Serialize)]
struct Row {
    name: String,
    /// `same`, `changed`, `added`, `removed` or `trouble`.
    state: &'static str,
    /// Changes a reader sees: added, removed, changed, moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<[usize; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_visible: Option<usize>,
    /// Changes of interest to the reader, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    of_interest: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
}

pub(super) fn run(command: &Diff, new: &Path, format: OutputFormat) -> Result<ExitCode> {
    if !matches!(format, OutputFormat::Text | OutputFormat::Json) || command.output.is_some() {
        bail!(
            "two folders are told as text or JSON on standard output; compare two files for a page or a script"
        );
    }
    let names: Vec<PathBuf> = files(&command.old)?.union(&files(new)?).cloned().collect();
    let zones = super::zones(command)?;
    let matcher = crate::interests::matcher(&command.reader, &command.reading)?;
    let bar = bar(names.len());
    let rows: Vec<Row> = names
        .par_iter()
        .map(|name| {
            let row = row(command, [&command.old, new], &zones, &matcher, name);
            bar.inc(1);
            row
        })
        .collect();
    bar.finish_and_clear();
    let worst = rows.iter().map(Row::exit_code).max().unwrap_or(0);
    if format == OutputFormat::Json {
        let (old, new) = (input::name(&command.old), input::name(new));
        print_json(&Report { schema: "tidemark/diff-folders/1", old, new, files: rows })?;
    } else {
        print(&rows, command.all)?;
    }
    Ok(ExitCode::from(worst))
}

/// Files below a folder, by their paths in it. Links are not followed, so that no folder is met twice.
fn files(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        let entries = std::fs::read_dir(&at).with_context(|| format!("cannot read {}", at.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot read {}", at.display()))?;
            let kind =
                entry.file_type().with_context(|| format!("cannot read {}", entry.path().display()))?;
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() {
                found.extend(entry.path().strip_prefix(folder).map(Path::to_owned));
            }
        }
    }
    Ok(found)
}

fn bar(count: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} files, {eta} left");
    ProgressBar::new(count as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn row(command: &Diff, folders: [&Path; 2], zones: &Zones, matcher: &Matcher, name: &Path) -> Row {
    let [old, new] = folders.map(|folder| folder.join(name));
    let told = |state| Row {
        name: name.display().to_string(),
        state,
        counts: None,
        not_visible: None,
        of_interest: None,
        trouble: None,
    };
    match (old.exists(), new.exists()) {
        (false, _) => return told("added"),
        (_, false) => return told("removed"),
        (true, true) => {}
    }
    if std::fs::read(&old).ok().zip(std::fs::read(&new).ok()).is_some_and(|(old, new)| old == new) {
        return told("same"); // nothing to parse
    }
    match input::versions(&old, &new, &command.reading) {
        Err(error) => Row { trouble: Some(format!("{error:#}")), ..told("trouble") },
        Ok((old, new)) => {
            let compared = Compared::new(command, zones, matcher, old, new);
            if !compared.changed {
                return told("same");
            }
            let (counts, unseen) = compared.counts();
            let of_interest = compared.changes.personal.then(|| compared.changes.of_interest().count());
            Row { counts: Some(counts), not_visible: Some(unseen), of_interest, ..told("changed") }
        }
    }
}

impl Row {
    fn exit_code(&self) -> u8 {
        match self.state {
            "same" => 0,
            "trouble" => 2,
            _ => 1,
        }
    }
}

fn print(rows: &[Row], all: bool) -> Result<()> {
    let mut out = anstream::stdout().lock();
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).min(60);
    for row in rows.iter().filter(|row| all || row.state != "same") {
        let style = match row.state {
            "added" => ADDED,
            "removed" | "trouble" => REMOVED,
            "same" => FAINT,
            _ => CHANGED,
        };
        let state = styled(style, &format!("{:<8}", row.state));
        let told = match (&row.counts, &row.trouble) {
            (Some([added, removed, changed, moved]), _) => {
                let hidden = row.not_visible.unwrap_or(0);
                let interest =
                    row.of_interest.map_or(String::new(), |count| format!(" {count:>5} of interest"));
                format!(
                    "{added:>5} added {removed:>5} removed {changed:>5} changed {moved:>5} moved {hidden:>5} not visible{interest}"
                )
            }
            (None, Some(trouble)) => printable(trouble),
            (None, None) => String::new(),
        };
        writeln!(out, "{}", format!("{state}  {:<width$}  {told}", printable(&row.name)).trim_end())?;
    }
    let count = |state: &str| rows.iter().filter(|row| row.state == state).count();
    let sum =
        ["same", "changed", "added", "removed", "trouble"].map(|state| format!("{} {state}", count(state)));
    writeln!(out, "{}", styled(FAINT, &format!("{} files: {}", rows.len(), sum.join(", "))))?;
    Ok(())
}
