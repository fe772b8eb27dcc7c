//! Tests of the program as its users meet it.

mod browser;
mod commands;
mod documents;
mod examples;
mod mail;
mod moving;
mod notices;
mod paper;
mod redesigns;
mod rendering;
mod running;
mod segments;
mod settings;
mod site;
mod tidy;
mod watching;

use std::path::{Path, PathBuf};

/// The top of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the repository is where the crate is")
}
