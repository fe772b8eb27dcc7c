//! A feed in a file: written anew from what is kept whenever the channel has something to tell, so a try more or less makes no difference.

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::NamedTempFile;
use tidemark_engine::atom::{Head, feed};
use tidemark_engine::channel::{Channel, Kind, Tiding};
use tidemark_engine::compose::told_of_change;
use tidemark_engine::courier::Refusal;
use tidemark_engine::message::{Message, Told};
use tidemark_engine::record::Standing;
use tidemark_engine::store::{ChangeFilter, Store, StoreError};
use tidemark_engine::watch::{Watch, WatchFilter, WatchId};

/// Entries of a feed.
const ENTRIES: usize = 100;
/// Changes that are looked through for them.
const LOOKED_AT: usize = 1000;

/// Whether a feed can be written there.
pub(super) fn check(file: &Path) -> Result<(), String> {
    if !file.is_absolute() {
        return Err(format!("write the whole path of the file: atom:/path/to/{}", file.display()));
    }
    match file.parent() {
        Some(folder) if folder.is_dir() => Ok(()),
        _ => Err(format!("there is no folder for {}", file.display())),
    }
}

/// Writes the feed of the channel that the message goes through.
pub(super) async fn write(store: &Arc<dyn Store>, file: &Path, message: &Message) -> Result<(), Refusal> {
    let (store, file, message) = (Arc::clone(store), PathBuf::from(file), message.clone());
    let writing = tokio::task::spawn_blocking(move || -> Result<(), String> {
        let channels = store.channels().map_err(|error| error.to_string())?;
        let Some(channel) = channels.into_iter().find(|channel| channel.id == message.via) else {
            return Ok(());
        };
        let told = entries(&*store, &channel).map_err(|error| error.to_string())?;
        let head = Head { title: title(&channel), id: format!("urn:tidemark:{}", instance(&message.key)) };
        replace(&file, &feed(&head, &told))
            .map_err(|error| format!("{} cannot be written: {error}", file.display()))
    });
    writing.await.unwrap_or_else(|panic| Err(panic.to_string())).map_err(Refusal::passing)
}

/// The changes that a channel tells of, newest first.
fn entries(store: &dyn Store, channel: &Channel) -> Result<Vec<Told>, StoreError> {
    let reader = Some(channel.terms.reader.clone());
    let watches = store.watches(&WatchFilter { reader: reader.clone(), ..WatchFilter::default() })?;
    let watches: BTreeMap<WatchId, Watch> = watches.into_iter().map(|watch| (watch.id, watch)).collect();
    let filter = ChangeFilter {
        reader,
        standing: Some(Standing::Told),
        limit: Some(LOOKED_AT),
        ..ChangeFilter::default()
    };
    let changes = store.changes(&filter)?;
    let told = changes.into_iter().filter_map(|change| {
        let watch = watches.get(&change.watch)?;
        let (severity, interest) = (change.verdict.severity, change.verdict.interest);
        let tiding =
            Tiding { watch, kind: Kind::of_change(&change.summary), severity, interest, at: change.at };
        channel.slot(&tiding).map(|_| told_of_change(watch, &change, None))
    });
    Ok(told.take(ENTRIES).collect())
}

fn title(channel: &Channel) -> String {
    channel.terms.name.clone().unwrap_or_else(|| "Changes".to_owned())
}

/// The name of this database, which keys begin with.
fn instance(key: &str) -> &str {
    key.split('-').next().unwrap_or(key)
}

/// Replaces a file as a whole: who reads it sees the old one or the new one.
fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("/"));
    let mut new = NamedTempFile::new_in(folder)?;
    new.write_all(text.as_bytes())?;
    // A feed is for others to read.
    new.as_file().set_permissions(Permissions::from_mode(0o644))?;
    new.persist(file)?;
    Ok(())
}
