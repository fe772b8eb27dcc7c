//! Reading a plain file beside parsing the page it was made from, by html5ever and by us.

use crate::encode::rcdom;
use crate::page::{Page, Pages};
use anyhow::Result;
use std::io::Write;
use tidemark_lab::contest::Contest;

pub(crate) fn run(pages: &Pages, rounds: usize, out: &mut dyn Write) -> Result<()> {
    let outcome = Contest::new("load")
        .enter("PageDigest::from_native", Page::load)
        .enter("html5ever into rcdom", rcdom)
        .run(&pages.pages, rounds);
    write!(out, "{outcome}")?;
    writeln!(out, "{}\n", outcome.verdict(20.0))?;
    let outcome = Contest::new("load")
        .enter("PageDigest::from_native", Page::load)
        .enter("PageDigest::encode", Page::encode)
        .run(&pages.pages, rounds);
    write!(out, "{outcome}")?;
    Ok(())
}
