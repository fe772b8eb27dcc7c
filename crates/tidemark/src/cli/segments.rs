//! The commands about segments.

use super::{JsonOption, ReadingOptions};
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use tidemark_core::segment::matrix::WINDOW;

#[derive(Debug, Args)]
pub(crate) struct SegmentCommand {
    /// The page; '-' for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) page: PathBuf,
    /// How to tell it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: SegmentFormat,
    /// Where to write it [default: standard output]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SegmentFormat {
    /// For people
    Text,
    /// For programs, see docs/json.md
    Json,
    /// The page with its segments outlined, as one file
    Html,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 if all versions were read, 2 if one or more could not be.")]
pub(crate) struct TrackCommand {
    /// The versions, oldest first: files, or folders of files; '-' for standard input
    #[arg(required = true, value_name = "DIR|FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) versions: Vec<PathBuf>,
    /// The order of the versions [default: files as given, those of a folder by name]
    #[arg(long, value_name = "ORDER")]
    pub(crate) order: Option<Order>,
    /// Write a picture: versions against segments
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) svg: Option<PathBuf>,
    /// For how many versions content counts as seen before
    #[arg(long, value_name = "N", default_value_t = WINDOW)]
    pub(crate) window: usize,
    /// List also segments that never changed
    #[arg(long)]
    pub(crate) all: bool,
    /// How many versions to show in text, the last ones; 0 for all
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) limit: usize,
    /// Draw with plain letters only; so is done anyway on a terminal that does not speak UTF-8
    #[arg(long)]
    pub(crate) ascii: bool,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// By name, numbers in it by their value
    Name,
    /// By the time of the last modification
    Time,
}
