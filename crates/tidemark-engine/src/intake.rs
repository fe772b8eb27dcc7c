//! Watches out of other people's files: pure, from bytes to proposals, with all that cannot be carried over said in words.
//!
//! Files are hostile. Each form has its limits in bytes, entries and nesting; markup is read by the reader of pages, which expands nothing, and a document that declares entities is
//! refused; YAML is read within a budget of nodes and aliases; of an archive only what is wanted is unpacked, within a budget, and one that has a name outside of itself, a link, or
//! parts that overlap is refused as a whole. Nothing is ever written to disk.

mod bookmarks;
mod changedetection;
mod draft;
mod filter;
mod jobs;
mod list;
mod markup;
mod opml;
mod packed;
mod sitemap;

pub use sitemap::{Sitemap, SitemapEntry};

use crate::watch::NewWatch;
use serde::Serialize;
use std::fmt;
use url::Url;

/// Largest file that is read, unpacked.
pub const LARGEST: usize = 64 << 20;
/// Largest archive.
pub const LARGEST_ARCHIVE: usize = 512 << 20;
/// Most entries of a file.
pub const MOST: usize = 100_000;

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Intake {
    /// What it was read as.
    pub form: Form,
    /// Watches to be.
    pub proposed: Vec<Proposed>,
    /// Entries that cannot be watched.
    pub problems: Vec<Problem>,
    /// Further files to read: the sitemaps of an index.
    pub further: Vec<Url>,
}

/// A watch to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposed {
    /// The watch.
    pub new: NewWatch,
    /// What could not be carried over, or was taken otherwise.
    pub notes: Vec<String>,
}

/// An entry that cannot be watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The entry: its address, or where it stands.
    pub entry: String,
    /// Why.
    pub reason: String,
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Outlines, as feed readers write them.
    Opml,
    /// Bookmarks, as browsers write them.
    Bookmarks,
    /// Addresses, one a line.
    List,
    /// A sitemap, or an index of sitemaps.
    Sitemap,
    /// The jobs of urlwatch.
    Urlwatch,
    /// The jobs of webchanges.
    Webchanges,
    /// A backup of changedetection.io.
    Changedetection,
}

/// Why a file is refused as a whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Larger than is read.
    #[error("it is larger than {0} bytes, or unpacks to more")]
    TooLarge(usize),
    /// More than are read.
    #[error("it has more than {MOST} entries")]
    TooMany,
    /// Not of the form it is read as.
    #[error("it cannot be read as {form}: {reason}")]
    Malformed {
        /// What it was read as.
        form: Form,
        /// What is wrong.
        reason: String,
    },
    /// Made to do harm.
    #[error("it is refused: {0}")]
    Hostile(String),
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Opml,
        Self::Bookmarks,
        Self::List,
        Self::Sitemap,
        Self::Urlwatch,
        Self::Webchanges,
        Self::Changedetection,
    ];

    /// What a file is, by its content.
    pub fn of(bytes: &[u8]) -> Self {
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
            return Self::Changedetection;
        }
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]).to_ascii_lowercase();
        let head = head.trim_start_matches('\u{feff}').trim_start();
        match head.chars().next() {
            Some('<') if head.contains("<opml") => Self::Opml,
            Some('<') if head.contains("<urlset") || head.contains("<sitemapindex") => Self::Sitemap,
            Some('<') => Self::Bookmarks,
            Some('{') => Self::Changedetection,
            _ => jobs::form(&String::from_utf8_lossy(bytes)).unwrap_or(Self::List),
        }
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opml => "opml",
            Self::Bookmarks => "bookmarks",
            Self::List => "list",
            Self::Sitemap => "sitemap",
            Self::Urlwatch => "urlwatch",
            Self::Webchanges => "webchanges",
            Self::Changedetection => "changedetection",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads a file, as what it is said to be or as what it looks like.
pub fn read(bytes: &[u8], form: Option<Form>) -> Result<Intake, Refusal> {
    let plain = packed::plain(bytes)?;
    let form = form.unwrap_or_else(|| Form::of(&plain));
    let most = if form == Form::Changedetection { LARGEST_ARCHIVE } else { LARGEST };
    if plain.len() > most {
        return Err(Refusal::TooLarge(most));
    }
    let mut intake = Intake { form, proposed: Vec::new(), problems: Vec::new(), further: Vec::new() };
    match form {
        Form::Opml => opml::read(&plain, &mut intake)?,
        Form::Bookmarks => bookmarks::read(&plain, &mut intake)?,
        Form::List => list::read(&plain, &mut intake)?,
        Form::Sitemap => sitemap::take(&plain, &mut intake)?,
        Form::Urlwatch | Form::Webchanges => jobs::read(&plain, &mut intake)?,
        Form::Changedetection => changedetection::read(&plain, &mut intake)?,
    }
    Ok(intake)
}

impl Intake {
    /// Takes a watch to be, or what is wrong with it.
    fn take(&mut self, draft: draft::Draft) -> Result<(), Refusal> {
        self.room()?;
        match draft.finish() {
            Ok(proposed) => self.proposed.push(proposed),
            Err(problem) => self.problems.push(problem),
        }
        Ok(())
    }

    fn problem(&mut self, entry: &str, reason: impl Into<String>) -> Result<(), Refusal> {
        self.room()?;
        self.problems.push(Problem { entry: draft::clean(entry, 200), reason: reason.into() });
        Ok(())
    }

    fn room(&self) -> Result<(), Refusal> {
        if self.proposed.len() + self.problems.len() >= MOST { Err(Refusal::TooMany) } else { Ok(()) }
    }
}
