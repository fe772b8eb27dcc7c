//! `tidemark run`: the scheduler in the foreground.

mod once;
mod reporter;

use crate::cli::Run;
use crate::settings::Settings;
use crate::terminal::{FAINT, styled};
use anyhow::Result;
pub(super) use reporter::{Reporter, SCHEMA, Style, Sum};
use std::sync::Arc;
use std::sync::mpsc;
use tidemark_engine::Engine;
use tidemark_engine::run::{Happening, run as watch_on};
use tokio::sync::watch;

pub(crate) fn run(command: &Run, settings: &Settings) -> Result<()> {
    let runtime = super::runtime()?;
    let inside = runtime.enter();
    let engine = settings.telling_engine()?;
    drop(inside);
    let style = Style { json: command.json, held: command.held, lines: 12, status: !command.json };
    let due = if command.once { Some(once::due(&**engine.store())?) } else { None };
    let stop = watch::Sender::new(false);
    let reporter = Reporter::start(Arc::clone(engine.store()), style);
    runtime.spawn(on_signal(stop.clone()));
    if let Some(due) = due {
        runtime.spawn(once::stop_when_done(Arc::clone(engine.store()), due, stop.clone()));
    }
    runtime.block_on(forward(&engine, stop, reporter.sender()));
    // What is written by another thread is written before we end.
    let result = reporter.finish();
    runtime.shutdown_background();
    result
}

/// Runs the engine; what happens goes to the reporter. When nobody reads that any more, the run ends.
pub(super) async fn forward(engine: &Arc<Engine>, stop: watch::Sender<bool>, to: mpsc::Sender<Happening>) {
    let tell = |happening| {
        if to.send(happening).is_err() {
            stop.send_replace(true);
        }
    };
    watch_on(engine, stop.subscribe(), tell).await;
}

/// The first signal ends the run in good order, the second at once.
pub(super) async fn on_signal(stop: watch::Sender<bool>) {
    signal().await;
    stop.send_replace(true);
    anstream::eprintln!(
        "{}",
        styled(FAINT, "stopping: waits for the visits under way; Ctrl-C again ends at once")
    );
    signal().await;
    std::process::exit(130);
}

async fn signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
