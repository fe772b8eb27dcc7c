//! How fast pages come back: the packed form beside zstd and brotli of the raw bytes.

use super::brotli;
use crate::contest::{Contest, Outcome};
use crate::corpus::Document;
use crate::work;
use anyhow::Result;
use tidemark_core::digest::{PageDigest, Variant};
use tidemark_core::page::{Limits, Reading};

/// One page compressed in all ways.
struct Compressed {
    raw: usize,
    packed: Vec<u8>,
    zstd: Vec<u8>,
    brotli: Vec<u8>,
}

impl Compressed {
    fn new(document: &Document) -> Result<Self> {
        let digest = PageDigest::encode(&document.bytes, &Reading::default())?;
        Ok(Self {
            raw: document.bytes.len(),
            packed: digest.to_native(Variant::Packed)?,
            zstd: zstd::bulk::compress(&document.bytes, 19)?,
            brotli: brotli(&document.bytes)?,
        })
    }

    fn load(&self) -> PageDigest {
        PageDigest::from_native(&self.packed, &Limits::default()).expect("a file just written is sound")
    }

    fn revert(&self) -> Vec<u8> {
        self.load().revert().expect("a file just written is sound").into_owned()
    }

    fn unzstd(&self) -> Vec<u8> {
        zstd::bulk::decompress(&self.zstd, self.raw).expect("a frame just written is sound")
    }

    fn unbrotli(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.raw);
        ::brotli::BrotliDecompress(&mut &*self.brotli, &mut bytes).expect("a stream just written is sound");
        bytes
    }

    fn unzstd_and_encode(&self) -> PageDigest {
        PageDigest::encode(&self.unzstd(), &Reading::default()).expect("the page was encoded before")
    }
}

/// Decodes the pages in all ways, in turn.
pub fn contest(documents: &[&Document], rounds: usize) -> Result<Outcome> {
    let pages = work::through(documents, "compressing", |document| Compressed::new(document));
    let pages = pages.into_iter().collect::<Result<Vec<Compressed>>>()?;
    let contest = Contest::new("decoding")
        .enter("packed: load the arrays", Compressed::load)
        .enter("packed: load and revert to bytes", Compressed::revert)
        .enter("zstd: bytes", Compressed::unzstd)
        .enter("brotli: bytes", Compressed::unbrotli)
        .enter("zstd: bytes, then encode", Compressed::unzstd_and_encode);
    Ok(contest.run(&pages, rounds))
}
