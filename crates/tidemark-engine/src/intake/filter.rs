//! The filters of urlwatch and webchanges: those that choose parts of a page become zones, those that only make it readable are not needed, the rest is told.

use super::draft::{Draft, clean};
use super::jobs::scalar;
use serde_json::Value;

/// Most filters of a job that are looked at.
const MANY: usize = 64;

/// What is done here anyway: what a reader sees is compared, whatever it is written like.
const NOT_NEEDED: [&str; 14] = [
    "html2text",
    "beautify",
    "strip",
    "strip_each_line",
    "strip-each-line",
    "striplines",
    "format-json",
    "format_json",
    "format-xml",
    "format_xml",
    "pretty-xml",
    "ical2text",
    "absolute_links",
    "html2md",
];

/// Reads the filters of a job: a list, or one text in the old way, `css:main,html2text`.
pub(super) fn read(filters: Option<&Value>, draft: &mut Draft) {
    match filters {
        Some(Value::Array(list)) => list.iter().take(MANY).for_each(|filter| one(filter, draft)),
        Some(Value::String(text)) => {
            for filter in text.split(',').take(MANY) {
                let (name, value) = filter.split_once(':').unwrap_or((filter, ""));
                apply(name.trim(), &Value::from(value), draft);
            }
        }
        Some(map @ Value::Object(_)) => one(map, draft),
        _ => {}
    }
}

fn one(filter: &Value, draft: &mut Draft) {
    match filter {
        Value::String(name) => apply(name, &Value::Null, draft),
        Value::Object(map) => map.iter().take(MANY).for_each(|(name, value)| apply(name, value, draft)),
        _ => draft.note("a filter that is neither a name nor a mapping is left out"),
    }
}

fn apply(name: &str, value: &Value, draft: &mut Draft) {
    let chosen = |keys: &[&str]| match value {
        Value::Object(map) => keys.iter().find_map(|key| map.get(*key)).and_then(scalar),
        other => scalar(other).filter(|text| !text.is_empty()),
    };
    let zone = match name {
        "css" => chosen(&["selector"]).map(|css| format!("css:{css}")),
        "xpath" => chosen(&["path"]).map(|path| format!("xpath:{path}")),
        "jsonpath" | "json_path" => chosen(&["path", "query"]).map(|path| format!("json:{path}")),
        "element-by-id" => chosen(&["id"]).map(|id| format!("css:[id={}]", quoted(&id))),
        "element-by-class" => chosen(&["class"]).map(|class| format!("css:[class~={}]", quoted(&class))),
        "element-by-tag" => chosen(&["tag"]).map(|tag| format!("css:{tag}")),
        _ if NOT_NEEDED.contains(&name) => return,
        _ => None,
    };
    let Some(zone) = zone else {
        return draft
            .note(format!("the filter '{}' is left out: nothing here answers to it", clean(name, 40)));
    };
    if let Some(exclude) = value.get("exclude").and_then(scalar) {
        let grammar = if name == "xpath" { "xpath" } else { "css" };
        draft.exclude.push(format!("{grammar}:{exclude}"));
    }
    if draft.include.is_empty() {
        draft.include.push(zone);
    } else {
        draft.note(format!(
            "the filter '{}' works on what the one before it left; both are looked at here",
            clean(&zone, 80)
        ));
        draft.include.push(zone);
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
