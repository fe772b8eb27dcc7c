//! A track for programs.

use super::Followed;
use crate::cli::TrackCommand;
use serde::Serialize;
use tidemark_core::segment::label::Label;
use tidemark_core::segment::track::Strip;
use tidemark_core::segment::{Fate, Measures};

#[derive(Serialize)]
pub(super) struct Report<'a> {
    schema: &'static str,
    versions: &'a [String],
    trouble: Vec<Trouble>,
    window: usize,
    segments: Vec<Row<'a>>,
    measures: MeasureRow,
}

#[derive(Serialize)]
struct Trouble {
    version: String,
    trouble: String,
}

#[derive(Serialize)]
struct Row<'a> {
    column: u32,
    label: Option<&'a Label>,
    /// Versions, counted from 1.
    first: u64,
    last: u64,
    since: u64,
    seen: u64,
    news: u64,
    flips: u64,
    volatility: f64,
    events: Vec<Event>,
}

/// What became of a segment with a version; versions without events left it as it was.
#[derive(Serialize)]
struct Event {
    version: usize,
    fate: &'static str,
    /// The version that had the same content last.
    #[serde(skip_serializing_if = "Option::is_none")]
    like: Option<u64>,
    moved: bool,
}

/// Table 1, and what the signatures rule out as shares of 1; null where there is nothing to measure.
#[derive(Serialize)]
struct MeasureRow {
    msc: Option<f64>,
    mpetl: Option<f64>,
    msm: Option<f64>,
    msmp: Option<f64>,
    msud: Option<f64>,
    sdp: Option<f64>,
    steps: usize,
    excluded_segments: Option<f64>,
    excluded_segments_by_history: Option<f64>,
    excluded_nodes: Option<f64>,
    excluded_nodes_by_history: Option<f64>,
}

impl<'a> Report<'a> {
    pub(super) fn new(command: &TrackCommand, followed: &'a Followed) -> Self {
        let trouble = followed.trouble.iter();
        Self {
            schema: "tidemark/track/1",
            versions: &followed.names,
            trouble: trouble
                .map(|(version, error)| Trouble { version: version.clone(), trouble: format!("{error:#}") })
                .collect(),
            window: command.window,
            segments: followed.track.strips().iter().map(Row::new).collect(),
            measures: MeasureRow::new(followed.track.measures()),
        }
    }
}

impl<'a> Row<'a> {
    fn new(strip: &'a Strip) -> Self {
        let place = &strip.place;
        Self {
            column: strip.column.0,
            label: strip.label.as_ref(),
            first: place.first + 1,
            last: place.last + 1,
            since: place.since + 1,
            seen: place.seen,
            news: place.news,
            flips: place.flips,
            volatility: place.volatility(),
            events: events(strip),
        }
    }
}

fn events(strip: &Strip) -> Vec<Event> {
    let marks = strip.marks.iter().enumerate();
    let events = marks.filter_map(|(at, mark)| {
        let fate = mark.fate.filter(|fate| fate.is_change() || mark.moved)?;
        Some(Event { version: at + 1, fate: name(fate), like: like(fate), moved: mark.moved })
    });
    events.collect()
}

fn name(fate: Fate) -> &'static str {
    match fate {
        Fate::Same => "same",
        Fate::Opened => "opened",
        Fate::New => "new",
        Fate::Flip(_) => "flip",
        Fate::Lost => "lost",
        Fate::Back(_) => "back",
    }
}

fn like(fate: Fate) -> Option<u64> {
    match fate {
        Fate::Flip(version) | Fate::Back(version) => Some(version + 1),
        _ => None,
    }
}

impl MeasureRow {
    fn new(measures: &Measures) -> Self {
        let step = &measures.step;
        Self {
            msc: measures.mean_segments(),
            mpetl: measures.mean_track_length(),
            msm: measures.mean_modified(),
            msmp: measures.mean_personal(),
            msud: measures.mean_undetected(),
            sdp: measures.detection(),
            steps: measures.steps,
            excluded_segments: step.excluded(),
            excluded_segments_by_history: step.excluded_by_history(),
            excluded_nodes: step.excluded_nodes(),
            excluded_nodes_by_history: step.excluded_nodes_by_history(),
        }
    }
}
