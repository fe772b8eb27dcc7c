//! `tidemark discover`: feeds and pages of a site that may be worth watching.

use super::import::{Adding, Outcome};
use super::print_json;
use crate::cli::Discover;
use crate::settings::Settings;
use crate::terminal::{CHANGED, FAINT, STRONG, counted, printable, styled};
use anyhow::{Result, anyhow};
use serde::Serialize;
use std::fmt::Write as _;
use std::process::ExitCode;
use tidemark_engine::discover::{Candidate, Discovery, discover};
use tidemark_engine::intake::Proposed;
use tidemark_engine::request::Request;
use tidemark_engine::watch::{NewWatch, Wish};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    #[serde(flatten)]
    found: Discovery,
    added: Vec<Outcome>,
    known: Vec<Outcome>,
}

pub(crate) fn run(command: &Discover, settings: &Settings) -> Result<ExitCode> {
    let request = Request::get(&command.url)?;
    let runtime = super::runtime()?;
    let inside = runtime.enter();
    let client = settings.client()?;
    drop(inside);
    let bar = indicatif::ProgressBar::new_spinner().with_message("looking around");
    bar.enable_steady_tick(std::time::Duration::from_millis(120));
    let found = runtime.block_on(discover(&client, &request, command.limit));
    bar.finish_and_clear();
    let found = found.map_err(|reason| anyhow!("cannot look at {}: {reason}", request.url))?;
    let mut report = Report { schema: "tidemark/discover/1", found, added: Vec::new(), known: Vec::new() };
    if command.add {
        add(command, settings, &mut report)?;
    }
    if command.json.json {
        print_json(&report)?;
    } else {
        report.print()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Watches the feeds; without feeds, the pages.
fn add(command: &Discover, settings: &Settings, report: &mut Report) -> Result<()> {
    let store = settings.open()?;
    let mut adding = Adding::new(&*store, &command.tag, false)?;
    let found = &report.found;
    let chosen = if found.feeds.is_empty() { &found.pages } else { &found.feeds };
    for candidate in chosen {
        let name = candidate
            .title
            .clone()
            .filter(|name| name.parse::<i64>().is_err() && !name.starts_with("tag:") && !name.contains('@'));
        let new = NewWatch {
            request: Request::get(candidate.url.as_str())?,
            wish: Wish { name, ..Wish::default() },
        };
        let (is_new, outcome) = adding.add(Proposed { new, notes: Vec::new() })?;
        if is_new { &mut report.added } else { &mut report.known }.push(outcome);
    }
    Ok(())
}

impl Report {
    fn print(&self) -> Result<()> {
        let mut text = String::new();
        list(&mut text, "Feeds", &self.found.feeds)?;
        if !self.found.sitemaps.is_empty() {
            writeln!(text, "{}", styled(STRONG, "Sitemaps"))?;
            self.found.sitemaps.iter().try_for_each(|url| writeln!(text, "  {}", printable(url.as_str())))?;
        }
        list(&mut text, "Pages", &self.found.pages)?;
        for problem in &self.found.problems {
            writeln!(text, "{} {}", styled(CHANGED, "!"), printable(problem))?;
        }
        if self.found.feeds.is_empty() && self.found.pages.is_empty() {
            writeln!(text, "neither feeds nor further pages were found")?;
        }
        for outcome in &self.added {
            outcome.write(&mut text)?;
        }
        if !self.added.is_empty() || !self.known.is_empty() {
            writeln!(
                text,
                "{} added, {} known already",
                counted(self.added.len(), "watch").replace("watchs", "watches"),
                self.known.len()
            )?;
        }
        super::print(&text)
    }
}

fn list(text: &mut String, heading: &str, candidates: &[Candidate]) -> Result<()> {
    if !candidates.is_empty() {
        writeln!(text, "{}", styled(STRONG, heading))?;
    }
    for candidate in candidates {
        let title =
            candidate.title.as_ref().map_or_else(String::new, |title| format!("  {}", printable(title)));
        writeln!(text, "  {}{title}", printable(candidate.url.as_str()))?;
        writeln!(text, "    {}", styled(FAINT, &printable(&candidate.why)))?;
    }
    Ok(())
}
