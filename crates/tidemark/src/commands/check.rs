//! `tidemark check`: look at watched pages now.

use super::TROUBLE;
use crate::cli::Check;
use crate::named::{self, title};
use crate::settings::{Settings, worker};
use crate::telling::{self, Told};
use crate::terminal::{ADDED, CHANGED, FAINT, REMOVED, STRONG, printable, styled};
use crate::when;
use anyhow::Result;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use tidemark_engine::Engine;
use tidemark_engine::check::{CheckReport, check};
use tidemark_engine::page::{Claimed, PageId};
use tidemark_engine::record::{Cause, Standing, VisitResult};
use tidemark_engine::store::{Claim, StoreError};
use tidemark_engine::watch::{Watch, WatchFilter};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Lines shown of one change.
const LINES: usize = 24;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    checks: Vec<CheckReport>,
    /// Pages that another process looks at right now.
    busy: Vec<PageId>,
    trouble: Vec<String>,
}

pub(crate) fn run(command: &Check, settings: &Settings) -> Result<ExitCode> {
    let runtime = super::runtime()?;
    let inside = runtime.enter();
    let engine = settings.engine()?;
    drop(inside);
    let watches = chosen(command, &engine)?;
    let pages: BTreeSet<PageId> = watches.iter().map(|watch| watch.page).collect();
    let claimed = claim(&engine, &pages, &watches)?;
    let mine: BTreeSet<PageId> = claimed.iter().map(|claimed| claimed.page.id).collect();
    let results = runtime.block_on(visit(&engine, claimed));
    let (mut checks, mut trouble) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(check) => checks.push(check),
            Err(error) => trouble.push(error.to_string()),
        }
    }
    checks.sort_by_key(|check| check.page);
    let busy = pages.difference(&mine).copied().collect();
    let report = Report { schema: "tidemark/check/1", checks, busy, trouble };
    if command.json.json {
        super::print_json(&report)?;
    } else {
        report.print(&watches)?;
    }
    Ok(report.code())
}

fn chosen(command: &Check, engine: &Engine) -> Result<Vec<Watch>> {
    if !command.watches.is_empty() {
        return named::all_of(&**engine.store(), &command.watches);
    }
    let mut all = engine.store().watches(&WatchFilter::default())?;
    all.retain(|watch| !watch.paused);
    Ok(all)
}

/// Claims the pages; a watch that rests and was named looks too.
pub(super) fn claim(engine: &Engine, pages: &BTreeSet<PageId>, watches: &[Watch]) -> Result<Vec<Claimed>> {
    let claim = Claim {
        worker: worker(),
        now: when::now(),
        lease: engine.settings().lease,
        limit: pages.len(),
        spacing: engine.settings().spacing,
    };
    let pages: Vec<PageId> = pages.iter().copied().collect();
    let mut claimed = engine.store().claim_pages(&pages, &claim)?;
    for one in &mut claimed {
        let resting = watches.iter().filter(|watch| watch.paused && watch.page == one.page.id);
        one.watches.extend(resting.cloned());
    }
    Ok(claimed)
}

/// Looks at all of them.
pub(super) async fn visit(
    engine: &Arc<Engine>,
    claimed: Vec<Claimed>,
) -> Vec<Result<CheckReport, StoreError>> {
    let room = Arc::new(Semaphore::new(engine.settings().concurrency));
    let mut checks = JoinSet::new();
    for one in claimed {
        let (engine, room) = (Arc::clone(engine), Arc::clone(&room));
        checks.spawn(async move {
            let _place = room.acquire_owned().await;
            check(&engine, one, Cause::Asked).await
        });
    }
    checks.join_all().await
}

impl Report {
    fn print(&self, watches: &[Watch]) -> Result<()> {
        let mut text: String = self.checks.iter().map(|check| lines(check, LINES)).collect();
        for page in &self.busy {
            let watch = watches.iter().find(|watch| watch.page == *page);
            let name = watch.map(title).unwrap_or_default();
            writeln!(text, "{} another process looks at it right now", styled(STRONG, &printable(&name)))?;
        }
        for trouble in &self.trouble {
            writeln!(text, "{} {}", styled(REMOVED, "trouble:"), printable(trouble))?;
        }
        if text.is_empty() {
            text.push_str("nothing is watched; 'tidemark add URL' begins\n");
        }
        super::print(&text)
    }

    fn code(&self) -> ExitCode {
        let is_bad = |check: &CheckReport| matches!(check.result, VisitResult::Failed | VisitResult::Unwell);
        let told = |check: &CheckReport| {
            check.verdicts.iter().any(|(_, verdict)| verdict.standing == Standing::Told)
        };
        if !self.trouble.is_empty() || self.checks.iter().any(is_bad) {
            return ExitCode::from(TROUBLE);
        }
        ExitCode::from(u8::from(self.checks.iter().any(told)))
    }
}

/// What a check came to, for each watch.
fn lines(check: &CheckReport, most: usize) -> String {
    let mut text = String::new();
    for watch in &check.watches {
        let verdict = check.verdicts.iter().find(|(id, _)| *id == watch.id);
        if let (Some((_, verdict)), Some(new)) = (verdict, check.version) {
            let versions = (new.saturating_sub(1), new);
            text += &Told { watch, at: check.at, versions, verdict, lines: most, day: false }.block();
        } else {
            let head = telling::head(check.at, false, &title(watch));
            let _ = writeln!(text, "{head}  {}", result(check));
        }
    }
    let name = check.watches.first().map_or_else(|| check.url.to_string(), title);
    for event in &check.events {
        text += &telling::event(check.at, false, &name, event.kind, &event.detail);
    }
    text
}

fn result(check: &CheckReport) -> String {
    let style = match check.result {
        VisitResult::First => ADDED,
        VisitResult::Failed | VisitResult::Unwell => REMOVED,
        VisitResult::Changed => CHANGED,
        _ => FAINT,
    };
    let reason = match check.result {
        VisitResult::Failed | VisitResult::Unwell => {
            check.log.last().map_or_else(String::new, |line| format!(": {}", printable(line)))
        }
        _ => String::new(),
    };
    format!("{}{reason}", styled(style, word(check.result)))
}

/// The word for what a visit brought.
pub(super) const fn word(result: VisitResult) -> &'static str {
    match result {
        VisitResult::First => "first version",
        VisitResult::Unchanged => "unchanged",
        VisitResult::Respelled => "spelled otherwise, nothing changed",
        VisitResult::Changed => "changed",
        VisitResult::Unwell => "unwell",
        VisitResult::Failed => "failed",
    }
}
