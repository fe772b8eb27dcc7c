//! The commands about coming and going: what is taken in, what is given out, what goes elsewhere.

use super::JsonOption;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use tidemark_engine::intake::Form;

#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 if everything was taken in, 1 if there were problems, 2 on trouble.")]
pub(crate) struct Import {
    /// A file, a folder, or '-' for standard input
    #[arg(value_name = "FILE|FOLDER", value_hint = ValueHint::AnyPath)]
    pub(crate) source: PathBuf,
    /// What the file is [default: by its content]
    #[arg(long = "as", value_name = "FORM")]
    pub(crate) form: Option<ImportForm>,
    /// A tag for all that is added; may be given often
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// Show what would be added, and add nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Take versions into the history of watched pages: from a web archive, or from a folder with --url
    #[arg(long)]
    pub(crate) history: bool,
    /// The page that the files of a folder are versions of
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) url: Option<String>,
    /// Watch the pages of a history that nobody watches yet
    #[arg(long)]
    pub(crate) add: bool,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

/// What a file of watches is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportForm {
    Opml,
    Bookmarks,
    List,
    Sitemap,
    Urlwatch,
    Webchanges,
    Changedetection,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// A folder to be made
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// Write the versions only, as a web archive
    #[arg(long)]
    pub(crate) warc_only: bool,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// A file to be made
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// A file that 'tidemark backup' made
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Restore it although some of it is damaged
    #[arg(long)]
    pub(crate) even_damaged: bool,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct Move {
    /// An empty database: a file to be made, or postgres://…
    #[arg(long, value_name = "DATABASE_URL")]
    pub(crate) to: String,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct Discover {
    /// A page of the site
    #[arg(value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) url: String,
    /// Watch the feeds that are found; without feeds, the pages
    #[arg(long)]
    pub(crate) add: bool,
    /// A tag for what is added; may be given often
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// How many pages to propose
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

impl From<ImportForm> for Form {
    fn from(form: ImportForm) -> Self {
        match form {
            ImportForm::Opml => Self::Opml,
            ImportForm::Bookmarks => Self::Bookmarks,
            ImportForm::List => Self::List,
            ImportForm::Sitemap => Self::Sitemap,
            ImportForm::Urlwatch => Self::Urlwatch,
            ImportForm::Webchanges => Self::Webchanges,
            ImportForm::Changedetection => Self::Changedetection,
        }
    }
}
