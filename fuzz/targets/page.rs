//! Any bytes are a page, and come back: encoded, plain, packed. The first byte chooses charset and grammar.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tidemark_core::digest::{PageDigest, Variant};
use tidemark_core::page::{Format, Limits, Reading};

fuzz_target!(|input: &[u8]| {
    let Some((choice, page)) = input.split_first() else { return };
    let charsets = [None, Some("utf-8"), Some("shift_jis"), Some("utf-16le"), Some("windows-1252"), Some("gb18030")];
    let reading = Reading {
        charset: charsets[usize::from(choice >> 2) % charsets.len()].map(str::to_owned),
        format: [None, Some(Format::Html), Some(Format::Xml), None][usize::from(choice & 3)],
        limits: Limits { bytes: 1 << 20, nodes: 100_000, ..Limits::default() },
    };
    let Ok(digest) = PageDigest::encode(page, &reading) else { return };
    assert!(*digest.revert().unwrap() == *page);
    for variant in [Variant::Plain, Variant::Packed] {
        let file = digest.to_native(variant).unwrap();
        let loaded = PageDigest::from_native(&file, &Limits::default()).unwrap();
        assert!(*loaded.revert().unwrap() == *page);
        assert!(loaded.changed(&digest).is_empty());
        assert_eq!(loaded.about(), digest.about());
    }
});
