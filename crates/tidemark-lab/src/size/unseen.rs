//! What the packed form comes to on sites the dictionary has not seen.
//!
//! The sites are dealt into [`FOLDS`] parts; each part is packed with a dictionary made by the shipped recipe from all other parts.
//! Only the frame of the columns depends on the dictionary, so the file is the measured one with that frame exchanged.
//! Cost: one dictionary a part, about a minute each.

use super::{Sizes, by_group, sections};
use crate::corpus::Document;
use crate::table::{Table, grouped, share};
use crate::{dictionary, work};
use anyhow::Result;
use std::collections::BTreeSet;
use tidemark_core::digest::{PageDigest, Variant};
use tidemark_core::page::Reading;
use zstd::bulk::Compressor;
use zstd::dict::EncoderDictionary;

/// Parts the sites are dealt into.
pub const FOLDS: usize = 4;

/// The level of the packed form.
const LEVEL: i32 = 19;

/// Sizes by group when each page meets a dictionary made without its site. `sizes` are those of the shipped dictionary.
pub fn evaluate(documents: &[Document], sizes: &[Sizes]) -> Result<Table> {
    let packed = packed(documents, FOLDS)?;
    let unseen: Vec<Sizes> =
        sizes.iter().zip(packed).map(|(&sizes, packed)| Sizes { packed, ..sizes }).collect();
    let heading = ["group, site unseen", "packed", "/ zstd", "/ brotli", "/ packed as shipped"];
    let mut table = Table::new(heading);
    for ((group, sum), (_, shipped)) in
        by_group(documents, &unseen).into_iter().zip(by_group(documents, sizes))
    {
        let ratios = [sum.zstd, sum.brotli, shipped.packed].map(|other| share(sum.packed, other));
        table.row([group.to_owned(), grouped(sum.packed)].into_iter().chain(ratios));
    }
    Ok(table)
}

/// Size of each page in packed form with a dictionary made without its site.
pub fn packed(documents: &[Document], folds: usize) -> Result<Vec<usize>> {
    let sites: BTreeSet<&str> = documents.iter().map(Document::site).collect();
    let fold_of =
        |document: &Document| sites.iter().position(|&site| site == document.site()).unwrap_or(0) % folds;
    let mut packed = vec![0; documents.len()];
    for fold in 0..folds {
        let (tried, known): (Vec<_>, Vec<_>) =
            documents.iter().enumerate().partition(|(_, document)| fold_of(document) == fold);
        let dictionary = dictionary::build(known.into_iter().map(|(_, document)| document))?;
        let dictionary = EncoderDictionary::copy(&dictionary, LEVEL);
        let found =
            work::through(&tried, "packing", |(_, document)| with_dictionary(&document.bytes, &dictionary));
        for ((at, _), size) in tried.into_iter().zip(found) {
            packed[at] = size?;
        }
    }
    Ok(packed)
}

/// Size of a page in packed form, had it been written with this dictionary.
fn with_dictionary(bytes: &[u8], dictionary: &EncoderDictionary<'_>) -> Result<usize> {
    let digest = PageDigest::encode(bytes, &Reading::default())?;
    let file = digest.to_native(Variant::Packed)?;
    let (columns, _) = sections(&file)?;
    let frame = Compressor::with_prepared_dictionary(dictionary)?.compress(&digest.packing_stream())?;
    Ok(file.len() - columns + frame.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn the_shipped_dictionary_gives_the_shipped_size() {
        let shipped = include_bytes!("../../../tidemark-core/src/digest/native/dictionary.bin");
        let dictionary = EncoderDictionary::copy(shipped, LEVEL);
        for page in [generate::article(500, 1).into_bytes(), generate::soup(3000, 1), Vec::new()] {
            let size = Sizes::of(&page).unwrap().packed;
            assert_eq!(with_dictionary(&page, &dictionary).unwrap(), size);
        }
    }
}
