//! What a visit brings home: the HTML as it stands, its picture, and where it led; without what was typed secretly.

use super::boxes;
use super::seen::{Seen, without_fragment};
use super::tab::Tab;
use crate::client::Inner;
use crate::retry;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use http::header::{HeaderMap, RETRY_AFTER};
use serde_json::{Value, json};
use std::time::Duration;
use tidemark_engine::fetch::{
    Answer, Failure, Fetched, Outcome, Picture, Redirect, RetryAfter, Timing, Validators,
};
use tidemark_engine::render::Step;
use tidemark_engine::request::Request;
use tokio::time::Instant;
use url::Url;

/// The longest picture, in pixels; a longer page is cut.
const TALLEST: u64 = 16_000;

/// Brings it.
pub(super) async fn bring(
    tab: &mut Tab<'_>,
    inner: &Inner,
    request: &Request,
    start: Instant,
) -> Result<Answer, Failure> {
    let most = inner.settings.unpacked;
    let with_picture = request.render.picture;
    let arguments = [json!(most), json!(with_picture), json!(boxes::most_elements())];
    let taken = tab.run(boxes::TAKE, &arguments).await?;
    if taken["large"] == json!(true) {
        return Err(Failure::TooLarge { limit: most, unpacked: true });
    }
    let html = taken["html"].as_str().ok_or_else(|| Failure::Rendering("there is no document".to_owned()))?;
    let picture = if with_picture { Some(Box::new(picture(tab, request, &taken).await?)) } else { None };
    let secrets = secrets(inner, request);
    let fetched = Fetched {
        status: tab.seen.status,
        body: scrubbed(html, &secrets).into(),
        content_type: Some("text/html; charset=utf-8".to_owned()),
        validators: Validators::default(),
        modified: None,
        picture,
    };
    let mut redirects = std::mem::take(&mut tab.seen.redirects);
    redirects.extend(moved(&taken, redirects.last().map_or(&request.url, |last| &last.to), &secrets));
    Ok(Answer {
        outcome: Outcome::Page(fetched),
        redirects,
        timing: Timing {
            first_byte: tab.seen.first_byte.map_or(Duration::ZERO, |at| at - start),
            total: Duration::ZERO,
        },
        received: 0,
        retry_after: retry_after(&tab.seen),
        crawl_delay: tab.seen.crawl_delay,
    })
}

async fn picture(tab: &mut Tab<'_>, request: &Request, taken: &Value) -> Result<Picture, Failure> {
    let device = request.render.device;
    let height = taken["height"].as_u64().unwrap_or(0).clamp(u64::from(device.height), TALLEST) as u32;
    // One pixel of the picture is one of CSS, whatever the screen.
    let scale = 1.0 / f64::from(device.scale());
    let clip = json!({"x": 0, "y": 0, "width": device.width, "height": height, "scale": scale});
    let shot = tab
        .call("Page.captureScreenshot", json!({"format": "png", "captureBeyondViewport": true, "clip": clip}))
        .await?;
    let png = BASE64_STANDARD.decode(shot["data"].as_str().unwrap_or_default()).unwrap_or_default();
    let (width, height) = size(&png).ok_or_else(|| Failure::Rendering("the picture is none".to_owned()))?;
    Ok(Picture { png: Bytes::from(png), width, height, boxes: boxes::read(taken) })
}

/// As the picture says itself.
fn size(png: &[u8]) -> Option<(u32, u32)> {
    let header = png.strip_prefix(b"\x89PNG\r\n\x1a\n")?.get(8..16)?;
    let number = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    Some((number(0)?, number(4)?))
}

/// Where steps and scripts have led, as one more redirect.
fn moved(taken: &Value, last: &Url, secrets: &[String]) -> Option<Redirect> {
    let url = taken["url"].as_str().and_then(|url| Url::parse(url).ok())?;
    let mut to = without_fragment(&url);
    let told = percent_encoding::percent_decode_str(to.as_str()).decode_utf8_lossy().replace('+', " ");
    if secrets.iter().any(|secret| told.contains(&secret.replace('+', " "))) {
        to.set_query(None); // a form that puts a password into the address
    }
    let is_page = matches!(to.scheme(), "http" | "https");
    (is_page && to != without_fragment(last)).then_some(Redirect { status: 303, to })
}

fn retry_after(seen: &Seen) -> Option<RetryAfter> {
    let headers = seen.headers.as_object()?;
    let (_, value) = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("retry-after"))?;
    retry::after(&HeaderMap::from_iter([(RETRY_AFTER, value.as_str()?.parse().ok()?)]))
}

/// What was typed secretly.
fn secrets(inner: &Inner, request: &Request) -> Vec<String> {
    let vault = inner.browsers.settings().vault.as_ref();
    let sealed = request.render.steps.iter().filter_map(|step| match step {
        Step::Secret { secret, .. } => Some(secret),
        _ => None,
    });
    let opened = sealed.filter_map(|secret| vault?.open(secret).ok());
    opened.filter(|secret| secret.chars().count() > 3).collect()
}

/// Without what was typed secretly: some pages write it into their own markup.
fn scrubbed(html: &str, secrets: &[String]) -> Vec<u8> {
    let mut html = html.to_owned();
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        html = html.replace(secret.as_str(), "•••");
    }
    html.into_bytes()
}
