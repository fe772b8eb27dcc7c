//! Documents out of a web archive, as many at once as fit into little memory.

use super::source::{AT_ONCE, bar};
use super::watched::{Name, Watched};
use crate::cli::RedesignCommand;
use crate::input;
use crate::terminal::printable;
use anyhow::{Context, Error, Result};
use flate2::bufread::MultiGzDecoder;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use tidemark_core::archive::{Capture, Found, Reader};
use tidemark_core::digest::PageDigest;
use tidemark_core::page::{Format, Reading};
use tidemark_core::redesign::Fingerprint;

/// Bytes of the archive that are read at once.
const PIECE: usize = 1 << 16;
/// Bytes of pages that wait to be looked at together.
const WAITING: usize = 16 << 20;
/// Longest name of a document that is kept, in letters.
const LONGEST: usize = 2000;

/// Whether this is an archive, by its first bytes or its name.
pub(super) fn is_archive(path: &Path, start: &[u8]) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let is_called = [".warc", ".warc.gz"].iter().any(|end| name.ends_with(end));
    is_called || start.starts_with(b"WARC/") || is_compressed(start)
}

/// Reads all pages. An archive that breaks off is told, and what came before counts.
pub(super) fn read(
    command: &RedesignCommand,
    reader: Box<dyn BufRead>,
    length: Option<u64>,
    watched: &mut Watched,
) -> Result<()> {
    let bar = bar(length, "{bar:30} {bytes}/{total_bytes}, {eta} left");
    let mut reader = BufReader::with_capacity(PIECE, bar.wrap_read(reader));
    let is_compressed = is_compressed(reader.fill_buf()?);
    let mut plain: Box<dyn Read> =
        if is_compressed { Box::new(MultiGzDecoder::new(reader)) } else { Box::new(reader) };
    let mut pages = Pages { command, watched, bar: &bar, waiting: Vec::new(), bytes: 0 };
    let mut records = Reader::new(command.reading.limits.limits().bytes);
    let mut piece = vec![0; PIECE];
    let end = loop {
        match plain.read(&mut piece) {
            Ok(0) => break records.finish().map(Error::from),
            Ok(count) => records.push(&piece[..count], &mut |found| pages.take(found)),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => break Some(error.into()),
        }
    };
    pages.flush();
    if let Some(error) = end {
        pages.pass_over(&error);
    }
    bar.finish_and_clear();
    Ok(())
}

fn is_compressed(start: &[u8]) -> bool {
    start.starts_with(&[0x1f, 0x8b])
}

/// Pages that wait to be looked at.
struct Pages<'a> {
    command: &'a RedesignCommand,
    watched: &'a mut Watched,
    bar: &'a ProgressBar,
    waiting: Vec<Capture>,
    bytes: usize,
}

impl Pages<'_> {
    fn take(&mut self, found: Found) {
        match found {
            Found::Page(page) => {
                self.bytes += page.body.len();
                self.waiting.push(page);
                if self.waiting.len() >= AT_ONCE || self.bytes >= WAITING {
                    self.flush();
                }
            }
            Found::Trouble(trouble) => {
                self.flush();
                self.pass_over(&trouble.into());
            }
        }
    }

    fn flush(&mut self) {
        let pages = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        let read: Vec<Result<Fingerprint>> =
            pages.par_iter().map(|page| document(page, self.command)).collect();
        for (page, document) in pages.into_iter().zip(read) {
            let name = page.url.chars().take(LONGEST).collect();
            self.watched.take(Name { name, date: page.date }, document, self.bar);
        }
    }

    fn pass_over(&mut self, error: &Error) {
        let archive = input::name(&self.command.source);
        // Addresses in an archive are as hostile as its pages.
        let error =
            Error::msg(printable(&format!("{error:#}"))).context(format!("cannot read all of {archive}"));
        self.watched.pass_over(archive, error, self.bar);
    }
}

fn document(page: &Capture, command: &RedesignCommand) -> Result<Fingerprint> {
    let options = &command.reading;
    let charset = options.charset.clone().or_else(|| page.charset.clone());
    let format = options.grammar.or_else(|| Format::from_media_type(&page.media_type));
    let reading = Reading { charset, format, limits: options.limits.limits() };
    let digest = PageDigest::encode(&page.body, &reading)
        .with_context(|| format!("cannot read {}", printable(&page.url)))?;
    Ok(Fingerprint::of(&digest, command.shingle))
}
