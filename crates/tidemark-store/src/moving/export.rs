//! Everything as files that other programs read: versions as a web archive, all else as lines of JSON (docs/moving.md).

use super::walk::{View, Walk};
use super::warc::Capture;
use super::{Progress, line, sequence, warc};
use crate::content::near::Near;
use crate::session::Session;
use crate::tables::{self, CONTENT, TABLES, Table};
use crate::value::{Row, args, time};
use crate::{Options, migrate, open_database};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use tidemark_engine::store::StoreError;

/// The file of lines in the folder of an export.
pub const LINES: &str = "tidemark.jsonl";
/// The web archive in it.
pub const WARC: &str = "versions.warc.gz";

/// The form that is written and read.
pub(super) const FORM: &str = "tidemark/export/1";

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Lines, without the first and the last.
    pub rows: u64,
    /// Versions in the archive.
    pub versions: u64,
    /// BLAKE3 of the lines: equal for equal databases, whatever they are and however they pack. None if only the archive was written.
    pub hash: Option<[u8; 32]>,
    /// Versions that cannot be read, and why.
    pub problems: Vec<String>,
}

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct First {
    pub(super) form: String,
    /// The version of the tables.
    pub(super) tables: i64,
    pub(super) written: Timestamp,
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct End {
    pub(super) end: Sums,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sums {
    pub(super) rows: u64,
    /// BLAKE3 of all lines between the first and this one.
    pub(super) hash: String,
    /// The last name that each table has given.
    pub(super) last: BTreeMap<String, i64>,
}

/// Writes everything into a folder that is not there yet; only the web archive if so wished. Others may go on to write to the database.
pub fn export(
    from: &str,
    folder: &Path,
    only_versions: bool,
    progress: Progress<'_>,
) -> Result<Exported, StoreError> {
    let from = open_database(from, &Options { read_only: true, ..Options::default() })?;
    let part = super::backup::Part::beside(folder)?;
    std::fs::create_dir(part.path()).map_err(|error| trouble(part.path(), &error))?;
    let exported = from.read("read the database", |session| {
        let mut exported = Exported { rows: 0, versions: 0, hash: None, problems: Vec::new() };
        if !only_versions {
            let mut out = create(&part.path().join(LINES))?;
            lines(session, &mut out, &mut exported, progress)?;
            close(out, &part.path().join(LINES))?;
        }
        let mut out = create(&part.path().join(WARC))?;
        versions(session, &mut out, &mut exported, progress)?;
        close(out, &part.path().join(WARC))?;
        Ok(exported)
    })?;
    part.becomes(folder)?;
    Ok(exported)
}

/// BLAKE3 over all that is kept, as it is told in lines: equal for equal databases, whatever they are and however they pack.
pub fn canonical_hash(url: &str) -> Result<[u8; 32], StoreError> {
    let database = open_database(url, &Options { read_only: true, ..Options::default() })?;
    database.read("read the database", |session| hash_of(session, &mut |_, _, _| {}))
}

pub(super) fn hash_of(session: &mut Session<'_>, progress: Progress<'_>) -> Result<[u8; 32], StoreError> {
    let mut hasher = blake3::Hasher::new();
    each_line(session, progress, &mut |lines| {
        hasher.update(lines);
        Ok(())
    })?;
    Ok(*hasher.finalize().as_bytes())
}

fn lines(
    session: &mut Session<'_>,
    out: &mut impl Write,
    exported: &mut Exported,
    progress: Progress<'_>,
) -> Result<(), StoreError> {
    let first = First { form: FORM.to_owned(), tables: migrate::KNOWN, written: Timestamp::now() };
    write_line(out, &first)?;
    let mut hasher = blake3::Hasher::new();
    exported.rows = each_line(session, progress, &mut |lines| {
        hasher.update(lines);
        out.write_all(lines).map_err(|error| failed(&error))
    })?;
    let hash = hasher.finalize();
    let last = sequence::read(session)?.into_iter().filter(|(table, _)| table != CONTENT).collect();
    write_line(out, &End { end: Sums { rows: exported.rows, hash: hash.to_hex().to_string(), last } })?;
    exported.hash = Some(*hash.as_bytes());
    Ok(())
}

/// Gives the lines of all tables, a batch at a time, and says how many they were.
fn each_line(
    session: &mut Session<'_>,
    progress: Progress<'_>,
    take: &mut dyn FnMut(&[u8]) -> Result<(), StoreError>,
) -> Result<u64, StoreError> {
    let all = tables::count(session)?;
    let mut rows = 0;
    let mut text = Vec::new();
    for table in TABLES.iter().filter(|table| table.name != CONTENT) {
        let mut walk = Walk::new(table, View::Told);
        loop {
            let batch = walk.next(session)?;
            if batch.is_empty() {
                break;
            }
            for row in &batch {
                line::write(&mut text, table, row);
                take(&text)?;
                text.clear();
            }
            rows += batch.len() as u64;
            progress("rows", rows, all.max(rows));
        }
    }
    Ok(rows)
}

/// All versions, in the order of pages.
fn versions(
    session: &mut Session<'_>,
    out: &mut impl Write,
    exported: &mut Exported,
    progress: Progress<'_>,
) -> Result<(), StoreError> {
    warc::open(out, Timestamp::now()).map_err(|error| failed(&error))?;
    let Some(table) = Table::named("snapshot") else { return Ok(()) };
    let all = session.one("select count(*) from snapshot", &[])?.count(0)?;
    let (mut walk, mut near) = (Walk::new(table, View::Raw), Near::default());
    loop {
        let batch = walk.next(session)?;
        if batch.is_empty() {
            return Ok(());
        }
        for row in &batch {
            version(session, row, &mut near, out, exported)?;
            progress("versions", exported.versions, all);
        }
    }
}

fn version(
    session: &mut Session<'_>,
    row: &Row,
    near: &mut Near,
    out: &mut impl Write,
    exported: &mut Exported,
) -> Result<(), StoreError> {
    let (page, version) = (row.int(0)?, row.int(1)?);
    let of = session.one(
        "select p.request, c.hash from page p, content c where p.id = ?1 and c.id = ?2",
        args![page, row.int(3)?],
    )?;
    let request: tidemark_engine::request::Request = of.json(0)?;
    let body = match near.read(session, row.int(3)?) {
        Ok(body) => body,
        Err(StoreError::Damaged(what)) => {
            exported.problems.push(format!("version {version} of page {page}: {what}"));
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    let capture = Capture {
        page,
        version,
        url: row.opt_text(5)?.unwrap_or(request.url.as_str()),
        at: time(row.int(2)?).unwrap_or_default(),
        content_type: row.opt_text(4)?,
        hash: &line::hex(of.bytes(1)?),
        body,
    };
    warc::write(out, &capture).map_err(|error| failed(&error))?;
    exported.versions += 1;
    Ok(())
}

fn write_line(out: &mut impl Write, value: &impl Serialize) -> Result<(), StoreError> {
    let text = crate::value::json(value)?;
    writeln!(out, "{text}").map_err(|error| failed(&error))
}

fn create(path: &Path) -> Result<BufWriter<File>, StoreError> {
    let file = super::backup::create_private(path).map_err(|error| trouble(path, &error))?;
    Ok(BufWriter::with_capacity(1 << 18, file))
}

/// On disk, not only on its way there.
fn close(out: BufWriter<File>, path: &Path) -> Result<(), StoreError> {
    let file = out.into_inner().map_err(|error| trouble(path, error.error()))?;
    file.sync_all().map_err(|error| trouble(path, &error))
}

fn failed(error: &std::io::Error) -> StoreError {
    StoreError::Other { attempt: "write the export".to_owned(), reason: error.to_string() }
}

pub(super) fn trouble(path: &Path, error: &std::io::Error) -> StoreError {
    StoreError::Other { attempt: format!("write {}", path.display()), reason: error.to_string() }
}
