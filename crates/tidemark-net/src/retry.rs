//! Times that a server writes into headers: `Retry-After` and `Last-Modified` (RFC 9110, sections 10.2.3 and 5.6.7).

use http::HeaderMap;
use http::header::{HeaderName, LAST_MODIFIED, RETRY_AFTER};
use jiff::Timestamp;
use std::time::Duration;
use tidemark_engine::fetch::RetryAfter;

/// Nobody is asked to wait longer than this.
const LONGEST: Duration = Duration::from_hours(366 * 24);

/// When to come again, where the server says something that makes sense.
pub(crate) fn after(headers: &HeaderMap) -> Option<RetryAfter> {
    let text = text(headers, RETRY_AFTER)?;
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let seconds = text.parse().map_or(LONGEST, Duration::from_secs);
        return Some(RetryAfter::In(seconds.min(LONGEST)));
    }
    time(text).map(RetryAfter::At)
}

/// When the page was last modified, as a time.
pub(crate) fn modified(headers: &HeaderMap) -> Option<Timestamp> {
    time(text(headers, LAST_MODIFIED)?)
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

fn time(text: &str) -> Option<Timestamp> {
    Timestamp::try_from(httpdate::parse_http_date(text).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<RetryAfter> {
        after(&HeaderMap::from_iter([(RETRY_AFTER, text.parse().ok()?)]))
    }

    #[test]
    fn seconds_and_dates_are_understood() {
        assert_eq!(of("120"), Some(RetryAfter::In(Duration::from_mins(2))));
        assert_eq!(of(" 0 "), Some(RetryAfter::In(Duration::ZERO)));
        let time = "1994-11-06T08:49:37Z".parse().unwrap();
        for date in
            ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
        {
            assert_eq!(of(date), Some(RetryAfter::At(time)), "{date}");
        }
    }

    #[test]
    fn nonsense_is_not() {
        for text in ["", "soon", "-5", "1.5", "1e9", "0x10", "Sun, 99 Nov 1994 08:49:37 GMT", "٣"] {
            assert_eq!(of(text), None, "{text}");
        }
        assert_eq!(of("99999999999999999999999999"), Some(RetryAfter::In(LONGEST)));
    }
}
