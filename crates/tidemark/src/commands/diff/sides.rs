//! The two versions to compare: files, or versions of a watched page.

use crate::cli::Diff;
use crate::extract::Children;
use crate::input;
use crate::named;
use crate::settings::{Effective, Given};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::sync::Arc;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;
use tidemark_engine::content::Content;
use tidemark_engine::extract::Extracting;
use tidemark_engine::page::Snapshot;
use tidemark_engine::store::Store;
use tidemark_engine::watch::Watch;

/// Two versions, and what to call them.
pub(super) struct Sides {
    pub(super) old: PageDigest,
    pub(super) new: PageDigest,
    pub(super) names: (String, String),
}

impl Sides {
    pub(super) fn read(command: &Diff, given: &Given) -> Result<Self> {
        let Some(new) = &command.new else { return Self::last_two(command, given) };
        if input::is_standard(&command.old) && input::is_standard(new) {
            bail!("standard input can be one of the two pages, not both");
        }
        let mut store = None;
        let old_page = side(command, &command.old, given, &mut store)?;
        let new_page = side(command, new, given, &mut store)?;
        Ok(Self { old: old_page, new: new_page, names: (input::name(&command.old), input::name(new)) })
    }

    fn last_two(command: &Diff, given: &Given) -> Result<Self> {
        if input::is_standard(&command.old) || command.old.exists() {
            bail!("one version is not enough; give the new one too");
        }
        let store = Effective::gather(given)?.settings.open()?;
        let (watch, [old, new]) = named::last_two(&*store, &input::name(&command.old))?;
        let name = |snapshot: &Snapshot| format!("{}@{}", watch.id.0, snapshot.version);
        let names = (name(&old), name(&new));
        let jq = filter(&*store, &watch)?;
        let [old, new] = [&old, &new].map(|version| page(command, version, jq.as_deref()));
        Ok(Self { old: old?, new: new?, names })
    }
}

/// One side. The database is opened only if a version of a watched page is asked for.
fn side(
    command: &Diff,
    path: &Path,
    given: &Given,
    store: &mut Option<Arc<dyn Store>>,
) -> Result<PageDigest> {
    let name = input::name(path);
    if input::is_standard(path) || path.exists() || !name.contains('@') {
        return input::digest(path, &command.reading);
    }
    let open = match store {
        Some(open) => open,
        None => store.insert(Effective::gather(given)?.settings.open()?),
    };
    let (watch, snapshot) =
        named::version(&**open, &name).with_context(|| format!("cannot read {name}, which is no file"))?;
    page(command, &snapshot, filter(&**open, &watch)?.as_deref())
}

/// What JSON of the watch goes through.
fn filter(store: &dyn Store, watch: &Watch) -> Result<Option<String>> {
    Ok(store.page(watch.page)?.and_then(|page| page.request.jq))
}

/// The page of a version; read as the engine reads it, unless the command line says how.
fn page(command: &Diff, snapshot: &Snapshot, jq: Option<&str>) -> Result<PageDigest> {
    let (reading, limits) = (&command.reading, command.reading.limits.limits());
    if reading.charset.is_some() || reading.grammar.is_some() {
        let reading = Reading { charset: reading.charset.clone(), format: reading.grammar, limits };
        return PageDigest::encode(&snapshot.body, &reading).context("cannot read the version");
    }
    let (media, extractor) = (snapshot.content_type.as_deref(), Children::new());
    let content = Content::extracted(&snapshot.body, media, limits, Extracting { extractor: &extractor, jq });
    let why =
        content.refused.unwrap_or_else(|| "it is a file that can only be compared by its hash".to_owned());
    let digest =
        content.digest.with_context(|| format!("version {} cannot be compared: {why}", snapshot.version))?;
    Arc::into_inner(digest).context("the version is in use elsewhere")
}
