//! `tidemark add`: pages to watch. Everything is checked before anything is stored.

mod asking;
mod rendering;

use super::print_json;
use crate::cli::{Add, LookOptions, WishOptions, usual_reading};
use crate::extract::Children;
use crate::interests::Interests;
use crate::named::title;
use crate::settings::Settings;
use crate::terminal::{FAINT, printable, styled};
use crate::when;
use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;
use std::fmt::Write as _;
use tidemark_core::page::zone::Zones;
use tidemark_core::profile::Profile;
use tidemark_engine::extract::{Extraction, Extractor};
use tidemark_engine::request::Request;
use tidemark_engine::store::Store;
use tidemark_engine::watch::{NewWatch, Watch, WatchFilter, Wish};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    added: Vec<Watch>,
    /// Watched already, with the same wish.
    known: Vec<Watch>,
}

pub(crate) fn run(command: &Add, settings: &Settings) -> Result<()> {
    let wish = wish(&command.wish)?;
    if wish.name.is_some() && command.urls.len() > 1 {
        bail!("--name is for one address; {} are given", command.urls.len());
    }
    let mut requests: Vec<Request> =
        command.urls.iter().map(|url| asking::request(url, &command.request)).collect::<Result<_>>()?;
    command.request.jq.as_ref().map_or(Ok(()), |filter| check_filter(filter))?;
    let render = rendering::render(&command.render, settings)?;
    requests.iter_mut().for_each(|request| request.render.clone_from(&render));
    let store = settings.open()?;
    check_name(&*store, &wish)?;
    let mut report = Report { schema: "tidemark/add/1", added: Vec::new(), known: Vec::new() };
    for request in requests {
        if let Some(watch) = known(&*store, &request, &wish)? {
            report.known.push(watch);
        } else {
            let new = NewWatch { request, wish: wish.clone() };
            report.added.push(store.add_watch(&new, when::now())?);
        }
    }
    if command.json.json { print_json(&report) } else { report.print() }
}

impl Report {
    fn print(&self) -> Result<()> {
        let mut text = String::new();
        for watch in &self.known {
            writeln!(text, "{} is watched already, as {}", printable(&title(watch)), watch.id.0)?;
        }
        for watch in &self.added {
            writeln!(text, "{} is watched now, as {}", printable(&title(watch)), watch.id.0)?;
        }
        if !self.added.is_empty() {
            let next = "'tidemark run' looks at it as often as it changes; 'tidemark check' looks now.";
            writeln!(text, "{}", styled(FAINT, next))?;
        }
        super::print(&text)
    }
}

fn wish(options: &WishOptions) -> Result<Wish> {
    let (zones, interests) = (zones(&options.look)?, interests(&options.look)?);
    let name = options.name.as_ref().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    if let Some(name) = name
        .as_ref()
        .filter(|name| name.parse::<i64>().is_ok() || name.starts_with("tag:") || name.contains('@'))
    {
        bail!("a watch cannot be called '{name}': numbers, tag:… and @ mean something else");
    }
    if let Some(tag) = options.tag.iter().find(|tag| tag.trim().is_empty()) {
        bail!("--tag '{tag}' has no word in it");
    }
    Ok(Wish {
        name,
        tags: options.tag.iter().map(|tag| tag.trim().to_owned()).collect(),
        zones,
        threshold: options.threshold,
        only_interests: options.look.only_interests,
        interests,
        bounds: options.every,
        hours: options.hours.clone(),
        category: options.category.unwrap_or_default(),
        importance: options.importance,
        as_is: options.as_is,
        ..Wish::default()
    })
}

/// The parts of a page that are looked at.
pub(super) fn zones(options: &LookOptions) -> Result<Zones> {
    let (include, except) =
        (options.zone.iter().map(String::as_str), options.except.iter().map(String::as_str));
    Zones::parse(include, except).context("cannot read a zone; docs/zones.md tells how they are written")
}

/// Terms of interest, as a profile is written.
pub(super) fn interests(options: &LookOptions) -> Result<String> {
    let interests = Interests::load(options.interests.as_deref(), &options.terms, &usual_reading())?;
    let text = interests.text();
    if options.only_interests && text.is_empty() {
        bail!("--only-interests would tell nothing: give --interests FILE or --term TERM");
    }
    let again = Profile::parse(&text).context("the interests cannot be kept")?;
    debug_assert_eq!(again.terms.len(), interests.profile.terms.len());
    Ok(text)
}

/// Without a document, a filter is only read.
fn check_filter(filter: &str) -> Result<()> {
    let checked = Children::new().extract(&Extraction::Jq(filter.to_owned()), b"");
    checked.map(drop).map_err(|reason| anyhow!("--jq: {reason}"))
}

/// Names are for typing: two watches cannot have one.
fn check_name(store: &dyn Store, wish: &Wish) -> Result<()> {
    let Some(name) = &wish.name else { return Ok(()) };
    let watches = store.watches(&WatchFilter::default())?;
    match watches.iter().find(|watch| watch.wish.name.as_ref() == Some(name) && watch.wish != *wish) {
        Some(watch) => bail!("watch {} is called '{name}' already; choose another --name", watch.id.0),
        None => Ok(()),
    }
}

/// A watch of this reader with the same request and wish.
fn known(store: &dyn Store, request: &Request, wish: &Wish) -> Result<Option<Watch>> {
    let same = |watch: &Watch| watch.url == request.url && watch.wish == *wish;
    for watch in store.watches(&WatchFilter::default())?.into_iter().filter(same) {
        if store.page(watch.page)?.is_some_and(|page| page.request == *request) {
            return Ok(Some(watch));
        }
    }
    Ok(None)
}
