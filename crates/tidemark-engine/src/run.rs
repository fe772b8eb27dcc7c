//! The scheduler: claims what is due, visits it, and keeps the house in order, until it is told to stop.
//!
//! Any number of processes do this over one database. Due pages come from an index; a claim is a lease, so the work of a process that died returns by itself.
//! After a restart or a long sleep, what is overdue is worked off at a bounded pace.

use crate::check::{CheckReport, check};
use crate::engine::Engine;
use crate::post::{self, Delivery};
use crate::record::{Cause, NewEvent, StreamKey};
use crate::store::{Claims, StoreError};
use crate::{streams, upkeep};
use futures_util::future::join;
use std::sync::Arc;
use std::time::Duration;
use tidemark_core::revisit::Pace;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

/// The longest nap: another process may have added something.
const NAP: Duration = Duration::from_secs(1);
/// How often streams are read on, the price is found anew, and tracks are tidied.
const STREAMS: Duration = Duration::from_secs(3);
const PRICE: Duration = Duration::from_secs(2);
/// The price may take this share of the time at most.
const PRICE_SHARE: u32 = 50;
const UPKEEP: Duration = Duration::from_mins(10);
/// The longest wait after the database could not be reached or written to.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a run has to tell.
#[derive(Clone, Debug)]
pub enum Happening {
    /// A page was looked at.
    Checked(Box<CheckReport>),
    /// A notice was delivered, or not.
    Delivery(Box<Delivery>),
    /// A stream brought something.
    Stream(StreamKey, NewEvent),
    /// Something went wrong; the run goes on.
    Trouble(String),
}

/// Runs until `stop` is true; then waits for the visits under way and gives back what was not begun.
pub async fn run(engine: &Arc<Engine>, stop: watch::Receiver<bool>, tell: impl Fn(Happening) + Send + Sync) {
    join(check_on(engine, stop.clone(), &tell), deliver_on(engine, stop, &tell)).await;
}

/// Looks at what is due.
async fn check_on(
    engine: &Arc<Engine>,
    mut stop: watch::Receiver<bool>,
    tell: &(impl Fn(Happening) + Send + Sync),
) {
    let mut checks = JoinSet::new();
    let mut pace = Pace::new(engine.settings.visits_per_second, engine.clock.now());
    let mut chores = Chores::new();
    let mut troubles = 0u32;
    while !*stop.borrow() {
        let wait = match fill(engine, &mut pace, &mut checks).await {
            Ok(wait) => {
                troubles = 0;
                wait
            }
            Err(error) => {
                troubles += 1;
                tell(Happening::Trouble(error.to_string()));
                NAP.saturating_mul(troubles).min(PATIENCE)
            }
        };
        chores.work(engine, tell).await;
        let awake = sleep(wait);
        tokio::pin!(awake);
        loop {
            tokio::select! {
                () = &mut awake => break,
                Some(done) = checks.join_next() => {
                    report(done, tell);
                    // Room for the next ones; what else has ended is taken along.
                    while let Some(done) = checks.try_join_next() {
                        report(done, tell);
                    }
                    if wait == Duration::ZERO || checks.len() < engine.settings.concurrency / 2 { break }
                }
                _ = stop.changed() => break,
            }
        }
    }
    while let Some(done) = checks.join_next().await {
        report(done, tell);
    }
    chores.finish(engine, tell).await;
}

/// Empties the outbox, beside the checks: a slow mail server holds up nobody.
async fn deliver_on(engine: &Arc<Engine>, mut stop: watch::Receiver<bool>, tell: &impl Fn(Happening)) {
    let Some(post) = engine.post.clone() else { return };
    while !*stop.borrow() {
        let wait = match post::round(engine, &post).await {
            Ok(deliveries) if deliveries.is_empty() => NAP,
            Ok(deliveries) => {
                deliveries.into_iter().for_each(|delivery| tell(Happening::Delivery(Box::new(delivery))));
                Duration::ZERO
            }
            Err(error) => {
                tell(Happening::Trouble(error.to_string()));
                NAP * 5
            }
        };
        tokio::select! {
            () = sleep(wait) => {}
            _ = stop.changed() => {}
        }
    }
}

type Done = Result<Result<CheckReport, StoreError>, tokio::task::JoinError>;

fn report(done: Done, tell: &impl Fn(Happening)) {
    match done {
        Ok(Ok(report)) => tell(Happening::Checked(Box::new(report))),
        Ok(Err(error)) => tell(Happening::Trouble(error.to_string())),
        Err(error) => tell(Happening::Trouble(format!("a check broke down: {error}"))),
    }
}

/// Claims as much as there is room for; how long to wait for more.
async fn fill(
    engine: &Arc<Engine>,
    pace: &mut Pace,
    checks: &mut JoinSet<Result<CheckReport, StoreError>>,
) -> Result<Duration, StoreError> {
    let room = engine.settings.concurrency.saturating_sub(checks.len());
    if room == 0 {
        return Ok(NAP);
    }
    let (now, asking) = (engine.clock.now(), Arc::clone(engine));
    let allowed = pace.take(now, room as u32) as usize;
    if allowed == 0 {
        return Ok(Duration::from_millis(50));
    }
    let (claims, pulse) = blocking(move || {
        let claims: Claims = asking.store.claim(&asking.claim(allowed))?;
        let pulse = if claims.pages.is_empty() && claims.deferred == 0 {
            Some(asking.store.pulse(asking.clock.now())?)
        } else {
            None
        };
        Ok((claims, pulse))
    })
    .await?;
    let (found, deferred) = (claims.pages.len(), claims.deferred);
    pace.give_back((allowed - found.min(allowed)) as u32);
    for claimed in claims.pages {
        let engine = Arc::clone(engine);
        checks.spawn(async move { check(&engine, claimed, Cause::Schedule).await });
    }
    let until_next = pulse.and_then(|pulse| pulse.next).map(|next| next.duration_since(engine.clock.now()));
    Ok(match until_next {
        _ if found + deferred > 0 => Duration::ZERO,
        Some(wait) => Duration::try_from(wait).unwrap_or_default().clamp(Duration::from_millis(5), NAP),
        None => NAP,
    })
}

/// What is done now and then.
struct Chores {
    streams: Instant,
    price: Instant,
    price_after: Duration,
    upkeep: Instant,
    keeper: upkeep::Keeper,
}

impl Chores {
    fn new() -> Self {
        let now = Instant::now();
        Self { streams: now, price: now, price_after: PRICE, upkeep: now, keeper: upkeep::Keeper::default() }
    }

    async fn work(&mut self, engine: &Arc<Engine>, tell: &impl Fn(Happening)) {
        if passed(&mut self.streams, STREAMS) {
            self.read_streams(engine, tell).await;
        }
        if passed(&mut self.price, self.price_after) {
            let (asking, began) = (Arc::clone(engine), Instant::now());
            told(blocking(move || asking.reckon().map(drop)).await, tell);
            self.price_after = PRICE.max(began.elapsed() * PRICE_SHARE);
        }
        if passed(&mut self.upkeep, UPKEEP) {
            let (asking, mut keeper) = (Arc::clone(engine), std::mem::take(&mut self.keeper));
            match blocking(move || keeper.round(&asking).map(|_| keeper)).await {
                Ok(keeper) => self.keeper = keeper,
                Err(error) => told::<()>(Err(error), tell),
            }
        }
    }

    async fn read_streams(&self, engine: &Arc<Engine>, tell: &impl Fn(Happening)) {
        let asking = Arc::clone(engine);
        match blocking(move || streams::read_on(&asking)).await {
            Ok(found) => found.into_iter().for_each(|(key, event)| tell(Happening::Stream(key, event))),
            Err(error) => tell(Happening::Trouble(error.to_string())),
        }
    }

    async fn finish(&self, engine: &Arc<Engine>, tell: &impl Fn(Happening)) {
        self.read_streams(engine, tell).await;
    }
}

fn passed(since: &mut Instant, span: Duration) -> bool {
    let passed = since.elapsed() >= span;
    if passed {
        *since = Instant::now();
    }
    passed
}

fn told<T>(result: Result<T, StoreError>, tell: &impl Fn(Happening)) {
    if let Err(error) = result {
        tell(Happening::Trouble(error.to_string()));
    }
}

/// Asks the store on a thread meant for it.
pub(crate) async fn blocking<T: Send + 'static>(
    ask: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(ask).await.unwrap_or_else(|panic| {
        Err(StoreError::Other { attempt: "asking the database".to_owned(), reason: panic.to_string() })
    })
}
