//! How long a track is kept. Milestones stay: the first version, the last, one a day, one a month.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What a page may keep. Where several limits are set, all of them hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Retention {
    /// Versions older than this go, unless they are milestones.
    pub age: Option<Duration>,
    /// At most so many versions; milestones go last, the first and the last version never.
    pub versions: Option<u32>,
    /// At most so many bytes as stored; milestones go last, the first and the last version never.
    pub bytes: Option<u64>,
    /// Visits older than this go.
    pub visits: Option<Duration>,
}

/// A version that is kept until now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its number.
    pub version: u32,
    /// When it was first seen.
    pub at: Timestamp,
    /// Bytes as stored.
    pub bytes: u64,
    /// Whether somebody still has to read it: then it stays.
    pub needed: bool,
}

/// What was let go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Freed {
    /// Versions.
    pub versions: u64,
    /// Visits.
    pub visits: u64,
    /// Bytes as stored.
    pub bytes: u64,
}

/// What a version is worth, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    Plain,
    /// The last of its day, by UTC.
    Day,
    /// The last of its month.
    Month,
    /// The first or the last of all, or one that somebody still has to read.
    Always,
}

impl Retention {
    /// The versions to let go, in order. Given are all that a page has, oldest first.
    pub fn let_go(&self, versions: &[Kept], now: Timestamp) -> Vec<u32> {
        let worth = worth(versions);
        let mut gone = BTreeSet::new();
        if let Some(age) = self.age {
            let old = |kept: &Kept| now.duration_since(kept.at).unsigned_abs() > age && kept.at < now;
            let plain = versions.iter().zip(&worth).filter(|(_, worth)| **worth == Worth::Plain);
            gone.extend(plain.filter(|(kept, _)| old(kept)).map(|(kept, _)| kept.version));
        }
        self.within_limits(versions, &worth, &mut gone);
        gone.into_iter().collect()
    }

    /// Lets go the least worth, oldest first, until what is left is within the limits.
    fn within_limits(&self, versions: &[Kept], worth: &[Worth], gone: &mut BTreeSet<u32>) {
        let left: Vec<_> =
            versions.iter().zip(worth).filter(|(kept, _)| !gone.contains(&kept.version)).collect();
        let mut count = left.len() as u64;
        let mut bytes: u64 = left.iter().map(|(kept, _)| kept.bytes).sum();
        let mut order: Vec<_> = left.into_iter().filter(|(_, worth)| **worth != Worth::Always).collect();
        order.sort_by_key(|(kept, worth)| (**worth, kept.version));
        for (kept, _) in order {
            let too_many = self.versions.is_some_and(|limit| count > u64::from(limit));
            let too_large = self.bytes.is_some_and(|limit| bytes > limit);
            if !too_many && !too_large {
                break;
            }
            count -= 1;
            bytes -= kept.bytes;
            gone.insert(kept.version);
        }
    }
}

fn worth(versions: &[Kept]) -> Vec<Worth> {
    let days: Vec<Date> = versions.iter().map(|kept| kept.at.to_zoned(TimeZone::UTC).date()).collect();
    let mut last_of_day = BTreeMap::new();
    let mut last_of_month = BTreeMap::new();
    for (at, day) in days.iter().enumerate() {
        last_of_day.insert(*day, at);
        last_of_month.insert(day.first_of_month(), at);
    }
    let worth = |(at, kept): (usize, &Kept)| {
        let day = days[at];
        if at == 0 || at + 1 == versions.len() || kept.needed {
            Worth::Always
        } else if last_of_month.get(&day.first_of_month()) == Some(&at) {
            Worth::Month
        } else if last_of_day.get(&day) == Some(&at) {
            Worth::Day
        } else {
            Worth::Plain
        }
    };
    versions.iter().enumerate().map(worth).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(times: &[&str]) -> Vec<Kept> {
        let kept = |(at, time): (usize, &&str)| Kept {
            version: at as u32 + 1,
            at: format!("{time}:00Z").parse().unwrap(),
            bytes: 100,
            needed: false,
        };
        times.iter().enumerate().map(kept).collect()
    }

    fn now() -> Timestamp {
        "2026-03-01T00:00:00Z".parse().unwrap()
    }

    const TIMES: [&str; 8] = [
        "2026-01-01T08:00", // the first
        "2026-01-01T09:00",
        "2026-01-01T10:00", // last of a day
        "2026-01-02T08:00",
        "2026-01-02T09:00", // last of a month
        "2026-02-03T08:00",
        "2026-02-03T09:00", // last of a day
        "2026-02-04T08:00", // the last
    ];

    #[test]
    fn without_limits_all_stays() {
        assert!(Retention::default().let_go(&kept(&TIMES), now()).is_empty());
    }

    #[test]
    fn age_takes_all_but_milestones() {
        let retention = Retention { age: Some(Duration::from_hours(24)), ..Retention::default() };
        assert_eq!(retention.let_go(&kept(&TIMES), now()), [2, 4, 6]);
        let young = Retention { age: Some(Duration::from_hours(40 * 24)), ..Retention::default() };
        assert_eq!(young.let_go(&kept(&TIMES), now()), [2, 4]);
    }

    #[test]
    fn milestones_go_last_and_the_edges_never() {
        let at_most = |versions| Retention { versions: Some(versions), ..Retention::default() };
        assert_eq!(at_most(6).let_go(&kept(&TIMES), now()), [2, 4]);
        assert_eq!(at_most(4).let_go(&kept(&TIMES), now()), [2, 3, 4, 6]);
        assert_eq!(at_most(3).let_go(&kept(&TIMES), now()), [2, 3, 4, 6, 7]);
        assert_eq!(at_most(0).let_go(&kept(&TIMES), now()), [2, 3, 4, 5, 6, 7]);
        let bytes = Retention { bytes: Some(650), ..Retention::default() };
        assert_eq!(bytes.let_go(&kept(&TIMES), now()), [2, 4]);
    }

    #[test]
    fn what_somebody_has_to_read_stays() {
        let mut versions = kept(&TIMES);
        versions[1].needed = true;
        let retention = Retention { versions: Some(0), ..Retention::default() };
        assert_eq!(retention.let_go(&versions, now()), [3, 4, 5, 6, 7]);
    }
}
