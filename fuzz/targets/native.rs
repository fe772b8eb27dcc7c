//! A native file with a right checksum and any content is refused or is a page that can be used.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tidemark_core::digest::locate::Locator;
use tidemark_core::digest::{Facet, PageDigest, Variant};
use tidemark_core::page::Limits;
use tidemark_core::similarity::resemblance::{Aspect, resemblance};
use xxhash_rust::xxh3::Xxh3;

fuzz_target!(|input: &[u8]| {
    let limits = Limits { bytes: 1 << 20, nodes: 100_000, ..Limits::default() };
    let _ = PageDigest::from_native(input, &limits);
    let Ok(digest) = PageDigest::from_native(&sealed(input), &limits) else { return };
    let places = Locator::new(&digest);
    for node in digest.depth_first() {
        let _ = (digest.name(node), digest.content(node), digest.attributes(node).count(), digest.depth(node));
        let _ = (digest.children(node).count(), digest.ancestors(node).count(), digest.subtree_hash(node));
        let _ = (places.tag_path(node), places.css(node), places.xpath(node));
    }
    let _ = digest.revert();
    for variant in [Variant::Plain, Variant::Packed] {
        let file = digest.to_native(variant).unwrap();
        let again = PageDigest::from_native(&file, &Limits::default()).unwrap();
        assert!(again.changed(&digest).is_empty());
        assert!(again.differing(&digest).is_empty());
        let _ = resemblance(&again, &digest, Aspect::Facet(Facet::Content));
    }
});

/// The input with mark, version, length and checksum put right, so that the fuzzer gets past them.
fn sealed(input: &[u8]) -> Vec<u8> {
    let mut file = b"\x89TMD\r\n\x1a\n\x01\0".to_vec();
    file.extend_from_slice(input.get(10..).unwrap_or_default());
    file.resize(file.len().max(24), 0);
    file[10] &= 1;
    let length = file.len() as u32;
    file[12..16].copy_from_slice(&length.to_le_bytes());
    let mut hasher = Xxh3::new();
    hasher.update(&file[..16]);
    hasher.update(&file[24..]);
    file[16..24].copy_from_slice(&hasher.digest().to_le_bytes());
    file
}
