//! Hours in which a page may be looked at, in the time zone of whoever asked.
//!
//! A span belongs to the day it begins on and may go past midnight. Where clocks are set forward over the beginning of a span, it begins as much later; where they are
//! set back, it begins the first time the clock shows it. Zones come with the program, so that nothing depends on the files of the machine.
//! Cost: nine days times the spans, of which there are at most [`MOST_SPANS`].

mod read;

pub use read::HoursError;

use core::fmt;
use core::str::FromStr;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde::{Deserialize, Serialize};

/// More spans than this are refused.
const MOST_SPANS: usize = 32;

/// Names of the days as they are written.
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// Active hours, such as `Mon-Fri 08:00-18:00; Sat 22:00-02:00 Europe/Berlin`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hours {
    spans: Vec<Span>,
    zone: TimeZone,
}

/// From a minute of some days of the week to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    /// One bit a day, Monday first.
    days: u8,
    from: i16,
    to: i16,
}

impl Hours {
    /// This instant if it is within the hours, or else the next one that is.
    pub fn next_open(&self, at: Timestamp) -> Timestamp {
        let today = at.to_zoned(self.zone.clone()).date();
        // From yesterday, whose spans may go past midnight, to a week ahead.
        let days = (-1..=7).filter_map(|ahead| today.checked_add(ahead.days()).ok());
        let open = days.flat_map(|day| self.spans.iter().filter_map(move |span| self.on(*span, day)));
        open.filter(|(_, to)| *to > at).map(|(from, _)| from.max(at)).min().unwrap_or(at)
    }

    /// This instant if it is outside the hours, or else the next one that is; a week ahead if they never end.
    pub fn next_closed(&self, at: Timestamp) -> Timestamp {
        let today = at.to_zoned(self.zone.clone()).date();
        let days = (-1..=7).filter_map(|ahead| today.checked_add(ahead.days()).ok());
        let mut spans: Vec<_> =
            days.flat_map(|day| self.spans.iter().filter_map(move |span| self.on(*span, day))).collect();
        spans.sort_unstable();
        spans.iter().fold(at, |free, &(from, to)| if from <= free && free < to { to } else { free })
    }

    /// When a span begins and ends that belongs to this day.
    fn on(&self, span: Span, day: Date) -> Option<(Timestamp, Timestamp)> {
        let weekday = day.weekday().to_monday_zero_offset();
        (span.days >> weekday & 1 == 1).then_some(())?;
        let past = if span.to <= span.from { 1440 } else { 0 };
        Some((self.instant(day, span.from)?, self.instant(day, span.to + past)?))
    }

    fn instant(&self, day: Date, minute: i16) -> Option<Timestamp> {
        let day = day.checked_add(i64::from(minute / 1440).days()).ok()?;
        let (hour, minute) = (minute % 1440 / 60, minute % 60);
        let clock = day.at(hour as i8, minute as i8, 0, 0);
        self.zone.to_ambiguous_timestamp(clock).compatible().ok()
    }
}

impl FromStr for Hours {
    type Err = HoursError;

    fn from_str(text: &str) -> Result<Self, HoursError> {
        read::hours(text)
    }
}

impl TryFrom<String> for Hours {
    type Error = HoursError;

    fn try_from(text: String) -> Result<Self, HoursError> {
        text.parse()
    }
}

impl From<Hours> for String {
    fn from(hours: Hours) -> Self {
        hours.to_string()
    }
}

impl fmt::Display for Hours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, span) in self.spans.iter().enumerate() {
            write!(f, "{}{span}", if at > 0 { "; " } else { "" })?;
        }
        write!(f, " {}", self.zone.iana_name().unwrap_or("UTC"))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days: Vec<&str> = (0..7).filter(|day| self.days >> day & 1 == 1).map(|day| DAYS[day]).collect();
        let days = if days.len() == 7 { String::new() } else { days.join(",") + " " };
        let [from, to] = [self.from, self.to].map(|minute| format!("{:02}:{:02}", minute / 60, minute % 60));
        write!(f, "{days}{from}-{to}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opens(hours: &str, at: &str) -> String {
        let hours: Hours = hours.parse().unwrap();
        hours.next_open(at.parse().unwrap()).to_string()
    }

    #[test]
    fn within_and_without() {
        let office = "Mon-Fri 08:00-18:00 Europe/Berlin";
        // 15 July 2026 is a Wednesday; Berlin is two hours ahead.
        assert_eq!(opens(office, "2026-07-15T10:00:00Z"), "2026-07-15T10:00:00Z");
        assert_eq!(opens(office, "2026-07-15T03:00:00Z"), "2026-07-15T06:00:00Z");
        assert_eq!(opens(office, "2026-07-15T16:00:00Z"), "2026-07-16T06:00:00Z");
        assert_eq!(opens(office, "2026-07-17T17:00:00Z"), "2026-07-20T06:00:00Z");
    }

    #[test]
    fn past_midnight() {
        let night = "Fri 22:00-06:00 America/New_York";
        // Saturday, 02:00 in New York: Friday's night.
        assert_eq!(opens(night, "2026-01-17T07:00:00Z"), "2026-01-17T07:00:00Z");
        assert_eq!(opens(night, "2026-01-17T11:00:00Z"), "2026-01-24T03:00:00Z");
    }

    #[test]
    fn across_the_setting_of_clocks() {
        // Berlin sets its clocks forward on 29 March 2026, back on 25 October; New York on 8 March and 1 November.
        assert_eq!(opens("08:00-09:00 Europe/Berlin", "2026-03-28T12:00:00Z"), "2026-03-29T06:00:00Z");
        assert_eq!(opens("08:00-09:00 Europe/Berlin", "2026-10-24T12:00:00Z"), "2026-10-25T07:00:00Z");
        assert_eq!(opens("08:00-09:00 America/New_York", "2026-03-07T20:00:00Z"), "2026-03-08T12:00:00Z");
        assert_eq!(opens("08:00-09:00 America/New_York", "2026-10-31T20:00:00Z"), "2026-11-01T13:00:00Z");
        // 02:30 does not exist that night, and exists twice in the other one.
        assert_eq!(opens("02:30-05:00 Europe/Berlin", "2026-03-29T00:00:00Z"), "2026-03-29T01:30:00Z");
        assert_eq!(opens("02:30-05:00 Europe/Berlin", "2026-10-24T22:00:00Z"), "2026-10-25T00:30:00Z");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = "Mon,Tue,Wed,Thu,Fri 08:00-18:00; Sat 10:00-24:00; 23:00-01:00 Europe/Berlin";
        let hours: Hours = text.parse().unwrap();
        assert_eq!(hours.to_string(), text);
        let stored = serde_json::to_string(&hours).unwrap();
        assert_eq!(serde_json::from_str::<Hours>(&stored).unwrap(), hours);
    }

    #[test]
    fn the_ends_of_time_are_instants_too() {
        let hours: Hours = "Mon 08:00-09:00 Pacific/Apia".parse().unwrap();
        assert!(hours.next_open(Timestamp::MIN) >= Timestamp::MIN);
        assert_eq!(hours.next_open(Timestamp::MAX), Timestamp::MAX);
    }
}
