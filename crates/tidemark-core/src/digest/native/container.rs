//! The outside of a native file: mark, version, length, checksum and sections.
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | mark: `\x89TMD\r\n\x1a\n`, which a transfer in text mode breaks |
//! | 8..10 | version |
//! | 10..11 | variant: 0 plain, 1 packed |
//! | 11..12 | number of sections |
//! | 12..16 | length of the file |
//! | 16..24 | xxh3-64 of all other bytes |
//! | 24.. | the length of each section, 4 bytes each; then the sections |
//!
//! All numbers are little-endian. In the plain variant each section begins at a multiple of 8, behind bytes that are 0.

use super::{NativeError, VERSION, Variant};
use std::ops::Range;
use xxhash_rust::xxh3::Xxh3;

pub(crate) const MAGIC: [u8; 8] = *b"\x89TMD\r\n\x1a\n";

const HEADER: usize = 24;
const CHECKSUM: Range<usize> = 16..24;

/// A native file whose outside is sound.
pub(crate) struct Container<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) variant: Variant,
    sections: Vec<Range<usize>>,
}

impl<'a> Container<'a> {
    /// Checks mark, version, length and checksum, in this order, and finds the sections.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, NativeError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(NativeError::NotNative);
        }
        let cut_off = |expected| NativeError::Length { expected, found: bytes.len() as u64 };
        let header = bytes.first_chunk::<HEADER>().ok_or_else(|| cut_off(HEADER as u64))?;
        let version = u16::from_le_bytes([header[8], header[9]]);
        if version > VERSION {
            return Err(NativeError::FutureVersion { found: version });
        }
        let length = u64::from(u32_at(header, 12));
        if length != bytes.len() as u64 {
            return Err(cut_off(length));
        }
        if header[CHECKSUM] != checksum(bytes) {
            return Err(NativeError::Checksum);
        }
        let variant = match (version, header[10]) {
            (VERSION, 0) => Variant::Plain,
            (VERSION, 1) => Variant::Packed,
            _ => return Err(NativeError::Malformed("unknown version or variant")),
        };
        let sections = directory(bytes, header[11] as usize, variant)?;
        Ok(Self { bytes, variant, sections })
    }

    /// The bytes of a section.
    pub(crate) fn section(&self, index: usize) -> Result<&'a [u8], NativeError> {
        Ok(&self.bytes[self.range(index)?])
    }

    /// Where a section lies in the file.
    pub(crate) fn range(&self, index: usize) -> Result<Range<usize>, NativeError> {
        self.sections.get(index).cloned().ok_or(NativeError::Malformed("a section is missing"))
    }
}

/// Writes a native file.
pub(crate) fn write(variant: Variant, sections: &[&[u8]]) -> Result<Vec<u8>, NativeError> {
    let mut file =
        Vec::with_capacity(sections.iter().map(|section| section.len() + 12).sum::<usize>() + HEADER);
    file.extend_from_slice(&MAGIC);
    file.extend_from_slice(&VERSION.to_le_bytes());
    file.extend_from_slice(&[u8::from(variant == Variant::Packed), sections.len() as u8]);
    file.resize(HEADER, 0);
    for section in sections {
        file.extend_from_slice(&(section.len() as u32).to_le_bytes());
    }
    for section in sections {
        file.resize(file.len().next_multiple_of(alignment(variant)), 0);
        file.extend_from_slice(section);
    }
    let length =
        u32::try_from(file.len()).map_err(|_| NativeError::TooLarge("a digest has at most 4 GiB"))?;
    file[12..16].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(&file);
    file[CHECKSUM].copy_from_slice(&sum);
    Ok(file)
}

fn directory(bytes: &[u8], count: usize, variant: Variant) -> Result<Vec<Range<usize>>, NativeError> {
    let malformed = NativeError::Malformed("the sections do not fill the file");
    let mut free = HEADER + count * 4;
    let lengths = bytes.get(HEADER..free).ok_or_else(|| malformed.clone())?;
    let mut sections = Vec::with_capacity(count);
    for entry in lengths.chunks_exact(4) {
        let start = free.next_multiple_of(alignment(variant));
        free = start + u32_at(entry, 0) as usize;
        sections.push(start..free);
    }
    (free == bytes.len()).then_some(sections).ok_or(malformed)
}

/// Plain columns are read where they lie; a packed file has no byte to spare.
fn alignment(variant: Variant) -> usize {
    match variant {
        Variant::Plain => 8,
        Variant::Packed => 1,
    }
}

fn checksum(bytes: &[u8]) -> [u8; 8] {
    let mut hasher = Xxh3::new();
    hasher.update(&bytes[..CHECKSUM.start]);
    hasher.update(&bytes[CHECKSUM.end..]);
    hasher.digest().to_le_bytes()
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        write(Variant::Plain, &[b"meta", b"", b"12345678", b"x"]).unwrap()
    }

    #[test]
    fn sections_come_back() {
        let file = sample();
        let container = Container::read(&file).unwrap();
        let sections: Vec<&[u8]> = (0..4).map(|index| container.section(index).unwrap()).collect();
        assert_eq!(sections, [&b"meta"[..], b"", b"12345678", b"x"]);
        assert!(container.section(4).is_err());
        assert!((0..4).all(|index| container.range(index).unwrap().start.is_multiple_of(8)));
    }

    #[test]
    fn every_flipped_byte_and_every_cut_is_noticed() {
        let file = sample();
        for at in 0..file.len() {
            let mut broken = file.clone();
            broken[at] ^= 0x40;
            assert!(Container::read(&broken).is_err(), "byte {at}");
            assert!(Container::read(&file[..at]).is_err(), "cut at {at}");
        }
        let mut longer = file.clone();
        longer.push(0);
        assert!(matches!(Container::read(&longer), Err(NativeError::Length { .. })));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut file = sample();
            change(&mut file);
            Container::read(&file).err().unwrap().to_string()
        };
        assert!(error(&|file| file[0] = b'P').contains("not a Tidemark digest"));
        assert!(error(&|file| file[8] = 9).contains("version 9"));
        assert!(error(&|file| file.truncate(50)).contains("cut off"));
        assert!(error(&|file| *file.last_mut().unwrap() = b'y').contains("checksum"));
    }
}
