//! How small pages become: packed digests beside zstd and brotli of the raw bytes.

use crate::corpus::Document;
use crate::dictionary;
use anyhow::Result;
use std::collections::BTreeSet;
use std::io::Write;
use tidemark_core::digest::{PageDigest, Variant};
use tidemark_core::page::Reading;

/// Sizes of one page, or of many together, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// As published.
    pub raw: usize,
    /// `zstd -19`.
    pub zstd: usize,
    /// Brotli at quality 11.
    pub brotli: usize,
    /// Our packed form, whole file, residue included.
    pub packed: usize,
}

impl Sizes {
    /// Compresses one page in all ways.
    pub fn of(bytes: &[u8]) -> Result<Self> {
        let digest = PageDigest::encode(bytes, &Reading::default())?;
        Ok(Self {
            raw: bytes.len(),
            zstd: zstd::bulk::compress(bytes, 19)?.len(),
            brotli: brotli(bytes)?,
            packed: digest.to_native(Variant::Packed)?.len(),
        })
    }

    /// Adds another page.
    pub fn add(&mut self, other: Self) {
        self.raw += other.raw;
        self.zstd += other.zstd;
        self.brotli += other.brotli;
        self.packed += other.packed;
    }
}

fn brotli(bytes: &[u8]) -> Result<usize> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 11, 22);
    writer.write_all(bytes)?;
    writer.flush()?;
    Ok(writer.into_inner().len())
}

/// What the frame of the packed columns comes to when the dictionary was made without the sites it is tried on:
/// total bytes with the shipped dictionary's recipe, over `folds` parts of the sites.
pub fn cross_validated(documents: &[Document], folds: usize) -> Result<usize> {
    let sites: BTreeSet<&str> = documents.iter().map(Document::site).collect();
    let fold_of = |document: &Document| sites.iter().position(|&site| site == document.site()).unwrap_or(0) % folds;
    let mut total = 0;
    for fold in 0..folds {
        let (test, train): (Vec<Document>, Vec<Document>) =
            documents.iter().cloned().partition(|document| fold_of(document) == fold);
        let mut compressor = zstd::bulk::Compressor::with_dictionary(19, &dictionary::build(&train)?)?;
        for document in test {
            let digest = PageDigest::encode(&document.bytes, &Reading::default())?;
            total += compressor.compress(&digest.packing_stream()?)?.len();
        }
    }
    Ok(total)
}
