//! Hours as text: spans apart by `;`, each with its days or for every day, then one time zone.

use super::{DAYS, Hours, MOST_SPANS, Span};
use jiff::tz::{TimeZone, TimeZoneDatabase};

/// Every day of the week.
const DAILY: u8 = 0b111_1111;

/// Why active hours were not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HoursError {
    /// Nothing there.
    #[error("no active hours given; write them as in 'Mon-Fri 08:00-18:00 Europe/Berlin'")]
    Empty,
    /// Too many spans.
    #[error("more than {MOST_SPANS} spans of active hours; join some of them")]
    TooMany,
    /// A span without its time.
    #[error("'{0}' is no span of hours; write days, then from-to, as in 'Mon-Fri 08:00-18:00'")]
    Span(String),
    /// No day of the week.
    #[error("'{0}' is no day; use Mon, Tue, Wed, Thu, Fri, Sat and Sun, as in 'Mon-Fri' or 'Sat,Sun'")]
    Day(String),
    /// No time of day.
    #[error("'{0}' is no time of day; write it as in 08:30, from 00:00 to 24:00")]
    Time(String),
    /// A span of no length.
    #[error("'{0}' ends where it begins; write 00:00-24:00 for all day")]
    Nothing(String),
    /// No time zone, or none of that name.
    #[error("'{0}' is no time zone; put one at the end, as in 'Europe/Berlin' or 'UTC'")]
    Zone(String),
}

pub(super) fn hours(text: &str) -> Result<Hours, HoursError> {
    let text = text.trim();
    let (spans, zone) = text.rsplit_once(char::is_whitespace).unwrap_or(("", text));
    if text.is_empty() {
        return Err(HoursError::Empty);
    }
    let zone = self::zone(zone)?;
    let spans: Vec<&str> = spans.split(';').take(MOST_SPANS + 1).collect();
    if spans.len() > MOST_SPANS {
        return Err(HoursError::TooMany);
    }
    Ok(Hours { spans: spans.into_iter().map(span).collect::<Result<_, _>>()?, zone })
}

fn zone(name: &str) -> Result<TimeZone, HoursError> {
    TimeZoneDatabase::bundled().get(name).map_err(|_| HoursError::Zone(shown(name)))
}

fn span(text: &str) -> Result<Span, HoursError> {
    let text = text.trim();
    let (days, time) = text.rsplit_once(char::is_whitespace).unwrap_or(("", text));
    let (from, to) = time.split_once('-').ok_or_else(|| HoursError::Span(shown(text)))?;
    let (from, to) = (minute(from)?, minute(to)?);
    if from == to || from == 1440 {
        return Err(HoursError::Nothing(shown(time)));
    }
    Ok(Span { days: self::days(days)?, from, to })
}

fn days(text: &str) -> Result<u8, HoursError> {
    if text.trim().is_empty() || text.trim().eq_ignore_ascii_case("daily") {
        return Ok(DAILY);
    }
    text.split(',').try_fold(0, |days, part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (day(first)?, day(last)?);
        // Sat-Mon goes round the end of the week.
        let run = (0..=(last + 7 - first) % 7).map(|ahead| 1 << ((first + ahead) % 7));
        Ok(days | run.fold(0, |days, day| days | day))
    })
}

fn day(text: &str) -> Result<u8, HoursError> {
    let name = text.trim();
    let found = DAYS.iter().position(|day| day.eq_ignore_ascii_case(name));
    found.map(|day| day as u8).ok_or_else(|| HoursError::Day(shown(name)))
}

fn minute(text: &str) -> Result<i16, HoursError> {
    let wrong = || HoursError::Time(shown(text.trim()));
    let (hour, minute) = text.trim().split_once(':').ok_or_else(wrong)?;
    let number = |digits: &str| {
        let sound = (1..=2).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit());
        if sound { digits.parse::<i16>().ok() } else { None }
    };
    match (number(hour), number(minute)) {
        (Some(hour), Some(minute)) if minute < 60 && hour * 60 + minute <= 1440 => Ok(hour * 60 + minute),
        _ => Err(wrong()),
    }
}

/// As much of a text as belongs in a message.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> HoursError {
        text.parse::<Hours>().unwrap_err()
    }

    #[test]
    fn days_in_all_ways() {
        assert_eq!(days("Mon-Fri").unwrap(), 0b001_1111);
        assert_eq!(days("sat,SUN").unwrap(), 0b110_0000);
        assert_eq!(days("Sat-Mon").unwrap(), 0b110_0001);
        assert_eq!(days("Mon, Wed-Thu").unwrap(), 0b000_1101);
        assert_eq!(days("daily").unwrap(), DAILY);
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(wrong("  "), HoursError::Empty);
        assert_eq!(wrong("Mon-Fri 08:00-18:00"), HoursError::Zone("08:00-18:00".to_owned()));
        assert_eq!(wrong("Mon 8-18 UTC"), HoursError::Time("8".to_owned()));
        assert_eq!(wrong("Mon 08:00-25:00 UTC"), HoursError::Time("25:00".to_owned()));
        assert_eq!(wrong("Mond 08:00-18:00 UTC"), HoursError::Day("Mond".to_owned()));
        assert_eq!(wrong("Mon UTC"), HoursError::Span("Mon".to_owned()));
        assert_eq!(wrong("08:00-08:00 UTC"), HoursError::Nothing("08:00-08:00".to_owned()));
        assert_eq!(wrong("08:00-18:00 Mars/Olympus"), HoursError::Zone("Mars/Olympus".to_owned()));
        assert_eq!(wrong(&format!("{} UTC", "08:00-09:00;".repeat(99))), HoursError::TooMany);
        assert!(wrong("Mon 08:00-18:00 Nowhere").to_string().contains("put one at the end"));
    }
}
