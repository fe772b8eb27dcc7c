//! Any bytes, in any pieces: an archive never breaks its reader, and the pieces make no difference.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tidemark_core::archive::{Found, Reader};

const MOST: usize = 1 << 16;

fuzz_target!(|bytes: &[u8]| {
    let size = bytes.first().map_or(1, |&size| usize::from(size).max(1));
    assert_eq!(read(bytes, size), read(bytes, bytes.len().max(1)));
});

fn read(bytes: &[u8], size: usize) -> Vec<Found> {
    let mut reader = Reader::new(MOST);
    let mut found = Vec::new();
    for piece in bytes.chunks(size) {
        reader.push(piece, &mut |one| {
            assert!(!matches!(&one, Found::Page(page) if page.body.len() > MOST));
            found.push(one);
        });
        assert!(reader.retained() <= 3 * MOST);
    }
    found.extend(reader.finish().map(Found::Trouble));
    found
}
