//! A row as a line of JSON, and back: `{"watch":{"id":1,"page":1,…}}`.
//!
//! Exact in both directions. JSON that is kept as text stands in the line as it is, so that a line can be read without knowing how it is kept; what is kept in frames stands there
//! unpacked. What is no JSON although it should be, or would be taken for something else, is wrapped as `{"bytes":"base64"}`; a frame that cannot be unpacked, as `{"frame":"base64"}`.

use super::walk::{View, columns};
use crate::content::frame;
use crate::tables::{Kind, Table};
use crate::value::{Row, Value};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Writes a line, with its end.
pub(super) fn write(out: &mut Vec<u8>, table: &'static Table, row: &Row) {
    out.extend_from_slice(format!("{{\"{}\":{{", table.name).as_bytes());
    for (at, (column, value)) in columns(table, View::Told).zip(&row.0).enumerate() {
        let comma = if at > 0 { "," } else { "" };
        out.extend_from_slice(format!("{comma}\"{}\":", column.0).as_bytes());
        out.extend_from_slice(told(column.1, value).as_bytes());
    }
    out.extend_from_slice(b"}}\n");
}

/// Reads a line: the table, and the values of its columns in their order. A content is still its hash.
pub(super) fn read(line: &[u8]) -> Result<(&'static Table, Row), String> {
    type Line = BTreeMap<String, BTreeMap<String, Box<RawValue>>>;
    let mut line: Line =
        serde_json::from_slice(line).map_err(|error| format!("it is no line of ours: {error}"))?;
    let Some((name, mut values)) = line.pop_first().filter(|_| line.is_empty()) else {
        return Err("it is no line of ours: one table, one row".to_owned());
    };
    let table = Table::named(&name).ok_or_else(|| format!("'{}' is no table of ours", short(&name)))?;
    let mut row = Vec::with_capacity(table.columns.len());
    for column in columns(table, View::Told) {
        let value = values.remove(column.0).ok_or_else(|| format!("a {name} without '{}'", column.0))?;
        let value = kept(column.1, value.get());
        row.push(value.map_err(|reason| format!("'{}' of a {name}: {reason}", column.0))?);
    }
    match values.pop_first() {
        None => Ok((table, Row(row))),
        Some((other, _)) => Err(format!("a {name} has no '{}'", short(&other))),
    }
}

fn told(kind: Kind, value: &Value) -> String {
    match (kind, value) {
        (_, Value::Null) => "null".to_owned(),
        (_, Value::Int(value)) => value.to_string(),
        (Kind::Json, Value::Text(text)) => told_json(text.as_bytes()),
        (_, Value::Text(text)) => quoted(text),
        (Kind::Content, Value::Bytes(hash)) => quoted(&hex(hash)),
        (Kind::Script, Value::Bytes(frame)) => frame::unpack_alone(frame).map_or_else(
            |_| wrapped("frame", frame),
            |script| if script.is_empty() { "\"\"".to_owned() } else { told_json(&script) },
        ),
        (Kind::Visit, Value::Bytes(body)) => {
            crate::visit::unpack(body).map_or_else(|_| wrapped("frame", body), |text| told_json(&text))
        }
        (Kind::Memory, Value::Bytes(frame)) => frame::unpack_alone(frame)
            .map_or_else(|_| wrapped("frame", frame), |bytes| wrapped("bytes", &bytes)),
        (_, Value::Bytes(bytes)) => quoted(&STANDARD.encode(bytes)),
    }
}

fn kept(kind: Kind, raw: &str) -> Result<Value, String> {
    if raw == "null" {
        return Ok(Value::Null);
    }
    if let Some(frame) = unwrapped("frame", raw)? {
        return Ok(Value::Bytes(frame));
    }
    let unpacked = || unwrapped("bytes", raw).map(|bytes| bytes.unwrap_or_else(|| raw.as_bytes().to_vec()));
    let text = || serde_json::from_str::<String>(raw).map_err(|_| "it is no text".to_owned());
    let bytes = || STANDARD.decode(text()?).map_err(|_| "it is no base64".to_owned());
    let packed = |frame: Result<Vec<u8>, _>| {
        frame.map(Value::Bytes).map_err(|error: tidemark_engine::store::StoreError| error.to_string())
    };
    match kind {
        Kind::Int | Kind::Lease => raw.parse().map(Value::Int).map_err(|_| "it is no number".to_owned()),
        Kind::Text => text().map(Value::Text),
        Kind::Json => String::from_utf8(unpacked()?).map(Value::Text).map_err(|_| "it is no text".to_owned()),
        Kind::Bytes => bytes().map(Value::Bytes),
        Kind::Content => unhex(&text()?).map(Value::Bytes),
        Kind::Script if raw == "\"\"" => packed(frame::pack(b"", None, frame::QUICK)),
        Kind::Script | Kind::Memory => packed(frame::pack(&unpacked()?, None, frame::QUICK)),
        Kind::Visit => packed(crate::visit::pack(&unpacked()?)),
    }
}

/// JSON as it is, where it can be told from everything else and is one line.
fn told_json(text: &[u8]) -> String {
    let plain = std::str::from_utf8(text).ok().filter(|text| {
        let is_special = *text == "null"
            || *text == "\"\""
            || text.starts_with("{\"bytes\"")
            || text.starts_with("{\"frame\"");
        !is_special
            && !text.contains(['\n', '\r'])
            && text.trim() == *text
            && serde_json::from_str::<IgnoredAny>(text).is_ok()
    });
    plain.map_or_else(|| wrapped("bytes", text), str::to_owned)
}

fn wrapped(word: &str, bytes: &[u8]) -> String {
    format!("{{\"{word}\":\"{}\"}}", STANDARD.encode(bytes))
}

fn unwrapped(word: &str, raw: &str) -> Result<Option<Vec<u8>>, String> {
    let inner = raw
        .strip_prefix("{\"")
        .and_then(|rest| rest.strip_prefix(word))
        .and_then(|rest| rest.strip_prefix("\":\""));
    let Some(inner) = inner else { return Ok(None) };
    let inner = inner.strip_suffix("\"}").ok_or_else(|| "it is wrapped in another way".to_owned())?;
    STANDARD.decode(inner).map(Some).map_err(|_| "it is no base64".to_owned())
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Result<Vec<u8>, String> {
    blake3::Hash::from_hex(text).map(|hash| hash.as_bytes().to_vec()).map_err(|_| "it is no hash".to_owned())
}

/// A name of somebody else, to be told.
fn short(name: &str) -> String {
    name.chars().take(40).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(kind: Kind, value: &Value) -> Value {
        kept(kind, &told(kind, value)).unwrap()
    }

    #[test]
    fn every_value_comes_back() {
        for text in [
            "{\"a\":1.50}",
            "null",
            "\"\"",
            "no json",
            " {}",
            "{\n}",
            "{\"bytes\":\"AAAA\"}",
            "{\"frame\":1}",
            "[1, 2]",
            "",
        ] {
            let value = Value::Text(text.to_owned());
            assert_eq!(back(Kind::Json, &value), value, "{text}");
            assert_eq!(back(Kind::Text, &value), value, "{text}");
            let script = Value::Bytes(frame::pack(text.as_bytes(), None, frame::QUICK).unwrap());
            for kind in [Kind::Script, Kind::Memory, Kind::Bytes] {
                assert_eq!(back(kind, &script), script, "{text}");
            }
            let visit = Value::Bytes(crate::visit::pack(text.as_bytes()).unwrap());
            assert_eq!(back(Kind::Visit, &visit), visit);
            assert_eq!(
                back(Kind::Script, &Value::Bytes(text.into())),
                Value::Bytes(text.into()),
                "a damaged frame"
            );
        }
        for value in [Value::Null, Value::Int(i64::MIN)] {
            assert_eq!(back(Kind::Int, &value), value);
        }
    }

    #[test]
    fn what_is_not_ours_is_refused() {
        for line in [
            "",
            "[]",
            "{}",
            "{\"note\":{}}",
            "{\"content\":{}}",
            "{\"meta\":{\"key\":\"a\",\"value\":\"b\"}}",
            "{\"note\":{\"key\":\"a\",\"value\":\"b\",\"more\":1}}",
            "{\"note\":{\"key\":\"a\",\"value\":7}}",
            "{\"note\":{\"key\":\"a\",\"value\":\"b\"},\"host\":{}}",
            "{\"tag\":{\"tag\":\"a\",\"watch\":1.5}}",
            "{\"watch; drop table page\":{}}",
        ] {
            assert!(read(line.as_bytes()).is_err(), "{line}");
        }
        let (table, row) = read(b"{\"note\":{\"value\":\"b\",\"key\":\"a\"}}").unwrap();
        assert_eq!(
            (table.name, row.0),
            ("note", vec![Value::Text("a".to_owned()), Value::Text("b".to_owned())])
        );
    }
}
