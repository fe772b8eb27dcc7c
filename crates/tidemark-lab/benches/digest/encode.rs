//! Bytes to a tree, beside the two trees that html5ever is mostly used with. All start from bytes, as they come from the network.

use crate::page::{Page, Pages};
use anyhow::Result;
use html5ever_of_rcdom::tendril::TendrilSink;
use markup5ever_rcdom::RcDom;
use scraper::Html;
use std::io::Write;
use tidemark_lab::contest::Contest;

pub(crate) fn run(pages: &Pages, rounds: usize, out: &mut dyn Write) -> Result<()> {
    let outcome = Contest::new("encode")
        .enter("PageDigest::encode", Page::encode)
        .enter("html5ever into rcdom", rcdom)
        .enter("scraper", scraper)
        .run(&pages.pages, rounds);
    write!(out, "{outcome}")?;
    writeln!(out, "{}", outcome.verdict(1.0))?;
    Ok(())
}

pub(crate) fn rcdom(page: &Page) -> RcDom {
    let text = std::str::from_utf8(&page.bytes).expect("pages that are no UTF-8 were left out");
    html5ever_of_rcdom::parse_document(RcDom::default(), html5ever_of_rcdom::ParseOpts::default()).one(text)
}

fn scraper(page: &Page) -> Html {
    Html::parse_document(std::str::from_utf8(&page.bytes).expect("pages that are no UTF-8 were left out"))
}
