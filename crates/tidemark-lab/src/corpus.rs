//! Real pages for evaluations: archives kept outside the repository, read where they lie.
//!
//! The folder is `$TIDEMARK_CORPUS`, or `../shared/corpus` beside the checkout. Where there is none, evaluations say so and
//! use generated pages.

mod maker;

use crate::generate;
use anyhow::{Context, Result, bail};
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
    maker: Option<String>,
}

impl Document {
    /// A page of which nothing is known but its name.
    pub fn new(name: String, bytes: Vec<u8>) -> Self {
        Self { name, bytes, maker: None }
    }

    /// Whose page it is, for whoever must tell pages of one maker from pages of many.
    pub fn site(&self) -> &str {
        self.maker.as_deref().unwrap_or_else(|| maker::from_name(&self.name))
    }

    /// The archive a page is from.
    pub fn group(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }

    /// Whether it is a page as published, not what somebody found in one.
    pub fn is_page(&self) -> bool {
        !self.name.contains("/expected")
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
    if let Some(mut documents) = files()? {
        documents.retain(Document::is_page);
        return Ok((documents, Origin::Corpus));
    }
    eprintln!("no corpus here (set TIDEMARK_CORPUS to its folder): using generated pages");
    Ok((generated(), Origin::Generated))
}

/// Every file of the corpus in the order of their names, whether page or not; nothing where there is no corpus.
pub fn files() -> Result<Option<Vec<Document>>> {
    folder()?.map(|folder| read(&folder)).transpose()
}

/// What is known of the corpus, from a file beside its archives; nothing where there is no such file.
pub fn truth(name: &str) -> Result<Option<String>> {
    let path = folder()?.map(|folder| folder.join(name)).filter(|path| path.is_file());
    path.map(|path| std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display())))
        .transpose()
}

/// Pages for a contest: all articles, and the first, the middle and the last version of each history.
/// Of other corpora, and of generated pages, all.
pub fn sample(documents: &[Document]) -> Vec<&Document> {
    let articles = documents.iter().filter(|document| document.group() == "articles");
    let histories: Vec<&Document> =
        documents.iter().filter(|document| document.group() == "histories").collect();
    let versions = histories
        .chunk_by(|old, new| folder_of(&old.name) == folder_of(&new.name))
        .flat_map(|versions| [versions[0], versions[versions.len() / 2], versions[versions.len() - 1]]);
    let chosen: Vec<&Document> = articles.chain(versions).collect();
    if chosen.is_empty() { documents.iter().collect() } else { chosen }
}

/// Generated pages in place of a corpus: articles and listings.
pub fn generated() -> Vec<Document> {
    let articles = (0..40).map(|seed| (format!("article/{seed}"), generate::article(1500, seed)));
    let listings = (0..20).map(|seed| (format!("listing/{seed}"), generate::listing(200, seed)));
    articles.chain(listings).map(|(name, page)| Document::new(name, page.into_bytes())).collect()
}

fn folder() -> Result<Option<PathBuf>> {
    if let Some(named) = std::env::var_os("TIDEMARK_CORPUS").map(PathBuf::from) {
        if !named.is_dir() {
            bail!(
                "TIDEMARK_CORPUS is {}, which is not a folder; name the corpus or unset it",
                named.display()
            );
        }
        return Ok(Some(named));
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    Ok(beside.is_dir().then_some(beside))
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
    let mut makers = maker::from_manifest(folder)?;
    for document in &mut documents {
        document.maker = makers.remove(&document.name);
    }
    Ok(documents)
}

fn unpack(archive: &Path, documents: &mut Vec<Document>) -> Result<()> {
    let mut archive = tar::Archive::new(zstd::Decoder::new(File::open(archive)?)?);
    for entry in archive.entries()? {
        let mut entry = entry?;
        if entry.header().entry_type().is_file() {
            let name = entry.path()?.to_string_lossy().into_owned();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            documents.push(Document::new(name, bytes));
        }
    }
    Ok(())
}

fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(name: &str) -> Document {
        Document::new(name.to_owned(), Vec::new())
    }

    #[test]
    fn a_known_maker_outranks_the_name() {
        let known = Document { maker: Some("one/site".to_owned()), ..document("edge/a.html") };
        assert_eq!([known.site(), document("edge/a.html").site()], ["one/site", "a"]);
    }

    #[test]
    fn a_page_has_the_group_of_its_archive() {
        assert_eq!(document("articles/001/source.html").group(), "articles");
        assert_eq!(document("edge/empty.html").group(), "edge");
        assert!(document("articles/001/source.html").is_page());
        assert!(!document("articles/001/expected.html").is_page());
        assert!(!document("articles/001/expected-metadata.json").is_page());
    }

    #[test]
    fn a_sample_has_all_articles_and_three_versions_of_each_history() {
        let versions = (0..9).map(|version| document(&format!("histories/a/{version}.html")));
        let others = ["articles/x/source.html", "edge/y.html", "histories/b/0.html", "histories/b/1.html"];
        let mut documents: Vec<Document> = versions.chain(others.map(document)).collect();
        documents.sort_by(|a, b| a.name.cmp(&b.name));
        let names: Vec<&str> = sample(&documents).iter().map(|document| document.name.as_str()).collect();
        let expected = [
            "articles/x/source.html",
            "histories/a/0.html",
            "histories/a/4.html",
            "histories/a/8.html",
            "histories/b/0.html",
            "histories/b/1.html",
            "histories/b/1.html",
        ];
        assert_eq!(names, expected);
    }
}
