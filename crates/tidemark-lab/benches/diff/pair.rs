//! The pairs of pages all contests run over, and what we do to them.

use anyhow::{Context, Result};
use std::fmt;
use std::path::Path;
use tidemark_core::diff::Difference;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;
use tidemark_lab::plant::{self, Kind};
use tidemark_lab::table::grouped;

/// Edits of each kind in a page.
const EDITS: usize = 1;

/// Two versions of a page.
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// All pairs.
pub(crate) struct Pairs {
    pub(crate) all: Vec<Pair>,
    edits: usize,
    left_out: usize,
}

impl Pairs {
    /// Articles of the corpus with edits planted in them, or generated pages where there is no corpus.
    pub(crate) fn read() -> Result<Self> {
        let (mut grounds, left_out) = plant::grounds()?;
        if grounds.iter().any(|ground| ground.name.starts_with("articles/")) {
            grounds.retain(|ground| ground.name.starts_with("articles/"));
        }
        let (mut all, mut edits) = (Vec::new(), 0);
        for ground in grounds {
            if let Some(grown) = ground.plant(&Kind::ALL, EDITS, 1) {
                edits += grown.planted.len();
                all.push(Pair { name: ground.name, old: ground.page, new: grown.page });
            }
        }
        Ok(Self { all, edits, left_out })
    }
}

impl Pair {
    pub(crate) fn compared(&self) -> Difference {
        ours(self.old.as_bytes(), self.new.as_bytes())
    }

    /// Writes both versions where peers look for them.
    pub(crate) fn write(&self, folder: &Path, number: usize) -> Result<()> {
        for (ending, page) in [("old", &self.old), ("new", &self.new)] {
            let path = folder.join(format!("{number:04}.{ending}"));
            std::fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

/// The whole of our job, from bytes to what changed.
pub(crate) fn ours(old: &[u8], new: &[u8]) -> Difference {
    let read = |page| PageDigest::encode(page, &Reading::default()).expect("the page was encoded before");
    Difference::of(&read(old), &read(new))
}

impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes: usize = self.all.iter().map(|pair| pair.old.len()).sum();
        write!(
            f,
            "{} pages, {} bytes, {} edits planted; {} pages left out, which do not come back from being written",
            self.all.len(),
            grouped(bytes),
            self.edits,
            self.left_out
        )
    }
}
