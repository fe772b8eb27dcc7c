//! One visit by a browser: a context of its own, without the cookies of others, through a proxy of its own; then the page, as a plain visit would bring it.

use super::bring::bring;
use super::launch::Running;
use super::proxy::Door;
use super::supervise::Lent;
use super::tab::{Tab, gone};
use crate::client::Inner;
use crate::connect::Target;
use crate::cookies::Jar;
use crate::gate::Pass;
use crate::visit::{heed_robots, proxy_for};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tidemark_engine::fetch::{Answer, Failure, Outcome, Timing};
use tidemark_engine::render::Step;
use tidemark_engine::request::{Request, host_of};
use tokio::time::{Instant, timeout};
use url::Url;

/// A page may load so many times what a plain answer may have on the wire.
const PARTS: u64 = 10;
/// A context that is not gone by then is killed with its browser.
const PARTING: Duration = Duration::from_secs(3);

/// What a visit brought, or that a plain one is needed: what is there is no page but a file.
pub(crate) enum Rendered {
    Page(Box<Answer>),
    File,
}

/// Shows a page in a browser.
pub(crate) async fn render(inner: &Arc<Inner>, request: &Request) -> Rendered {
    let start = Instant::now();
    let shown = prepare(inner, request).await;
    let (result, received) = match shown {
        Ok(ready) => ready.go().await,
        Err(failure) => (Err(failure), 0),
    };
    match result {
        Ok(None) => Rendered::File,
        Ok(Some(mut answer)) => {
            (answer.received, answer.timing.total) = (received, start.elapsed());
            Rendered::Page(answer)
        }
        Err(failure) => Rendered::Page(Box::new(failed(failure, received, start.elapsed()))),
    }
}

/// All that a visit needs.
struct Ready<'a> {
    inner: &'a Arc<Inner>,
    request: &'a Request,
    lent: Lent,
    door: Door,
    pass: Pass,
    crawl_delay: Option<Duration>,
}

/// Robots first, then a browser, then the gate of the host: nobody waits for a browser while holding up a host.
async fn prepare<'a>(inner: &'a Arc<Inner>, request: &'a Request) -> Result<Ready<'a>, Failure> {
    if !matches!(request.url.scheme(), "http" | "https") {
        return Err(Failure::Unsendable(format!("'{}' is neither http nor https", request.url.scheme())));
    }
    Jar::new(request)?;
    let crawl_delay = if request.robots { heed_robots(inner, request, &request.url).await? } else { None };
    let lent = inner.browsers.lend().await?;
    let most = inner.settings.wire.saturating_mul(PARTS);
    let door = Door::open(Arc::clone(inner), proxy_for(inner, request), most).await;
    let door = door.map_err(|error| Failure::Rendering(format!("its proxy does not open: {error}")))?;
    let pass = inner.gate.enter(&host_of(&request.url)).await;
    Ok(Ready { inner, request, lent, door, pass, crawl_delay })
}

impl Ready<'_> {
    async fn go(self) -> (Result<Option<Box<Answer>>, Failure>, u64) {
        let Self { inner, request, lent, door, pass, crawl_delay } = self;
        let context = open_context(lent.running(), &door).await;
        let Ok(context) = context else {
            lent.end().await;
            return (Err(gone()), 0);
        };
        let show = show(inner, request, lent.running(), &context, &door, pass);
        let mut result = inner.browsers.within(&lent, show).await;
        if let Ok(Some(answer)) = &mut result {
            answer.crawl_delay = answer.crawl_delay.max(crawl_delay);
        }
        let received = door.received();
        drop(door);
        part(inner, lent, &context).await;
        (result, received)
    }
}

async fn open_context(running: &Running, door: &Door) -> Result<String, Failure> {
    let proxy = json!({
        "disposeOnDetach": true,
        "proxyServer": format!("http://127.0.0.1:{}", door.port),
        "proxyBypassList": "<-loopback>", // nothing goes past it, not even to this machine
    });
    let made = timeout(PARTING, running.cdp.call(None, "Target.createBrowserContext", proxy)).await;
    let made = made.ok().and_then(Result::ok).ok_or_else(gone)?;
    made["browserContextId"].as_str().map(str::to_owned).ok_or_else(gone)
}

/// The context goes; a browser that cannot let it go is killed.
async fn part(inner: &Arc<Inner>, lent: Lent, context: &str) {
    let gone =
        lent.running().cdp.call(None, "Target.disposeBrowserContext", json!({"browserContextId": context}));
    match timeout(PARTING, gone).await {
        Ok(Ok(_)) => inner.browsers.give_back(lent).await,
        _ => lent.end().await,
    }
}

async fn show(
    inner: &Inner,
    request: &Request,
    running: &Running,
    context: &str,
    door: &Door,
    pass: Pass,
) -> Result<Option<Box<Answer>>, Failure> {
    let start = Instant::now();
    let ids = open_tab(running, context).await?;
    let mut tab = Tab::new(&running.cdp, ids, inner, request, pass)?;
    furnish(&mut tab, inner, request).await?;
    let navigated = tab.call("Page.navigate", json!({"url": request.url.as_str()})).await?;
    let error = navigated["errorText"].as_str().unwrap_or_default();
    if error == "net::ERR_ABORTED" || navigated["isDownload"] == json!(true) {
        return Ok(None);
    }
    if let Some(failure) = unreached(&tab, door, error, &request.url) {
        return Err(failure);
    }
    let limit = Instant::now() + request.render.patience();
    tab.quiet(limit).await?;
    if !is_page(&tab.seen.media) {
        return Ok(None);
    }
    perform(&mut tab, inner, request, limit).await?;
    let answer = bring(&mut tab, inner, request, start).await?;
    Ok(Some(Box::new(answer)))
}

/// What the reader asked to be done on the page.
async fn perform(tab: &mut Tab<'_>, inner: &Inner, request: &Request, limit: Instant) -> Result<(), Failure> {
    let render = &request.render;
    let vault = inner.browsers.settings().vault.as_ref();
    for (at, step) in render.steps.iter().enumerate() {
        tab.take(step, vault, render.patience()).await.map_err(|failure| in_step(failure, at + 1, step))?;
    }
    if let Some(element) = &render.wait_for {
        let limit = if render.steps.is_empty() { limit } else { Instant::now() + render.patience() };
        let waited = tab.wait_for(element, limit).await;
        waited.map_err(|failure| in_words(failure, &format!("waiting for {element}")))?;
    }
    Ok(())
}

async fn open_tab(running: &Running, context: &str) -> Result<[String; 2], Failure> {
    let call = |method, parameters| async move {
        running.cdp.call(None, method, parameters).await.map_err(|_| gone())
    };
    call("Browser.setDownloadBehavior", json!({"behavior": "deny", "browserContextId": context})).await?;
    let target =
        call("Target.createTarget", json!({"url": "about:blank", "browserContextId": context})).await?;
    let attached =
        call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true})).await?;
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(gone);
    Ok([text(&attached["sessionId"])?, text(&target["targetId"])?])
}

/// The tab made ready: its screen, its language, its cookies, what it says of itself.
async fn furnish(tab: &mut Tab<'_>, inner: &Inner, request: &Request) -> Result<(), Failure> {
    let device = request.render.device;
    let patterns = tab.patterns();
    for (method, parameters) in [
        ("Page.enable", json!({})),
        ("Inspector.enable", json!({})),
        ("Network.enable", json!({"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})),
        ("Network.setBypassServiceWorker", json!({"bypass": true})),
        ("Fetch.enable", json!({"patterns": patterns})),
        (
            "Emulation.setDeviceMetricsOverride",
            json!({"width": device.width, "height": device.height, "deviceScaleFactor": device.scale(), "mobile": device.mobile}),
        ),
        ("Emulation.setTouchEmulationEnabled", json!({"enabled": device.mobile})),
    ] {
        tab.call(method, parameters).await?;
    }
    if let Some(locale) = &request.render.locale {
        tab.call("Emulation.setLocaleOverride", json!({"locale": locale.replace('-', "_")})).await?;
    }
    let version = tab.call("Browser.getVersion", json!({})).await?;
    let agent =
        format!("{} {}", version["userAgent"].as_str().unwrap_or_default(), inner.settings.user_agent());
    let mut said = json!({"userAgent": agent});
    if let Some(locale) = &request.render.locale {
        said["acceptLanguage"] = locale.as_str().into();
    }
    tab.call("Emulation.setUserAgentOverride", said).await?;
    for (name, value) in &request.cookies {
        let cookie = json!({"name": name, "value": value, "url": request.url.as_str(), "secure": request.url.scheme() == "https"});
        tab.call("Network.setCookie", cookie).await?;
    }
    Ok(())
}

/// Why there is no document: what the guard or the network said of its host, else what the browser says.
fn unreached(tab: &Tab<'_>, door: &Door, error: &str, asked: &Url) -> Option<Failure> {
    let url = tab.seen.url.as_ref().unwrap_or(asked);
    let refusal = Target::of(url).and_then(|target| door.refusal(&target.authority()));
    match refusal {
        _ if error.is_empty() => None,
        Some(failure) => Some(failure),
        _ if error.contains("CERT") || error.contains("SSL") => Some(Failure::Tls(error.to_owned())),
        _ if error == "net::ERR_TOO_MANY_REDIRECTS" => Some(Failure::Redirects(tab.seen.redirects.len())),
        _ => Some(Failure::Connect(error.to_owned())),
    }
}

/// HTML, or what a browser shows as such.
fn is_page(media: &str) -> bool {
    matches!(media, "" | "text/html" | "application/xhtml+xml")
}

fn in_step(failure: Failure, number: usize, step: &Step) -> Failure {
    in_words(failure, &format!("step {number} ({step})"))
}

fn in_words(failure: Failure, what: &str) -> Failure {
    match failure {
        Failure::Rendering(reason) => Failure::Rendering(format!("{what}: {reason}")),
        other => other,
    }
}

fn failed(failure: Failure, received: u64, total: Duration) -> Answer {
    Answer {
        outcome: Outcome::Failed(failure),
        redirects: Vec::new(),
        timing: Timing { first_byte: Duration::ZERO, total },
        received,
        retry_after: None,
        crawl_delay: None,
    }
}
