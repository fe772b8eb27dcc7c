//! `tidemark demo`: the whole of Tidemark over a little site on loopback, for half a minute.

use super::check;
use super::run::{Reporter, SCHEMA, Style, forward, on_signal};
use crate::cli::Demo;
use crate::demo::Site;
use crate::settings::{Settings, worker};
use crate::terminal::{FAINT, STRONG, counted, styled};
use crate::when;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use tidemark_core::revisit::Bounds;
use tidemark_engine::Engine;
use tidemark_engine::clock::System;
use tidemark_engine::request::Request;
use tidemark_engine::store::{Store, StoreFacts};
use tidemark_engine::watch::{NewWatch, WatchFilter, Wish};
use tidemark_net::Client;
use tokio::sync::watch;

/// How soon and how late each page is looked at.
const BOUNDS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(2));

/// Looks before the show begins.
const LOOKS: usize = 6;

pub(crate) fn run(command: &Demo) -> Result<()> {
    let folder = tempfile::tempdir().context("cannot make a folder for the demo")?;
    let runtime = super::runtime()?;
    let site = runtime.block_on(Site::start())?;
    let inside = runtime.enter();
    let engine = engine(&folder.path().join("demo.db").display().to_string())?;
    drop(inside);
    let store = Arc::clone(engine.store());
    let pages = watch_all(&*store, &site)?;
    runtime.block_on(get_acquainted(&engine))?;
    if !command.json {
        super::print(&opening(&pages, command.seconds))?;
    }
    let stop = watch::Sender::new(false);
    let style = Style { json: command.json, held: false, lines: 8, status: !command.json };
    let reporter = Reporter::start(Arc::clone(&store), style);
    runtime.spawn(on_signal(stop.clone()));
    let (time, end) = (command.time(), stop.clone());
    runtime.spawn(async move {
        tokio::time::sleep(time).await;
        end.send_replace(true);
    });
    runtime.block_on(forward(&engine, stop, reporter.sender()));
    let sum = reporter.sum()?;
    let facts = store.facts()?;
    runtime.shutdown_background();
    if command.json {
        let line = serde_json::json!({ "schema": SCHEMA, "happening": "end", "sum": sum, "store": facts });
        return super::print(&format!("{line}\n"));
    }
    super::print(&closing(&sum, &facts, kept(&*store)?)?)
}

/// A few looks in a row, for the habits of the pages: what changes at every look, and what goes to and fro.
async fn get_acquainted(engine: &Arc<Engine>) -> Result<()> {
    for _ in 0..LOOKS {
        let asking = Arc::clone(engine);
        let claimed = tokio::task::spawn_blocking(move || {
            let watches = asking.store().watches(&WatchFilter::default())?;
            let pages = watches.iter().map(|watch| watch.page).collect();
            check::claim(&asking, &pages, &watches)
        });
        check::visit(engine, claimed.await??).await;
    }
    Ok(())
}

/// The real engine and the real client; only the loopback address is allowed.
fn engine(database: &str) -> Result<Arc<Engine>> {
    let mut settings = Settings::default();
    settings.engine.bounds = Bounds::new(BOUNDS.0, BOUNDS.1);
    settings.engine.spacing = Duration::ZERO;
    settings.engine.visits_per_page = 86_400.0;
    settings.engine.follow_entries = false;
    settings.net.allow = "127.0.0.1".parse()?;
    let store = tidemark_store::open(database)?;
    let client = Client::new(settings.net)?;
    Ok(Arc::new(Engine::new(store, Arc::new(client), Arc::new(System), settings.engine, worker())?))
}

fn watch_all(store: &dyn Store, site: &Site) -> Result<Vec<(String, &'static str)>> {
    let pages: Vec<_> = site.pages().collect();
    for (url, name) in &pages {
        let wish = Wish {
            name: Some((*name).to_owned()),
            bounds: Some(Bounds::new(BOUNDS.0, BOUNDS.1)),
            ..Wish::default()
        };
        store.add_watch(&NewWatch { request: Request::get(url)?, wish }, when::now())?;
    }
    Ok(pages)
}

fn opening(pages: &[(String, &str)], seconds: u64) -> String {
    let names: Vec<&str> = pages.iter().map(|(_, name)| *name).collect();
    format!(
        "{}\nA little site was started on this machine:\n  {}.\nIt changes all the time; you are told what a reader would want to know. A few looks have taught\nTidemark the habits of each page: clocks, tokens and what goes to and fro are held back.\n{}\n\n",
        styled(STRONG, "Tidemark watches web pages and tells what changed."),
        names.join(",\n  "),
        styled(
            FAINT,
            &format!("[-words that went-] {{+words that came+}}   for {seconds} seconds, or until Ctrl-C")
        )
    )
}

fn closing(sum: &super::run::Sum, facts: &StoreFacts, (bytes, stored): (u64, u64)) -> Result<String> {
    let mut text = String::new();
    let held: usize = sum.held.values().sum();
    writeln!(text, "\n{}", styled(STRONG, "That was it."))?;
    writeln!(
        text,
        "  {} made, {} stored",
        counted(sum.visits, "visit"),
        counted(facts.versions as usize, "version")
    )?;
    writeln!(text, "  {} told, {held} held back:", counted(sum.told, "change"))?;
    for (reason, count) in &sum.held {
        writeln!(text, "    {count:>3} × {reason}")?;
    }
    writeln!(text, "  {bytes} bytes of pages are kept, byte for byte, in {stored}")?;
    writeln!(text, "{}", styled(FAINT, "Now your own: tidemark add URL, then tidemark run."))?;
    Ok(text)
}

/// Bytes of all versions, and what they take.
fn kept(store: &dyn Store) -> Result<(u64, u64)> {
    let mut sum = (0, 0);
    for page in store.pages(None, 100)? {
        for version in store.snapshots(page.id)? {
            sum = (sum.0 + version.size, sum.1 + version.stored);
        }
    }
    Ok(sum)
}
