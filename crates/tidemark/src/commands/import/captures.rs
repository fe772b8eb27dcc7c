//! Versions that others kept: out of web archives and folders, put in the order of their times before any is looked at. Bodies wait on disk, so memory is bounded by one of them.

use crate::folder;
use anyhow::{Context, Result, bail};
use flate2::bufread::MultiGzDecoder;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use tidemark_core::archive::{Found, Reader};
use tidemark_engine::history::Capture;

/// Bytes read at once.
const PIECE: usize = 1 << 16;
/// Most versions of one source.
const MOST: usize = 2_000_000;
/// Bytes that wait on disk at most.
const ROOM: u64 = 64 << 30;
/// How many times its size an archive may unpack to, and so much in any case.
const RATIO: u64 = 200;
const LEAST: u64 = 256 << 20;

/// Versions, by page and time.
pub(super) struct Captures {
    file: File,
    end: u64,
    pub(super) pages: BTreeMap<String, Vec<Waiting>>,
    count: usize,
    pub(super) problems: Vec<(String, String)>,
}

/// A version that waits.
pub(super) struct Waiting {
    pub(super) at: Timestamp,
    place: u64,
    length: usize,
    content_type: Option<String>,
}

/// Whether these are the first bytes of a web archive, packed or not.
pub(super) fn is_archive(bytes: &[u8]) -> bool {
    let mut head = [0; 5];
    let is_packed = bytes.starts_with(&[0x1f, 0x8b]);
    bytes.starts_with(b"WARC/")
        || is_packed && MultiGzDecoder::new(bytes).read_exact(&mut head).is_ok() && head == *b"WARC/"
}

impl Captures {
    fn new() -> Result<Self> {
        let file = tempfile::tempfile().context("cannot make a temporary file")?;
        Ok(Self { file, end: 0, pages: BTreeMap::new(), count: 0, problems: Vec::new() })
    }

    /// Those of a web archive.
    pub(super) fn of_archive(path: &Path, most: usize) -> Result<Self> {
        let name = path.display();
        let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
        let length = file.metadata().map_or(0, |about| about.len());
        let bar = indicatif::ProgressBar::new(length);
        let mut reader = BufReader::with_capacity(PIECE, bar.wrap_read(file));
        let is_packed = reader.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let mut plain: Box<dyn Read> =
            if is_packed { Box::new(MultiGzDecoder::new(reader)) } else { Box::new(reader) };
        let (mut captures, mut records) = (Self::new()?, Reader::any(most));
        let (mut piece, mut read, mut trouble) = (vec![0; PIECE], 0_u64, None);
        loop {
            let count = match plain.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) => {
                    captures.problems.push((name.to_string(), format!("the archive is damaged: {error}")));
                    break;
                }
            };
            read += count as u64;
            if read > LEAST.max(length.saturating_mul(RATIO)) {
                bail!("{name} unpacks to more than {RATIO} times its size; it is refused");
            }
            records.push(&piece[..count], &mut |found| {
                if let Err(error) = captures.found(found) {
                    trouble = Some(error);
                }
            });
            if let Some(error) = trouble.take() {
                return Err(error);
            }
        }
        captures.problems.extend(records.finish().map(|trouble| (name.to_string(), trouble.to_string())));
        bar.finish_and_clear();
        Ok(captures.sorted())
    }

    /// The files of a folder, all versions of one page, each at the time of its name or of the file.
    pub(super) fn of_folder(path: &Path, url: &str, most: usize) -> Result<Self> {
        let mut captures = Self::new()?;
        for file in folder::files(path)? {
            let name = file.display().to_string();
            let mut body = Vec::new();
            let open = File::open(&file).with_context(|| format!("cannot read {name}"))?;
            let about = open.metadata().with_context(|| format!("cannot read {name}"))?;
            open.take(most as u64 + 1)
                .read_to_end(&mut body)
                .with_context(|| format!("cannot read {name}"))?;
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let at = dated(&stem).or_else(|| Timestamp::try_from(about.modified().ok()?).ok());
            match at {
                _ if body.len() > most => {
                    captures.problems.push((name, format!("it is larger than {most} bytes")));
                }
                None => captures.problems.push((name, "it has no time".to_owned())),
                Some(at) => captures.keep(url, at, None, &body)?,
            }
        }
        Ok(captures.sorted())
    }

    /// The bytes of one that waits.
    pub(super) fn read(&mut self, waiting: &Waiting) -> Result<Capture> {
        let mut body = vec![0; waiting.length];
        self.file.seek(SeekFrom::Start(waiting.place))?;
        self.file.read_exact(&mut body).context("cannot read the temporary file")?;
        Ok(Capture { at: waiting.at, body, content_type: waiting.content_type.clone() })
    }

    fn found(&mut self, found: Found) -> Result<()> {
        match found {
            Found::Page(page) => {
                let media = match page.charset {
                    Some(charset) => format!("{}; charset={charset}", page.media_type),
                    None => page.media_type,
                };
                let media = (!media.is_empty()).then_some(media);
                let at = page.date.as_deref().and_then(|date| date.parse().ok());
                let Some(at) = at else {
                    self.problems.push((page.url, "the archive does not say when it was seen".to_owned()));
                    return Ok(());
                };
                self.keep(&page.url, at, media, &page.body)
            }
            Found::Trouble(trouble) => {
                self.problems.push(("the archive".to_owned(), trouble.to_string()));
                Ok(())
            }
        }
    }

    fn keep(&mut self, url: &str, at: Timestamp, content_type: Option<String>, body: &[u8]) -> Result<()> {
        self.count += 1;
        if self.count > MOST || self.end + body.len() as u64 > ROOM || self.problems.len() > MOST {
            bail!("these are too many versions for one time; take them in piece by piece");
        }
        self.file.write_all(body).context("cannot write a temporary file")?;
        let waiting = Waiting { at, place: self.end, length: body.len(), content_type };
        self.end += body.len() as u64;
        self.pages.entry(url.to_owned()).or_default().push(waiting);
        Ok(())
    }

    fn sorted(mut self) -> Self {
        self.pages.values_mut().for_each(|waiting| waiting.sort_by_key(|one| (one.at, one.place)));
        self
    }
}

/// The time that a name begins with or is: `2024-05-01`, `2024-05-01T10:00:00Z`, `20240501`, `20240501103000`; in UTC.
fn dated(name: &str) -> Option<Timestamp> {
    let digits: String = name
        .chars()
        .take_while(|c| c.is_ascii_digit() || "-T:_ Zt.".contains(*c))
        .filter(char::is_ascii_digit)
        .take(14)
        .collect();
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or("00");
    if digits.len() < 8 {
        return None;
    }
    let text = format!(
        "{}-{}-{}T{}:{}:{}Z",
        part(0, 4),
        part(4, 6),
        part(6, 8),
        part(8, 10),
        part(10, 12),
        part(12, 14)
    );
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_times() {
        for (name, time) in [
            ("2024-05-01", "2024-05-01T00:00:00Z"),
            ("20240501103000-page", "2024-05-01T10:30:00Z"),
            ("2024-05-01T10:30:00Z", "2024-05-01T10:30:00Z"),
            ("2024-05-01_1030 copy", "2024-05-01T10:30:00Z"),
        ] {
            assert_eq!(dated(name).map(|at| at.to_string()).as_deref(), Some(time), "{name}");
        }
        for name in ["", "index", "v12", "20241399", "99999999999999"] {
            assert!(dated(name).is_none(), "{name}");
        }
    }
}
