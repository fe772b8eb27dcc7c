//! Which files are the versions, and in what order.

use crate::cli::TrackCommand;
use crate::{folder, input};
use anyhow::{Result, bail};
use std::path::PathBuf;

/// The files, oldest first.
pub(super) fn list(command: &TrackCommand) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for path in &command.versions {
        if path.is_dir() {
            paths.extend(folder::files(path)?);
        } else {
            paths.push(path.clone());
        }
    }
    if let Some(order) = command.order {
        folder::sort(&mut paths, order);
    }
    if paths.iter().filter(|path| input::is_standard(path)).count() > 1 {
        bail!("standard input can be one version, not several");
    }
    if paths.is_empty() {
        bail!("no versions: {} has no files in it", input::name(&command.versions[0]));
    }
    Ok(paths)
}
