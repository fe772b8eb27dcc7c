//! Two pages, split at the first NUL byte: facets, nodes, script, patch and views of their difference hold together.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tidemark_core::diff::{Difference, Patch};
use tidemark_core::digest::PageDigest;
use tidemark_core::page::{Limits, Reading};
use tidemark_core::render::Changes;
use tidemark_core::profile::Matcher;
use tidemark_core::render::html::{Names, html};

fuzz_target!(|input: &[u8]| {
    let split = input.iter().position(|&byte| byte == 0).unwrap_or(input.len());
    let (old, new) = (&input[..split], input.get(split + 1..).unwrap_or_default());
    let reading = Reading { limits: Limits { bytes: 1 << 20, nodes: 100_000, ..Limits::default() }, ..Reading::default() };
    let (Ok(old), Ok(new)) = (PageDigest::encode(old, &reading), PageDigest::encode(new, &reading)) else { return };
    let changed = old.changed(&new);
    assert_eq!(changed, new.changed(&old));
    assert_eq!(changed, old.facet_hashes().changed(new.facet_hashes()));
    assert_eq!(changed.is_empty(), old.differing(&new).is_empty());
    let difference = Difference::of(&old, &new);
    assert_eq!(changed.is_empty(), difference.script.is_empty());
    let made = Patch::of(&old, &new, &difference).apply(&old, &Limits::default()).unwrap();
    assert!(made.revert().unwrap() == new.revert().unwrap());
    assert_eq!(Changes::of(&old, &new, &difference).changes.is_empty(), changed.is_empty());
    html(&old, &new, &difference, &Matcher::default(), Names { old: "old", new: "new" });
});
