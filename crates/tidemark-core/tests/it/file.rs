//! Native files taken apart and put together again, by their description alone: what a forger can do.

use std::ops::Range;
use tidemark_core::digest::{PageDigest, Variant};
use xxhash_rust::xxh3::xxh3_64;

const HEADER: usize = 24;
const LENGTH: Range<usize> = 12..16;
const CHECKSUM: Range<usize> = 16..24;

/// Places of columns among the sections of a plain file.
pub(crate) const META: usize = 0;
pub(crate) const TAGS: usize = 3;
pub(crate) const TAG_KINDS: usize = 6;
pub(crate) const TAG_NAMES: usize = 11;
pub(crate) const NAMES: usize = 12;

/// Both variants.
pub(crate) const VARIANTS: [Variant; 2] = [Variant::Plain, Variant::Packed];

/// Writes length and checksum into a file, so that its outside is sound again.
pub(crate) fn seal(file: &mut [u8]) {
    if file.len() < HEADER {
        return;
    }
    let length = u32::try_from(file.len()).expect("a small file");
    file[LENGTH].copy_from_slice(&length.to_le_bytes());
    let rest: Vec<u8> = [&file[..CHECKSUM.start], &file[CHECKSUM.end..]].concat();
    file[CHECKSUM].copy_from_slice(&xxh3_64(&rest).to_le_bytes());
}

/// The sections of a file.
pub(crate) fn sections(file: &[u8]) -> Vec<Vec<u8>> {
    let count = file[11] as usize;
    let mut at = HEADER + 4 * count;
    let lengths = numbers(&file[HEADER..at]);
    let section = |length: u32| {
        at = at.next_multiple_of(alignment(file));
        let section = file[at..at + length as usize].to_vec();
        at += length as usize;
        section
    };
    lengths.into_iter().map(section).collect()
}

/// The file with other sections, sealed.
pub(crate) fn with_sections(file: &[u8], sections: &[Vec<u8>]) -> Vec<u8> {
    let mut forged = file[..HEADER].to_vec();
    forged[11] = u8::try_from(sections.len()).expect("few sections");
    for section in sections {
        forged.extend(u32::try_from(section.len()).expect("a small section").to_le_bytes());
    }
    for section in sections {
        forged.resize(forged.len().next_multiple_of(alignment(file)), 0);
        forged.extend(section);
    }
    seal(&mut forged);
    forged
}

/// The vocabulary of each node: 1 HTML, 2 SVG, 3 MathML, 0 for everything else.
pub(crate) fn vocabularies(digest: &PageDigest) -> Vec<u32> {
    let sections = sections(&digest.to_native(Variant::Plain).expect("a sound digest"));
    let kinds = numbers(&sections[TAG_KINDS]);
    numbers(&sections[TAGS]).into_iter().map(|tag| kinds[tag as usize] >> 8).collect()
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|four| u32::from_le_bytes(four.try_into().expect("four bytes"))).collect()
}

fn alignment(file: &[u8]) -> usize {
    if file[10] == 0 { 8 } else { 1 }
}
