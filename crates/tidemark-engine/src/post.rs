//! Empties the outbox: what is due is put into words and handed to a courier, until it is delivered or given up.
//!
//! At least once: what became of a notice is stored after the courier has spoken, so a process that dies between the two sends again, with the same key. A
//! channel that fails rests as a whole, longer each time, and its notices wait in their order; one notice at a time is tried.

use crate::channel::{ChannelId, ChannelState};
use crate::compose::compose;
use crate::courier::{Courier, Refusal};
use crate::engine::Engine;
use crate::notice::{ClaimedNotice, Dispatch, NoticeId, NoticeState};
use crate::run::blocking;
use crate::secret::Sealed;
use crate::store::{Claim, StoreError};
use futures_util::FutureExt;
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Channels that are served at a time.
const AT_A_TIME: usize = 16;
/// How long a claim holds: longer than any courier takes.
const LEASE: Duration = Duration::from_mins(5);
/// The first rest after a failure, which doubles, and the longest.
const REST: Duration = Duration::from_secs(15);
const LONGEST_REST: Duration = Duration::from_hours(1);
/// A service may ask for a longer one, up to this.
const LONGEST_WAIT: Duration = Duration::from_hours(24);
/// After so many tries a notice is given up: two days of them.
const MOST_TRIES: u32 = 48;
/// Delivered notices are listed so long.
pub(crate) const REMEMBERED: SignedDuration = SignedDuration::from_hours(30 * 24);

/// All that is needed to deliver.
pub struct Post {
    /// Who delivers.
    pub courier: Arc<dyn Courier>,
    /// Opens the addresses of channels; the key is looked for when there is one to be opened.
    pub open: Opener,
    /// Where changes are shown, if anywhere but on a terminal.
    pub base: Option<Url>,
}

/// Opens a sealed address, or says why it cannot.
pub type Opener = Box<dyn Fn(&Sealed) -> Result<String, String> + Send + Sync>;

/// What became of one try.
#[derive(Clone, Debug, Serialize)]
pub struct Delivery {
    /// The notice.
    pub notice: NoticeId,
    /// Where it goes.
    pub channel: ChannelId,
    /// The address as it may be shown.
    pub shown: String,
    /// Its subject.
    pub subject: String,
    /// How far it has come.
    pub state: NoticeState,
    /// What went wrong.
    pub trouble: Option<String>,
    /// When it is tried again, if it is.
    pub due: Option<Timestamp>,
}

/// Delivers what is due, one notice of each channel. Nothing is left to do when it returns none.
pub async fn round(engine: &Arc<Engine>, post: &Post) -> Result<Vec<Delivery>, StoreError> {
    let asking = Arc::clone(engine);
    let claimed = blocking(move || asking.store.claim_notices(&claim(&asking))).await?;
    let deliveries = join_all(claimed.iter().map(|notice| one(engine, post, notice))).await;
    deliveries.into_iter().collect()
}

fn claim(engine: &Engine) -> Claim {
    Claim { lease: LEASE, ..engine.claim(AT_A_TIME) }
}

async fn one(engine: &Arc<Engine>, post: &Post, notice: &ClaimedNotice) -> Result<Delivery, StoreError> {
    let message = compose(notice, post.base.as_ref());
    let subject = message.as_ref().map(|message| message.subject.clone()).unwrap_or_default();
    let result = match (message, target(post, notice)) {
        // The watches it told of are gone, and with them all there is to tell.
        (None, _) => Ok(()),
        (_, Err(refusal)) => Err(refusal),
        (Some(message), Ok(target)) => {
            let trying = AssertUnwindSafe(post.courier.deliver(&target, &message)).catch_unwind();
            trying.await.unwrap_or_else(|_| {
                Err(Refusal::passing("the courier broke down, which is a mistake of ours"))
            })
        }
    };
    let dispatch = dispatch(notice, result, engine.clock.now());
    let (asking, storing) = (Arc::clone(engine), dispatch.clone());
    blocking(move || asking.store.dispatch(&storing)).await?;
    Ok(Delivery {
        notice: notice.id,
        channel: notice.channel.id,
        shown: notice.channel.shown.clone(),
        subject,
        state: dispatch.state,
        due: (dispatch.state == NoticeState::Sealed).then_some(dispatch.due),
        trouble: dispatch.trouble,
    })
}

fn target(post: &Post, notice: &ClaimedNotice) -> Result<String, Refusal> {
    let sealed =
        notice.channel.target.as_ref().ok_or_else(|| Refusal::for_good("the channel has no address"))?;
    (post.open)(sealed).map_err(Refusal::for_good)
}

/// What becomes of a notice after a try.
fn dispatch(notice: &ClaimedNotice, result: Result<(), Refusal>, now: Timestamp) -> Dispatch {
    let known = &notice.channel.state;
    let done = |state, due, trouble, channel| Dispatch {
        id: notice.id,
        token: notice.token,
        state,
        due,
        trouble,
        channel,
    };
    let refusal = match result {
        Ok(()) => {
            let channel = ChannelState { delivered: Some(now), ..ChannelState::default() };
            return done(NoticeState::Delivered, now, None, channel);
        }
        Err(refusal) => refusal,
    };
    let failures = known.failures.saturating_add(1);
    let trouble = Some(refusal.said.clone());
    if refusal.for_good {
        // The next notice may be acceptable: the channel does not rest for this one.
        let channel = ChannelState {
            failures,
            trouble: trouble.clone(),
            rests_until: None,
            delivered: known.delivered,
        };
        return done(NoticeState::Dead, now, trouble, channel);
    }
    let rest = refusal.wait.map_or_else(|| back_off(known.failures), |wait| wait.min(LONGEST_WAIT));
    let until =
        SignedDuration::try_from(rest).ok().and_then(|rest| now.checked_add(rest).ok()).unwrap_or(now);
    let channel = ChannelState {
        failures,
        trouble: trouble.clone(),
        rests_until: Some(until),
        delivered: known.delivered,
    };
    let state = if notice.tries + 1 >= MOST_TRIES { NoticeState::Dead } else { NoticeState::Sealed };
    done(state, until, trouble, channel)
}

fn back_off(failures: u32) -> Duration {
    REST.saturating_mul(1 << failures.min(16)).min(LONGEST_REST)
}
