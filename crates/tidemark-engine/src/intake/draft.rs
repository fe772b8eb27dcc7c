//! A watch in the making, from the words of somebody else's file.

use super::{Problem, Proposed};
use crate::request::{Body, Method, Request};
use crate::watch::{NewWatch, Wish};
use std::time::Duration;
use tidemark_core::page::zone::{ZoneSpec, Zones};
use tidemark_core::revisit::Bounds;

/// Longest name and tag that are kept, in letters.
const NAME: usize = 120;
const TAG: usize = 60;
/// Most tags, zones and headers of a watch.
const MANY: usize = 32;
/// Longest address, header, body.
const LONG: usize = 1 << 16;

/// A watch in the making.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) url: String,
    pub(super) name: Option<String>,
    pub(super) tags: Vec<String>,
    pub(super) include: Vec<String>,
    pub(super) exclude: Vec<String>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) cookies: Vec<(String, String)>,
    pub(super) method: Option<String>,
    pub(super) body: Option<String>,
    pub(super) query: Vec<(String, String)>,
    pub(super) proxy: Option<String>,
    pub(super) every: Option<Duration>,
    pub(super) notes: Vec<String>,
}

impl Draft {
    pub(super) fn new(url: &str) -> Self {
        Self { url: url.trim().to_owned(), ..Self::default() }
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        if self.notes.len() < MANY {
            self.notes.push(note.into());
        }
    }

    /// The watch, if it can be watched.
    pub(super) fn finish(mut self) -> Result<Proposed, Problem> {
        match self.request() {
            Ok(request) => {
                let wish = self.wish();
                Ok(Proposed { new: NewWatch { request, wish }, notes: self.notes })
            }
            Err(reason) => Err(Problem { entry: clean(&self.url, 200), reason }),
        }
    }

    fn request(&mut self) -> Result<Request, String> {
        if self.url.len() > LONG || self.body.as_ref().is_some_and(|body| body.len() > LONG) {
            return Err("its address or what it posts is too long".to_owned());
        }
        if self.url.is_empty() {
            return Err("it has no address".to_owned());
        }
        let mut request = Request::get(&self.url).map_err(|error| clean(&error.to_string(), 200))?;
        for (name, value) in std::mem::take(&mut self.query) {
            request.url.query_pairs_mut().append_pair(&name, &value);
        }
        request.headers = self.headers();
        request.cookies = std::mem::take(&mut self.cookies);
        request.cookies.retain(|(name, value)| !name.is_empty() && is_plain(name) && is_plain(value));
        request.body = self.posted(&mut request.headers);
        request.method = match self.method.as_deref().map(str::to_ascii_uppercase).as_deref() {
            Some("GET") | None if request.body.is_none() => Method::Get,
            Some("POST") | None => Method::Post,
            Some(other) => {
                return Err(format!("it is asked for by {}, which is not spoken here", clean(other, 20)));
            }
        };
        request.proxy = self.proxy.take().and_then(|proxy| proxy.parse().ok());
        Ok(request)
    }

    fn headers(&mut self) -> Vec<(String, String)> {
        let mut headers = std::mem::take(&mut self.headers);
        let sendable = |name: &str| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
        };
        let before = headers.len();
        headers.retain(|(name, value)| sendable(name) && is_plain(value));
        headers.truncate(MANY);
        if headers.len() < before {
            self.note("headers that cannot be sent are left out");
        }
        headers
    }

    fn posted(&mut self, headers: &mut Vec<(String, String)>) -> Option<Body> {
        let text = self.body.take().filter(|text| !text.is_empty())?;
        let named = headers.iter().position(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        let is_json = text.trim_start().starts_with(['{', '[']);
        let guess = if is_json { "application/json" } else { "application/x-www-form-urlencoded" };
        Some(Body { media: named.map_or_else(|| guess.to_owned(), |at| headers.remove(at).1), text })
    }

    fn wish(&mut self) -> Wish {
        let tags = std::mem::take(&mut self.tags);
        let tags = tags.iter().map(|tag| clean(tag, TAG)).filter(|tag| !tag.is_empty()).take(MANY);
        let zones = Zones { include: self.zones(true), exclude: self.zones(false) };
        Wish { name: self.named(), tags: tags.collect(), zones, bounds: self.bounds(), ..Wish::default() }
    }

    fn zones(&mut self, include: bool) -> Vec<ZoneSpec> {
        let written = std::mem::take(if include { &mut self.include } else { &mut self.exclude });
        let mut zones = Vec::new();
        for zone in written.iter().filter(|zone| !zone.trim().is_empty()).take(MANY) {
            match ZoneSpec::parse(zone) {
                Ok(spec) => zones.push(spec),
                Err(error) => self.note(format!("the filter '{}' is left out: {error}", clean(zone, 80))),
            }
        }
        zones
    }

    /// A name that can be typed and means nothing else.
    fn named(&mut self) -> Option<String> {
        let name = clean(&self.name.take()?, NAME);
        let is_other = name.parse::<i64>().is_ok() || name.starts_with("tag:") || name.contains('@');
        if is_other {
            self.note(format!("it cannot be called '{name}': numbers, tag:… and @ mean something else"));
        }
        (!is_other && !name.is_empty() && name != self.url).then_some(name)
    }

    fn bounds(&self) -> Option<Bounds> {
        let every = self.every?.clamp(Duration::from_secs(1), Duration::from_hours(24 * 365));
        Some(Bounds::new(every, every))
    }
}

/// Somebody else's words: one line, no control characters, not too long.
pub(super) fn clean(text: &str, most: usize) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let mut clean = String::new();
    for word in words {
        if !clean.is_empty() {
            clean.push(' ');
        }
        clean.push_str(word);
        if clean.len() > most * 4 {
            break;
        }
    }
    clean.chars().take(most).collect()
}

/// What may stand in a header.
fn is_plain(text: &str) -> bool {
    text.len() <= LONG && !text.chars().any(char::is_control)
}
