//! How small pages become: packed digests beside zstd and brotli of the raw bytes.
//!
//! The dictionary that ships was made from the corpus, so on these pages it knows more than it will on a page nobody has seen.
//! What it is worth there is told by [`unseen`], where each page is tried with a dictionary made without its site.

pub mod decoding;
pub mod unseen;

use crate::corpus::{self, Document, Origin};
use crate::table::{Table, grouped, share};
use crate::work;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use tidemark_core::digest::{PageDigest, Variant};
use tidemark_core::page::Reading;

/// Sizes of one page, or of many together, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// How many pages.
    pub pages: usize,
    /// As published.
    pub raw: usize,
    /// `zstd -19`.
    pub zstd: usize,
    /// Brotli at quality 11.
    pub brotli: usize,
    /// Our packed form, whole file, residue included.
    pub packed: usize,
    /// The residue in it: what the arrays lack to the bytes.
    pub residue: usize,
}

impl Sizes {
    /// Compresses one page in all ways.
    pub fn of(bytes: &[u8]) -> Result<Self> {
        let packed = PageDigest::encode(bytes, &Reading::default())?.to_native(Variant::Packed)?;
        let (_, residue) = sections(&packed)?;
        Ok(Self {
            pages: 1,
            raw: bytes.len(),
            zstd: zstd::bulk::compress(bytes, 19)?.len(),
            brotli: brotli(bytes)?.len(),
            packed: packed.len(),
            residue,
        })
    }

    fn add(&mut self, other: &Self) {
        self.pages += other.pages;
        self.raw += other.raw;
        self.zstd += other.zstd;
        self.brotli += other.brotli;
        self.packed += other.packed;
        self.residue += other.residue;
    }
}

/// Prints sizes by group and in total, and on demand by page and for unseen sites; then the speed of decoding.
pub fn evaluate(by_page: bool, cross_validate: bool, rounds: usize) -> Result<()> {
    let (documents, origin) = corpus::pages()?;
    let sizes = work::through(&documents, "compressing", |document| {
        Sizes::of(&document.bytes).with_context(|| format!("cannot pack {}", document.name))
    });
    let sizes = sizes.into_iter().collect::<Result<Vec<Sizes>>>()?;
    if by_page {
        println!("{}", page_table(&documents, &sizes));
    }
    println!("{}", group_table(&documents, &sizes));
    match origin {
        Origin::Generated => {}
        Origin::Corpus if cross_validate => println!("{}", unseen::evaluate(&documents, &sizes)?),
        Origin::Corpus => println!(
            "The dictionary in the packed form was made from this corpus; for sites it has not seen the\n\
             honest number is that of --cross-validate.\n"
        ),
    }
    print!("{}", decoding::contest(&corpus::sample(&documents), rounds)?);
    Ok(())
}

/// Brotli at quality 11, with the window its own program would choose.
pub fn brotli(bytes: &[u8]) -> Result<Vec<u8>> {
    let window = (usize::BITS - bytes.len().leading_zeros()).clamp(16, 24).cast_signed();
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: window,
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut compressed, &parameters)?;
    Ok(compressed)
}

/// Sizes of the two sections of a packed file: columns and residue.
fn sections(packed: &[u8]) -> Result<(usize, usize)> {
    const DIRECTORY: usize = 24;
    let length = |at: usize| Some(u32::from_le_bytes(packed.get(at..at + 4)?.try_into().ok()?) as usize);
    let found = length(DIRECTORY).zip(length(DIRECTORY + 4));
    let (columns, residue) = found.context("a packed file has no directory of sections")?;
    anyhow::ensure!(
        DIRECTORY + 8 + columns + residue == packed.len(),
        "the packed form is no longer a header of 32 bytes, columns and residue; teach this evaluation the new one"
    );
    Ok((columns, residue))
}

fn page_table(documents: &[Document], sizes: &[Sizes]) -> Table {
    let mut table = Table::new(["page", "raw", "zstd -19", "brotli 11", "packed", "/ zstd", "/ brotli"]);
    for (document, sizes) in documents.iter().zip(sizes) {
        let Sizes { raw, zstd, brotli, packed, .. } = *sizes;
        let numbers = [raw, zstd, brotli, packed].map(grouped);
        let ratios = [share(packed, zstd), share(packed, brotli)];
        table.row([document.name.clone()].into_iter().chain(numbers).chain(ratios));
    }
    table
}

fn group_table(documents: &[Document], sizes: &[Sizes]) -> Table {
    let heading = [
        "group",
        "pages",
        "raw",
        "zstd -19",
        "brotli 11",
        "packed",
        "/ zstd",
        "/ brotli",
        "residue in packed",
    ];
    let mut table = Table::new(heading);
    for (group, sum) in by_group(documents, sizes) {
        let numbers = [sum.pages, sum.raw, sum.zstd, sum.brotli, sum.packed].map(grouped);
        let ratios =
            [share(sum.packed, sum.zstd), share(sum.packed, sum.brotli), share(sum.residue, sum.packed)];
        table.row([group.to_owned()].into_iter().chain(numbers).chain(ratios));
    }
    table
}

/// Sums by group in the order of their names, the total last.
fn by_group<'a>(documents: &'a [Document], sizes: &[Sizes]) -> Vec<(&'a str, Sizes)> {
    let mut groups: BTreeMap<&str, Sizes> = BTreeMap::new();
    let mut total = Sizes::default();
    for (document, sizes) in documents.iter().zip(sizes) {
        groups.entry(document.group()).or_default().add(sizes);
        total.add(sizes);
    }
    groups.into_iter().chain([("total", total)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn sections_and_header_make_the_file() {
        let sizes = Sizes::of(generate::article(300, 1).as_bytes()).unwrap();
        assert!(sizes.residue > 0 && sizes.residue < sizes.packed);
        assert!(sizes.packed < sizes.raw && sizes.brotli < sizes.raw && sizes.zstd < sizes.raw);
        assert!(sections(b"too short").is_err());
    }

    #[test]
    fn brotli_is_read_back() {
        let page = generate::soup(5000, 1);
        let mut found = Vec::new();
        brotli::BrotliDecompress(&mut &*brotli(&page).unwrap(), &mut found).unwrap();
        assert_eq!(found, page);
    }

    #[test]
    fn groups_are_summed() {
        let page = |name: &str| Document::new(name.to_owned(), Vec::new());
        let documents = [page("a/1"), page("a/2"), page("b/1")];
        let sizes = [1, 2, 4].map(|raw| Sizes { pages: 1, raw, ..Sizes::default() });
        let sums: Vec<_> =
            by_group(&documents, &sizes).iter().map(|(name, sum)| (*name, sum.pages, sum.raw)).collect();
        assert_eq!(sums, [("a", 2, 3), ("b", 1, 4), ("total", 3, 7)]);
    }
}
