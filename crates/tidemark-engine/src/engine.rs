//! The parts put together: ports, settings, and what is shared by all checks.

use crate::clock::Clock;
use crate::content::Content;
use crate::extract::{Extractor, Nobody};
use crate::fetch::Fetcher;
use crate::post::Post;
use crate::recent::Recent;
use crate::retention::Retention;
use crate::store::{Claim, Store, StoreError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tidemark_core::page::Limits;
use tidemark_core::profile::{Matcher, Profile, Reach};
use tidemark_core::revisit::{Bounds, Demand, Demands, Price};

/// Most profiles that are kept ready.
const MOST_PROFILES: usize = 256;

/// What can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Most visits under way at a time.
    pub concurrency: usize,
    /// Most visits a second, also when many are overdue.
    pub visits_per_second: f64,
    /// Visits that a page gets on average, a day; those that change often get more of them.
    pub visits_per_page: f64,
    /// How soon and how late to look where a watch does not say.
    pub bounds: Bounds,
    /// The pause between two visits to one host.
    pub spacing: Duration,
    /// After which a page that a process claimed and did not record is due again.
    pub lease: Duration,
    /// How large a page may be.
    pub limits: Limits,
    /// Whether new entries of a watched feed are looked at once, to see redesigns.
    pub follow_entries: bool,
    /// How long tracks are kept.
    pub retention: Retention,
    /// Bytes for digests of versions read lately.
    pub cache: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            concurrency: 64,
            visits_per_second: 20.0,
            visits_per_page: 48.0,
            bounds: Bounds::default(),
            spacing: Duration::from_secs(1),
            lease: Duration::from_mins(3),
            limits: Limits { bytes: 20 << 20, nodes: 2_000_000, ..Limits::default() },
            follow_entries: true,
            retention: Retention::default(),
            cache: 24 << 20,
        }
    }
}

/// Decides what to look at, looks, judges, records.
pub struct Engine {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) fetcher: Arc<dyn Fetcher>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) settings: Settings,
    pub(crate) post: Option<Arc<Post>>,
    pub(crate) extractor: Arc<dyn Extractor>,
    pub(crate) digests: Recent<Content>,
    /// Unique to this process.
    pub(crate) worker: String,
    profiles: Mutex<HashMap<String, Arc<Matcher>>>,
    price: Mutex<Price>,
}

impl Engine {
    /// Puts the parts together. `worker` must be unique to the process.
    pub fn new(
        store: Arc<dyn Store>,
        fetcher: Arc<dyn Fetcher>,
        clock: Arc<dyn Clock>,
        settings: Settings,
        worker: String,
    ) -> Result<Self, StoreError> {
        let digests = Recent::new(settings.cache);
        let price = Mutex::new(Price::new(0.0));
        let engine = Self {
            store,
            fetcher,
            clock,
            settings,
            post: None,
            extractor: Arc::new(Nobody),
            digests,
            worker,
            profiles: Mutex::default(),
            price,
        };
        engine.reckon()?;
        Ok(engine)
    }

    /// The same engine, which also delivers notices.
    #[must_use]
    pub fn with_post(self, post: Post) -> Self {
        Self { post: Some(Arc::new(post)), ..self }
    }

    /// The same engine, which also reads documents that are no pages.
    #[must_use]
    pub fn with_extractor(self, extractor: Arc<dyn Extractor>) -> Self {
        Self { extractor, ..self }
    }

    /// What is kept.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// What can be set.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Finds the price of a visit anew, from the demands of all pages.
    pub fn reckon(&self) -> Result<Price, StoreError> {
        let demands = self.store.demands()?;
        let demands: Demands = demands
            .into_iter()
            .map(|(bits, count)| (Demand::from_bits(bits.cast_unsigned()), count))
            .collect();
        let wanted = demands.pages() as f64 * self.settings.visits_per_page / 86_400.0;
        let price = demands.price(wanted.min(self.settings.visits_per_second));
        *locked(&self.price) = price;
        Ok(price)
    }

    pub(crate) fn price(&self) -> Price {
        *locked(&self.price)
    }

    pub(crate) fn claim(&self, limit: usize) -> Claim {
        Claim {
            worker: self.worker.clone(),
            now: self.clock.now(),
            lease: self.settings.lease,
            limit,
            spacing: self.settings.spacing,
        }
    }

    /// A reader's interests, with related words, made ready. A profile that cannot be read finds nothing: it was checked when it was written.
    pub(crate) fn interests(&self, text: &str) -> Arc<Matcher> {
        let mut profiles = locked(&self.profiles);
        if let Some(matcher) = profiles.get(text) {
            return Arc::clone(matcher);
        }
        let profile = Profile::parse(text).unwrap_or_default();
        let matcher = Arc::new(Matcher::new(&profile.expand(&Reach::default())));
        if profiles.len() >= MOST_PROFILES {
            profiles.clear();
        }
        profiles.insert(text.to_owned(), Arc::clone(&matcher));
        matcher
    }
}

/// Nothing in here is left half-done by a panic.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
