//! The fetcher: its parts, put together once and shared by all visits.

use crate::browser::{self, Browsers, Rendered};
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
use tidemark_core::page::Limits as PageLimits;
use tidemark_engine::content::{Content, ContentKind};
use tidemark_engine::fetch::{Answer, Fetcher, Fetching, Outcome, Validators};
use tidemark_engine::render::{self, When};
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
    pub(crate) browsers: Arc<Browsers>,
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
        let browsers = Arc::new(Browsers::new(settings.browser.clone()));
        Ok(Self { settings, user_agent, exchange, gate, robots: Robots::default(), browsers })
    }
}

impl Fetcher for Client {
    fn fetch<'a>(&'a self, request: &'a Request, known: &'a Validators) -> Fetching<'a> {
        match request.render.when {
            When::Never => Box::pin(self.plain(request, known)),
            When::Auto => Box::pin(self.where_needed(request, known)),
            When::Always => Box::pin(self.rendered(request)),
        }
    }
}

impl Client {
    fn plain<'a>(
        &'a self,
        request: &'a Request,
        known: &'a Validators,
    ) -> impl Future<Output = Answer> + Send + 'a {
        let settings = &self.inner.settings;
        let limits = Limits { wire: settings.wire, unpacked: settings.unpacked, cut: false };
        Visit::new(&self.inner, request, known, limits).run()
    }

    /// As the server sends it, or as a browser shows it if that is a shell.
    async fn where_needed(&self, request: &Request, known: &Validators) -> Answer {
        let answer = self.plain(request, known).await;
        if is_shell(&answer).await { self.rendered(request).await } else { answer }
    }

    async fn rendered(&self, request: &Request) -> Answer {
        match browser::render(&self.inner, request).await {
            Rendered::Page(answer) => *answer,
            // Not compared with a version known before: that was another's.
            Rendered::File => self.plain(request, &Validators::default()).await,
        }
    }
}

/// Whether scripts are to fill what came.
async fn is_shell(answer: &Answer) -> bool {
    let Outcome::Page(page) = &answer.outcome else { return false };
    let (body, media) = (page.body.clone(), page.content_type.clone());
    let read = move || {
        let content = Content::read(&body, media.as_deref(), PageLimits::default());
        content.kind == ContentKind::Html && content.digest.is_some_and(|page| render::is_shell(&page))
    };
    (200..300).contains(&page.status) && tokio::task::spawn_blocking(read).await.unwrap_or(false)
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("settings", &self.inner.settings).finish_non_exhaustive()
    }
}
