//! Lexbor, the fastest conforming HTML parser we know of, through the Python package selectolax: the mark for a later step.
//!
//! Its clock counts the parser and the making of one Python object a page, but not the dropping of it.

use crate::page::Pages;
use anyhow::{Context, Result};
use std::io::Write;
use tidemark_lab::contest::{Outcome, timed};
use tidemark_lab::peer::{Language, Peer};

const SCRIPT: &str = include_str!("lexbor.py");

pub(crate) fn run(pages: &Pages, rounds: usize, out: &mut dyn Write) -> Result<()> {
    if !Language::Python.succeeds("import selectolax.lexbor") {
        writeln!(out, "lexbor is not measured: install it with `pip install selectolax`")?;
        return Ok(());
    }
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    for (at, page) in pages.pages.iter().enumerate() {
        std::fs::write(folder.path().join(format!("{at:04}.html")), &page.bytes)?;
    }
    let mut lexbor = Peer::start(Language::Python, SCRIPT, folder.path(), &[])?;
    let mut rounds_of = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        rounds_of[0].push(pages.pages.iter().map(|page| timed(|| page.encode())).collect());
        rounds_of[1].push(lexbor.turn()?.into_iter().flatten().collect());
    }
    lexbor.stop()?;
    let names = ["PageDigest::encode", "lexbor by selectolax"];
    write!(out, "{}", Outcome::new("lexbor", names.into_iter().zip(rounds_of)))?;
    Ok(())
}
