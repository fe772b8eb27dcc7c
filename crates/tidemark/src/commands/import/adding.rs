//! Proposed watches become watches, unless they are known already.

use crate::terminal::{ADDED, FAINT, printable, styled};
use crate::when;
use anyhow::Result;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use tidemark_core::page::zone::Zones;
use tidemark_engine::intake::Proposed;
use tidemark_engine::request::Request;
use tidemark_engine::store::Store;
use tidemark_engine::watch::{NewWatch, WatchFilter};
use url::Url;

/// What became of a proposal.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Outcome {
    /// The number of the watch; none if nothing is added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) watch: Option<i64>,
    pub(crate) url: Url,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    pub(crate) tags: BTreeSet<String>,
    /// The parts that are looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) zones: Vec<String>,
    /// What could not be carried over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

/// Watches that are there, and those that are added to them. One is known if the same page is watched with the same zones.
pub(crate) struct Adding<'a> {
    store: &'a dyn Store,
    tags: &'a [String],
    dry_run: bool,
    /// By the address, in order to ask for few pages.
    known: BTreeMap<Url, Vec<(Option<i64>, Request, Zones)>>,
    names: BTreeSet<String>,
}

impl<'a> Adding<'a> {
    pub(crate) fn new(store: &'a dyn Store, tags: &'a [String], dry_run: bool) -> Result<Self> {
        let mut adding = Self { store, tags, dry_run, known: BTreeMap::new(), names: BTreeSet::new() };
        for watch in store.watches(&WatchFilter::default())? {
            adding.names.extend(watch.wish.name);
            if let Some(page) = store.page(watch.page)? {
                let known = (Some(watch.id.0), page.request, watch.wish.zones);
                adding.known.entry(watch.url).or_default().push(known);
            }
        }
        Ok(adding)
    }

    /// Adds a watch unless it is known; says whether it was not.
    pub(crate) fn add(&mut self, proposed: Proposed) -> Result<(bool, Outcome)> {
        let Proposed { mut new, mut notes } = proposed;
        new.wish.tags.extend(self.tags.iter().map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()));
        let same = self.known.get(&new.request.url).into_iter().flatten();
        if let Some((id, ..)) =
            same.into_iter().find(|(_, request, zones)| *request == new.request && *zones == new.wish.zones)
        {
            return Ok((false, Outcome::of(&new, *id, notes)));
        }
        if let Some(name) = new.wish.name.take_if(|name| self.names.contains(name)) {
            notes.push(format!("another watch is called '{name}' already"));
        }
        let id = if self.dry_run { None } else { Some(self.store.add_watch(&new, when::now())?.id.0) };
        self.names.extend(new.wish.name.clone());
        let known = (id, new.request.clone(), new.wish.zones.clone());
        self.known.entry(new.request.url.clone()).or_default().push(known);
        Ok((true, Outcome::of(&new, id, notes)))
    }
}

impl Outcome {
    fn of(new: &NewWatch, watch: Option<i64>, notes: Vec<String>) -> Self {
        let zones = &new.wish.zones;
        let except = zones.exclude.iter().map(|zone| format!("not {zone}"));
        Self {
            watch,
            url: new.request.url.clone(),
            name: new.wish.name.clone(),
            tags: new.wish.tags.clone(),
            zones: zones.include.iter().map(ToString::to_string).chain(except).collect(),
            notes,
        }
    }

    pub(crate) fn write(&self, text: &mut String) -> Result<()> {
        let number = self.watch.map_or_else(String::new, |watch| format!("{watch} "));
        let name = self.name.as_ref().map_or_else(String::new, |name| format!("{} ", printable(name)));
        let tags: String = self.tags.iter().map(|tag| format!(" #{}", printable(tag))).collect();
        writeln!(
            text,
            "{} {number}{name}{}{}",
            styled(ADDED, "+"),
            printable(self.url.as_str()),
            styled(FAINT, &tags)
        )?;
        for zone in &self.zones {
            writeln!(text, "    {}", styled(FAINT, &printable(zone)))?;
        }
        for note in &self.notes {
            writeln!(text, "    {}", styled(FAINT, &format!("note: {}", printable(note))))?;
        }
        Ok(())
    }
}
