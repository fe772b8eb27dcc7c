//! The commands that look at pages, and at the program itself.

use super::JsonOption;
use clap::{Args, ValueHint};
use std::path::PathBuf;
use std::time::Duration;

/// Stronger than the settings file and the environment (docs/settings.md).
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct SettingOptions {
    /// Where everything is kept: a file, or postgres://…
    #[arg(long, global = true, value_name = "URL", hide_short_help = true)]
    pub(crate) database: Option<String>,
    /// The settings file
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) config: Option<PathBuf>,
    /// Any setting of docs/settings.md; may be given often
    #[arg(long, global = true, value_name = "NAME=VALUE", hide_short_help = true)]
    pub(crate) set: Vec<String>,
    /// Visit addresses of one's own machine and network too
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) allow_private: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 nothing to tell, 1 something changed, 2 trouble.")]
pub(crate) struct Check {
    /// Watches: by number, name, address or tag:NAME [default: all that are not paused]
    #[arg(value_name = "WATCH")]
    pub(crate) watches: Vec<String>,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// Work off what is due, and end
    #[arg(long)]
    pub(crate) once: bool,
    /// Tell also what is held back, and why
    #[arg(long)]
    pub(crate) held: bool,
    /// Print JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 all is well, 1 something is not, 2 trouble.")]
pub(crate) struct Doctor {
    /// Read every version and check every invariant of the database
    #[arg(long)]
    pub(crate) deep: bool,
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct ConfigCommand {
    #[command(flatten)]
    pub(crate) json: JsonOption,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// How long to watch
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) seconds: u64,
    /// Print JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
}

impl Demo {
    pub(crate) const fn time(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

impl SettingOptions {
    pub(crate) fn given(&self) -> crate::settings::Given {
        crate::settings::Given {
            config: self.config.clone(),
            set: self.set.clone(),
            database: self.database.clone(),
            allow_private: self.allow_private,
        }
    }
}
