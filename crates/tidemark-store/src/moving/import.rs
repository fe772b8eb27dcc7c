//! What [`export`](super::export()) wrote, into an empty database. Both files may be of anybody: nothing in them is believed, everything is checked before it becomes valid.

use super::export::{End, FORM, First, LINES, Sums, WARC, hash_of};
use super::walk::{View, columns};
use super::{Progress, line, put, sequence};
use crate::content::{self, Base, Packed, frame};
use crate::session::Session;
use crate::tables::{Kind, Table};
use crate::value::{Row, Value, args};
use crate::{Options, migrate, open_database, verify};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use tidemark_core::archive::{Capture, Found, Reader};
use tidemark_engine::store::StoreError;

/// Longest line; a picture is the longest thing in one.
const LINE: u64 = 64 << 20;
/// Largest version.
const LARGEST: usize = 256 << 20;
/// How many times its size an archive may unpack to; pages come to ten, a bomb to a thousand.
const RATIO: u64 = 200;
/// So much it may unpack to in any case.
const ROOM: u64 = 64 << 20;
/// Bytes read at once.
const PIECE: usize = 1 << 16;

/// What was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Rows.
    pub rows: u64,
    /// Versions in the archive.
    pub versions: u64,
    /// BLAKE3 over what is there now, which the export says too.
    pub hash: [u8; 32],
}

/// Reads the folder of an export into an empty database, whole or not at all.
pub fn import(folder: &Path, to: &str, progress: Progress<'_>) -> Result<Imported, StoreError> {
    for name in [LINES, WARC] {
        if !folder.join(name).is_file() {
            return Err(StoreError::Missing(format!("file {}", folder.join(name).display())));
        }
    }
    let to = open_database(to, &Options::default())?;
    to.write("read an export", |session| whole(session, folder, progress))
}

fn whole(session: &mut Session<'_>, folder: &Path, progress: Progress<'_>) -> Result<Imported, StoreError> {
    put::prepare(session)?;
    let versions = archive(session, &folder.join(WARC), progress)?;
    let sums = lines(session, &folder.join(LINES), progress)?;
    put::settle(session)?;
    sequence::set(session, &sums.last)?;
    let faults = verify::within(session, &mut |pages| progress("pages verified", pages, pages))?;
    if let Some(fault) = faults.first() {
        return Err(refused(format!("{}: {}", fault.place, fault.what)));
    }
    let hash = hash_of(session, progress)?;
    if blake3::Hash::from_bytes(hash).to_hex().as_str() != sums.hash {
        return Err(refused("what was written is not what was read"));
    }
    Ok(Imported { rows: sums.rows, versions, hash })
}

/// The rows, with the sums of the last line, which hold.
fn lines(session: &mut Session<'_>, path: &Path, progress: Progress<'_>) -> Result<Sums, StoreError> {
    let (mut file, length) = open(path)?;
    let mut lines = Lines { file: &mut file, number: 0, line: Vec::new(), read: 0 };
    first(lines.next()?)?;
    let mut hasher = blake3::Hasher::new();
    let mut rows = 0;
    loop {
        let line = lines.next()?.ok_or_else(|| refused("the lines break off: the last one is not there"))?;
        if line.starts_with(b"{\"end\"") {
            let End { end } =
                serde_json::from_slice(line).map_err(|error| refused(format!("the last line: {error}")))?;
            let same = end.rows == rows && end.hash == hasher.finalize().to_hex().as_str();
            return if same { Ok(end) } else { Err(refused("the lines are not those that were written")) };
        }
        hasher.update(line).update(b"\n");
        let (table, row) = line::read(line).map_err(|reason| lines.trouble(&reason))?;
        put_row(session, table, row).map_err(|error| lines.trouble(&error.to_string()))?;
        rows += 1;
        if u64::is_multiple_of(rows, 256) {
            progress("bytes of lines", lines.read, length);
        }
    }
}

fn first(line: Option<&[u8]>) -> Result<(), StoreError> {
    let line = line.ok_or_else(|| refused("the file of lines is empty"))?;
    let first: First =
        serde_json::from_slice(line).map_err(|_| refused("the first line is not that of an export"))?;
    if first.form != FORM {
        return Err(refused("it is of another form than tidemark/export/1; a newer tidemark may read it"));
    }
    if first.tables > migrate::KNOWN {
        return Err(StoreError::TooNew { found: first.tables, known: migrate::KNOWN });
    }
    if first.tables < migrate::KNOWN {
        return Err(refused(format!(
            "its tables have version {}, not {}: export it again",
            first.tables,
            migrate::KNOWN
        )));
    }
    Ok(())
}

fn put_row(session: &mut Session<'_>, table: &'static Table, mut row: Row) -> Result<(), StoreError> {
    let names: Vec<&str> = columns(table, View::Told).map(|column| column.0).collect();
    for (at, column) in columns(table, View::Told).enumerate() {
        if let (Kind::Content, Value::Bytes(hash)) = (column.1, &row.0[at]) {
            let known = session.row("select id from content where hash = ?1", args![hash])?;
            let known = known.ok_or_else(|| refused("the bytes of a version are not in the archive"))?;
            row.0[at] = Value::Int(known.int(0)?);
        }
    }
    put::rows(session, table, &names, &[row])
}

/// The contents of all versions, each as a difference from the one before it of the same page. Says how many versions there were.
fn archive(session: &mut Session<'_>, path: &Path, progress: Progress<'_>) -> Result<u64, StoreError> {
    let (file, length) = open(path)?;
    let mut plain = MultiGzDecoder::new(file);
    let mut reader = Reader::any(LARGEST);
    let mut shelf = Shelving { session, last: None, versions: 0, trouble: None };
    let (mut piece, mut read) = (vec![0; PIECE], 0_u64);
    loop {
        let count = plain.read(&mut piece).map_err(|error| refused(format!("the archive: {error}")))?;
        if count == 0 {
            break;
        }
        read += count as u64;
        if read > ROOM.max(length.saturating_mul(RATIO)) {
            return Err(refused(format!("the archive unpacks to more than {RATIO} times its size")));
        }
        reader.push(&piece[..count], &mut |found| shelf.take(found));
        if let Some(error) = shelf.trouble.take() {
            return Err(error);
        }
        progress("versions", shelf.versions, shelf.versions);
    }
    match reader.finish() {
        None => Ok(shelf.versions),
        Some(trouble) => Err(refused(trouble.to_string())),
    }
}

/// Contents on their way into the database.
struct Shelving<'a, 'b> {
    session: &'a mut Session<'b>,
    /// The last one: where from, and what the next can be a difference from.
    last: Option<(String, Base, Vec<u8>)>,
    versions: u64,
    trouble: Option<StoreError>,
}

impl Shelving<'_, '_> {
    fn take(&mut self, found: Found) {
        let done = match found {
            _ if self.trouble.is_some() => Ok(()),
            Found::Page(capture) => self.put(capture),
            Found::Trouble(trouble) => Err(refused(trouble.to_string())),
        };
        self.trouble = self.trouble.take().or(done.err());
    }

    fn put(&mut self, capture: Capture) -> Result<(), StoreError> {
        let hash = *blake3::hash(&capture.body).as_bytes();
        self.versions += 1;
        let known = content::find(self.session, &hash)?;
        let id = if let Some(id) = known {
            id
        } else {
            let near = self.last.as_ref().filter(|(url, ..)| *url == capture.url);
            let near = near.map(|(_, base, bytes)| (base.clone(), bytes.as_slice()));
            let packed = Packed::new(&capture.body, hash, near, frame::QUICK)?;
            content::put(self.session, &packed)?.ok_or_else(|| refused("a version was moved"))?
        };
        self.last = Some((capture.url, content::base(self.session, id)?, capture.body));
        Ok(())
    }
}

/// Lines of a file, none longer than allowed.
struct Lines<'a> {
    file: &'a mut BufReader<File>,
    number: u64,
    line: Vec<u8>,
    read: u64,
}

impl Lines<'_> {
    fn next(&mut self) -> Result<Option<&[u8]>, StoreError> {
        self.line.clear();
        self.number += 1;
        let count = self.file.take(LINE).read_until(b'\n', &mut self.line);
        let count = count.map_err(|error| refused(error.to_string()))? as u64;
        self.read += count;
        match self.line.pop() {
            None => Ok(None),
            Some(b'\n') => Ok(Some(&self.line)),
            Some(_) if count == LINE => Err(self.trouble("it is too long")),
            Some(_) => Err(self.trouble("it breaks off")),
        }
    }

    fn trouble(&self, reason: &str) -> StoreError {
        refused(format!("line {}: {reason}", self.number))
    }
}

fn open(path: &Path) -> Result<(BufReader<File>, u64), StoreError> {
    let told = |error: std::io::Error| refused(format!("{}: {error}", path.display()));
    let file = File::open(path).map_err(told)?;
    let length = file.metadata().map_err(told)?.len();
    Ok((BufReader::with_capacity(PIECE, file), length))
}

fn refused(reason: impl Into<String>) -> StoreError {
    StoreError::Other { attempt: "read an export (nothing was written)".to_owned(), reason: reason.into() }
}
