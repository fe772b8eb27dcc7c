//! A tab: commands go out, and while their answers are waited for, what happens on the page is followed.

use super::cdp::{Cdp, Event, Fault};
use super::private::Private;
use super::seen::Seen;
use crate::client::Inner;
use crate::gate::Pass;
use crate::visit::heed_robots;
use serde_json::{Value, json};
use std::time::Duration;
use tidemark_engine::fetch::Failure;
use tidemark_engine::request::{Request, host_of};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};
use url::Url;

/// How often it is looked whether what is waited for has come.
const LOOK: Duration = Duration::from_millis(50);

/// A tab, and what was seen of it.
pub(crate) struct Tab<'a> {
    pub(crate) cdp: &'a Cdp,
    pub(crate) session: String,
    /// The main frame, which has the name of the tab.
    pub(crate) frame: String,
    pub(crate) seen: Seen,
    events: mpsc::Receiver<Event>,
    inner: &'a Inner,
    request: &'a Request,
    private: Private,
    pass: Option<Pass>,
}

impl<'a> Tab<'a> {
    pub(crate) fn new(
        cdp: &'a Cdp,
        [session, frame]: [String; 2],
        inner: &'a Inner,
        request: &'a Request,
        pass: Pass,
    ) -> Result<Self, Failure> {
        let events = cdp.events(&session);
        let private = Private::of(request)?;
        Ok(Self {
            cdp,
            session,
            frame,
            seen: Seen::default(),
            events,
            inner,
            request,
            private,
            pass: Some(pass),
        })
    }

    /// A command, with its answer.
    pub(crate) async fn call(&mut self, method: &str, parameters: Value) -> Result<Value, Failure> {
        let mut answer = self.cdp.send(Some(&self.session), method, parameters).await;
        loop {
            tokio::select! {
                biased;
                answer = &mut answer => return answer.unwrap_or(Err(Fault::Gone)).map_err(|fault| told(method, fault)),
                event = self.events.recv() => self.follow(event).await?,
            }
        }
    }

    /// A command whose answer does not matter.
    async fn tell(&self, method: &str, parameters: Value) {
        drop(self.cdp.send(Some(&self.session), method, parameters).await);
    }

    /// Lets the page go on until then.
    pub(crate) async fn idle_until(&mut self, then: Instant) -> Result<(), Failure> {
        while let Ok(event) = timeout_at(then, self.events.recv()).await {
            self.follow(event).await?;
        }
        Ok(())
    }

    pub(crate) async fn look(&mut self) -> Result<(), Failure> {
        self.idle_until(Instant::now() + LOOK).await
    }

    /// Waits until the page is there and its network quiet; at most so long, for some are never.
    pub(crate) async fn quiet(&mut self, limit: Instant) -> Result<(), Failure> {
        let start = Instant::now();
        while Instant::now() < limit && !self.seen.is_quiet(start) {
            self.look().await?;
        }
        Ok(())
    }

    /// What is asked for: which requests are shown to us before they go out.
    pub(crate) fn patterns(&self) -> Value {
        if self.private.is_empty() {
            json!([{"urlPattern": "*", "resourceType": "Document"}])
        } else {
            json!([{"urlPattern": "*"}])
        }
    }

    async fn follow(&mut self, event: Option<Event>) -> Result<(), Failure> {
        let Some(event) = event else { return Err(gone()) };
        let it = &event.parameters;
        match event.method.as_str() {
            "Fetch.requestPaused" => self.paused(it).await?,
            "Inspector.targetCrashed" => self.seen.crashed = true,
            "Page.javascriptDialogOpening" => {
                let leave = it["type"] == "beforeunload";
                self.tell("Page.handleJavaScriptDialog", json!({"accept": leave})).await;
            }
            method => self.seen.note(method, it, &self.frame),
        }
        if self.seen.crashed {
            return Err(Failure::Rendering("the page crashed its tab".to_owned()));
        }
        Ok(())
    }

    /// A request that is about to go out: documents are asked of robots, and private things are for the origin only.
    async fn paused(&mut self, it: &Value) -> Result<(), Failure> {
        let id = it["requestId"].clone();
        let url = it["request"]["url"].as_str().and_then(|url| Url::parse(url).ok());
        let is_main = it["resourceType"] == "Document" && it["frameId"] == self.frame.as_str();
        if let Some(url) = url.as_ref().filter(|_| is_main)
            && let Err(failure) = self.enter(url).await
        {
            self.tell("Fetch.failRequest", json!({"requestId": id, "errorReason": "BlockedByClient"})).await;
            return Err(failure);
        }
        if let Some(url) = url.as_ref().filter(|url| is_main && self.private.strays(url, it)) {
            return Err(Failure::Refused(format!(
                "refused to post to {}: another site asked for it; if it is right, watch that address itself",
                host_of(url)
            )));
        }
        let mut go = json!({"requestId": id});
        if let Some(url) = &url {
            self.private.add(&mut go, url, it, is_main);
        }
        self.tell("Fetch.continueRequest", go).await;
        Ok(())
    }

    /// Each document passes the doors that a plain visit passes: robots, and its host's gate.
    async fn enter(&mut self, url: &Url) -> Result<(), Failure> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Failure::Astray(url.as_str().chars().take(200).collect()));
        }
        if self.seen.redirects.len() > self.inner.settings.redirects {
            return Err(Failure::Redirects(self.inner.settings.redirects));
        }
        if self.request.url == *url && self.pass.is_some() {
            return Ok(());
        }
        self.pass = None; // never held while waiting for another
        if self.request.robots {
            let delay = heed_robots(self.inner, self.request, url).await?;
            self.seen.crawl_delay = self.seen.crawl_delay.max(delay);
        }
        self.pass = Some(self.inner.gate.enter(&host_of(url)).await);
        Ok(())
    }
}

impl Drop for Tab<'_> {
    fn drop(&mut self) {
        self.cdp.forget(&self.session);
    }
}

pub(crate) fn gone() -> Failure {
    Failure::Rendering("the browser ended".to_owned())
}

/// In the browser's words, but for what was sent to it.
fn told(method: &str, fault: Fault) -> Failure {
    match fault {
        Fault::Gone => gone(),
        Fault::Refused(_) if method.starts_with("Input.") => {
            Failure::Rendering("nothing could be typed".to_owned())
        }
        Fault::Refused(reason) => {
            Failure::Rendering(format!("{method}: {}", reason.chars().take(200).collect::<String>()))
        }
    }
}
