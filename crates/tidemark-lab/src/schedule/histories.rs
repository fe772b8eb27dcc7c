//! Real times of change: when the versions of pages and feeds were published, from the manifest of the corpus.

use crate::corpus;
use anyhow::{Context, Result};
use fastrand::Rng;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use serde_json::Value;
use std::path::Path;

/// When a page changed, in seconds from its first version.
#[derive(Clone, Debug)]
pub(super) struct History {
    times: Vec<f64>,
}

impl History {
    fn new(mut times: Vec<f64>) -> Option<Self> {
        times.sort_by(f64::total_cmp);
        times.dedup();
        (times.len() > 10).then(|| Self { times: times.iter().map(|time| time - times[0]).collect() })
    }

    pub(super) fn mean_gap(&self) -> f64 {
        self.length() / (self.times.len() - 1) as f64
    }

    /// Its changes over and over, from a random place on. The seam takes a mean gap.
    pub(super) fn tiled(&self, end: f64, rng: &mut Rng) -> Vec<f64> {
        let round = self.length() + self.mean_gap();
        let offset = rng.f64() * round;
        let rounds =
            (0..).map(|round_of| f64::from(round_of) * round - offset).take_while(|start| *start < end);
        let all = rounds.flat_map(|start| self.times.iter().map(move |time| start + time));
        all.filter(|time| (0.0..end).contains(time)).collect()
    }

    fn length(&self) -> f64 {
        self.times.last().copied().unwrap_or_default()
    }
}

/// Histories whose versions follow one another without a gap: others do not show when the page really changed.
pub(super) fn read(folder: Option<&Path>) -> Result<Vec<History>> {
    let text = match folder {
        Some(folder) => {
            let path = folder.join("MANIFEST.json");
            Some(std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?)
        }
        None => corpus::truth("MANIFEST.json")?,
    };
    let manifest: Value = text.as_deref().map(serde_json::from_str).transpose()?.unwrap_or_default();
    let groups = manifest["groups"].as_array().map_or(&[][..], Vec::as_slice);
    Ok(groups.iter().filter(|group| is_whole(group)).filter_map(history).collect())
}

fn is_whole(group: &Value) -> bool {
    let theme = group["theme"].as_str().unwrap_or_default();
    let sampling = group["sampling"].as_str().unwrap_or_default();
    ["histories", "feeds"].contains(&theme)
        && ["consecutive", "successive"].iter().any(|word| sampling.contains(word))
}

fn history(group: &Value) -> Option<History> {
    let dates = group["files"].as_array()?.iter().filter_map(|file| seconds(file["date"].as_str()?));
    History::new(dates.collect())
}

fn seconds(date: &str) -> Option<f64> {
    let instant = date.parse::<Timestamp>().ok();
    let day = || date.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok().map(|day| day.timestamp());
    instant.or_else(day).map(|instant| instant.as_second() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_goes_on_and_on() {
        let history = History::new((0..12).map(|at| f64::from(at) * 10.0).collect()).unwrap();
        let tiled = history.tiled(1000.0, &mut Rng::with_seed(1));
        assert!((99..=101).contains(&tiled.len()));
        assert!(tiled.windows(2).all(|pair| (pair[1] - pair[0] - 10.0).abs() < 1e-6));
    }

    #[test]
    fn dates_of_both_forms_are_read() {
        assert_eq!(seconds("1970-01-02"), Some(86_400.0));
        assert_eq!(seconds("1970-01-01T01:00:01+01:00"), Some(1.0));
        assert_eq!(seconds("soon"), None);
    }
}
