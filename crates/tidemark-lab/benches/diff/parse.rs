//! A comparison beside nothing but the parsing of both pages.

use crate::pair::{Pair, Pairs, ours_as_page};
use anyhow::Result;
use html5ever_of_rcdom::tendril::TendrilSink;
use markup5ever_rcdom::RcDom;
use std::io::Write;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;
use tidemark_lab::contest::Contest;

/// Most that a comparison may take of the parsing of both pages: in all, and for any page.
const MOST: (f64, f64) = (1.6, 5.0);

pub(crate) fn run(pairs: &Pairs, rounds: usize, out: &mut dyn Write) -> Result<()> {
    let outcome = Contest::new("both pages")
        .enter("bytes to changes as text", Pair::compared)
        .enter("html5ever into rcdom", |pair: &Pair| [&pair.old, &pair.new].map(|page| rcdom(page)))
        .enter("bytes to marked page", |pair: &Pair| ours_as_page(pair.old.as_bytes(), pair.new.as_bytes()))
        .enter("PageDigest::encode", |pair: &Pair| [&pair.old, &pair.new].map(|page| encode(page)))
        .run(&pairs.all, rounds);
    write!(out, "{outcome}")?;
    let page = |at| outcome.time(0, at).as_secs_f64() / outcome.time(1, at).as_secs_f64();
    let worst = (0..pairs.all.len()).map(|at| (page(at), &pairs.all[at].name));
    let (largest, name) = worst.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, &pairs.all[0].name));
    let [total, median] = [outcome.total_ratio(1), outcome.page_ratio(1)].map(|ratio| 1.0 / ratio);
    let is_met = total <= MOST.0 && median <= MOST.0 && largest <= MOST.1;
    writeln!(
        out,
        "ours / rcdom: total {total:.2}, median page {median:.2} (target: at most {}); largest {largest:.2} in {name} (at most {}); {}",
        MOST.0,
        MOST.1,
        if is_met { "met" } else { "MISSED" }
    )?;
    Ok(())
}

fn rcdom(page: &str) -> RcDom {
    html5ever_of_rcdom::parse_document(RcDom::default(), html5ever_of_rcdom::ParseOpts::default()).one(page)
}

fn encode(page: &str) -> PageDigest {
    PageDigest::encode(page.as_bytes(), &Reading::default()).expect("the page was encoded before")
}
