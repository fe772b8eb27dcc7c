//! The jobs of urlwatch and webchanges: YAML, a document a job.
//!
//! Source: the documentation of both programs. What they do with filters and we do with zones is carried over; what has no counterpart here is told.

use super::draft::{Draft, clean};
use super::{Form, Intake, Refusal, filter};
use serde_json::{Map, Value};
use serde_saphyr::options::DuplicateKeyPolicy;

/// Keys of a job that only webchanges has.
const WEBCHANGES: [&str; 9] = [
    "use_browser",
    "data_as_json",
    "differ",
    "note",
    "no_redirects",
    "http_client",
    "monospace",
    "params",
    "suppress_repeated_errors",
];

/// Keys that need nothing: what they ask for is done anyway, or is only said.
const QUIET: [&str; 14] = [
    "kind",
    "user_visible_url",
    "timeout",
    "max_tries",
    "ignore_cached",
    "encoding",
    "note",
    "index_number",
    "guid",
    "monospace",
    "ignore_connection_errors",
    "ignore_timeout_errors",
    "ignore_too_many_redirects",
    "suppress_repeated_errors",
];

/// Whose jobs these are, if they are jobs.
pub(super) fn form(text: &str) -> Option<Form> {
    let keys = || {
        text.lines()
            .take(5000)
            .filter_map(|line| line.trim_start_matches("- ").split_once(':'))
            .map(|(key, _)| key.trim_end())
    };
    let is_job = keys().any(|key| matches!(key, "url" | "navigate" | "command"));
    let is_webchanges = keys().any(|key| WEBCHANGES.contains(&key));
    is_job.then_some(if is_webchanges { Form::Webchanges } else { Form::Urlwatch })
}

pub(super) fn read(bytes: &[u8], intake: &mut Intake) -> Result<(), Refusal> {
    let malformed = |reason: String| Refusal::Malformed { form: intake.form, reason };
    let text = std::str::from_utf8(bytes).map_err(|_| malformed("it is not UTF-8".to_owned()))?;
    let documents: Vec<Value> = serde_saphyr::from_multiple_with_options(text, options())
        .map_err(|error| malformed(clean(&error.to_string(), 300)))?;
    let jobs = documents.into_iter().flat_map(|document| match document {
        Value::Array(jobs) => jobs,
        Value::Null => Vec::new(),
        other => vec![other],
    });
    for (number, job) in jobs.enumerate() {
        match job {
            Value::Object(job) => one(&job, number + 1, intake)?,
            _ => intake.problem(&format!("job {}", number + 1), "it is no job: a mapping with a url")?,
        }
    }
    Ok(())
}

fn options() -> serde_saphyr::Options {
    let budget = serde_saphyr::budget! {
        max_documents: super::MOST,
        max_nodes: 2_000_000,
        max_events: 6_000_000,
        max_aliases: 10_000,
        max_anchors: 10_000,
        max_depth: 32,
    };
    serde_saphyr::options! {
        budget: budget,
        duplicate_keys: DuplicateKeyPolicy::LastWins,
        with_snippet: false,
    }
}

fn one(job: &Map<String, Value>, number: usize, intake: &mut Intake) -> Result<(), Refusal> {
    let text = |key: &str| job.get(key).and_then(scalar);
    let name = text("name");
    let entry = name.clone().unwrap_or_else(|| format!("job {number}"));
    if job.contains_key("command") {
        return intake.problem(&entry, "it runs a command; only web pages are watched here");
    }
    let Some(url) = text("url").or_else(|| text("navigate")) else {
        return intake.problem(&entry, "it has no url");
    };
    let mut draft = Draft::new(&url);
    draft.name = name;
    draft.tags = texts(job.get("tags"));
    draft.headers = pairs(job.get("headers"));
    draft.cookies = pairs(job.get("cookies"));
    draft.query = pairs(job.get("params"));
    draft.method = text("method");
    draft.proxy = text("https_proxy").or_else(|| text("http_proxy"));
    draft.body = posted(job);
    filter::read(job.get("filter").or_else(|| job.get("filters")), &mut draft);
    remarks(job, &mut draft);
    intake.take(draft)
}

/// What is posted: text as it is, a mapping as a form, or as JSON where that is asked for.
fn posted(job: &Map<String, Value>) -> Option<String> {
    let data = job.get("data")?;
    if job.get("data_as_json") == Some(&Value::Bool(true)) && !data.is_string() {
        return Some(data.to_string());
    }
    match data {
        Value::Object(_) => {
            let mut form = url::form_urlencoded::Serializer::new(String::new());
            form.extend_pairs(pairs(Some(data)));
            Some(form.finish())
        }
        Value::Array(_) => Some(data.to_string()),
        other => scalar(other),
    }
}

/// Everything else that a job says.
fn remarks(job: &Map<String, Value>, draft: &mut Draft) {
    let read = [
        "url",
        "navigate",
        "name",
        "tags",
        "headers",
        "cookies",
        "params",
        "method",
        "https_proxy",
        "http_proxy",
        "data",
        "data_as_json",
        "filter",
        "filters",
    ];
    for (key, value) in job {
        let key = key.as_str();
        if read.contains(&key) && key != "navigate"
            || QUIET.contains(&key)
            || *value == Value::Bool(false) && key != "enabled"
        {
            continue;
        }
        match key {
            "navigate" | "use_browser" => {
                draft.note("it was opened in a browser; it is fetched here, see --render");
            }
            "enabled" if *value == Value::Bool(false) => {
                draft.note("it was switched off there; it is watched here");
            }
            "enabled" => {}
            "ssl_no_verify" | "ssl_verify" => draft.note("certificates are always checked here"),
            "diff_filter" | "diff_filters" | "additions_only" | "deletions_only" | "differ" | "diff_tool" => {
                draft.note(format!("'{key}' is left out: changes are told as they are"));
            }
            other => draft.note(format!("'{}' is left out: nothing here answers to it", clean(other, 40))),
        }
    }
}

/// A mapping, or a list of one-entry mappings, of texts.
fn pairs(value: Option<&Value>) -> Vec<(String, String)> {
    match value {
        Some(Value::Object(map)) => {
            map.iter().filter_map(|(key, value)| Some((key.clone(), scalar(value)?))).collect()
        }
        Some(Value::Array(list)) => list
            .iter()
            .flat_map(|one| match one {
                Value::Object(_) => pairs(Some(one)),
                _ => Vec::new(),
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(list)) => list.iter().filter_map(scalar).collect(),
        Some(Value::String(text)) => text.split(',').map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// A text, or what is written like one.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}
