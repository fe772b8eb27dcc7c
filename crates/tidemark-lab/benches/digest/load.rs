//! Loading the plain native form from memory, beside parsing the same page.

use crate::page::{Page, Pages};
use anyhow::Result;
use std::io::Write;
use tidemark_lab::contest::Contest;

pub(crate) fn run(pages: &Pages, rounds: usize, out: &mut dyn Write) -> Result<()> {
    let outcome = Contest::new("load")
        .enter("PageDigest::from_native", Page::load)
        .enter("PageDigest::encode", Page::encode)
        .run(&pages.pages, rounds);
    write!(out, "{outcome}")?;
    writeln!(out, "{}", outcome.verdict(20.0))?;
    Ok(())
}
