//! When notices are sent: at once, or gathered until a time.

use jiff::civil::{Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

const DAYS: [(&str, Weekday); 7] = [
    ("Mon", Weekday::Monday),
    ("Tue", Weekday::Tuesday),
    ("Wed", Weekday::Wednesday),
    ("Thu", Weekday::Thursday),
    ("Fri", Weekday::Friday),
    ("Sat", Weekday::Saturday),
    ("Sun", Weekday::Sunday),
];

/// When notices are sent; written as `at-once`, `hourly`, `daily 08:00 Europe/Berlin` or `weekly Mon 08:00`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Rhythm {
    /// At once.
    #[default]
    AtOnce,
    /// At every full hour.
    Hourly,
    /// Every day at a time.
    Daily(Clock),
    /// Every week at a time.
    Weekly(Weekday, Clock),
}

/// A time of the day somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    /// The time.
    pub time: Time,
    /// Where.
    pub zone: TimeZone,
}

/// Why a text is no rhythm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no rhythm: write at-once, hourly, daily 08:00, daily 08:00 Europe/Berlin, or weekly Mon 08:00"
)]
pub struct RhythmError(String);

impl Rhythm {
    /// When what was found now is sent; none for at once.
    pub(super) fn next(&self, at: Timestamp) -> Option<Timestamp> {
        match self {
            Self::AtOnce => None,
            Self::Hourly => {
                let full = at.as_second().div_euclid(3600).saturating_add(1).saturating_mul(3600);
                Some(Timestamp::from_second(full).unwrap_or(at))
            }
            Self::Daily(clock) => Some(clock.next(at, |_| true)),
            Self::Weekly(day, clock) => Some(clock.next(at, |date| date.weekday() == *day)),
        }
    }
}

impl Clock {
    /// The next time the clock shows it, on a day that fits. Where clocks are set forward over it, it comes as much later.
    fn next(&self, at: Timestamp, fits: impl Fn(&Zoned) -> bool) -> Timestamp {
        let today = at.to_zoned(self.zone.clone()).date();
        let on = |ahead: i64| {
            today.checked_add(ahead.days()).ok()?.to_datetime(self.time).to_zoned(self.zone.clone()).ok()
        };
        let mut days = (0..=8).filter_map(on).filter(|day| fits(day) && day.timestamp() > at);
        days.next().map_or(at, |day| day.timestamp())
    }
}

impl FromStr for Rhythm {
    type Err = RhythmError;

    fn from_str(text: &str) -> Result<Self, RhythmError> {
        let wrong = || RhythmError(text.to_owned());
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            ["at-once"] => Ok(Self::AtOnce),
            ["hourly"] => Ok(Self::Hourly),
            ["daily", clock @ ..] => Ok(Self::Daily(self::clock(clock).ok_or_else(wrong)?)),
            ["weekly", day, clock @ ..] => {
                let day = DAYS.iter().find(|(name, _)| name.eq_ignore_ascii_case(day)).ok_or_else(wrong)?;
                Ok(Self::Weekly(day.1, self::clock(clock).ok_or_else(wrong)?))
            }
            _ => Err(wrong()),
        }
    }
}

fn clock(words: &[&str]) -> Option<Clock> {
    let zone = match words {
        [_] => TimeZone::UTC,
        [_, zone] => TimeZone::get(zone).ok()?,
        _ => return None,
    };
    let (hour, minute) = words[0].split_once(':')?;
    Some(Clock { time: Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()?, zone })
}

impl fmt::Display for Rhythm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtOnce => f.write_str("at-once"),
            Self::Hourly => f.write_str("hourly"),
            Self::Daily(clock) => write!(f, "daily {clock}"),
            Self::Weekly(day, clock) => {
                let name = DAYS.iter().find(|(_, other)| other == day).map_or("Mon", |(name, _)| name);
                write!(f, "weekly {name} {clock}")
            }
        }
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.time.hour(), self.time.minute())?;
        match self.zone.iana_name() {
            Some(zone) if zone != "UTC" => write!(f, " {zone}"),
            _ => Ok(()),
        }
    }
}

impl TryFrom<String> for Rhythm {
    type Error = RhythmError;

    fn try_from(text: String) -> Result<Self, RhythmError> {
        text.parse()
    }
}

impl From<Rhythm> for String {
    fn from(rhythm: Rhythm) -> Self {
        rhythm.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(rhythm: &str, at: &str) -> String {
        rhythm.parse::<Rhythm>().unwrap().next(at.parse().unwrap()).unwrap().to_string()
    }

    #[test]
    fn the_next_time_is_the_next_time_there() {
        assert_eq!(next("hourly", "2026-03-01T10:00:00Z"), "2026-03-01T11:00:00Z");
        assert_eq!(next("daily 08:00", "2026-03-01T08:00:00Z"), "2026-03-02T08:00:00Z");
        assert_eq!(next("daily 08:00 Europe/Berlin", "2026-03-01T06:00:00Z"), "2026-03-01T07:00:00Z");
        // 2026-03-29: clocks are set from 2 to 3 in Berlin.
        assert_eq!(next("daily 02:30 Europe/Berlin", "2026-03-28T12:00:00Z"), "2026-03-29T01:30:00Z");
        assert_eq!(next("weekly Mon 09:15", "2026-03-02T09:15:00Z"), "2026-03-09T09:15:00Z");
    }

    #[test]
    fn a_rhythm_is_written_as_it_is_read() {
        for text in
            ["at-once", "hourly", "daily 08:00", "daily 23:59 Europe/Berlin", "weekly Sun 00:00 Asia/Tokyo"]
        {
            assert_eq!(text.parse::<Rhythm>().unwrap().to_string(), text);
        }
        for text in ["", "daily", "daily 25:00", "weekly 08:00", "daily 08:00 Atlantis", "sometimes"] {
            assert!(text.parse::<Rhythm>().is_err(), "{text}");
        }
    }
}
