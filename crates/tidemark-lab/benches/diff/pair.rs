//! The pairs of pages all contests run over, and what we do to them.

use anyhow::{Context, Result};
use std::fmt;
use std::path::Path;
use tidemark_core::diff::Difference;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;
use tidemark_core::profile::Matcher;
use tidemark_core::render::Changes;
use tidemark_core::render::html::{Names, html};
use tidemark_core::render::text::{TextOptions, text};
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
    pub(crate) fn compared(&self) -> String {
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

/// The whole of our job, from bytes to changes that a person reads.
pub(crate) fn ours(old: &[u8], new: &[u8]) -> String {
    let (old, new) = (read(old), read(new));
    let difference = Difference::of(&old, &new);
    text(&new, &Changes::of(&old, &new, &difference), &TextOptions::default())
}

/// The same as a marked page.
pub(crate) fn ours_as_page(old: &[u8], new: &[u8]) -> String {
    let (old, new) = (read(old), read(new));
    let names = Names { old: "old", new: "new" };
    html(&old, &new, &Difference::of(&old, &new), &Matcher::default(), names)
}

pub(crate) fn read(page: &[u8]) -> PageDigest {
    PageDigest::encode(page, &Reading::default()).expect("the page was encoded before")
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
