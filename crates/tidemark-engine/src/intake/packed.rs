//! What is packed, unpacked within a budget.

use super::{Form, LARGEST, LARGEST_ARCHIVE, Refusal};
use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// Most files of an archive.
const FILES: usize = 500_000;
/// Largest of those that are wanted.
const FILE: u64 = 32 << 20;

/// The bytes themselves: gzip around them is undone.
pub(super) fn plain(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Refusal> {
    if bytes.len() > LARGEST_ARCHIVE {
        return Err(Refusal::TooLarge(LARGEST_ARCHIVE));
    }
    if !bytes.starts_with(b"\x1f\x8b") {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut plain = Vec::new();
    let read = MultiGzDecoder::new(bytes).take(LARGEST as u64 + 1).read_to_end(&mut plain);
    read.map_err(|error| Refusal::Hostile(format!("it is packed, and damaged: {error}")))?;
    if plain.len() > LARGEST { Err(Refusal::TooLarge(LARGEST)) } else { Ok(Cow::Owned(plain)) }
}

/// The files of an archive that are wanted by their names. The whole archive is refused if anything in it is not what an honest one has.
pub(super) fn files(bytes: &[u8], wanted: impl Fn(&str) -> bool) -> Result<Vec<(String, Vec<u8>)>, Refusal> {
    let malformed = |error: zip::result::ZipError| Refusal::Malformed {
        form: Form::Changedetection,
        reason: error.to_string(),
    };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(malformed)?;
    if archive.len() > FILES {
        return Err(Refusal::TooMany);
    }
    if archive.has_overlapping_files().map_err(malformed)? {
        return Err(Refusal::Hostile("files in it overlap each other".to_owned()));
    }
    let mut names = Vec::new();
    for number in 0..archive.len() {
        let file = archive.by_index_raw(number).map_err(malformed)?;
        let name = file.name().map_err(malformed)?.into_owned();
        if file.enclosed_name().is_none() || name.starts_with('/') || name.contains('\\') {
            return Err(Refusal::Hostile("it has a file that lies outside of it".to_owned()));
        }
        if file.is_symlink() {
            return Err(Refusal::Hostile("it has a link in place of a file".to_owned()));
        }
        if file.is_file() && wanted(&name) {
            names.push((number, name));
        }
    }
    unpacked(&mut archive, names)
}

fn unpacked(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    names: Vec<(usize, String)>,
) -> Result<Vec<(String, Vec<u8>)>, Refusal> {
    let mut room = LARGEST as u64;
    let mut files = Vec::new();
    for (number, name) in names {
        let damaged = |reason: String| Refusal::Hostile(format!("a file in it is damaged: {reason}"));
        let file = archive.by_index(number).map_err(|error| damaged(error.to_string()))?;
        let most = FILE.min(room);
        let mut content = Vec::new();
        file.take(most + 1).read_to_end(&mut content).map_err(|error| damaged(error.to_string()))?;
        if content.len() as u64 > most {
            return Err(Refusal::TooLarge(most as usize));
        }
        room -= content.len() as u64;
        files.push((name, content));
    }
    Ok(files)
}
