//! Which facets of two loaded digests differ, beside a comparison of the bytes they were made from.
//!
//! Bytes tell that something differs; facets tell what. Equal pages are the worst case: nothing ends the comparison early.

use crate::page::{Page, Pages};
use anyhow::Result;
use std::io::Write;
use tidemark_core::digest::{Facets, PageDigest};
use tidemark_core::page::Reading;
use tidemark_lab::contest::{Contest, Outcome};

struct Pair<'a> {
    old_bytes: &'a [u8],
    new_bytes: Vec<u8>,
    old: PageDigest,
    new: PageDigest,
}

pub(crate) fn run(pages: &Pages, rounds: usize, out: &mut dyn Write) -> Result<()> {
    let equal = pages.pages.iter().map(|page| Pair::new(page, page.bytes.clone()));
    writeln!(out, "{}", contest("compare, equal pages", &equal.collect::<Result<Vec<_>>>()?, rounds))?;
    let changed = pages.pages.iter().map(|page| Pair::new(page, with_a_change(&page.bytes)));
    write!(out, "{}", contest("compare, one letter changed", &changed.collect::<Result<Vec<_>>>()?, rounds))?;
    Ok(())
}

fn contest(title: &str, pairs: &[Pair<'_>], rounds: usize) -> Outcome {
    Contest::new(title)
        .enter("facets", Pair::facets)
        .enter("facet hashes at hand", |pair: &Pair<'_>| {
            pair.old.facet_hashes().changed(pair.new.facet_hashes())
        })
        .enter("bytes", |pair: &Pair<'_>| pair.old_bytes == pair.new_bytes)
        .run(pairs, rounds)
}

impl<'a> Pair<'a> {
    fn new(page: &'a Page, new_bytes: Vec<u8>) -> Result<Self> {
        let new = PageDigest::encode(&new_bytes, &Reading::default())?;
        Ok(Self { old_bytes: &page.bytes, new_bytes, old: page.load(), new })
    }

    fn facets(&self) -> Facets {
        self.old.changed(&self.new)
    }
}

/// The page with another letter two thirds down its way: far enough for a comparison to have worked, and most likely text.
fn with_a_change(bytes: &[u8]) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    let from = bytes.len() * 2 / 3;
    if let Some(letter) = changed[from..].iter_mut().find(|byte| byte.is_ascii_lowercase()) {
        *letter = if *letter == b'z' { b'a' } else { *letter + 1 };
    }
    changed
}
