//! `tidemark pause`, `resume` and `remove`.

use super::print_json;
use crate::cli::{Chosen, Remove};
use crate::named::{self, title};
use crate::settings::Settings;
use crate::terminal::{counted, printable};
use crate::when;
use anyhow::{Result, bail};
use serde::Serialize;
use std::io::{BufRead, IsTerminal, Write};
use tidemark_engine::watch::Watch;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    done: &'static str,
    watches: Vec<Watch>,
}

pub(crate) fn pause(command: &Chosen, settings: &Settings, paused: bool) -> Result<()> {
    let store = settings.open()?;
    let mut watches = named::all_of(&*store, &command.watches)?;
    for watch in &mut watches {
        store.pause(watch.id, paused, when::now())?;
        watch.paused = paused;
    }
    let done = if paused { "paused" } else { "resumed" };
    tell(command, done, watches)
}

pub(crate) fn remove(command: &Remove, settings: &Settings) -> Result<()> {
    let store = settings.open()?;
    let watches = named::all_of(&*store, &command.chosen.watches)?;
    if !command.yes && !is_agreed(&watches)? {
        bail!("nothing was removed");
    }
    for watch in &watches {
        store.remove_watch(watch.id)?;
    }
    tell(&command.chosen, "removed", watches)
}

fn tell(command: &Chosen, done: &'static str, watches: Vec<Watch>) -> Result<()> {
    if command.json.json {
        return print_json(&Report { schema: "tidemark/watches/1", done, watches });
    }
    let lines: String =
        watches.iter().map(|watch| format!("{done} {} {}\n", watch.id.0, printable(&title(watch)))).collect();
    super::print(&lines)
}

/// Asks at a terminal; elsewhere nobody is there to ask.
fn is_agreed(watches: &[Watch]) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        bail!("removing a watch deletes its history; say so with --yes");
    }
    let names: Vec<String> = watches.iter().take(5).map(|watch| printable(&title(watch))).collect();
    let mut out = anstream::stderr();
    write!(
        out,
        "Remove {} with all history ({})? [y/N] ",
        counted(watches.len(), "watch"),
        names.join(", ")
    )?;
    out.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
