//! Files written by the first version of the native form are read for ever. A change to the serialisation, the vocabulary or
//! the dictionary breaks this test, and needs a version of its own.

use crate::pages::{corpus, digest};
use std::path::Path;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Limits;

#[test]
fn files_of_version_1_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/version-1");
    let mut read = 0;
    for (name, bytes) in corpus() {
        for variant in ["plain", "packed"] {
            let Ok(file) = std::fs::read(folder.join(format!("{name}.{variant}.tmd"))) else { continue };
            let loaded = PageDigest::from_native(&file, &Limits::default())
                .unwrap_or_else(|error| panic!("{name}, {variant}: {error}"));
            assert_eq!(*loaded.revert().expect("a sound residue"), *bytes, "{name}, {variant}");
            assert!(loaded.changed(&digest(&bytes)).is_empty(), "{name}, {variant}");
            read += 1;
        }
    }
    assert_eq!(read, 10, "five pages in two variants");
}
