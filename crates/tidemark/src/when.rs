//! Times as people write and read them, in the time zone of the machine.

use anyhow::{Result, anyhow};
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use std::time::Duration;
use tidemark_engine::clock::{Clock, System};
use tidemark_engine::span;

pub(crate) fn now() -> Timestamp {
    System.now()
}

/// A time, a day, a word, or a length before now.
pub(crate) fn parse(text: &str) -> Result<Timestamp> {
    read(text.trim(), now(), &TimeZone::system()).ok_or_else(|| {
        anyhow!("'{text}' is no time; write 2026-11-01, 2026-11-01T10:00, today, yesterday, or a length before now such as 2h")
    })
}

fn read(text: &str, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let start_of = |date: Date| date.to_zoned(zone.clone()).ok().map(|zoned| zoned.timestamp());
    let today = now.to_zoned(zone.clone()).date();
    match text {
        "now" => return Some(now),
        "today" => return start_of(today),
        "yesterday" => return start_of(today.checked_sub(1.days()).ok()?),
        _ => {}
    }
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    // A date is a date with a time to jiff's reader: the shorter form is tried first.
    if text.len() == 10 {
        return start_of(text.parse().ok()?);
    }
    if let Ok(at) = text.parse::<DateTime>() {
        return Some(at.to_zoned(zone.clone()).ok()?.timestamp());
    }
    let before = SignedDuration::try_from(span::parse(text).ok()?).ok()?;
    now.checked_sub(before).ok()
}

/// `2026-11-01 10:00:05`.
pub(crate) fn full(at: Timestamp) -> String {
    at.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// `10:00:05`.
pub(crate) fn clock(at: Timestamp) -> String {
    at.to_zoned(TimeZone::system()).strftime("%H:%M:%S").to_string()
}

/// `3m ago`, `in 2h`, `now`.
pub(crate) fn from_now(at: Timestamp) -> String {
    let away = at.duration_since(now());
    let length = rough(away.unsigned_abs());
    match away.as_secs() {
        0 => "now".to_owned(),
        seconds if seconds > 0 => format!("in {length}"),
        _ => format!("{length} ago"),
    }
}

/// One unit is enough beyond a minute.
fn rough(length: Duration) -> String {
    span::short(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_the_zone_of_the_machine() {
        let now: Timestamp = "2026-11-15T18:00:00Z".parse().unwrap();
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        for (text, at) in [
            ("2026-11-01", "2026-10-31T23:00:00Z"),
            ("2026-11-01T10:00", "2026-11-01T09:00:00Z"),
            ("2026-11-01 10:00:30", "2026-11-01T09:00:30Z"),
            ("2026-11-01T10:00:00Z", "2026-11-01T10:00:00Z"),
            ("2h", "2026-11-15T16:00:00Z"),
            ("yesterday", "2026-11-13T23:00:00Z"),
            ("today", "2026-11-14T23:00:00Z"),
        ] {
            assert_eq!(read(text, now, &zone), Some(at.parse().unwrap()), "{text}");
        }
        assert!(["", "soon", "2026-13-01", "-2h"].iter().all(|text| read(text, now, &zone).is_none()));
    }
}
