//! The port of the engine, over either database.

use crate::content::{self, Packed, frame};
use crate::database::Database;
use crate::record::{self, Ready};
use crate::{
    change, channel, claim, event, facts, note, notice, page, picture, remove, retain, snapshot, stream,
    verify, visit, watch,
};
use jiff::Timestamp;
use std::sync::Arc;
use tidemark_engine::channel::{Channel, ChannelId, ChannelTerms, NewChannel};
use tidemark_engine::notice::{ClaimedNotice, Dispatch, NoticeFilter, NoticeId, NoticeLine};
use tidemark_engine::outbox::Outbox;
use tidemark_engine::page::{Claimed, Lease, Page, PageId, Snapshot, SnapshotLine, Track};
use tidemark_engine::recent::Recent;
use tidemark_engine::record::{ChangeId, Record, Recorded, StreamKey, Visit};
use tidemark_engine::retention::{Freed, Retention};
use tidemark_engine::store::{
    ChangeFilter, ChangeLine, Claim, Claims, Event, EventFilter, Fault, Pulse, Store, StoreError, StoreFacts,
    StoredPicture, StreamAdvance, StreamWork,
};
use tidemark_engine::watch::{NewWatch, Watch, WatchFilter, WatchId, Wish};

/// How often a version is packed again because its base was moved meanwhile.
const TRIES: usize = 5;

/// Bytes of versions read or stored a moment ago.
const RECENT: usize = 8 << 20;

/// A database with the store's methods.
pub(crate) struct Shelf {
    database: Database,
    /// The last version of a page is wanted twice by a check that finds it changed: to compare with, and to take the difference from.
    recent: Recent<Arc<Vec<u8>>>,
}

impl Shelf {
    pub(crate) fn new(database: Database) -> Self {
        Self { database, recent: Recent::new(RECENT) }
    }

    /// Packs the bytes of a new version, outside of any transaction that others wait for.
    fn ready(&self, record: &Record) -> Result<Ready, StoreError> {
        let Some(snapshot) = &record.snapshot else { return Ok(Ready::Nothing) };
        if *blake3::hash(&snapshot.body).as_bytes() != snapshot.hash {
            return Err(StoreError::Other {
                attempt: "record a visit".to_owned(),
                reason: "the hash of the new version is not that of its bytes".to_owned(),
            });
        }
        let found = self.database.read("read the last version", |session| {
            if content::find(session, &snapshot.hash)?.is_some() {
                return Ok(None);
            }
            let Some(base) = content::next_base(session, record.page, snapshot.body.len())? else {
                return Ok(Some(None));
            };
            let known = self.recent.get(&base.hash);
            let bytes = known.map_or_else(|| content::read(session, base.id).map(Arc::new), Ok)?;
            Ok(Some(Some((base, bytes))))
        });
        let base = match found {
            Ok(None) => return Ok(Ready::Known),
            Ok(Some(base)) => base,
            // A damaged version must not stop the page from getting new ones.
            Err(StoreError::Damaged(_)) => None,
            Err(error) => return Err(error),
        };
        let base = base.as_ref().map(|(base, bytes)| (base.clone(), bytes.as_slice()));
        Packed::new(&snapshot.body, snapshot.hash, base, frame::QUICK).map(Ready::Packed)
    }
}

impl Store for Shelf {
    fn add_watch(&self, new: &NewWatch, now: Timestamp) -> Result<Watch, StoreError> {
        self.database.write("add a watch", |session| watch::add(session, new, now))
    }

    fn watch(&self, id: WatchId) -> Result<Option<Watch>, StoreError> {
        self.database.read("look for a watch", |session| watch::one(session, id))
    }

    fn watches(&self, filter: &WatchFilter) -> Result<Vec<Watch>, StoreError> {
        self.database.read("list watches", |session| watch::list(session, filter))
    }

    fn change_wish(&self, id: WatchId, wish: &Wish) -> Result<(), StoreError> {
        self.database.write("change a watch", |session| watch::change_wish(session, id, wish))
    }

    fn pause(&self, id: WatchId, paused: bool, now: Timestamp) -> Result<(), StoreError> {
        self.database.write("pause a watch", |session| watch::pause(session, id, paused, now))
    }

    fn remove_watch(&self, id: WatchId) -> Result<(), StoreError> {
        self.database.write("remove a watch", |session| remove::watch(session, id))
    }

    fn page(&self, id: PageId) -> Result<Option<Page>, StoreError> {
        self.database.read("look for a page", |session| page::page(session, id))
    }

    fn pages(&self, after: Option<PageId>, limit: usize) -> Result<Vec<Page>, StoreError> {
        self.database.read("list pages", |session| page::pages(session, after, limit))
    }

    fn claim(&self, claim: &Claim) -> Result<Claims, StoreError> {
        self.database.write("claim pages", |session| claim::claim(session, claim))
    }

    fn claim_pages(&self, pages: &[PageId], claim: &Claim) -> Result<Vec<Claimed>, StoreError> {
        self.database.write("claim pages", |session| claim::claim_pages(session, pages, claim))
    }

    fn release(&self, leases: &[(PageId, Lease, Timestamp)]) -> Result<(), StoreError> {
        self.database.write("give pages back", |session| claim::release(session, leases))
    }

    fn bring_forward(&self, page: PageId, due: Timestamp) -> Result<(), StoreError> {
        self.database.write("bring a visit forward", |session| page::bring_forward(session, page, due))
    }

    fn hint(&self, page: PageId, source: &str) -> Result<Vec<String>, StoreError> {
        self.database.write("take a hint", |session| page::hint(session, page, source))
    }

    fn pulse(&self, now: Timestamp) -> Result<Pulse, StoreError> {
        self.database.read("look what is due", |session| page::pulse(session, now))
    }

    fn demands(&self) -> Result<Vec<(i32, u64)>, StoreError> {
        self.database.read("count demands", page::demands)
    }

    fn track(&self, page: PageId) -> Result<Track, StoreError> {
        self.database.read("read the last version", |session| snapshot::track(session, page, &self.recent))
    }

    fn record(&self, record: &Record) -> Result<Recorded, StoreError> {
        for _ in 0..TRIES {
            let ready = self.ready(record)?;
            let recorded =
                self.database.write("record a visit", |session| record::record(session, record, &ready))?;
            if let Some(recorded) = recorded {
                if let Some(snapshot) = &record.snapshot {
                    self.recent.keep(snapshot.hash, Arc::new(snapshot.body.clone()), snapshot.body.len());
                }
                return Ok(recorded);
            }
        }
        Err(StoreError::Unavailable(
            "record a visit: the version before it was moved again and again".to_owned(),
        ))
    }

    fn snapshots(&self, page: PageId) -> Result<Vec<SnapshotLine>, StoreError> {
        self.database.read("list versions", |session| snapshot::lines(session, page))
    }

    fn snapshot(&self, page: PageId, version: u32) -> Result<Option<Snapshot>, StoreError> {
        self.database.read("read a version", |session| snapshot::version(session, page, version))
    }

    fn snapshot_at(&self, page: PageId, at: Timestamp) -> Result<Option<Snapshot>, StoreError> {
        self.database.read("read a version", |session| snapshot::at(session, page, at))
    }

    fn picture(&self, page: PageId, version: u32) -> Result<Option<StoredPicture>, StoreError> {
        self.database.read("read a picture", |session| picture::get(session, page, version))
    }

    fn visits(&self, page: PageId, limit: usize) -> Result<Vec<Visit>, StoreError> {
        self.database.read("list visits", |session| visit::list(session, page, limit))
    }

    fn changes(&self, filter: &ChangeFilter) -> Result<Vec<ChangeLine>, StoreError> {
        self.database.read("list changes", |session| change::list(session, filter))
    }

    fn script(&self, change: ChangeId) -> Result<Option<Vec<u8>>, StoreError> {
        self.database.read("read a change", |session| change::script(session, change))
    }

    fn events(&self, filter: &EventFilter) -> Result<Vec<Event>, StoreError> {
        self.database.read("list events", |session| event::list(session, filter))
    }

    fn waiting_streams(&self, limit: usize) -> Result<Vec<StreamKey>, StoreError> {
        self.database.read("look for streams", |session| stream::waiting(session, limit))
    }

    fn stream(&self, key: &StreamKey, limit: usize) -> Result<StreamWork, StoreError> {
        self.database.read("read a stream", |session| stream::work(session, key, limit))
    }

    fn advance_stream(&self, advance: &StreamAdvance) -> Result<bool, StoreError> {
        self.database.write("read on in a stream", |session| stream::advance(session, advance))
    }

    fn note(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.database.read("read a note", |session| note::get(session, key))
    }

    fn set_note(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.database.write("write a note", |session| note::set(session, key, value))
    }

    fn retain(&self, page: PageId, retention: &Retention, now: Timestamp) -> Result<Freed, StoreError> {
        self.database.write("let versions go", |session| retain::retain(session, page, retention, now))
    }

    fn give_back(&self) -> Result<u64, StoreError> {
        retain::give_back(&self.database)
    }

    fn verify(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<Vec<Fault>, StoreError> {
        verify::verify(&self.database, progress)
    }

    fn facts(&self) -> Result<StoreFacts, StoreError> {
        self.database.read("look at the database", facts::facts)
    }
}

impl Outbox for Shelf {
    fn add_channel(&self, new: &NewChannel, now: Timestamp) -> Result<Channel, StoreError> {
        self.database.write("add a channel", |session| channel::add(session, new, now))
    }

    fn channels(&self) -> Result<Vec<Channel>, StoreError> {
        self.database.read("list channels", channel::list)
    }

    fn change_channel(&self, id: ChannelId, terms: &ChannelTerms) -> Result<(), StoreError> {
        self.database.write("change a channel", |session| channel::change(session, id, terms))
    }

    fn remove_channel(&self, id: ChannelId) -> Result<(), StoreError> {
        self.database.write("remove a channel", |session| channel::remove(session, id))
    }

    fn claim_notices(&self, claim: &Claim) -> Result<Vec<ClaimedNotice>, StoreError> {
        if self.due_notices(claim.now)? == 0 {
            return Ok(Vec::new());
        }
        self.database.write("claim notices", |session| notice::claim(session, claim))
    }

    fn dispatch(&self, dispatch: &Dispatch) -> Result<bool, StoreError> {
        self.database.write("record a delivery", |session| notice::dispatch(session, dispatch))
    }

    fn due_notices(&self, now: Timestamp) -> Result<u64, StoreError> {
        self.database.read("look what is to be told", |session| notice::due(session, now))
    }

    fn notices(&self, filter: &NoticeFilter) -> Result<Vec<NoticeLine>, StoreError> {
        self.database.read("list notices", |session| notice::list(session, filter))
    }

    fn retry_notice(&self, id: NoticeId, now: Timestamp) -> Result<bool, StoreError> {
        self.database.write("try a notice again", |session| notice::retry(session, id, now))
    }

    fn drop_notice(&self, id: NoticeId) -> Result<bool, StoreError> {
        self.database.write("drop a notice", |session| notice::remove(session, id))
    }

    fn forget_notices(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.database.write("forget delivered notices", |session| notice::forget(session, before))
    }
}
