//! How values of settings are written, and read back.

use std::time::Duration;
use tidemark_engine::span;

/// What a value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    Number,
    Switch,
    Span,
    Size,
}

impl Form {
    /// In words, for docs/settings.md.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Switch => "true or false",
            Self::Span => "length of time",
            Self::Size => "bytes",
        }
    }

    /// Whether a value stands without quotes in TOML.
    pub(crate) const fn is_bare(self) -> bool {
        matches!(self, Self::Number | Self::Switch)
    }
}

const UNITS: [(&str, u64); 4] = [("G", 1 << 30), ("M", 1 << 20), ("k", 1 << 10), ("", 1)];

/// `20M` and its like; a bare number is bytes.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let wrong = || "write a number of bytes, such as 500k, 20M or 2G".to_owned();
    let text = text.trim().trim_end_matches(['B', 'b']).trim_end_matches('i');
    let unit = UNITS.iter().find(|(unit, _)| {
        !unit.is_empty() && text.to_ascii_lowercase().ends_with(&unit.to_ascii_lowercase())
    });
    let (number, unit) = unit.map_or((text, 1), |(unit, size)| (&text[..text.len() - unit.len()], *size));
    let number: u64 = number.trim().parse().map_err(|_| wrong())?;
    number.checked_mul(unit).ok_or_else(wrong)
}

/// The inverse.
pub(crate) fn size_text(bytes: u64) -> String {
    let unit = UNITS.iter().find(|(_, size)| bytes >= *size && bytes.is_multiple_of(*size));
    unit.map_or_else(|| bytes.to_string(), |(unit, size)| format!("{}{unit}", bytes / size))
}

/// A length of time, without spaces.
pub(crate) fn span_text(span: Duration) -> String {
    if span.subsec_millis() > 0 && span < Duration::from_mins(1) {
        return format!("{}ms", span.as_millis());
    }
    span::short(span).replace(' ', "")
}

pub(crate) fn number<T: std::str::FromStr + PartialOrd + std::fmt::Display>(
    text: &str,
    least: &T,
) -> Result<T, String> {
    let number = text.trim().parse().ok().filter(|number| number >= least);
    number.ok_or_else(|| format!("write a number, {least} or more"))
}

pub(crate) fn switch(text: &str) -> Result<bool, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Ok(true),
        "false" | "no" | "off" | "0" | "" => Ok(false),
        _ => Err("write true or false".to_owned()),
    }
}

/// Nothing, for an empty text.
pub(crate) fn optional<T>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    if text.trim().is_empty() { Ok(None) } else { read(text.trim()).map(Some) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_lengths_are_read_as_they_are_written() {
        for (text, bytes) in [
            ("20M", 20 << 20),
            ("500k", 500 << 10),
            ("2G", 2 << 30),
            ("17", 17),
            ("1MB", 1 << 20),
            ("1MiB", 1 << 20),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
            assert_eq!(size(&size_text(bytes)), Ok(bytes));
        }
        assert!(["", "M", "-1", "1X", "99999999999999G"].iter().all(|text| size(text).is_err()));
        for seconds in [0, 1, 90, 3600, 90_000] {
            let span = Duration::from_secs(seconds);
            assert_eq!(span::parse(&span_text(span)), Ok(span));
        }
        assert_eq!(span::parse(&span_text(Duration::from_millis(250))), Ok(Duration::from_millis(250)));
    }
}
