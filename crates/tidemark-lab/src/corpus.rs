//! Real pages for evaluations: archives kept outside the repository, read where they lie.
//!
//! The folder is `$TIDEMARK_CORPUS`, or `../shared/corpus` beside the checkout. Where there is none, evaluations say so and
//! use generated pages.

use crate::generate;
use anyhow::{Context, Result};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// One page.
#[derive(Clone, Debug)]
pub struct Document {
    /// Path inside the corpus, such as `articles/NAME/source.html`.
    pub name: String,
    /// The page as it was published.
    pub bytes: Vec<u8>,
}

impl Document {
    /// The site a page is from: pages of one site share a folder; single pages stand for themselves.
    pub fn site(&self) -> &str {
        let mut slashes = self.name.match_indices('/').map(|(at, _)| at);
        slashes.nth(1).map_or(self.name.as_str(), |end| &self.name[..end])
    }

    /// The archive a page is from.
    pub fn group(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }
}

/// Where pages came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Real pages.
    Corpus,
    /// Made by [`generate`].
    Generated,
}

/// All pages of the corpus in the order of their names, or generated ones where there is no corpus.
pub fn pages() -> Result<(Vec<Document>, Origin)> {
    match folder() {
        Some(folder) => Ok((read(&folder)?, Origin::Corpus)),
        None => {
            eprintln!("no corpus here (set TIDEMARK_CORPUS to its folder): using generated pages");
            Ok((generated(), Origin::Generated))
        }
    }
}

fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("TIDEMARK_CORPUS").map_or(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

fn read(folder: &Path) -> Result<Vec<Document>> {
    let mut documents = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".tar.zst") {
            unpack(&path, &mut documents).with_context(|| format!("cannot read {}", path.display()))?;
        }
    }
    documents.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(documents)
}

fn unpack(archive: &Path, documents: &mut Vec<Document>) -> Result<()> {
    let mut archive = tar::Archive::new(zstd::Decoder::new(File::open(archive)?)?);
    for entry in archive.entries()? {
        let mut entry = entry?;
        let name = entry.path()?.to_string_lossy().into_owned();
        let is_page = entry.header().entry_type().is_file() && !name.ends_with(".json") && !name.contains("/expected");
        if is_page {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            documents.push(Document { name, bytes });
        }
    }
    Ok(())
}

fn generated() -> Vec<Document> {
    let articles = (0..40).map(|seed| (format!("article/{seed}"), generate::article(1500, seed).into_bytes()));
    let listings = (0..20).map(|seed| (format!("listing/{seed}"), generate::listing(200, seed).into_bytes()));
    articles.chain(listings).map(|(name, bytes)| Document { name, bytes }).collect()
}
