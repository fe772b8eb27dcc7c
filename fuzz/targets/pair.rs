//! Two pages, split at the first 0xFF byte: every way of comparing them agrees.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::{Limits, Reading};

fuzz_target!(|input: &[u8]| {
    let split = input.iter().position(|&byte| byte == 0xff).unwrap_or(input.len());
    let reading = Reading { limits: Limits { nodes: 100_000, ..Limits::default() }, ..Reading::default() };
    let encode = |page: &[u8]| PageDigest::encode(page, &reading);
    let (Ok(old), Ok(new)) = (encode(&input[..split]), encode(&input[split..])) else { return };
    let changed = old.changed(&new);
    assert_eq!(changed, new.changed(&old));
    assert_eq!(changed, old.facet_hashes().changed(new.facet_hashes()));
    assert_eq!(changed.is_empty(), old.differing(&new).is_empty());
});
