//! What a service says of a message, as what it means: taken, later, or never.

use super::clean::{clean, short};
use crate::post::Word;
use crate::retry;
use http::header::LOCATION;
use jiff::Timestamp;
use serde_json::Value;
use std::time::Duration;
use tidemark_engine::courier::Refusal;
use tidemark_engine::fetch::{Failure, RetryAfter};

/// So much of what a service says is repeated.
const TOLD: usize = 200;

/// Nobody is left alone for longer, whatever they ask.
const LONGEST: Duration = Duration::from_hours(24);

/// Taken, or why not.
pub(crate) fn judge(service: &str, word: &Word) -> Result<(), Refusal> {
    let said = said(word);
    let wait = wait(word);
    match word.status {
        200..300 => Ok(()),
        300..=399 => Err(Refusal::for_good(format!(
            "{service} answered with a redirect{}: messages are not sent on to another address; give the one that it leads to",
            place(word)
        ))),
        429 => Err(Refusal { wait, ..Refusal::passing(format!("{service} asks to send less often{said}")) }),
        408 | 425 | 500.. => {
            let text = format!("{service} has trouble of its own (status {}){said}", word.status);
            Err(Refusal { wait, ..Refusal::passing(text) })
        }
        401 | 403 => Err(Refusal::for_good(format!(
            "{service} does not let us in (status {}){said}: the token is wrong or was withdrawn, or it may not write there; add the channel again with a new one",
            word.status
        ))),
        404 | 410 => Err(Refusal::for_good(format!(
            "{service} does not know the address (status {}){said}: it was deleted, or is mistyped; make a new one and add the channel again",
            word.status
        ))),
        413 => Err(Refusal::for_good(format!("{service} finds the message too large (status 413){said}"))),
        status => {
            Err(Refusal::for_good(format!("{service} did not take the message (status {status}){said}")))
        }
    }
}

/// Why nothing was sent.
pub(crate) fn unsent(service: &str, failure: &Failure) -> Refusal {
    match failure {
        // The guard says all there is to say.
        Failure::Refused(said) => Refusal::for_good(said.clone()),
        Failure::Unsendable(_) => Refusal::for_good(format!("{service}: {failure}")),
        _ => Refusal::passing(format!("{service} could not be reached: {failure}")),
    }
}

/// How long to wait, as the service says it: in a header, or in JSON of its own.
fn wait(word: &Word) -> Option<Duration> {
    let header = retry::after(&word.headers).map(|after| match after {
        RetryAfter::In(time) => time,
        RetryAfter::At(time) => time.duration_since(Timestamp::now()).try_into().unwrap_or_default(),
    });
    header.max(inner_wait(word)).map(|wait| wait.min(LONGEST))
}

fn inner_wait(word: &Word) -> Option<Duration> {
    let json: Value = serde_json::from_slice(&word.body).ok()?;
    let seconds = json["retry_after"].as_f64().or_else(|| json["parameters"]["retry_after"].as_f64());
    let seconds = seconds.or_else(|| json["retry_after_ms"].as_f64().map(|time| time / 1000.0))?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// What it says, where it says something: each service has another place for it.
fn said(word: &Word) -> String {
    let json: Option<Value> = serde_json::from_slice(&word.body).ok();
    let text = json.as_ref().and_then(|json| {
        let named = ["description", "error", "message", "errorDescription"];
        let list = json["errors"][0].as_str();
        named.iter().find_map(|name| json[*name].as_str()).or(list)
    });
    let plain = if json.is_none() { String::from_utf8_lossy(&word.body) } else { "".into() };
    // A page in place of a word is an error of somebody in between.
    let plain = if plain.trim_start().starts_with('<') { "".into() } else { plain };
    let text = short(clean(text.unwrap_or(&plain)).trim(), TOLD);
    if text.is_empty() { text } else { format!(": '{text}'") }
}

fn place(word: &Word) -> String {
    let place = word.headers.get(LOCATION).and_then(|place| place.to_str().ok());
    let host =
        place.and_then(|place| url::Url::parse(place).ok()).and_then(|url| url.host_str().map(str::to_owned));
    host.map(|host| format!(" to {host}")).unwrap_or_default()
}
