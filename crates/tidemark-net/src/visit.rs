//! One visit: robots, redirects, cookies, and what it all came to. Every hop passes the same doors as the first.
//!
//! On redirects (RFC 9110, section 15.4): 303 turns a POST into a GET, and so do 301 and 302, as browsers do; 307 and 308 do not. What belongs to the
//! origin of the request (credentials, its headers, what it posts) never goes to another one, also not when the way leads back:
//! then another site chose what is asked. Validators are sent only to the URL that gave them.

use crate::ask::Ask;
use crate::client::Inner;
use crate::cookies::Jar;
use crate::exchange::{Limits, Reply};
use crate::headers;
use crate::proxy::{self, Proxy};
use crate::retry;
use crate::robots;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, ETAG, HeaderName, LAST_MODIFIED, LOCATION};
use http::{HeaderMap, Method};
use std::pin::Pin;
use std::time::Duration;
use tidemark_engine::fetch::{Answer, Failure, Fetched, Outcome, Phase, Redirect, Timing, Validators};
use tidemark_engine::request::{self, Request, host_of};
use tokio::time::{Instant, timeout};
use url::Url;

/// So much of a place that is none is told.
const TOLD: usize = 200;

/// A visit under way.
pub(crate) struct Visit<'a> {
    inner: &'a Inner,
    request: &'a Request,
    known: &'a Validators,
    limits: Limits,
    url: Url,
    method: Method,
    jar: Jar,
    /// Whether it has been at another origin than the request's.
    strayed: bool,
    /// Time under way, without waiting for one's turn.
    spent: Duration,
    answer: Answer,
}

enum Step {
    There(Outcome),
    Further(Redirect),
}

impl<'a> Visit<'a> {
    pub(crate) fn new(inner: &'a Inner, request: &'a Request, known: &'a Validators, limits: Limits) -> Self {
        let method = match request.method {
            request::Method::Get => Method::GET,
            request::Method::Post => Method::POST,
        };
        let mut url = request.url.clone();
        url.set_fragment(None);
        Self {
            inner,
            request,
            known,
            limits,
            url,
            method,
            jar: Jar::default(),
            strayed: false,
            spent: Duration::ZERO,
            answer: nothing(),
        }
    }

    /// Goes, and comes back with an answer.
    pub(crate) async fn run(mut self) -> Answer {
        let outcome = self.go().await;
        self.answer.outcome = outcome.unwrap_or_else(Outcome::Failed);
        self.answer.timing.total = self.spent;
        self.answer
    }

    async fn go(&mut self) -> Result<Outcome, Failure> {
        if !matches!(self.url.scheme(), "http" | "https") {
            return Err(Failure::Unsendable(format!("'{}' is neither http nor https", self.url.scheme())));
        }
        if self.request.proxy.as_ref().is_some_and(|proxy| !proxy::is_spoken(proxy)) {
            return Err(Failure::Unsendable("its proxy is neither http, https nor socks5".into()));
        }
        self.jar = Jar::new(self.request)?;
        loop {
            // The file with the rules is not under them (RFC 9309, section 2.2.2).
            if self.request.robots && self.url.path() != "/robots.txt" {
                self.heed_robots().await?;
            }
            match self.hop().await? {
                Step::There(outcome) => return Ok(outcome),
                Step::Further(redirect) => self.follow(redirect)?,
            }
        }
    }

    /// Asks the host of the current URL whether it may be visited.
    async fn heed_robots(&mut self) -> Result<(), Failure> {
        let delay = heed_robots(self.inner, self.request, &self.url).await?;
        self.answer.crawl_delay = self.answer.crawl_delay.max(delay);
        Ok(())
    }

    /// One exchange, when it is its turn and within the time that is left.
    async fn hop(&mut self) -> Result<Step, Failure> {
        let _pass = self.inner.gate.enter(&host_of(&self.url)).await;
        let start = Instant::now();
        let total = self.inner.settings.total;
        let before = self.spent;
        let step = timeout(total.saturating_sub(before), self.exchange(start, before)).await;
        self.spent = before + start.elapsed();
        step.unwrap_or(Err(Failure::TimedOut { phase: Phase::End, limit: total }))
    }

    async fn exchange(&mut self, start: Instant, before: Duration) -> Result<Step, Failure> {
        let (ask, compared) = self.ask()?;
        let reply = self.inner.exchange.ask(&ask).await?;
        self.answer.timing.first_byte = before + start.elapsed();
        self.answer.retry_after = retry::after(&reply.headers);
        self.answer.received = 0;
        if let Some(redirect) = self.redirect(&reply)? {
            self.jar.learn(&self.url, &reply.headers);
            self.inner.exchange.skip(reply).await;
            return Ok(Step::Further(redirect));
        }
        match reply.status {
            304 => {
                self.inner.exchange.skip(reply).await;
                if compared { Ok(Step::There(Outcome::Unchanged)) } else { Err(Failure::Unasked) }
            }
            100..200 => Err(Failure::Garbled(format!("status {} where an answer should be", reply.status))),
            _ => self.page(reply).await.map(Step::There),
        }
    }

    async fn page(&mut self, reply: Reply) -> Result<Outcome, Failure> {
        let status = reply.status;
        let content_type = text(&reply.headers, CONTENT_TYPE);
        let modified = retry::modified(&reply.headers);
        let validators = self.validators(&reply.headers);
        let body = self.inner.exchange.read(reply, self.limits, &mut self.answer.received).await?;
        Ok(Outcome::Page(Fetched { status, body, content_type, validators, modified, picture: None }))
    }

    /// What is sent, and whether it asks for a comparison.
    fn ask(&self) -> Result<(Ask, bool), Failure> {
        let mut headers = headers::general(&self.inner.user_agent);
        if !self.strayed {
            headers::add_private(&mut headers, self.request)?;
            headers::add_media(&mut headers, self.request, &self.method)?;
        }
        headers::add_cookies(&mut headers, &self.jar.header(&self.url))?;
        let asked_here = self.known.url.as_ref().unwrap_or(&self.request.url) == &self.url;
        let comparable = asked_here && self.method == Method::GET;
        let compared = comparable && headers::add_validators(&mut headers, self.known);
        let body = self.request.body.as_ref().filter(|_| self.method == Method::POST);
        let body = body.map_or_else(Bytes::new, |body| Bytes::copy_from_slice(body.text.as_bytes()));
        let ask =
            Ask { url: self.url.clone(), method: self.method.clone(), headers, body, proxy: self.proxy() };
        Ok((ask, compared))
    }

    fn proxy(&self) -> Option<Proxy> {
        proxy_for(self.inner, self.request)
    }

    /// Where an answer sends us, if it does.
    fn redirect(&self, reply: &Reply) -> Result<Option<Redirect>, Failure> {
        let (301 | 302 | 303 | 307 | 308, Some(place)) = (reply.status, reply.headers.get(LOCATION)) else {
            return Ok(None);
        };
        let place = String::from_utf8_lossy(place.as_bytes());
        let astray = || Failure::Astray(place.chars().take(TOLD).collect());
        let mut to = self.url.join(&place).map_err(|_| astray())?;
        if !matches!(to.scheme(), "http" | "https") {
            return Err(astray());
        }
        // A name and password that a site writes into an address are not ours to send.
        let _ = (to.set_username(""), to.set_password(None));
        to.set_fragment(None);
        Ok(Some(Redirect { status: reply.status, to }))
    }

    fn follow(&mut self, redirect: Redirect) -> Result<(), Failure> {
        if self.answer.redirects.len() == self.inner.settings.redirects {
            return Err(Failure::Redirects(self.inner.settings.redirects));
        }
        self.strayed |= redirect.to.origin() != self.request.url.origin();
        let again = matches!(redirect.status, 307 | 308);
        if self.method == Method::POST && again && self.strayed {
            return Err(Failure::Refused(format!(
                "refused to post to {}: {} asked for it, another site; if it is right, watch that address itself",
                host_of(&redirect.to),
                host_of(&self.url)
            )));
        }
        if !again {
            self.method = Method::GET;
        }
        self.url = redirect.to.clone();
        self.answer.redirects.push(redirect);
        Ok(())
    }

    fn validators(&self, headers: &HeaderMap) -> Validators {
        let moved = self.url != self.request.url;
        Validators {
            etag: text(headers, ETAG),
            last_modified: text(headers, LAST_MODIFIED),
            url: moved.then(|| self.url.clone()),
        }
    }
}

/// The page's own proxy goes before the operator's.
pub(crate) fn proxy_for(inner: &Inner, request: &Request) -> Option<Proxy> {
    let own = request.proxy.clone().map(|url| Proxy { url, trusted: false });
    own.or_else(|| inner.settings.proxy.clone().map(|url| Proxy { url, trusted: true }))
}

/// Asks a host whether a page may be visited; the pause that it asks for.
pub(crate) async fn heed_robots(
    inner: &Inner,
    request: &Request,
    url: &Url,
) -> Result<Option<Duration>, Failure> {
    let mut file = Request::get(url.as_str()).map_err(|error| Failure::Unsendable(error.to_string()))?;
    file.url.set_path("/robots.txt");
    file.url.set_query(None);
    file.robots = false;
    file.credentials = None;
    file.proxy.clone_from(&request.proxy);
    inner.robots.check(url, fetch_robots(inner, &file)).await
}

/// A visit to a `robots.txt`: a type of its own, since visits make visits.
fn fetch_robots<'a>(
    inner: &'a Inner,
    file: &'a Request,
) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
    const NOTHING: &Validators = &Validators { etag: None, last_modified: None, url: None };
    let limits = Limits { wire: robots::LONGEST, unpacked: robots::LONGEST, cut: true };
    Box::pin(Visit::new(inner, file, NOTHING, limits).run())
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

fn nothing() -> Answer {
    Answer {
        outcome: Outcome::Unchanged,
        redirects: Vec::new(),
        timing: Timing::default(),
        received: 0,
        retry_after: None,
        crawl_delay: None,
    }
}
