//! What the doctor looks at: settings, database, clock, disk.

use crate::settings::table::without_password;
use crate::settings::{Effective, Origin, environment_name, table::TABLE};
use crate::terminal::counted;
use crate::when;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use std::path::Path;
use tidemark_engine::notice::{NoticeFilter, NoticeState};
use tidemark_engine::store::{Store, StoreError};

/// Below this, a disk is nearly full.
const LITTLE_SPACE: u64 = 200 << 20;
/// Pages whose last visit is looked at.
const PAGES: usize = 2000;
/// Further in the future than this, a visit was made by another clock.
const TOLERANCE: SignedDuration = SignedDuration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Grade {
    Fine,
    Remark,
    Fault,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Finding {
    pub(super) grade: Grade,
    /// Where.
    pub(super) place: String,
    /// What.
    pub(super) what: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help: Option<String>,
}

impl Finding {
    pub(super) fn fine(place: &str, what: &str) -> Self {
        Self { grade: Grade::Fine, place: place.to_owned(), what: what.to_owned(), help: None }
    }

    pub(super) fn fault(place: &str, what: &str, help: &str) -> Self {
        Self { grade: Grade::Fault, help: Some(help.to_owned()), ..Self::fine(place, what) }
    }

    fn remark(place: &str, what: &str, help: &str) -> Self {
        Self { grade: Grade::Remark, ..Self::fault(place, what, help) }
    }
}

pub(super) fn of_settings(effective: &Effective) -> Vec<Finding> {
    let set = effective.origins.iter().filter(|origin| **origin != Origin::Default).count();
    let file = effective.file.as_ref().filter(|file| file.exists());
    let of_file = file.map_or_else(|| "no settings file".to_owned(), |file| file.display().to_string());
    let mut found = vec![Finding::fine(
        "settings",
        &format!("{of_file}; {} set, all can be used", counted(set, "value")),
    )];
    let known: Vec<String> = TABLE.iter().map(|setting| environment_name(setting.name)).collect();
    let odd = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for name in
        odd.filter(|name| name.starts_with("TIDEMARK_") && name != "TIDEMARK_CONFIG" && !known.contains(name))
    {
        found.push(Finding::remark(
            "settings",
            &format!("${name} means nothing"),
            "'tidemark config --json' lists the variables",
        ));
    }
    if effective.settings.net.contact.is_none() {
        let help =
            "set network.contact to a URL or mail address: sites that mind can then write instead of block";
        found.push(Finding::remark("network", "sites are not told who visits them", help));
    }
    found.push(certificates(effective));
    found.extend(space(effective));
    found
}

fn certificates(effective: &Effective) -> Finding {
    let inside = crate::commands::runtime().and_then(|runtime| {
        let _inside = runtime.enter();
        effective.settings.client()
    });
    match inside {
        Ok(_) => Finding::fine("network", "the client and its root certificates are ready"),
        Err(error) => Finding::fault("network", &format!("{error:#}"), "mend the setting that is named"),
    }
}

/// Free space where the database is, if it is a file.
fn space(effective: &Effective) -> Option<Finding> {
    let file = effective.settings.database_file()?;
    let folder = file.ancestors().skip(1).find(|folder| folder.exists()).unwrap_or(Path::new("."));
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let place = whole.display();
    Some(match free(folder) {
        Some(free) if free < LITTLE_SPACE => Finding::fault(
            "disk",
            &format!("only {} MB are free in {place}", free >> 20),
            "free some space, or set retention.bytes",
        ),
        Some(free) => Finding::fine("disk", &format!("{} MB free in {place}", free >> 20)),
        None => {
            Finding::remark("disk", &format!("it is not known how much is free in {place}"), "look with df")
        }
    })
}

fn free(folder: &Path) -> Option<u64> {
    let about = rustix::fs::statvfs(folder).ok()?;
    about.f_bavail.checked_mul(about.f_frsize)
}

/// Channels that fail, and what was given up.
fn of_notices(store: &dyn Store) -> Vec<Finding> {
    let dead = NoticeFilter { state: Some(NoticeState::Dead), limit: Some(1000), ..NoticeFilter::default() };
    let (Ok(channels), Ok(dead)) = (store.channels(), store.notices(&dead)) else { return Vec::new() };
    let mut found = Vec::new();
    for channel in &channels {
        if let Some(trouble) = &channel.state.trouble {
            let what = format!("channel {} ({}): {trouble}", channel.id.0, channel.shown);
            let help = format!("mend it, then 'tidemark notify test {}'", channel.id.0);
            found.push(Finding::remark("notices", &what, &help));
        }
    }
    if !dead.is_empty() {
        let what = format!("{} could not be delivered", counted(dead.len(), "notice"));
        let help =
            "'tidemark outbox list --state dead' tells why; then 'tidemark outbox retry --dead', or drop";
        found.push(Finding::remark("notices", &what, help));
    }
    found
}

pub(super) fn of_store(store: &dyn Store) -> Vec<Finding> {
    let facts = match store.facts() {
        Ok(facts) => facts,
        Err(error) => {
            return vec![Finding::fault(
                "database",
                &error.to_string(),
                "look whether the database runs and may be read",
            )];
        }
    };
    let about = format!(
        "{}, tables of version {}; {} MB: {}, {}, {}, {}",
        without_password(&facts.engine),
        facts.schema,
        facts.bytes >> 20,
        counted(facts.pages as usize, "page"),
        counted(facts.watches as usize, "watch").replace("watchs", "watches"),
        counted(facts.versions as usize, "version"),
        counted(facts.changes as usize, "change")
    );
    let mut found = vec![Finding::fine("database", &about)];
    found.extend(of_notices(store));
    match latest(store) {
        Err(error) => {
            found.push(Finding::fault("database", &error.to_string(), "run 'tidemark doctor --deep'"));
        }
        Ok(Some(latest)) if latest > when::now() + TOLERANCE => {
            let what = format!("the last visit was at {}, which is in the future", when::full(latest));
            found.push(Finding::fault(
                "clock",
                &what,
                "set the clock right; until then pages may be visited late",
            ));
        }
        Ok(_) => {
            found
                .push(Finding::fine("clock", &format!("{}, later than all visits", when::full(when::now()))));
        }
    }
    found
}

/// The latest time that any of the pages was asked for.
fn latest(store: &dyn Store) -> Result<Option<Timestamp>, StoreError> {
    let (mut behind, mut latest) = (None, None);
    loop {
        let pages = store.pages(behind, PAGES)?;
        latest = pages.iter().filter_map(|page| page.state.asked).max().max(latest);
        let Some(last) = pages.last() else { return Ok(latest) };
        behind = Some(last.id);
    }
}
