//! `tidemark track`: the segments of a page through many versions.

mod report;
mod table;
mod versions;

use super::{TROUBLE, print_json};
use crate::cli::TrackCommand;
use crate::input;
use crate::terminal::{FAINT, complain, counted, styled};
use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use report::Report;
use std::path::PathBuf;
use std::process::ExitCode;
use tidemark_core::digest::PageDigest;
use tidemark_core::figure::track::picture;
use tidemark_core::segment::Track;

/// Versions that are read at once.
const AT_ONCE: usize = 16;

/// All versions that could be read, and those that could not.
struct Followed {
    track: Track,
    names: Vec<String>,
    trouble: Vec<(String, anyhow::Error)>,
}

pub(crate) fn run(command: &TrackCommand) -> Result<ExitCode> {
    let paths = versions::list(command)?;
    let followed = follow(command, &paths);
    followed.trouble.iter().for_each(|(_, error)| complain(error));
    if followed.names.is_empty() {
        bail!("none of {} could be read", counted(paths.len(), "version"));
    }
    if let Some(path) = &command.svg {
        let svg = picture(&followed.track, &title(&followed.names), &followed.names);
        input::write(path, svg.as_bytes(), false)?;
    }
    if command.json.json {
        print_json(&Report::new(command, &followed))?;
    } else if !command.svg.as_ref().is_some_and(|path| input::is_standard(path)) {
        table::print(command, &followed)?;
    }
    Ok(ExitCode::from(if followed.trouble.is_empty() { 0 } else { TROUBLE }))
}

fn follow(command: &TrackCommand, paths: &[PathBuf]) -> Followed {
    let mut followed =
        Followed { track: Track::with_window(command.window), names: Vec::new(), trouble: Vec::new() };
    let bar = bar(paths.len());
    for chunk in paths.chunks(AT_ONCE) {
        let read: Vec<Result<PageDigest>> =
            chunk.par_iter().map(|path| input::digest(path, &command.reading)).collect();
        for (path, page) in chunk.iter().zip(read) {
            followed.take(input::name(path), page);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    followed
}

impl Followed {
    fn take(&mut self, name: String, page: Result<PageDigest>) {
        match page {
            Ok(page) => {
                self.track.advance(page);
                self.names.push(name);
            }
            Err(error) => self.trouble.push((name, error)),
        }
    }
}

fn bar(count: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} versions, {eta} left");
    ProgressBar::new(count as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn title(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first, .., last] => format!("{first} to {last}"),
    }
}
