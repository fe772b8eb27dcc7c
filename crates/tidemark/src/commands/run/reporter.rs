//! Tells what happens while it happens, from a thread of its own: nothing waits for a terminal.

use crate::named::title;
use crate::telling::{self, Told};
use crate::terminal::{REMOVED, counted, printable, styled};
use crate::when;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use tidemark_engine::check::CheckReport;
use tidemark_engine::record::{Standing, Verdict, VisitResult};
use tidemark_engine::run::Happening;
use tidemark_engine::store::{ChangeFilter, Store};
use tidemark_engine::watch::Watch;

/// Of each line of JSON.
pub(crate) const SCHEMA: &str = "tidemark/run/1";
/// After so many status lines the watches are counted again.
const RECOUNT: u32 = 40;

/// How to tell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// One JSON object a line.
    pub(crate) json: bool,
    /// Also what is held back.
    pub(crate) held: bool,
    /// Lines of one change.
    pub(crate) lines: usize,
    /// A status line, if there is a terminal.
    pub(crate) status: bool,
}

/// What happened so far.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Sum {
    pub(crate) visits: usize,
    pub(crate) failures: usize,
    pub(crate) told: usize,
    pub(crate) events: usize,
    /// Changes held back, by watch and the reason that decided.
    pub(crate) held: BTreeMap<String, usize>,
}

pub(crate) struct Reporter {
    sender: Sender<Happening>,
    thread: JoinHandle<Result<Sum>>,
}

impl Reporter {
    pub(crate) fn start(store: Arc<dyn Store>, style: Style) -> Self {
        let (sender, receiver) = channel();
        let bar = if style.status { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        let teller = Teller { store, style, bar, sum: Sum::default(), watches: (0, 0) };
        Self { sender, thread: std::thread::spawn(move || teller.tell_all(&receiver)) }
    }

    pub(crate) fn sender(&self) -> Sender<Happening> {
        self.sender.clone()
    }

    /// Waits until all is told.
    pub(crate) fn finish(self) -> Result<()> {
        self.sum().map(drop)
    }

    /// The same; returns what happened.
    pub(crate) fn sum(self) -> Result<Sum> {
        drop(self.sender);
        self.thread.join().unwrap_or_else(|_| anyhow::bail!("the reporter broke down"))
    }
}

struct Teller {
    store: Arc<dyn Store>,
    style: Style,
    bar: ProgressBar,
    sum: Sum,
    /// Watches, counted every now and then, and how often the status was shown since.
    watches: (usize, u32),
}

impl Teller {
    fn tell_all(mut self, receiver: &Receiver<Happening>) -> Result<Sum> {
        loop {
            match receiver.recv_timeout(Duration::from_millis(500)) {
                Ok(happening) => self.tell(&happening)?,
                Err(RecvTimeoutError::Timeout) => self.status(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.bar.finish_and_clear();
        Ok(self.sum)
    }

    fn tell(&mut self, happening: &Happening) -> Result<()> {
        let text = match happening {
            Happening::Checked(check) => self.checked(check),
            Happening::Stream(key, event) => {
                self.sum.events += 1;
                let name = key.to_string();
                self.either(
                    || json!({ "schema": SCHEMA, "happening": "event", "at": when::now(), "stream": key, "event": event }),
                    || telling::event(when::now(), false, &name, event.kind, &event.detail),
                )
            }
            Happening::Delivery(delivery) => self.either(
                || json!({ "schema": SCHEMA, "happening": "delivery", "at": when::now(), "delivery": delivery }),
                || telling::delivery(when::now(), delivery),
            ),
            Happening::Trouble(what) => self.either(
                || json!({ "schema": SCHEMA, "happening": "trouble", "at": when::now(), "what": what }),
                || format!("{} {}\n", styled(REMOVED, "trouble:"), printable(what)),
            ),
        };
        if text.is_empty() {
            return Ok(());
        }
        let out =
            || anstream::stdout().lock().write_all(text.as_bytes()).and_then(|()| std::io::stdout().flush());
        Ok(self.bar.suspend(out)?)
    }

    fn checked(&mut self, check: &CheckReport) -> String {
        self.sum.visits += 1;
        self.sum.failures += usize::from(matches!(check.result, VisitResult::Failed | VisitResult::Unwell));
        self.sum.events += check.events.len();
        let mut text = String::new();
        for (watch, verdict) in self.verdicts(check) {
            text += &self.verdict(&watch, check, &verdict);
        }
        if self.style.json {
            return format!("{}\n", json!({ "schema": SCHEMA, "happening": "check", "check": check }));
        }
        let name = check.watches.first().map_or_else(|| check.url.to_string(), title);
        for event in &check.events {
            text += &telling::event(check.at, false, &name, event.kind, &event.detail);
        }
        text
    }

    /// Those of this check, and those of earlier ones that waited for it.
    fn verdicts(&self, check: &CheckReport) -> Vec<(Watch, (u32, Verdict))> {
        let watch = |id| check.watches.iter().find(|watch| watch.id == id).cloned();
        let new = check.version.unwrap_or_default();
        let of_check = check.verdicts.iter();
        let mut found: Vec<_> =
            of_check.filter_map(|(id, verdict)| Some((watch(*id)?, (new, verdict.clone())))).collect();
        for settled in &check.settled {
            for watch in &check.watches {
                let filter =
                    ChangeFilter { watch: Some(watch.id), limit: Some(20), ..ChangeFilter::default() };
                let changes = self.store.changes(&filter).unwrap_or_default();
                let change = changes.into_iter().find(|change| change.new == settled.version);
                found.extend(change.map(|change| (watch.clone(), (change.new, change.verdict))));
            }
        }
        found
    }

    fn verdict(&mut self, watch: &Watch, check: &CheckReport, (new, verdict): &(u32, Verdict)) -> String {
        match verdict.standing {
            Standing::Told => self.sum.told += 1,
            Standing::Held => {
                let reason = verdict.reasons.last().map_or("", String::as_str);
                *self.sum.held.entry(format!("{}: {reason}", title(watch))).or_default() += 1;
            }
            Standing::Waiting => {}
        }
        if verdict.standing != Standing::Told && !self.style.held {
            return String::new();
        }
        let versions = (new.saturating_sub(1), *new);
        Told { watch, at: check.at, versions, verdict, lines: self.style.lines, day: false }.block()
    }

    fn either(&self, json: impl FnOnce() -> serde_json::Value, text: impl FnOnce() -> String) -> String {
        if self.style.json { format!("{}\n", json()) } else { text() }
    }

    fn status(&mut self) {
        if self.bar.is_hidden() {
            return;
        }
        if self.watches.1.is_multiple_of(RECOUNT) {
            self.watches.0 = self.store.facts().map_or(0, |facts| facts.watches as usize);
        }
        self.watches.1 = self.watches.1.wrapping_add(1);
        let watches = self.watches.0;
        let next = self.store.pulse(when::now()).ok().and_then(|pulse| pulse.next);
        let next =
            next.map_or_else(|| "nothing due".to_owned(), |next| format!("next {}", when::from_now(next)));
        let (visits, told) = (counted(self.sum.visits, "check"), counted(self.sum.told, "change"));
        self.bar.set_message(format!("{watches} watched · {visits} · {told} told · {next} · Ctrl-C stops"));
        self.bar.tick();
    }
}
