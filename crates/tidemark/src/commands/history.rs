//! `tidemark history` and `tidemark cat`: versions of a watched page.

use super::{print_json, show};
use crate::cli::{Cat, History};
use crate::input;
use crate::named::{self, title};
use crate::settings::Settings;
use crate::terminal::{FAINT, counted, printable, styled};
use crate::when;
use anyhow::{Result, bail};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;
use tidemark_engine::page::SnapshotLine;
use tidemark_engine::record::Visit;
use tidemark_engine::watch::{Watch, WatchId};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    watch: WatchId,
    url: String,
    versions: Vec<SnapshotLine>,
    visits: Vec<Visit>,
}

pub(crate) fn run(command: &History, settings: &Settings) -> Result<()> {
    let store = settings.open()?;
    let watch = named::watch(&*store, &command.watch)?;
    let limit = if command.limit == 0 { usize::MAX >> 1 } else { command.limit };
    let mut versions = store.snapshots(watch.page)?;
    let all = versions.len();
    versions.drain(..all.saturating_sub(limit));
    let visits = if command.visits { store.visits(watch.page, limit)? } else { Vec::new() };
    if command.json.json {
        let url = watch.url.to_string();
        return print_json(&Report { schema: "tidemark/history/1", watch: watch.id, url, versions, visits });
    }
    if command.visits {
        return super::print(&visits.iter().rev().map(show::visit_lines).collect::<String>());
    }
    super::print(&table(&watch, &versions, all)?)
}

fn table(watch: &Watch, versions: &[SnapshotLine], all: usize) -> Result<String> {
    let mut text = String::new();
    for line in versions {
        let media = line.content_type.as_deref().unwrap_or("");
        let stored = if line.stored == 0 {
            "the same as another".to_owned()
        } else {
            format!("stored in {}", line.stored)
        };
        let name = format!("{}@{}", watch.id.0, line.version);
        writeln!(
            text,
            "{name:>8}  {}  {:>9} bytes  {}",
            when::full(line.at),
            line.size,
            styled(FAINT, &format!("{stored}  {}", printable(media)))
        )?;
    }
    let more = if all > versions.len() {
        format!(", {} earlier not shown (--limit 0 for all)", all - versions.len())
    } else {
        String::new()
    };
    writeln!(
        text,
        "{}",
        styled(FAINT, &format!("{} of {}{more}", counted(all, "version"), printable(&title(watch))))
    )?;
    Ok(text)
}

#[derive(Serialize)]
struct CatReport {
    schema: &'static str,
    watch: WatchId,
    version: u32,
    at: jiff::Timestamp,
    url: String,
    content_type: Option<String>,
    bytes: usize,
    file: String,
}

pub(crate) fn cat(command: &Cat, settings: &Settings) -> Result<()> {
    let store = settings.open()?;
    let (watch, snapshot) = named::version(&*store, &command.version)?;
    if command.json.json && command.output.is_none() {
        bail!("--json and the page would both go to standard output; use -o FILE");
    }
    let output = command.output.as_deref().unwrap_or(Path::new("-"));
    input::write(output, &snapshot.body, false)?;
    if command.json.json {
        return print_json(&CatReport {
            schema: "tidemark/cat/1",
            watch: watch.id,
            version: snapshot.version,
            at: snapshot.at,
            url: snapshot.url.to_string(),
            content_type: snapshot.content_type,
            bytes: snapshot.body.len(),
            file: output.display().to_string(),
        });
    }
    Ok(())
}
