//! A notice: a message in the outbox. It is stored in the transaction that stored its change, and stays until it is delivered, given up or dropped.
//!
//! What is to be told joins, as an item, the open notice of its channel and slot. When that is due a courier seals it; what comes later opens another one.

use crate::channel::{Channel, ChannelId, Kind};
use crate::record::{ChangeId, Verdict};
use crate::watch::Watch;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Names a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NoticeId(pub i64);

/// A notice as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoticeLine {
    /// Its name.
    pub id: NoticeId,
    /// Where it goes.
    pub channel: ChannelId,
    /// What joins it.
    pub slot: String,
    /// How far it has come.
    pub state: NoticeState,
    /// When it was begun.
    pub made: Timestamp,
    /// When it is sent, or was.
    pub due: Timestamp,
    /// Tries so far.
    pub tries: u32,
    /// What went wrong last.
    pub trouble: Option<String>,
    /// Things it tells of.
    pub items: u32,
}

/// How far a notice has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeState {
    /// It waits for its time; more may join.
    Open,
    /// It is on its way; nothing joins any more.
    Sealed,
    /// It was delivered.
    Delivered,
    /// It could not be delivered, and is kept until somebody looks.
    Dead,
}

impl NoticeState {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Open, Self::Sealed, Self::Delivered, Self::Dead];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Sealed => "sealed",
            Self::Delivered => "delivered",
            Self::Dead => "dead",
        }
    }

    /// The inverse of its name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == text)
    }
}

/// A notice with all that a courier needs, and the right to say what became of it.
#[derive(Clone, Debug)]
pub struct ClaimedNotice {
    /// Its name.
    pub id: NoticeId,
    /// The same for every try, and of no other notice anywhere: receivers can tell a repetition by it.
    pub key: String,
    /// Where it goes.
    pub channel: Channel,
    /// What joined it.
    pub slot: String,
    /// When it was begun.
    pub made: Timestamp,
    /// Tries before this one.
    pub tries: u32,
    /// The number of this claim.
    pub token: i64,
    /// What it tells of, in the order it happened.
    pub items: Vec<Item>,
}

/// One thing that a notice tells of.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// For which watch.
    pub watch: Watch,
    /// What it is.
    pub kind: Kind,
    /// When it was found.
    pub at: Timestamp,
    /// What happened.
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A change.
    Change {
        /// Which.
        id: ChangeId,
        /// From this version.
        old: u32,
        /// To this one.
        new: u32,
        /// What to show in a list.
        summary: serde_json::Value,
        /// What it is to the watch.
        verdict: Verdict,
    },
    /// Something else, in words, with what is known about it.
    Event(serde_json::Value),
}

/// What became of a notice.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispatch {
    /// Which.
    pub id: NoticeId,
    /// The claim that says so; without effect if another one has it by now.
    pub token: i64,
    /// How far it has come.
    pub state: NoticeState,
    /// When it is tried again, if it is.
    pub due: Timestamp,
    /// What went wrong.
    pub trouble: Option<String>,
    /// What is known of the channel now.
    pub channel: crate::channel::ChannelState,
}

/// Which notices to list.
#[derive(Clone, Debug, Default)]
pub struct NoticeFilter {
    /// Only of this channel.
    pub channel: Option<ChannelId>,
    /// Only in this state.
    pub state: Option<NoticeState>,
    /// At most so many, latest first.
    pub limit: Option<usize>,
}
