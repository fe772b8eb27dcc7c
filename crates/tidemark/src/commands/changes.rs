//! `tidemark changes`: what changed, and what else happened, by time.

use super::print_json;
use crate::cli::ChangesCommand;
use crate::named::{self, title};
use crate::settings::Settings;
use crate::telling::{self, Told};
use crate::when;
use anyhow::Result;
use serde::Serialize;
use std::collections::BTreeMap;
use tidemark_engine::page::PageId;
use tidemark_engine::record::Standing;
use tidemark_engine::store::{ChangeFilter, ChangeLine, Event, EventFilter, Store};
use tidemark_engine::watch::{Watch, WatchFilter};

/// Lines shown of one change.
const LINES: usize = 24;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    changes: Vec<ChangeLine>,
    events: Vec<Event>,
}

pub(crate) fn run(command: &ChangesCommand, settings: &Settings) -> Result<()> {
    let since = command.since.as_deref().map(when::parse).transpose()?;
    let store = settings.open()?;
    let watch = command.watch.as_deref().map(|text| named::watch(&*store, text)).transpose()?;
    let limit = (command.limit > 0).then_some(command.limit);
    let filter = ChangeFilter {
        since,
        watch: watch.as_ref().map(|watch| watch.id),
        tag: command.tag.clone(),
        standing: (!command.held).then_some(Standing::Told),
        limit,
        ..ChangeFilter::default()
    };
    let watches = watches(&*store, watch.as_ref(), command)?;
    let mut changes = store.changes(&filter)?;
    let page = watch.as_ref().map(|watch| watch.page);
    let mut events = store.events(&EventFilter { since, page, limit })?;
    events.retain(|event| concerns(event, &watches, watch.is_some() || command.tag.is_some()));
    changes.reverse();
    events.reverse();
    if command.json.json {
        return print_json(&Report { schema: "tidemark/changes/1", changes, events });
    }
    let text = text(&changes, &events, &watches);
    super::print(if text.is_empty() { "nothing to tell\n" } else { &text })
}

fn watches(store: &dyn Store, only: Option<&Watch>, command: &ChangesCommand) -> Result<Vec<Watch>> {
    match only {
        Some(watch) => Ok(vec![watch.clone()]),
        None => Ok(store.watches(&WatchFilter { tag: command.tag.clone(), ..WatchFilter::default() })?),
    }
}

/// An event of a page is of interest to those who watch it; one of a whole site only where nothing narrower was asked for.
fn concerns(event: &Event, watches: &[Watch], narrow: bool) -> bool {
    match event.page {
        Some(page) => watches.iter().any(|watch| watch.page == page),
        None => !narrow,
    }
}

/// Both by time, oldest first: the latest stands at the prompt.
fn text(changes: &[ChangeLine], events: &[Event], watches: &[Watch]) -> String {
    let by_id: BTreeMap<_, &Watch> = watches.iter().map(|watch| (watch.id, watch)).collect();
    let by_page: BTreeMap<PageId, &Watch> = watches.iter().map(|watch| (watch.page, watch)).collect();
    let mut blocks = Vec::new();
    for change in changes {
        let Some(watch) = by_id.get(&change.watch) else { continue };
        let versions = (change.old, change.new);
        let told = Told { watch, at: change.at, versions, verdict: &change.verdict, lines: LINES, day: true };
        blocks.push((change.at, told.block()));
    }
    for event in events {
        let of_page = event.page.and_then(|page| by_page.get(&page)).map(|watch| title(watch));
        let name = of_page.or_else(|| event.stream.as_ref().map(ToString::to_string)).unwrap_or_default();
        blocks.push((event.at, telling::event(event.at, true, &name, event.kind, &event.detail)));
    }
    blocks.sort_by_key(|(at, _)| *at);
    blocks.into_iter().map(|(_, block)| block).collect()
}
