//! Trees of an exact number of nodes, as XML and as HTML.

use super::plan::{Plan, Shape, Step};
use super::{common_word, pick, push_all, put, words};
use fastrand::Rng;

/// Writes a well-formed XML document of exactly `nodes` element and text
/// nodes below the document node.
///
/// There is no white space between tags, so no text node beyond those
/// counted. A document needs a root element: zero `nodes` counts as one.
#[must_use]
pub fn xml_tree(shape: Shape, nodes: usize, seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut plan = Plan::new(shape, nodes.max(1) - 1, usize::MAX, &mut rng);
    let mut out = String::with_capacity(nodes.saturating_mul(24));
    out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tree");
    let mut open = vec!["tree"];
    let mut unfinished = true;
    while let Some(step) = plan.next(&mut rng) {
        if unfinished && step != Step::Close {
            out.push('>');
        }
        match step {
            Step::Open => open.push(open_xml(&mut out, &mut rng)),
            Step::Text => short_text(&mut out, &mut rng),
            Step::Close => close_xml(&mut out, open.pop(), unfinished),
        }
        unfinished = step == Step::Open;
    }
    close_xml(&mut out, open.pop(), unfinished);
    out.push('\n');
    out
}

/// Writes an HTML page of exactly `nodes` element and text nodes below the
/// document node, which an HTML parser takes over as it stands: nothing is
/// implied, moved or closed early.
///
/// `html`, `head`, `title` with its text, and `body` are among the nodes
/// counted, so fewer than five `nodes` count as five. No element lies more
/// than 400 levels below `body`; a chain that gets there starts again from
/// `body`.
#[must_use]
pub fn html_tree(shape: Shape, nodes: usize, seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let below_body = nodes.max(HTML_FRAME_NODES) - HTML_FRAME_NODES;
    let mut plan = Plan::new(shape, below_body, HTML_DEPTH, &mut rng);
    let mut out = String::with_capacity(nodes.saturating_mul(24));
    out.push_str("<!DOCTYPE html>\n<html><head><title>Tree</title></head><body>");
    let mut open = vec![HtmlParent::BODY];
    while let Some(step) = plan.next(&mut rng) {
        let parent = open.last().copied().unwrap_or(HtmlParent::BODY);
        match step {
            Step::Open => open.push(open_html(parent.content, shape, &mut out, &mut rng)),
            Step::Text if parent.content == Content::Items => out.push_str("<li></li>"),
            Step::Text => short_text(&mut out, &mut rng),
            Step::Close => {
                push_all(&mut out, &["</", parent.tag, ">"]);
                open.pop();
            }
        }
    }
    out.push_str("</body></html>");
    out
}

/// `html`, `head`, `title`, its text, and `body`.
const HTML_FRAME_NODES: usize = 5;

/// The most levels of elements below `body`.
const HTML_DEPTH: usize = 400;

/// Writes an XML start tag without its last `>` and returns its name.
fn open_xml(out: &mut String, rng: &mut Rng) -> &'static str {
    let tag = pick(rng, &words::XML_TAGS);
    push_all(out, &["<", tag]);
    attributes(out, rng, &words::XML_ATTRIBUTES);
    tag
}

/// Closes an XML element, as an empty one if its start tag is `unfinished`.
fn close_xml(out: &mut String, tag: Option<&str>, unfinished: bool) {
    if unfinished {
        out.push_str("/>");
    } else if let Some(tag) = tag {
        push_all(out, &["</", tag, ">"]);
    }
}

/// What an HTML element may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Flow,
    Phrasing,
    Items,
}

/// An open HTML element.
#[derive(Debug, Clone, Copy)]
struct HtmlParent {
    tag: &'static str,
    content: Content,
}

impl HtmlParent {
    const BODY: Self = Self { tag: "body", content: Content::Flow };
}

/// Writes the start tag of an element that may stand in `inside`.
fn open_html(inside: Content, shape: Shape, out: &mut String, rng: &mut Rng) -> HtmlParent {
    let (tag, content) = match inside {
        Content::Phrasing => (pick(rng, &words::INLINE_TAGS), Content::Phrasing),
        Content::Items => ("li", Content::Flow),
        Content::Flow => flow_child(shape, rng),
    };
    push_all(out, &["<", tag]);
    attributes(out, rng, &words::HTML_ATTRIBUTES);
    out.push('>');
    HtmlParent { tag, content }
}

/// Picks an element to stand among blocks.
///
/// Below a paragraph there are only inline elements, so a deep tree must not
/// come to one too soon.
fn flow_child(shape: Shape, rng: &mut Rng) -> (&'static str, Content) {
    let paragraph_odds = if shape == Shape::Deep { 128 } else { 3 };
    if rng.u8(..paragraph_odds) == 0 {
        (pick(rng, &words::TEXT_BLOCK_TAGS), Content::Phrasing)
    } else if rng.u8(..6) == 0 {
        (pick(rng, &words::LIST_TAGS), Content::Items)
    } else {
        (pick(rng, &words::FLOW_TAGS), Content::Flow)
    }
}

/// Writes up to three attributes, more often none, with different names.
fn attributes(out: &mut String, rng: &mut Rng, names: &[&'static str]) {
    let count = rng.usize(..8).saturating_sub(4);
    let start = rng.usize(..names.len());
    for name in names.iter().cycle().skip(start).take(count) {
        push_all(out, &[" ", name, "=\"", common_word(rng)]);
        if rng.bool() {
            put(out, format_args!("-{}", rng.u16(..1000)));
        }
        out.push('"');
    }
}

/// Writes one to six words, sometimes with a character reference.
fn short_text(out: &mut String, rng: &mut Rng) {
    out.push_str(common_word(rng));
    for _ in 0..rng.usize(..6) {
        let gap = if rng.u8(..32) == 0 { " &amp; " } else { " " };
        push_all(out, &[gap, common_word(rng)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a scan of a document without void elements found.
    #[derive(Debug, PartialEq, Eq)]
    struct Scan {
        nodes: usize,
        depth: usize,
    }

    /// Counts elements and texts, and panics if the tags do not match up.
    fn scan(document: &str) -> Scan {
        let mut found = Scan { nodes: 0, depth: 0 };
        let mut open = Vec::new();
        for piece in document.split('<').skip(1) {
            let (tag, text) = piece.split_once('>').expect("every tag ends");
            if tag.starts_with(['?', '!']) {
                continue;
            }
            let name = tag.trim_matches('/').split(' ').next();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), name);
            } else {
                found.nodes += 1;
                open.push(name.expect("a split has a first part"));
                found.depth = found.depth.max(open.len());
            }
            if tag.ends_with('/') {
                open.pop();
            }
            found.nodes += usize::from(!open.is_empty() && !text.is_empty());
        }
        assert!(open.is_empty());
        found
    }

    #[test]
    fn trees_have_exactly_the_nodes_asked_for() {
        for shape in Shape::ALL {
            for nodes in [1, 2, 3, 4, 5, 6, 10, 99, 1000, 20_000] {
                for seed in 0..5 {
                    let xml = scan(&xml_tree(shape, nodes, seed));
                    assert_eq!(xml.nodes, nodes, "XML, {shape}, seed {seed}");
                    let html = scan(&html_tree(shape, nodes, seed));
                    assert_eq!(html.nodes, nodes.max(5), "HTML, {shape}, seed {seed}");
                }
            }
        }
        assert_eq!(scan(&xml_tree(Shape::Mixed, 0, 0)).nodes, 1);
    }

    #[test]
    fn shapes_differ_in_depth() {
        for seed in 0..10 {
            let [bushy, mixed, deep] = Shape::ALL.map(|shape| scan(&xml_tree(shape, 50_000, seed)).depth);
            assert!(bushy <= 6, "bushy tree of {bushy} levels, seed {seed}");
            assert!((10..200).contains(&mixed), "mixed tree of {mixed} levels, seed {seed}");
            assert!(deep > 4000, "deep tree of {deep} levels, seed {seed}");
        }
    }

    #[test]
    fn a_hundred_thousand_levels_need_no_stack() {
        let writer = std::thread::Builder::new()
            .stack_size(128 * 1024)
            .spawn(|| scan(&xml_tree(Shape::Deep, 400_000, 1)))
            .expect("a thread can be started");
        let found = writer.join().expect("the writer does not panic");
        assert_eq!(found.nodes, 400_000);
        assert!(found.depth > 100_000, "{found:?}");
    }

    #[test]
    fn html_keeps_to_its_depth() {
        let found = scan(&html_tree(Shape::Deep, 20_000, 3));
        assert_eq!(found.depth, HTML_DEPTH + 2);
    }
}
