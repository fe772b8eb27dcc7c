//! `tidemark diff`: what changed between two versions of a page, or of all pages in two folders.

mod folders;
mod report;

use super::print_json;
use crate::cli::{Diff, OutputFormat};
use crate::input;
use crate::terminal::{FAINT, styled};
use anyhow::{Result, bail};
use report::Report;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use tidemark_core::diff::{Difference, Patch};
use tidemark_core::digest::{Facets, PageDigest};
use tidemark_core::render::html::{Names, html, summary};
use tidemark_core::render::text::{TextOptions, text};
use tidemark_core::render::{ChangeKind, Changes};

pub(crate) fn run(command: &Diff) -> Result<ExitCode> {
    let format = if command.json.json { OutputFormat::Json } else { command.format };
    match (command.old.is_dir(), command.new.is_dir()) {
        (true, true) => return folders::run(command, format),
        (false, false) => {}
        _ => bail!("cannot compare a folder with a file; give two files or two folders"),
    }
    let (old, new) = input::versions(&command.old, &command.new, &command.reading)?;
    let compared = Compared::new(command, old, new);
    compared.tell(command, format)?;
    Ok(ExitCode::from(u8::from(compared.changed)))
}

/// Two pages and what was asked about them.
struct Compared {
    old: PageDigest,
    new: PageDigest,
    facets: Facets,
    /// Whether a facet that was asked for differs.
    changed: bool,
    difference: Difference,
    changes: Changes,
}

impl Compared {
    fn new(command: &Diff, old: PageDigest, new: PageDigest) -> Self {
        let facets =
            if command.facets.is_empty() { Facets::ALL } else { command.facets.iter().copied().collect() };
        let changed = facets.iter().any(|facet| old.facet_changed(&new, facet));
        let mut difference = Difference::of(&old, &new);
        if facets != Facets::ALL {
            difference.script = difference.script.concerning(&old, &new, facets);
        }
        let changes = Changes::of(&old, &new, &difference);
        Self { old, new, facets, changed, difference, changes }
    }

    fn tell(&self, command: &Diff, format: OutputFormat) -> Result<()> {
        let names = (input::name(&command.old), input::name(&command.new));
        match format {
            OutputFormat::Text => self.print(command),
            OutputFormat::Json => write_json(command, &Report::new(names, self)),
            OutputFormat::Script if self.facets != Facets::ALL => {
                bail!("a script holds the whole difference; leave out --facets")
            }
            OutputFormat::Script => write_json(command, &Patch::of(&self.old, &self.new, &self.difference)),
            OutputFormat::Html => {
                let names = Names { old: &names.0, new: &names.1 };
                write(command, html(&self.old, &self.new, &self.difference, names).as_bytes())
            }
        }
    }

    /// Text for people. Changes past the limit are counted.
    fn print(&self, command: &Diff) -> Result<()> {
        let shown: Vec<_> =
            self.changes.changes.iter().filter(|change| change.seen || command.all).cloned().collect();
        let limit = if command.limit == 0 { shown.len() } else { command.limit };
        let options =
            TextOptions { colours: command.output.is_none(), unseen: command.all, context: command.context };
        let some = Changes { changes: shown.iter().take(limit).cloned().collect() };
        let mut told = text(&self.new, &some, &options);
        if shown.len() > limit {
            told += &format!("… {} more (--limit 0 for all)\n", shown.len() - limit);
        }
        if !self.changes.changes.is_empty() {
            let separator = if told.is_empty() { "" } else { "\n" };
            let sum = summary(&self.changes);
            let sum = if command.output.is_none() { styled(FAINT, &sum) } else { sum };
            told += &format!("{separator}{sum}\n");
        }
        match &command.output {
            Some(path) => input::write(path, told.as_bytes(), false),
            None => Ok(anstream::stdout().lock().write_all(told.as_bytes())?),
        }
    }

    /// Numbers of changes a reader sees, by kind, and of the others.
    fn counts(&self) -> ([usize; 4], usize) {
        let count = |kind: ChangeKind| self.changes.seen().filter(|change| change.kind == kind).count();
        (ChangeKind::ALL.map(count), self.changes.changes.iter().filter(|change| !change.seen).count())
    }
}

fn write(command: &Diff, bytes: &[u8]) -> Result<()> {
    input::write(command.output.as_deref().unwrap_or(Path::new("-")), bytes, false)
}

fn write_json(command: &Diff, value: &impl serde::Serialize) -> Result<()> {
    match &command.output {
        None => print_json(value),
        Some(_) => write(command, format!("{}\n", serde_json::to_string_pretty(value)?).as_bytes()),
    }
}
