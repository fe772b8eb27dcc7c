//! The commands about watches: what is wished, what is known, what changed.

use super::{InterestOptions, JsonOption, LimitOptions, RenderOptions, RequestOptions};
use clap::{Args, ValueHint};
use std::path::PathBuf;
use tidemark_core::revisit::{Bounds, Category, Hours};
use tidemark_engine::span;

#[derive(Debug, Args)]
pub(crate) struct Add {
    /// Addresses of pages, feeds or files; https:// may be left out
    #[arg(value_name = "URL", required = true, value_hint = ValueHint::Url)]
    pub(crate) urls: Vec<String>,
    #[command(flatten)]
    pub(crate) wish: WishOptions,
    #[command(flatten)]
    pub(crate) request: RequestOptions,
    #[command(flatten)]
    pub(crate) render: RenderOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

/// What a reader wishes to know, and how often to look.
#[derive(Debug, Args)]
pub(crate) struct WishOptions {
    /// What to call it [default: its address]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// To find it among others; may be given often
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// How soon and how late to look again, such as 15m..7d; one length for both
    #[arg(long, value_name = "MIN..MAX", value_parser = bounds)]
    pub(crate) every: Option<Bounds>,
    /// What kind of page it is, for the first guess how often it changes: news, personal or academic
    #[arg(long, value_name = "CATEGORY", value_parser = category)]
    pub(crate) category: Option<Category>,
    /// When to look at all, such as 'Mon-Fri 08:00-18:00 Europe/Berlin'
    #[arg(long, value_name = "HOURS", value_parser = hours)]
    pub(crate) hours: Option<Hours>,
    /// How much it matters beside others; 1 is ordinary
    #[arg(long, value_name = "N", value_parser = importance, default_value = "1")]
    pub(crate) importance: f64,
    /// Changes of a severity below this are held back, from 0 to 1
    #[arg(long, value_name = "N", value_parser = share, default_value = "0")]
    pub(crate) threshold: f64,
    /// Take what comes back as it is: log-in pages and error texts too
    #[arg(long)]
    pub(crate) as_is: bool,
    #[command(flatten)]
    pub(crate) look: LookOptions,
}

/// What of a page is looked at, and for what.
#[derive(Debug, Args)]
pub(crate) struct LookOptions {
    /// A part of the page to look at: a CSS selector, an XPath, a JSONPath, or text:FROM...TO (docs/zones.md); may be given often
    #[arg(long, value_name = "ZONE")]
    pub(crate) zone: Vec<String>,
    /// A part of the page not to look at, written like --zone
    #[arg(long, value_name = "ZONE")]
    pub(crate) except: Vec<String>,
    /// What the reader is interested in: a term a line (docs/profiles.md)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) interests: Option<PathBuf>,
    /// Tell only what is of interest; otherwise it comes first
    #[arg(long)]
    pub(crate) only_interests: bool,
    #[command(flatten)]
    pub(crate) terms: InterestOptions,
}

#[derive(Debug, Args)]
pub(crate) struct Chosen {
    /// Watches: by number, name, address or tag:NAME
    #[arg(value_name = "WATCH", required = true)]
    pub(crate) watches: Vec<String>,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct Remove {
    #[command(flatten)]
    pub(crate) chosen: Chosen,
    /// Do not ask: the history goes too
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only those with this tag
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Option<String>,
    /// Also those that are paused
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct ShowWatch {
    /// The watch: by number, name or address
    pub(crate) watch: String,
    /// How many of the last visits to show
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) visits: usize,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct History {
    /// The watch: by number, name or address
    pub(crate) watch: String,
    /// List visits instead of versions
    #[arg(long)]
    pub(crate) visits: bool,
    /// How many of the latest to list; 0 for all
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct ChangesCommand {
    /// Not before: a time such as 2026-11-01 or 2026-11-01T10:00, yesterday, or a length such as 2h
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Only of this watch
    #[arg(long, value_name = "WATCH")]
    pub(crate) watch: Option<String>,
    /// Only of watches with this tag
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Option<String>,
    /// Also what was held back, with the reasons
    #[arg(long)]
    pub(crate) held: bool,
    /// How many of the latest to list; 0 for all
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct Cat {
    /// Which version: WATCH@VERSION, where VERSION is a number, first, last, -1 (the one before the last) or a time; WATCH alone is the last
    #[arg(value_name = "WATCH@VERSION")]
    pub(crate) version: String,
    /// Where to write it [default: standard output]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct RerunCommand {
    /// The watch: by number, name or address
    pub(crate) watch: String,
    #[command(flatten)]
    pub(crate) look: LookOptions,
    /// Changes of a severity below this are held back, from 0 to 1 [default: that of the watch]
    #[arg(long, value_name = "N", value_parser = share)]
    pub(crate) threshold: Option<f64>,
    /// Keep it: from now on the watch looks this way
    #[arg(long)]
    pub(crate) keep: bool,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

/// Pages that a profile is made from are read with the usual limits.
pub(crate) fn usual_reading() -> super::ReadingOptions {
    let limits = tidemark_core::page::Limits::default();
    let limits = LimitOptions { max_bytes: limits.bytes, max_nodes: limits.nodes };
    super::ReadingOptions { charset: None, grammar: None, limits }
}

fn bounds(text: &str) -> Result<Bounds, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let (least, most) = (span::parse(least)?, span::parse(most)?);
    if least > most {
        return Err(format!("{text}: the shortest comes first"));
    }
    if least < std::time::Duration::from_secs(1) {
        return Err(format!("{text}: not more often than once a second"));
    }
    Ok(Bounds::new(least, most))
}

fn category(text: &str) -> Result<Category, String> {
    match text {
        "news" => Ok(Category::News),
        "personal" => Ok(Category::Personal),
        "academic" => Ok(Category::Academic),
        _ => Err("use news, personal or academic".to_owned()),
    }
}

fn hours(text: &str) -> Result<Hours, String> {
    text.parse().map_err(|error: tidemark_core::revisit::HoursError| error.to_string())
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "write a number from 0 to 1".to_owned())
}

fn importance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| *number > 0.0 && *number <= 1000.0);
    number.ok_or_else(|| "write a number above 0, up to 1000".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn bounds_are_two_lengths_or_one() {
        let read = bounds("15m..7d").unwrap();
        assert_eq!((read.least(), read.most()), (Duration::from_mins(15), Duration::from_hours(7 * 24)));
        assert_eq!(bounds("1h").unwrap().most(), Duration::from_hours(1));
        assert!(["", "7d..15m", "x..y", "0s..1s"].iter().all(|text| bounds(text).is_err()));
    }
}
