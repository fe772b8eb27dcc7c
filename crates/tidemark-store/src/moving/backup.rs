//! Backups: a database in one file, complete and verified or not there.

use super::{Copied, Progress, copy, export::trouble};
use crate::database::Database;
use crate::{Options, open_database, verify};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use tidemark_engine::store::{Fault, StoreError};

/// A backup that was made, or restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// What was copied.
    pub copied: Copied,
    /// What is damaged in it, and was damaged before: the copy is as good as its source.
    pub faults: Vec<Fault>,
}

/// Copies a database into a new file, while others go on to write to it. The file has its name only when it is complete and read again.
pub fn backup(from: &str, file: &Path, progress: Progress<'_>) -> Result<Backup, StoreError> {
    let from = open_database(from, &Options { read_only: true, ..Options::default() })?;
    let part = Part::beside(file)?;
    create_private(part.path()).map_err(|error| trouble(part.path(), &error))?;
    let to = open_database(&format!("sqlite:{}", part.path().display()), &Options::default())?;
    let copied = copy::between(&from, &to, progress)?;
    single(&to)?;
    let faults = verify::verify(&to, &mut |done, all| progress("pages verified", done, all))?;
    drop(to);
    part.becomes(file)?;
    Ok(Backup { copied, faults })
}

/// Reads a backup from beginning to end, and then copies it into an empty database. One with faults is refused, unless they are wanted too.
pub fn restore(
    file: &Path,
    to: &str,
    even_damaged: bool,
    progress: Progress<'_>,
) -> Result<Backup, StoreError> {
    if !file.is_file() {
        return Err(StoreError::Missing(format!("file {}", file.display())));
    }
    let from = open_database(
        &format!("sqlite:{}", file.display()),
        &Options { read_only: true, ..Options::default() },
    )?;
    let faults = verify::verify(&from, &mut |done, all| progress("pages verified", done, all))?;
    if let Some(fault) = faults.first().filter(|_| !even_damaged) {
        return Err(StoreError::Other {
            attempt: format!("restore {}", file.display()),
            reason: format!(
                "the backup is damaged, nothing was written: {}: {} ({} in all)",
                fault.place,
                fault.what,
                faults.len()
            ),
        });
    }
    let to = open_database(to, &Options::default())?;
    let copied = copy::between(&from, &to, progress)?;
    Ok(Backup { copied, faults })
}

/// One file that needs no other beside it.
fn single(database: &Database) -> Result<(), StoreError> {
    let Database::Sqlite(lite) = database else { return Ok(()) };
    lite.writer("close the backup")?.alone(|connection| {
        let mode = connection.query_row("pragma journal_mode = delete", [], |row| row.get::<_, String>(0));
        mode.map(drop).map_err(|error| crate::sqlite::explain("close the backup", &error))
    })
}

/// Something in the making, beside what it will be; gone if it does not become that.
pub(super) struct Part {
    path: PathBuf,
    done: bool,
}

impl Part {
    /// Refused if there is something already.
    pub(super) fn beside(target: &Path) -> Result<Self, StoreError> {
        if target.symlink_metadata().is_ok() {
            let reason = "it is there already; name another one, or remove it first".to_owned();
            return Err(StoreError::Other { attempt: format!("write {}", target.display()), reason });
        }
        let mut name = OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(format!(".{}.part", std::process::id()));
        Ok(Self { path: target.with_file_name(name), done: false })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it its name, once it is on disk.
    pub(super) fn becomes(mut self, target: &Path) -> Result<(), StoreError> {
        let told = |error: std::io::Error| trouble(target, &error);
        File::open(&self.path).and_then(|file| file.sync_all()).map_err(told)?;
        std::fs::rename(&self.path, target).map_err(told)?;
        self.done = true;
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all()).map_err(told)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        let _ = std::fs::remove_dir_all(&self.path);
        for end in ["", "-wal", "-shm", "-journal"] {
            let mut name = self.path.clone().into_os_string();
            name.push(end);
            let _ = std::fs::remove_file(name);
        }
    }
}

/// A new file that only its owner reads: requests may hold passwords.
pub(super) fn create_private(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
