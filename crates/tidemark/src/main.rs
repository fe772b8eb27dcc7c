//! Tidemark watches web pages and tells people what changed.
//!
//! This is the program: it parses the command line, reads and writes files, and leaves the thinking to `tidemark-core` and `tidemark-engine`. Here the parts are put together.

mod cli;
mod commands;
mod demo;
mod extract;
mod folder;
mod input;
mod interests;
mod named;
mod post;
mod settings;
mod telling;
mod terminal;
mod when;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = cli::Arguments::parse();
    arguments.color.apply();
    match commands::run(&arguments) {
        Ok(code) => code,
        Err(error) if terminal::is_closed_pipe(&error) => ExitCode::from(commands::CLOSED_PIPE),
        Err(error) => {
            terminal::complain(&error);
            ExitCode::from(commands::TROUBLE)
        }
    }
}
