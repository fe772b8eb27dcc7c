//! Lengths of time as people write them: `90s`, `15m`, `2h`, `3d`, `1w`.

use std::time::Duration;

const UNITS: [(&str, u64); 5] = [("w", 604_800), ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)];

/// The two largest units: `1d 2h`, `45s`.
pub fn short(span: Duration) -> String {
    let mut seconds = span.as_secs();
    let mut parts = Vec::new();
    for (unit, size) in UNITS.iter().skip(1) {
        if seconds >= *size && parts.len() < 2 {
            parts.push(format!("{}{unit}", seconds / size));
            seconds %= size;
        } else if !parts.is_empty() {
            break;
        }
    }
    if parts.is_empty() { "0s".to_owned() } else { parts.join(" ") }
}

/// Reads one or more numbers with units; a bare number is seconds.
pub fn parse(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}' is not a length of time; write 90s, 15m, 2h, 3d or 1w");
    let mut total = Duration::ZERO;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(wrong());
    }
    while !rest.is_empty() {
        let digits = rest
            .find(|character: char| !character.is_ascii_digit() && character != '.')
            .unwrap_or(rest.len());
        let number: f64 = rest[..digits].parse().map_err(|_| wrong())?;
        let tail = rest[digits..].trim_start();
        let letters = tail.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(tail.len());
        let unit = tail[..letters].to_ascii_lowercase();
        let size = match unit.as_str() {
            "" | "s" | "sec" | "second" | "seconds" => 1.0,
            "ms" => 0.001,
            "m" | "min" | "minute" | "minutes" => 60.0,
            "h" | "hour" | "hours" => 3600.0,
            "d" | "day" | "days" => 86_400.0,
            "w" | "week" | "weeks" => 604_800.0,
            _ => return Err(wrong()),
        };
        total += Duration::try_from_secs_f64(number * size).map_err(|_| wrong())?;
        rest = tail[letters..].trim_start();
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_and_written() {
        for (text, seconds) in [
            ("90", 90),
            ("90s", 90),
            ("15m", 900),
            ("2h", 7200),
            ("1d 2h", 93_600),
            ("1w", 604_800),
            ("1.5 hours", 5400),
        ] {
            assert_eq!(parse(text).unwrap().as_secs(), seconds, "{text}");
        }
        for text in ["", "x", "5y", "-3s", "1e99999d", "..", "99999999999999999999999999w"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert_eq!(short(Duration::from_hours(26)), "1d 2h");
        assert_eq!(short(Duration::from_secs(3605)), "1h");
        assert_eq!(short(Duration::ZERO), "0s");
    }
}
