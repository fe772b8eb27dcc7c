//! `tidemark show`: all that is known of a watch.

use super::list::Row;
use super::print_json;
use crate::cli::ShowWatch;
use crate::named::{self, title};
use crate::settings::Settings;
use crate::terminal::{FAINT, STRONG, counted, printable, styled};
use crate::when;
use anyhow::{Context, Result};
use serde::Serialize;
use std::fmt::Write as _;
use tidemark_core::revisit::Rate;
use tidemark_engine::page::{Page, PageState};
use tidemark_engine::record::Visit;
use tidemark_engine::render::{Render, When};
use tidemark_engine::span;
use tidemark_engine::watch::Wish;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    #[serde(flatten)]
    row: Row,
    method: String,
    /// Whether cookies, headers or credentials are sent; they are not shown.
    sends_secrets: bool,
    robots: bool,
    /// How it is rendered, if it is; what is typed is not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    rendered: Option<String>,
    state: PageState,
    /// Mean seconds between changes, as far as is known, and how unsure that is: one standard deviation as a share of the rate.
    interval_seconds: Option<f64>,
    spread: Option<f64>,
    bytes: u64,
    stored: u64,
    visits: Vec<Visit>,
}

pub(crate) fn run(command: &ShowWatch, settings: &Settings) -> Result<()> {
    let store = settings.open()?;
    let watch = named::watch(&*store, &command.watch)?;
    let page =
        store.page(watch.page)?.context("the page of the watch is gone; run 'tidemark doctor --deep'")?;
    let versions = store.snapshots(watch.page)?;
    let report = Report {
        schema: "tidemark/show/1",
        visits: store.visits(watch.page, command.visits)?,
        row: Row::new(&*store, watch)?,
        method: page.request.method.to_string(),
        sends_secrets: page.request.is_secret(),
        robots: page.request.robots,
        rendered: rendered(&page.request.render),
        interval_seconds: page.state.rate.map(|rate| rate.interval().as_secs_f64()),
        spread: page.state.rate.map(|rate| rate.spread()),
        bytes: versions.iter().map(|version| version.size).sum(),
        stored: versions.iter().map(|version| version.stored).sum(),
        state: page.state.clone(),
    };
    if command.json.json { print_json(&report) } else { super::print(&report.text(&page)?) }
}

impl Report {
    fn text(&self, page: &Page) -> Result<String> {
        let mut text = String::new();
        let row = &self.row;
        writeln!(
            text,
            "{} {}",
            styled(STRONG, &printable(&title(&row.watch))),
            styled(FAINT, &format!("watch {}", row.watch.id.0))
        )?;
        let mut line = |name: &str, value: String| {
            if !value.is_empty() {
                let _ = writeln!(text, "  {} {value}", styled(FAINT, &format!("{name:10}")));
            }
        };
        line("address", format!("{}{}", printable(row.watch.url.as_str()), self.asked()));
        line("rendered", self.rendered.as_deref().map(printable).unwrap_or_default());
        for (name, value) in wishes(&row.watch.wish) {
            line(name, value);
        }
        line("watched", format!("since {}", when::full(row.watch.added)));
        line("condition", condition(page, row));
        line("changes", self.state.rate.map_or_else(|| "not known yet how often".to_owned(), in_words));
        line("next", next(row));
        line(
            "history",
            format!(
                "{}, {} told; {} bytes, stored in {}",
                counted(row.versions, "version"),
                counted(row.told, "change"),
                self.bytes,
                self.stored
            ),
        );
        for visit in &self.visits {
            write!(text, "{}", visit_lines(visit))?;
        }
        Ok(text)
    }

    fn asked(&self) -> String {
        let mut asked = String::new();
        if self.method != "GET" {
            let _ = write!(asked, ", by {}", self.method);
        }
        if self.sends_secrets {
            asked.push_str(", with headers, cookies or credentials");
        }
        if !self.robots {
            asked.push_str(", whatever robots.txt says");
        }
        asked
    }
}

/// How a page is rendered, in a line; nothing if it never is.
fn rendered(render: &Render) -> Option<String> {
    let when = match render.when {
        When::Never => return None,
        When::Auto => "if it is a shell",
        When::Always => "always",
    };
    let mut parts = vec![when.to_owned(), format!("screen {}", render.device)];
    parts.extend(render.locale.as_ref().map(|locale| format!("in {locale}")));
    parts.extend(render.steps.iter().map(|step| format!("'{step}'")));
    parts.extend(render.wait_for.as_ref().map(|element| format!("waits for {element}")));
    if !render.picture {
        parts.push("no pictures".to_owned());
    }
    Some(parts.join(", "))
}

fn wishes(wish: &Wish) -> Vec<(&'static str, String)> {
    let list = |items: Vec<String>| items.iter().map(|item| printable(item)).collect::<Vec<_>>().join(", ");
    let mut lines = vec![
        ("tags", list(wish.tags.iter().cloned().collect())),
        ("zones", list(wish.zones.include.iter().map(ToString::to_string).collect())),
        ("except", list(wish.zones.exclude.iter().map(ToString::to_string).collect())),
        ("interests", list(wish.interests.lines().map(str::to_owned).collect())),
        ("hours", wish.hours.as_ref().map(ToString::to_string).unwrap_or_default()),
    ];
    if let Some(bounds) = wish.bounds {
        lines.push(("every", format!("{} to {}", span::short(bounds.least()), span::short(bounds.most()))));
    }
    if wish.threshold > 0.0 {
        lines.push(("threshold", wish.threshold.to_string()));
    }
    lines
}

fn condition(page: &Page, row: &Row) -> String {
    match &page.state.ailment {
        Some((_, since)) if !row.watch.paused => {
            let failures = page.state.failures.in_a_row();
            format!(
                "{}, since {} ({} in a row)",
                printable(&row.condition),
                when::full(*since),
                counted(failures as usize, "failure")
            )
        }
        _ => row.condition.clone(),
    }
}

/// The rate with its uncertainty, in words.
fn in_words(rate: Rate) -> String {
    let sure = match rate.spread() {
        spread if spread < 0.25 => "quite sure",
        spread if spread < 0.6 => "give or take a half",
        _ => "little more than a guess",
    };
    format!("about every {} ({sure}, ± {:.0} %)", span::short(rate.interval()), 100.0 * rate.spread())
}

fn next(row: &Row) -> String {
    let why = row.why.split_once(": ").map_or("", |(_, why)| why);
    match row.due {
        None => "never, it rests".to_owned(),
        Some(due) if why.is_empty() => when::from_now(due),
        Some(due) => format!("{}, at {}: {why}", when::from_now(due), when::full(due)),
    }
}

/// A visit with its decisions.
pub(super) fn visit_lines(visit: &Visit) -> String {
    let status = visit.status.map_or_else(String::new, |status| format!(" {status}"));
    let version = visit.version.map_or_else(String::new, |version| format!(", version {version}"));
    let head = format!(
        "  {} {}{status}{version} {}\n",
        when::full(visit.at),
        super::check::word(visit.result),
        styled(FAINT, &format!("{} ms, {} bytes", visit.timing.total.as_millis(), visit.received))
    );
    let log: String =
        visit.log.iter().map(|line| format!("    {}\n", styled(FAINT, &printable(line)))).collect();
    head + &log
}
