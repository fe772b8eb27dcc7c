//! Where the documents come from: a folder, a list of files, an archive.

use super::archive;
use super::watched::{Name, Watched};
use crate::cli::RedesignCommand;
use crate::{folder, input};
use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use tidemark_core::redesign::Fingerprint;

/// Documents that are read at once.
pub(super) const AT_ONCE: usize = 32;
/// Largest list, in bytes.
const LIST: u64 = 64 << 20;

/// Reads all documents of the source.
pub(super) fn read(command: &RedesignCommand, watched: &mut Watched) -> Result<()> {
    let source = &command.source;
    if source.is_dir() {
        return documents(command, folder::files(source)?, watched);
    }
    let cannot = || format!("cannot read {}", input::name(source));
    let (mut reader, bytes) = open(source).with_context(cannot)?;
    let start = reader.fill_buf().with_context(cannot)?;
    if archive::is_archive(source, start) {
        return archive::read(command, reader, bytes, watched);
    }
    documents(command, list(source, reader)?, watched)
}

/// A file, or standard input, and how long it is if that is known.
fn open(source: &Path) -> std::io::Result<(Box<dyn BufRead>, Option<u64>)> {
    if input::is_standard(source) {
        return Ok((Box::new(BufReader::new(std::io::stdin())), None));
    }
    let file = File::open(source)?;
    let length = file.metadata().ok().map(|about| about.len());
    Ok((Box::new(BufReader::with_capacity(1 << 16, file)), length))
}

/// The paths that a list names, one a line.
fn list(source: &Path, reader: impl Read) -> Result<Vec<PathBuf>> {
    let mut text = String::new();
    let read = reader.take(LIST).read_to_string(&mut text);
    let what = "a folder, a list of files (one a line), or a web archive (.warc, .warc.gz)";
    read.with_context(|| format!("{} is not {what}", input::name(source)))?;
    if text.trim_start().starts_with('<') {
        bail!("{} is a page, not {what}", input::name(source));
    }
    Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(PathBuf::from).collect())
}

fn documents(command: &RedesignCommand, mut paths: Vec<PathBuf>, watched: &mut Watched) -> Result<()> {
    if let Some(order) = command.order {
        folder::sort(&mut paths, order);
    }
    if paths.is_empty() {
        bail!("{} names no documents", input::name(&command.source));
    }
    let bar = bar(Some(paths.len() as u64), "{bar:30} {pos}/{len} documents, {eta} left");
    for chunk in paths.chunks(AT_ONCE) {
        let read: Vec<Result<Fingerprint>> = chunk.par_iter().map(|path| document(path, command)).collect();
        for (path, document) in chunk.iter().zip(read) {
            watched.take(Name { name: input::name(path), date: None }, document, &bar);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(())
}

fn document(path: &Path, command: &RedesignCommand) -> Result<Fingerprint> {
    let page = input::digest(path, &command.reading)?;
    Ok(Fingerprint::of(&page, command.shingle))
}

/// A bar for something of known length, or a count for something else. Shown on terminals only.
pub(super) fn bar(length: Option<u64>, template: &str) -> ProgressBar {
    let bar = length.map_or_else(ProgressBar::no_length, ProgressBar::new);
    bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
}
