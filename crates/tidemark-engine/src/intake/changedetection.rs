//! Backups of changedetection.io: an archive with `url-watches.json`, or with a `watch.json` for each watch; or one of these files itself.
//!
//! Source: what the program writes, as its documentation and its own backups show it. Histories in a backup are its own form of text, not pages, and are left out.

use super::draft::{Draft, clean};
use super::jobs::scalar;
use super::{Form, Intake, Refusal, packed};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// Names of tags by what they are called inside.
type Tags = BTreeMap<String, String>;

pub(super) fn read(bytes: &[u8], intake: &mut Intake) -> Result<(), Refusal> {
    let is_archive = bytes.starts_with(b"PK");
    let files = if is_archive {
        packed::files(bytes, |name| {
            matches!(
                name.rsplit('/').next(),
                Some("url-watches.json" | "changedetection.json" | "watch.json" | "tag.json")
            )
        })?
    } else {
        vec![("url-watches.json".to_owned(), bytes.to_vec())]
    };
    if files.is_empty() {
        let reason = "it has neither url-watches.json nor watch.json in it".to_owned();
        return Err(Refusal::Malformed { form: Form::Changedetection, reason });
    }
    let mut documents = Vec::new();
    for (name, content) in files {
        match serde_json::from_slice::<Value>(&content) {
            Ok(document) => documents.push((name, document)),
            Err(error) if is_archive => intake.problem(&name, format!("it is no JSON: {error}"))?,
            Err(error) => {
                let reason = format!("it is neither an archive nor JSON: {error}");
                return Err(Refusal::Malformed { form: Form::Changedetection, reason });
            }
        }
    }
    let tags = tags(&documents);
    for (name, document) in &documents {
        watches(name, document, &tags, intake)?;
    }
    Ok(())
}

fn watches(name: &str, document: &Value, tags: &Tags, intake: &mut Intake) -> Result<(), Refusal> {
    if let Some(Value::Object(watching)) = document.get("watching") {
        for (id, watch) in watching {
            one(id, watch, tags, intake)?;
        }
    } else if name.ends_with("watch.json") || name == "url-watches.json" {
        one(name, document, tags, intake)?;
    }
    Ok(())
}

fn tags(documents: &[(String, Value)]) -> Tags {
    let mut tags = Tags::new();
    for (_, document) in documents {
        if let Some(Value::Object(known)) = document.pointer("/settings/application/tags") {
            tags.extend(
                known.iter().filter_map(|(id, tag)| Some((id.clone(), tag.get("title").and_then(scalar)?))),
            );
        }
        if let (Some(id), Some(title), None) =
            (document.get("uuid"), document.get("title"), document.get("url"))
        {
            tags.extend(scalar(id).zip(scalar(title)));
        }
    }
    tags
}

fn one(id: &str, watch: &Value, tags: &Tags, intake: &mut Intake) -> Result<(), Refusal> {
    let Value::Object(watch) = watch else { return intake.problem(id, "it is no watch") };
    let text = |key: &str| watch.get(key).and_then(scalar).filter(|text| !text.trim().is_empty());
    let Some(url) = text("url") else { return intake.problem(id, "it has no url") };
    if url.contains("{{") || url.contains("{%") {
        return intake.problem(&url, "its address is a template");
    }
    let mut draft = Draft::new(&url);
    draft.name = text("title");
    draft.tags = tags_of(watch, tags);
    draft.method = text("method");
    draft.body = text("body");
    if let Some(Value::Object(headers)) = watch.get("headers") {
        draft.headers =
            headers.iter().filter_map(|(name, value)| Some((name.clone(), scalar(value)?))).collect();
    }
    let filters = texts(watch.get("include_filters")).into_iter().chain(text("css_filter"));
    for filter in filters {
        zone(&filter, &mut draft);
    }
    draft.exclude = texts(watch.get("subtractive_selectors"));
    draft.every = every(watch);
    remarks(watch, &mut draft);
    intake.take(draft)
}

/// A filter as a zone, where it is one.
fn zone(filter: &str, draft: &mut Draft) {
    let filter = filter.trim();
    if filter.starts_with("jq:") || filter.starts_with("jqraw:") {
        return draft.note(format!(
            "the filter '{}' is left out: jq is no zone; 'tidemark add --jq' takes it",
            clean(filter, 80)
        ));
    }
    let zone =
        filter.strip_prefix("xpath1:").map_or_else(|| filter.to_owned(), |path| format!("xpath:{path}"));
    draft.include.push(zone);
}

fn tags_of(watch: &Map<String, Value>, tags: &Tags) -> Vec<String> {
    let named = texts(watch.get("tags")).into_iter().map(|id| tags.get(&id).cloned().unwrap_or(id));
    let old = watch.get("tag").and_then(scalar).unwrap_or_default();
    named.chain(old.split(',').map(str::to_owned)).collect()
}

/// How often it was looked at, where that was said for it alone.
fn every(watch: &Map<String, Value>) -> Option<Duration> {
    if watch.get("time_between_check_use_default") == Some(&Value::Bool(true)) {
        return None;
    }
    let parts = watch.get("time_between_check")?;
    let units = [("weeks", 604_800), ("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1)];
    let seconds = units.iter().fold(0_u64, |sum, (unit, size)| {
        let count = parts.get(unit).and_then(scalar).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        sum.saturating_add(count.saturating_mul(*size))
    });
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

/// What is told and not carried over.
fn remarks(watch: &Map<String, Value>, draft: &mut Draft) {
    let is_set = |key: &str| match watch.get(key) {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(list)) => !list.is_empty(),
        Some(Value::Object(map)) => !map.is_empty(),
        Some(_) => true,
    };
    let backend = watch.get("fetch_backend").and_then(scalar).unwrap_or_default();
    if backend.contains("webdriver") || backend.contains("browser") {
        draft.note("it was opened in a browser; it is fetched here, see --render");
    }
    if is_set("paused") {
        draft.note("it was paused there; it is watched here");
    }
    for (key, told) in [
        ("notification_urls", "where it notified is left out: see 'tidemark notify add'"),
        ("browser_steps", "its browser steps are left out"),
        ("proxy", "its proxy is left out"),
        ("trigger_text", "its trigger texts are left out"),
        ("ignore_text", "its ignored texts are left out: see --except"),
        ("text_should_not_be_present", "its forbidden texts are left out"),
        ("extract_text", "its extracted texts are left out"),
    ] {
        if is_set(key) {
            draft.note(told);
        }
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(list)) => list.iter().filter_map(scalar).collect(),
        _ => Vec::new(),
    }
}
