//! The fetcher: its parts, put together once and shared by all visits.

use crate::connect::Connector;
use crate::exchange::{Exchange, Limits};
use crate::gate::Gate;
use crate::guard::Guard;
use crate::pool::Pool;
use crate::resolver::{Resolver, System};
use crate::robots::Robots;
use crate::settings::{NetError, Settings};
use crate::tls::Tls;
use crate::visit::Visit;
use http::HeaderValue;
use std::fmt;
use std::sync::Arc;
use tidemark_engine::fetch::{Fetcher, Fetching, Validators};
use tidemark_engine::request::Request;

/// Fetches pages. Cheap to clone: all clones share their connections, what they know of hosts, and the limits on what runs at once. Needs a tokio runtime.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

/// What every visit uses.
pub(crate) struct Inner {
    pub(crate) settings: Settings,
    pub(crate) user_agent: HeaderValue,
    pub(crate) exchange: Exchange,
    pub(crate) gate: Gate,
    pub(crate) robots: Robots,
}

impl Client {
    /// With the resolver of the system.
    pub fn new(settings: Settings) -> Result<Self, NetError> {
        Self::with_resolver(settings, Arc::new(System))
    }

    /// With a resolver of one's own. It is believed as little as any other.
    pub fn with_resolver(settings: Settings, resolver: Arc<dyn Resolver>) -> Result<Self, NetError> {
        settings.check()?;
        let connector = Connector {
            guard: Guard::new(settings.allow.clone(), resolver),
            tls: Tls::new(&settings.roots)?,
            limit: settings.connect,
        };
        let exchange = Exchange {
            connector,
            pool: Pool::new(settings.kept, settings.kept_for),
            first_byte: settings.first_byte,
            idle: settings.idle,
        };
        Ok(Self { inner: Arc::new(Inner::new(settings, exchange)?) })
    }

    /// Its parts, for others who send.
    pub(crate) fn inner(&self) -> Arc<Inner> {
        Arc::clone(&self.inner)
    }
}

impl Inner {
    fn new(settings: Settings, exchange: Exchange) -> Result<Self, NetError> {
        let user_agent = HeaderValue::from_str(&settings.user_agent()).map_err(|_| NetError::Setting {
            name: "contact",
            value: settings.contact.clone().unwrap_or_default(),
            reason: "it cannot be sent in a header",
        })?;
        let gate = Gate::new(settings.concurrency, settings.per_host);
        Ok(Self { settings, user_agent, exchange, gate, robots: Robots::default() })
    }
}

impl Fetcher for Client {
    fn fetch<'a>(&'a self, request: &'a Request, known: &'a Validators) -> Fetching<'a> {
        let settings = &self.inner.settings;
        let limits = Limits { wire: settings.wire, unpacked: settings.unpacked, cut: false };
        Box::pin(Visit::new(&self.inner, request, known, limits).run())
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("settings", &self.inner.settings).finish_non_exhaustive()
    }
}
