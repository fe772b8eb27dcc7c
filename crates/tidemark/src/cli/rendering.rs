//! Options about browsers, and the command for the pictures they take.

use super::JsonOption;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use std::time::Duration;
use tidemark_engine::render::{self, Device, When};
use tidemark_engine::span;

/// How a page is shown in a browser first.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rendering (docs/rendering.md)")]
pub(crate) struct RenderOptions {
    /// Whether a browser shows the page first; auto: if what the server sends is a shell without text
    #[arg(long, value_name = "WHEN")]
    pub(crate) render: Option<RenderWhen>,
    /// Wait for this element, instead of for the network to be quiet
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) wait_for: Option<String>,
    /// How long to wait at most, for the page and for the element of each step
    #[arg(long, value_name = "TIME", value_parser = span::parse)]
    pub(crate) patience: Option<Duration>,
    /// What to do on the page: 'click #more', 'type #user ann', 'secret #password' or 'secret #password VARIABLE', 'select #size XL', 'scroll 3', 'wait .loaded', 'wait 2s', consent; may be given often
    #[arg(long, value_name = "STEP")]
    pub(crate) step: Vec<String>,
    /// The screen: phone, or width and height such as 1280x800
    #[arg(long, value_name = "SCREEN")]
    pub(crate) device: Option<Device>,
    /// Language and region, such as de-DE
    #[arg(long, value_name = "LOCALE", value_parser = render::locale)]
    pub(crate) locale: Option<String>,
    /// Keep a picture of each version; this is so unless --no-picture is given
    #[arg(long, overrides_with = "no_picture")]
    pub(crate) picture: bool,
    /// Keep no pictures
    #[arg(long)]
    pub(crate) no_picture: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RenderWhen {
    Never,
    Auto,
    Always,
}

impl RenderWhen {
    pub(crate) const fn when(self) -> When {
        match self {
            Self::Never => When::Never,
            Self::Auto => When::Auto,
            Self::Always => When::Always,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct PictureCommand {
    /// Which version: WATCH@VERSION, where VERSION is a number, first, last, -1 (the one before the last) or a time; WATCH alone is the last
    #[arg(value_name = "WATCH@VERSION")]
    pub(crate) version: String,
    /// Where to write it, as PNG; '-' for standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// Do not mark where it changed
    #[arg(long)]
    pub(crate) plain: bool,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}
