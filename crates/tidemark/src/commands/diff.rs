//! `tidemark diff`: what changed between two versions of a page, or of all pages in two folders.

mod folders;
mod report;
mod sides;

use super::print_json;
use crate::cli::{Diff, OutputFormat};
use crate::input;
use crate::interests;
use crate::settings::Given;
use crate::terminal::{FAINT, printable, styled};
use anyhow::{Context, Result, bail};
use report::Report;
use sides::Sides;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use tidemark_core::diff::{Difference, Patch};
use tidemark_core::digest::{Facets, PageDigest};
use tidemark_core::page::zone::{Located, Outcome, ZoneSpec, Zones};
use tidemark_core::profile::Matcher;
use tidemark_core::render::html::{Names, html, summary};
use tidemark_core::render::text::{TextOptions, text};
use tidemark_core::render::{ChangeKind, Changes};

pub(crate) fn run(command: &Diff, given: &Given) -> Result<ExitCode> {
    let format = if command.json.json { OutputFormat::Json } else { command.format };
    if let Some(new) = &command.new {
        match (command.old.is_dir(), new.is_dir()) {
            (true, true) => return folders::run(command, new, format),
            (false, false) => {}
            _ => bail!("cannot compare a folder with a file; give two files or two folders"),
        }
    }
    let zones = zones(command)?;
    let sides = Sides::read(command, given)?;
    let matcher = interests::matcher(&command.reader, &command.reading)?;
    let compared = Compared::new(command, &zones, &matcher, sides.old, sides.new);
    compared.check_zones()?;
    compared.tell(command, sides.names, &matcher, format)?;
    Ok(ExitCode::from(u8::from(compared.changed)))
}

/// The parts of the pages to look at.
fn zones(command: &Diff) -> Result<Zones> {
    let include = command.zone.iter().map(String::as_str);
    let exclude = command.except.iter().map(String::as_str);
    Zones::parse(include, exclude).context("cannot read a zone; docs/zones.md tells how they are written")
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
    zones: Vec<Zone>,
}

/// How a zone was found on both pages.
struct Zone {
    written: String,
    old: Outcome,
    new: Outcome,
    included: bool,
}

impl Compared {
    fn new(command: &Diff, zones: &Zones, matcher: &Matcher, old: PageDigest, new: PageDigest) -> Self {
        let facets =
            if command.facets.is_empty() { Facets::ALL } else { command.facets.iter().copied().collect() };
        let mut changed = facets.iter().any(|facet| old.facet_changed(&new, facet));
        let mut difference = Difference::of(&old, &new);
        if facets != Facets::ALL {
            difference.script = difference.script.concerning(&old, &new, facets);
        }
        let mut found = Vec::new();
        if !zones.include.is_empty() || !zones.exclude.is_empty() {
            let (old_part, new_part) = (zones.locate(&old), zones.locate(&new));
            difference.script = difference.script.within(&old, &new, &old_part, &new_part);
            changed = changed && !difference.script.is_empty();
            found = Zone::list(zones, &old_part, &new_part);
        }
        let changes = Changes::for_reader(&old, &new, &difference, matcher);
        Self { old, new, facets, changed, difference, changes, zones: found }
    }

    /// A zone that is on neither page would never tell anything: that is trouble, not silence.
    fn check_zones(&self) -> Result<()> {
        for zone in self.zones.iter().filter(|zone| zone.included) {
            if !zone.is_found() {
                bail!("the zone '{}' is on neither page: it {}", zone.written, zone.new);
            }
            for (outcome, page) in [(&zone.old, "old"), (&zone.new, "new")] {
                if !matches!(outcome, Outcome::Found { .. }) {
                    anstream::eprintln!(
                        "tidemark: the zone '{}' on the {page} page: {outcome}",
                        printable(&zone.written)
                    );
                }
            }
        }
        Ok(())
    }

    fn is_whole(&self) -> bool {
        self.facets == Facets::ALL && self.zones.is_empty()
    }

    fn tell(
        &self,
        command: &Diff,
        names: (String, String),
        matcher: &Matcher,
        format: OutputFormat,
    ) -> Result<()> {
        match format {
            OutputFormat::Text => self.print(command),
            OutputFormat::Json => write_json(command, &Report::new(names, self)),
            OutputFormat::Script if !self.is_whole() => {
                bail!("a script holds the whole difference; leave out --facets, --zone and --except")
            }
            OutputFormat::Script => write_json(command, &Patch::of(&self.old, &self.new, &self.difference)),
            OutputFormat::Html => {
                let names = Names { old: &names.0, new: &names.1 };
                write(command, html(&self.old, &self.new, &self.difference, matcher, names).as_bytes())
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
        let some = Changes { changes: shown.iter().take(limit).cloned().collect(), ..Changes::default() };
        let mut told = text(&self.new, &some, &options);
        if shown.len() > limit {
            writeln!(told, "… {} more (--limit 0 for all)", shown.len() - limit)?;
        }
        if !self.changes.changes.is_empty() {
            let separator = if told.is_empty() { "" } else { "\n" };
            let rough = if self.difference.exact {
                ""
            } else {
                " Matched roughly: something moved may be told as removed and added."
            };
            let sum = format!("{}{rough}", summary(&self.changes));
            let sum = if command.output.is_none() { styled(FAINT, &sum) } else { sum };
            writeln!(told, "{separator}{sum}")?;
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

impl Zone {
    fn list(zones: &Zones, old: &Located, new: &Located) -> Vec<Self> {
        let rows = |specs: &[ZoneSpec], old: &[Outcome], new: &[Outcome], included: bool| -> Vec<Self> {
            let row = |((spec, old), new): ((&ZoneSpec, &Outcome), &Outcome)| Self {
                written: spec.to_string(),
                old: old.clone(),
                new: new.clone(),
                included,
            };
            specs.iter().zip(old).zip(new).map(row).collect()
        };
        let mut list = rows(&zones.include, &old.included, &new.included, true);
        list.extend(rows(&zones.exclude, &old.excluded, &new.excluded, false));
        list
    }

    fn is_found(&self) -> bool {
        let found = |outcome: &Outcome| matches!(outcome, Outcome::Found { .. } | Outcome::Reanchored { .. });
        found(&self.old) || found(&self.new)
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
