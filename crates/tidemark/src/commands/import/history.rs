//! A history that others kept becomes the history of watched pages. Nobody is told of what happened long ago.

use super::captures::Captures;
use crate::cli::Import;
use crate::settings::Settings;
use crate::terminal::{CHANGED, FAINT, counted, printable, styled};
use crate::when;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;
use tidemark_engine::Engine;
use tidemark_engine::history::{Taken, take};
use tidemark_engine::intake::Problem;
use tidemark_engine::page::PageId;
use tidemark_engine::record::VisitResult;
use tidemark_engine::request::Request;
use tidemark_engine::watch::{NewWatch, WatchFilter, Wish};
use url::Url;

/// Problems that are listed.
const SHOWN: usize = 50;

#[derive(Default, Serialize)]
struct Report {
    schema: &'static str,
    dry_run: bool,
    /// Pages that versions were taken in for.
    pages: usize,
    /// Watches that were added for them.
    added: usize,
    /// Versions that brought the page, new or not.
    taken: usize,
    /// Those of them that changed it.
    changes: usize,
    /// Versions not later than what is known.
    earlier: usize,
    /// Versions of pages that nobody watches.
    unwatched: usize,
    problems: Vec<Problem>,
}

pub(super) fn run(command: &Import, settings: &Settings) -> Result<ExitCode> {
    let runtime = super::super::runtime()?;
    let inside = runtime.enter();
    let engine = settings.engine()?;
    drop(inside);
    let most = settings.engine.limits.bytes;
    let source = &command.source;
    let mut captures = match (&command.url, source.is_dir()) {
        (Some(url), true) => Captures::of_folder(source, Request::get(url)?.url.as_str(), most)?,
        (None, true) => {
            bail!("{} is a folder: say with --url which page its files are versions of", source.display())
        }
        (_, false) => Captures::of_archive(source, most)?,
    };
    let mut report =
        Report { schema: "tidemark/import-history/1", dry_run: command.dry_run, ..Report::default() };
    for (entry, reason) in std::mem::take(&mut captures.problems) {
        report.problems.push(Problem { entry, reason });
    }
    let mut watched = watched(&engine)?;
    let all: usize = captures.pages.values().map(Vec::len).sum();
    let bar = indicatif::ProgressBar::new(all as u64);
    let add = command.add || command.url.is_some();
    for (address, waiting) in std::mem::take(&mut captures.pages) {
        bar.inc(waiting.len() as u64);
        let Some(page) = page(&engine, command, &mut watched, &address, add, &mut report)? else {
            report.unwatched += waiting.len();
            continue;
        };
        let before = report.taken;
        for one in &waiting {
            let taken = take(&engine, page, captures.read(one)?).with_context(|| printable(&address))?;
            report.count(taken, &address);
        }
        report.pages += usize::from(report.taken > before);
    }
    bar.finish_and_clear();
    if command.json.json {
        super::print_json(&report)?;
    } else {
        report.print()?;
    }
    Ok(ExitCode::from(u8::from(!report.problems.is_empty())))
}

/// The pages that are watched, by their address; those asked for in the plain way come first.
fn watched(engine: &Engine) -> Result<BTreeMap<Url, PageId>> {
    let mut pages = BTreeMap::new();
    for watch in engine.store().watches(&WatchFilter::default())? {
        pages.entry(watch.url).or_insert(watch.page);
    }
    Ok(pages)
}

/// The page of an address, watched from now on if so wished.
fn page(
    engine: &Engine,
    command: &Import,
    watched: &mut BTreeMap<Url, PageId>,
    address: &str,
    add: bool,
    report: &mut Report,
) -> Result<Option<PageId>> {
    let request = match Request::get(address) {
        Ok(request) => request,
        Err(error) => {
            report.problem(address, &error.to_string());
            return Ok(None);
        }
    };
    if let Some(page) = watched.get(&request.url) {
        return Ok((!command.dry_run).then_some(*page));
    }
    if !add {
        return Ok(None);
    }
    report.added += 1;
    if command.dry_run {
        return Ok(None);
    }
    let tags = command.tag.iter().map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect();
    let url = request.url.clone();
    let new = NewWatch { request, wish: Wish { tags, ..Wish::default() } };
    let watch = engine.store().add_watch(&new, when::now())?;
    watched.insert(url, watch.page);
    Ok(Some(watch.page))
}

impl Report {
    fn count(&mut self, taken: Taken, address: &str) {
        match taken {
            Taken::Seen(VisitResult::Unwell | VisitResult::Failed) => {
                self.problem(address, "one version is not the page itself: empty, a log-in page or an error");
            }
            Taken::Seen(result) => {
                self.taken += 1;
                self.changes += usize::from(result == VisitResult::Changed);
            }
            Taken::Earlier => self.earlier += 1,
            Taken::Future => self.problem(address, "one version is from the future"),
            Taken::Busy => self.problem(address, "another process looks at the page now; try again"),
        }
    }

    fn problem(&mut self, entry: &str, reason: &str) {
        self.problems.push(Problem { entry: entry.to_owned(), reason: reason.to_owned() });
    }

    fn print(&self) -> Result<()> {
        let mut text = String::new();
        for problem in self.problems.iter().take(SHOWN) {
            writeln!(
                text,
                "{} {}: {}",
                styled(CHANGED, "!"),
                printable(&problem.entry),
                printable(&problem.reason)
            )?;
        }
        writeln!(
            text,
            "took in {} of {}, {} changed them; {} added; {} not later than what is known, {} of pages that nobody watches, {}",
            counted(self.taken, "version"),
            counted(self.pages, "page"),
            self.changes,
            counted(self.added, "watch").replace("watchs", "watches"),
            self.earlier,
            self.unwatched,
            counted(self.problems.len(), "problem")
        )?;
        if self.unwatched > 0 && self.added == 0 {
            writeln!(text, "{}", styled(FAINT, "--add watches the pages of a history too."))?;
        }
        super::super::print(&text)
    }
}
