//! `tidemark list`: the watches at a glance.

use super::print_json;
use crate::cli::List;
use crate::named::title;
use crate::settings::Settings;
use crate::terminal::{ADDED, FAINT, REMOVED, counted, printable, styled};
use crate::when;
use anstyle::Style;
use anyhow::Result;
use jiff::Timestamp;
use serde::Serialize;
use std::fmt::Write as _;
use tidemark_engine::record::Standing;
use tidemark_engine::store::{ChangeFilter, Store};
use tidemark_engine::watch::{Watch, WatchFilter};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    watches: Vec<Row>,
}

#[derive(Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    pub(super) watch: Watch,
    /// `new`, `well`, `paused`, `failed N times`, or what is wrong.
    pub(super) condition: String,
    pub(super) seen: Option<Timestamp>,
    pub(super) versions: usize,
    /// Changes that were told.
    pub(super) told: usize,
    pub(super) due: Option<Timestamp>,
    pub(super) why: String,
}

pub(crate) fn run(command: &List, settings: &Settings) -> Result<()> {
    let store = settings.open()?;
    let watches = store.watches(&WatchFilter { tag: command.tag.clone(), ..WatchFilter::default() })?;
    let resting = watches.iter().filter(|watch| watch.paused).count();
    let shown = watches.into_iter().filter(|watch| command.all || !watch.paused);
    let rows: Vec<Row> = shown.map(|watch| Row::new(&*store, watch)).collect::<Result<_>>()?;
    if command.json.json {
        return print_json(&Report { schema: "tidemark/list/1", watches: rows });
    }
    super::print(&table(&rows, if command.all { 0 } else { resting })?)
}

impl Row {
    pub(super) fn new(store: &dyn Store, watch: Watch) -> Result<Self> {
        let page = store.page(watch.page)?;
        let filter =
            ChangeFilter { watch: Some(watch.id), standing: Some(Standing::Told), ..ChangeFilter::default() };
        let state = page.as_ref().map(|page| page.state.clone()).unwrap_or_default();
        let condition = match &state.ailment {
            _ if watch.paused => "paused".to_owned(),
            Some((ailment, _)) => ailment.to_string(),
            None if state.failures.in_a_row() > 0 => {
                format!("failed {}", counted(state.failures.in_a_row() as usize, "time"))
            }
            None if state.looks == 0 => "new".to_owned(),
            None => "well".to_owned(),
        };
        Ok(Self {
            condition,
            seen: state.seen,
            versions: store.snapshots(watch.page)?.len(),
            told: store.changes(&filter)?.len(),
            due: page.as_ref().and_then(|page| page.due),
            why: page.map(|page| page.why).unwrap_or_default(),
            watch,
        })
    }

    fn style(&self) -> Style {
        match self.condition.as_str() {
            "well" => ADDED,
            "new" | "paused" => FAINT,
            _ => REMOVED,
        }
    }

    /// `in 2h (as often as it changes)`.
    fn next(&self) -> String {
        let why = self.why.split_once(": ").map_or("", |(_, why)| why);
        match self.due {
            None => "never".to_owned(),
            Some(due) if why.is_empty() => when::from_now(due),
            Some(due) => format!("{} ({why})", when::from_now(due)),
        }
    }
}

const HEADS: [&str; 7] = ["", "watch", "condition", "seen", "versions", "told", "next"];

fn table(rows: &[Row], resting: usize) -> Result<String> {
    let mut text = String::new();
    if rows.is_empty() {
        text.push_str("nothing is watched; 'tidemark add URL' begins\n");
    } else {
        let cells: Vec<[String; 7]> = rows.iter().map(cells).collect();
        let width = |at: usize| {
            cells.iter().map(|row| row[at].chars().count()).chain([HEADS[at].len()]).max().unwrap_or(0)
        };
        let widths: [usize; 7] = std::array::from_fn(width);
        let line = |row: &[String; 7], style: Style, at: usize| {
            let padded = format!("{:width$}", row[at], width = if at == 6 { 0 } else { widths[at] });
            styled(style, &padded)
        };
        let heads = HEADS.map(str::to_owned);
        let joined = |row: &[String; 7], styles: [Style; 7]| {
            (0..7).map(|at| line(row, styles[at], at)).collect::<Vec<_>>().join("  ")
        };
        writeln!(text, "{}", joined(&heads, [FAINT; 7]))?;
        for (row, cells) in rows.iter().zip(&cells) {
            let plain = Style::new();
            writeln!(text, "{}", joined(cells, [FAINT, plain, row.style(), plain, plain, plain, FAINT]))?;
        }
    }
    if resting > 0 {
        writeln!(text, "{}", styled(FAINT, &format!("{resting} paused (--all lists them)")))?;
    }
    Ok(text)
}

fn cells(row: &Row) -> [String; 7] {
    let short = |text: &str, most: usize| {
        let text = printable(text);
        if text.chars().count() <= most { text } else { text.chars().take(most - 1).chain(['…']).collect() }
    };
    [
        row.watch.id.0.to_string(),
        short(&title(&row.watch), 48),
        short(&row.condition, 32),
        row.seen.map_or_else(|| "never".to_owned(), when::from_now),
        row.versions.to_string(),
        row.told.to_string(),
        row.next(),
    ]
}
