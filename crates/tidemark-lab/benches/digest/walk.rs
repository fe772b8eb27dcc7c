//! A full traversal that looks at every node's tag, text and attributes, beside the same over the peers' trees.
//!
//! The trees are parsed with the same option (scripting off), and each must come to the same tally as ours, so the work
//! is equal. Pages with a `template` are left out: each library keeps its contents elsewhere.

use crate::page::{Page, Pages};
use anyhow::Result;
use html5ever::tendril::TendrilSink as _;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use scraper::{Html, HtmlTreeSink, Node};
use std::io::Write;
use tidemark_core::digest::PageDigest;
use tidemark_lab::contest::Contest;
use tidemark_lab::tally::Tally;

struct Trees {
    digest: PageDigest,
    rcdom: RcDom,
    scraper: Html,
}

pub(crate) fn run(pages: &Pages, rounds: usize, out: &mut dyn Write) -> Result<()> {
    let plain = pages.pages.iter().filter(|page| page.digest.tagged("template").next().is_none());
    let trees: Vec<Trees> = plain.map(Trees::new).collect();
    let equal: Vec<Trees> = trees.into_iter().filter(Trees::agree).collect();
    writeln!(out, "{} of {} pages have the same tree everywhere", equal.len(), pages.pages.len())?;
    let outcome = Contest::new("walk")
        .enter("PageDigest", |trees: &Trees| Tally::of(&trees.digest))
        .enter("rcdom", |trees: &Trees| of_rcdom(&trees.rcdom))
        .enter("scraper", |trees: &Trees| of_scraper(&trees.scraper))
        .run(&equal, rounds);
    write!(out, "{outcome}")?;
    writeln!(out, "{}", outcome.verdict(10.0))?;
    Ok(())
}

impl Trees {
    fn new(page: &Page) -> Self {
        Self { digest: page.load(), rcdom: rcdom(page.text()), scraper: scraper(page.text()) }
    }

    fn agree(&self) -> bool {
        let ours = Tally::of(&self.digest);
        of_rcdom(&self.rcdom) == ours && of_scraper(&self.scraper) == ours
    }
}

fn rcdom(text: &str) -> RcDom {
    use html5ever_of_rcdom::tendril::TendrilSink as _;
    use html5ever_of_rcdom::tree_builder::TreeBuilderOpts;
    use html5ever_of_rcdom::{ParseOpts, parse_document};
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..Default::default() };
    parse_document(RcDom::default(), ParseOpts { tree_builder, ..Default::default() }).one(text)
}

fn scraper(text: &str) -> Html {
    use html5ever::tree_builder::TreeBuilderOpts;
    use html5ever::{ParseOpts, parse_document};
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..Default::default() };
    let sink = HtmlTreeSink::new(Html::new_document());
    parse_document(sink, ParseOpts { tree_builder, ..Default::default() }).one(text)
}

/// By recursion, which is faster here than a stack of our own, and safe on pages this shallow.
fn of_rcdom(dom: &RcDom) -> Tally {
    fn visit(node: &Handle, tally: &mut Tally) {
        match &node.data {
            NodeData::Element { name, attrs, .. } => tally.element(&name.local, attrs.borrow().len()),
            NodeData::Text { contents } => tally.text(&contents.borrow()),
            NodeData::Comment { contents } => tally.text(contents),
            _ => {}
        }
        for child in node.children.borrow().iter() {
            visit(child, tally);
        }
    }
    let mut tally = Tally::default();
    visit(&dom.document, &mut tally);
    tally
}

fn of_scraper(html: &Html) -> Tally {
    let mut tally = Tally::default();
    for node in html.tree.root().descendants() {
        match node.value() {
            Node::Element(element) => tally.element(element.name(), element.attrs.len()),
            Node::Text(text) => tally.text(text),
            Node::Comment(comment) => tally.text(comment),
            _ => {}
        }
    }
    tally
}
