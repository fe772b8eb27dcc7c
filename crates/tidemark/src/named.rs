//! Watches and versions as they are named on the command line.

use crate::when;
use anyhow::{Context, Result, bail};
use tidemark_engine::page::Snapshot;
use tidemark_engine::request::Request;
use tidemark_engine::store::Store;
use tidemark_engine::watch::{Watch, WatchFilter, WatchId};

/// Candidates that a message lists.
const SHOWN: usize = 8;

/// What to call a watch.
pub(crate) fn title(watch: &Watch) -> String {
    watch.wish.name.clone().unwrap_or_else(|| watch.url.to_string())
}

/// All watches that a text names: by number, name or address one, by `tag:NAME` any number of them.
pub(crate) fn watches(store: &dyn Store, text: &str) -> Result<Vec<Watch>> {
    if let Some(tag) = text.strip_prefix("tag:") {
        let found = store.watches(&WatchFilter { tag: Some(tag.to_owned()), ..WatchFilter::default() })?;
        if found.is_empty() {
            bail!("no watch has the tag '{tag}'; 'tidemark list --all' lists all");
        }
        return Ok(found);
    }
    Ok(vec![watch(store, text)?])
}

/// All watches that texts name, each once, in the order of their numbers.
pub(crate) fn all_of(store: &dyn Store, texts: &[String]) -> Result<Vec<Watch>> {
    let mut found: Vec<Watch> = Vec::new();
    for text in texts {
        found.extend(watches(store, text)?);
    }
    found.sort_by_key(|watch| watch.id);
    found.dedup_by_key(|watch| watch.id);
    Ok(found)
}

/// The one watch that a text names.
pub(crate) fn watch(store: &dyn Store, text: &str) -> Result<Watch> {
    match find(store, text)? {
        Some(watch) => Ok(watch),
        None => bail!("there is no watch '{text}'; 'tidemark list --all' lists all, 'tidemark add' adds one"),
    }
}

/// A version of a watched page, `WATCH@VERSION`, or its last one, `WATCH`.
pub(crate) fn version(store: &dyn Store, text: &str) -> Result<(Watch, Snapshot)> {
    // An address may have an @ of its own.
    if let Some(watch) = find(store, text)? {
        return Ok((watch.clone(), numbered(store, &watch, "last")?));
    }
    let Some((name, version)) = text.rsplit_once('@') else {
        bail!("there is no watch '{text}'; 'tidemark list --all' lists all")
    };
    let watch = watch(store, name)?;
    let snapshot = numbered(store, &watch, version)?;
    Ok((watch, snapshot))
}

/// The last two versions of a watched page.
pub(crate) fn last_two(store: &dyn Store, text: &str) -> Result<(Watch, [Snapshot; 2])> {
    let watch = watch(store, text)?;
    let old = numbered(store, &watch, "-1")
        .with_context(|| format!("{} has no two versions to compare", title(&watch)))?;
    let new = numbered(store, &watch, "last")?;
    Ok((watch, [old, new]))
}

fn numbered(store: &dyn Store, watch: &Watch, version: &str) -> Result<Snapshot> {
    let kept: Vec<u32> = store.snapshots(watch.page)?.iter().map(|line| line.version).collect();
    let name = title(watch);
    let (Some(&first), Some(&last)) = (kept.first(), kept.last()) else {
        bail!("{name} was not seen yet; 'tidemark check {}' looks at it", watch.id.0);
    };
    let before = |steps: usize| kept.len().checked_sub(steps + 1).map(|at| kept[at]);
    let number = match version {
        "first" => Some(first),
        "last" => Some(last),
        _ if version.starts_with('-') => version[1..].parse().ok().and_then(before),
        _ => version.parse().ok(),
    };
    let found = match number {
        Some(number) => store.snapshot(watch.page, number)?,
        None if version.starts_with('-') => None,
        None => store.snapshot_at(watch.page, when::parse(version)?)?,
    };
    found.with_context(|| {
        format!(
            "{name} has no version {version}; kept are {} from {first} to {last}",
            crate::terminal::counted(kept.len(), "version")
        )
    })
}

fn find(store: &dyn Store, text: &str) -> Result<Option<Watch>> {
    if let Some(id) = text.parse().ok().map(WatchId) {
        return Ok(store.watch(id)?);
    }
    let url = Request::get(text).ok().map(|request| request.url);
    let all = store.watches(&WatchFilter::default())?;
    let by_name = all.iter().filter(|watch| watch.wish.name.as_deref() == Some(text));
    let mut found: Vec<&Watch> = by_name.collect();
    if found.is_empty() {
        found = all.iter().filter(|watch| Some(&watch.url) == url.as_ref()).collect();
    }
    if found.len() > 1 {
        let lines: Vec<String> =
            found.iter().take(SHOWN).map(|watch| format!("\n  {}  {}", watch.id.0, title(watch))).collect();
        bail!("'{text}' may be any of {} watches; use a number:{}", found.len(), lines.concat());
    }
    Ok(found.pop().cloned())
}
