//! The same histories in git, as small as git makes them.

use super::History;
use anyhow::{Context, Result, ensure};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Bytes after `git gc --aggressive`.
#[derive(Clone, Copy)]
pub(super) struct Size {
    /// Of the pack with its index.
    pub(super) whole: u64,
    /// Of the contents in it, without commits and trees.
    pub(super) blobs: u64,
}

/// One commit for each version, one file for each page.
pub(super) fn size(histories: &[History]) -> Result<Size> {
    let place = tempfile::tempdir()?;
    let folder = place.path();
    git(folder, &["init", "-q", "--bare", "."])?;
    import(folder, histories)?;
    git(folder, &["gc", "--aggressive", "--prune=now", "-q"])?;
    let pack = folder.join("objects/pack");
    let mut whole = 0;
    let mut index = None;
    for entry in std::fs::read_dir(&pack)? {
        let path = entry?.path();
        whole += path.metadata()?.len();
        if path.extension().is_some_and(|end| end == "idx") {
            index = Some(path);
        }
    }
    let index = index.context("git made a pack")?;
    let listing = git(folder, &["verify-pack", "-v", &index.to_string_lossy()])?;
    let packed = |line: &str| {
        let mut words = line.split_whitespace().skip(1);
        (words.next()? == "blob").then(|| words.nth(1)?.parse::<u64>().ok()).flatten()
    };
    Ok(Size { whole, blobs: listing.lines().filter_map(packed).sum() })
}

fn import(folder: &Path, histories: &[History]) -> Result<()> {
    let mut child = Command::new("git")
        .current_dir(folder)
        .args(["fast-import", "--quiet"])
        .stdin(Stdio::piped())
        .spawn()?;
    let mut input = std::io::BufWriter::new(child.stdin.take().context("git reads")?);
    let mut time = 1_767_225_600;
    for history in histories {
        for version in &history.versions {
            time += 3600;
            let name = history.name.trim_start_matches('/');
            write!(input, "commit refs/heads/main\ncommitter lab <lab@example.org> {time} +0000\ndata 0\n")?;
            write!(input, "M 100644 inline {name}\ndata {}\n", version.len())?;
            input.write_all(version)?;
            writeln!(input)?;
        }
    }
    drop(input);
    ensure!(child.wait()?.success(), "git fast-import failed");
    Ok(())
}

fn git(folder: &Path, arguments: &[&str]) -> Result<String> {
    let output =
        Command::new("git").current_dir(folder).args(arguments).output().context("cannot start git")?;
    ensure!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
