//! The port to channels and notices: what is to be told, kept until it has been.

use crate::channel::{Channel, ChannelId, ChannelTerms, NewChannel};
use crate::notice::{ClaimedNotice, Dispatch, NoticeFilter, NoticeId, NoticeLine};
use crate::store::{Claim, StoreError};
use jiff::Timestamp;

/// Channels, and the notices on their way through them.
///
/// Notices are put in by the calls that record what they tell of, in the same transaction: for each channel of the reader that takes it, by [`Channel::slot`].
pub trait Outbox: Send + Sync {
    /// Adds a channel. It tells of what happens from now on.
    fn add_channel(&self, new: &NewChannel, now: Timestamp) -> Result<Channel, StoreError>;
    /// All channels, in the order they were added.
    fn channels(&self) -> Result<Vec<Channel>, StoreError>;
    /// Replaces what is wished of a channel.
    fn change_channel(&self, id: ChannelId, terms: &ChannelTerms) -> Result<(), StoreError>;
    /// Removes a channel with its notices, delivered or not.
    fn remove_channel(&self, id: ChannelId) -> Result<(), StoreError>;

    /// Claims notices that are due, the longest due of each channel that does not rest, and seals them.
    fn claim_notices(&self, claim: &Claim) -> Result<Vec<ClaimedNotice>, StoreError>;
    /// Stores what became of a notice. Returns false, and stores nothing, if another claim has it by now.
    fn dispatch(&self, dispatch: &Dispatch) -> Result<bool, StoreError>;
    /// How many notices are due, in channels that do not rest; counted up to a thousand.
    fn due_notices(&self, now: Timestamp) -> Result<u64, StoreError>;
    /// Notices, latest first.
    fn notices(&self, filter: &NoticeFilter) -> Result<Vec<NoticeLine>, StoreError>;
    /// Makes a notice that was given up, or waits, due at once; its channel rests no longer. Returns false if there is none that could be.
    fn retry_notice(&self, id: NoticeId, now: Timestamp) -> Result<bool, StoreError>;
    /// Removes a notice. Returns false if there is none.
    fn drop_notice(&self, id: NoticeId) -> Result<bool, StoreError>;
    /// Removes delivered notices from before a time. Returns how many.
    fn forget_notices(&self, before: Timestamp) -> Result<u64, StoreError>;
}
