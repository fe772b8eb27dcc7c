//! Whether every page comes back byte for byte: from memory, and through both native forms.
//!
//! Source: ours; the paper's inverse is exact up to spelling only. Cost: each page is encoded once, written and read twice.

use crate::corpus::{self, Document};
use crate::generate::{self, Shape};
use crate::table::{Table, grouped};
use crate::work;
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::fmt::Display;
use tidemark_core::digest::{PageDigest, Variant};
use tidemark_core::page::{Limits, Reading};

/// Tries all files of the corpus and generated pages; prints a table, and fails if any page does.
pub fn evaluate() -> Result<()> {
    let mut documents = generated();
    match corpus::files()? {
        Some(files) => documents.extend(files),
        None => eprintln!("no corpus here (set TIDEMARK_CORPUS to its folder): trying generated pages only"),
    }
    let troubles = work::through(&documents, "reverting", trouble);
    print!("{}", counts(&documents, &troubles));
    let mut failed = 0;
    for (document, trouble) in documents.iter().zip(&troubles) {
        if let Some(trouble) = trouble {
            eprintln!("{}: {trouble}", document.name);
            failed += 1;
        }
    }
    if failed > 0 {
        bail!("{failed} of {} pages do not come back byte for byte; they are named above", documents.len());
    }
    Ok(())
}

/// What goes wrong with a page on the way there and back, if anything does.
pub fn trouble(document: &Document) -> Option<String> {
    let digest = match PageDigest::encode(&document.bytes, &Reading::default()) {
        Ok(digest) => digest,
        Err(error) => return Some(format!("is refused: {error}")),
    };
    let told = |way: &str, found: Result<Vec<u8>, String>| match found {
        Ok(bytes) if bytes == document.bytes => None,
        Ok(bytes) => Some(format!("differs {way}: {}", first_difference(&document.bytes, &bytes))),
        Err(error) => Some(format!("is lost {way}: {error}")),
    };
    told("in memory", digest.revert().map(Into::into).map_err(said))
        .or_else(|| told("through the plain form", through(&digest, Variant::Plain)))
        .or_else(|| told("through the packed form", through(&digest, Variant::Packed)))
}

fn through(digest: &PageDigest, variant: Variant) -> Result<Vec<u8>, String> {
    let file = digest.to_native(variant).map_err(said)?;
    let loaded = PageDigest::from_native(&file, &Limits::default()).map_err(said)?;
    loaded.revert().map(Into::into).map_err(said)
}

fn said(error: impl Display) -> String {
    error.to_string()
}

fn first_difference(wanted: &[u8], found: &[u8]) -> String {
    let at = wanted.iter().zip(found).take_while(|(a, b)| a == b).count();
    format!("{} bytes instead of {}, the first difference at {at}", found.len(), wanted.len())
}

fn counts(documents: &[Document], troubles: &[Option<String>]) -> Table {
    let mut groups: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for (document, trouble) in documents.iter().zip(troubles) {
        for group in [document.group(), "total"] {
            let [pages, bytes, exact] = groups.entry(group).or_default();
            *pages += 1;
            *bytes += document.bytes.len();
            *exact += usize::from(trouble.is_none());
        }
    }
    let total = groups.remove_entry("total");
    let mut table = Table::new(["pages", "tried", "bytes", "exact"]);
    for (group, row) in groups.into_iter().chain(total) {
        table.row([group.to_owned()].into_iter().chain(row.map(grouped)));
    }
    table
}

/// Pages of every generator, garbage included.
fn generated() -> Vec<Document> {
    let mut documents = Vec::new();
    let mut add =
        |name: String, bytes: Vec<u8>| documents.push(Document::new(format!("generated/{name}"), bytes));
    for seed in 0..20 {
        let size = 1 << (seed % 14);
        add(format!("article-{seed}"), generate::article(size, seed).into_bytes());
        add(format!("listing-{seed}"), generate::listing(size / 8, seed).into_bytes());
        add(format!("noise-{seed}"), noise(size * 8, seed));
        for shape in Shape::ALL {
            add(format!("xml-{shape}-{seed}"), generate::xml_tree(shape, size, seed).into_bytes());
            add(format!("html-{shape}-{seed}"), generate::html_tree(shape, size, seed).into_bytes());
        }
    }
    for seed in 0..500 {
        add(format!("soup-{seed}"), generate::soup(1 << (seed % 16), seed));
    }
    documents
}

fn noise(bytes: usize, seed: u64) -> Vec<u8> {
    let mut rng = fastrand::Rng::with_seed(seed);
    std::iter::repeat_with(|| rng.u8(..)).take(bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_generated_pages_come_back() {
        for document in generated().iter().filter(|document| document.bytes.len() < 4096) {
            assert_eq!(trouble(document), None, "{}", document.name);
        }
    }

    #[test]
    fn a_difference_is_told_with_its_place() {
        assert_eq!(first_difference(b"abc", b"abdd"), "4 bytes instead of 3, the first difference at 2");
    }
}
