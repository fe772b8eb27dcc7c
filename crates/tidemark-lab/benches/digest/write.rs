//! Writing the native forms, beside compressing the raw page.

use crate::page::{Page, Pages};
use anyhow::Result;
use std::io::Write;
use tidemark_core::digest::Variant;
use tidemark_lab::contest::Contest;

pub(crate) fn run(pages: &Pages, rounds: usize, out: &mut dyn Write) -> Result<()> {
    let native =
        |variant| move |page: &Page| page.digest.to_native(variant).expect("a page this small is written");
    let zstd =
        |level| move |page: &Page| zstd::bulk::compress(&page.bytes, level).expect("zstd takes any bytes");
    let outcome = Contest::new("write")
        .enter("plain", native(Variant::Plain))
        .enter("packed", native(Variant::Packed))
        .enter("zstd -3 of the page", zstd(3))
        .enter("zstd -19 of the page", zstd(19))
        .run(&pages.pages, rounds);
    write!(out, "{outcome}")?;
    Ok(())
}
