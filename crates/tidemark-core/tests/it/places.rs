//! Places named by a digest are found by others: selectors by a selector engine, XPath by an evaluator of its own, each on
//! a tree that is not ours.

use crate::outline::{Line, dom_outline};
use crate::pages::{bytes_in, cases, corpus, soup, xml};
use crate::referee;
use encoding_rs::UTF_8;
use proptest::prelude::*;
use scraper::{ElementRef, Html, Node, Selector};
use tidemark_core::digest::locate::Locator;
use tidemark_core::digest::{Kind, NodeId, PageDigest};
use tidemark_core::page::decode::decode;
use tidemark_core::page::{Format, Reading};

pub(crate) fn encode(text: &str, format: Format) -> PageDigest {
    let reading = Reading { format: Some(format), ..Reading::default() };
    PageDigest::encode(&bytes_in(text, UTF_8), &reading).expect("a page within the limits")
}

fn in_template(digest: &PageDigest, node: NodeId) -> bool {
    digest.ancestors(node).any(|above| digest.kind(above) == Kind::Fragment)
}

/// Elements that a selector can find, in order.
pub(crate) fn reachable(digest: &PageDigest) -> Vec<NodeId> {
    let elements = digest.depth_first().filter(|&node| digest.kind(node) == Kind::Element);
    elements.filter(|&node| !in_template(digest, node)).collect()
}

/// Whether the selector engine's parser reads the page as ours does: it runs scripts, does not know of HTML in MathML, and
/// drops byte order marks where it resumes.
pub(crate) fn is_common(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    !["noscript", "annotation-xml", "\u{feff}"].iter().any(|odd| text.contains(odd))
}

/// Each element's selector finds that element and no other.
fn assert_selectors(text: &str, about: &str) {
    if !is_common(text) {
        return;
    }
    let digest = encode(text, Format::Html);
    let locator = Locator::new(&digest);
    let document = Html::parse_document(text);
    let all: Vec<ElementRef<'_>> = document.tree.root().descendants().filter_map(ElementRef::wrap).collect();
    let outside: Vec<ElementRef<'_>> = all
        .iter()
        .copied()
        .filter(|element| !element.ancestors().any(|above| above.value() == &Node::Fragment))
        .collect();
    let elements = reachable(&digest);
    let names = |elements: &[ElementRef<'_>]| {
        elements.iter().map(|element| element.value().name().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        elements.iter().map(|&node| digest.name(node)).collect::<Vec<_>>(),
        names(&outside),
        "{about}: one tree"
    );
    for (&node, element) in elements.iter().zip(&outside) {
        let css = locator.css(node).expect("an element outside of templates has a selector");
        let selector = Selector::parse(&css).unwrap_or_else(|error| panic!("{about}: {css}: {error}"));
        let found: Vec<_> = document.select(&selector).map(|found| found.id()).collect();
        assert_eq!(found, [element.id()], "{about}: {css}");
    }
}

/// Nodes that are no elements, or in a template, have no selector.
fn assert_no_other_selectors(digest: &PageDigest) {
    let locator = Locator::new(digest);
    for node in digest.depth_first() {
        let has = digest.kind(node) == Kind::Element && !in_template(digest, node);
        assert_eq!(locator.css(node).is_some(), has, "{:?} {}", node, digest.name(node));
    }
}

/// A tree as XPath sees it: nodes with children, where neighbouring texts are one node.
struct Model<'a> {
    lines: &'a [Line],
    children: Vec<Vec<usize>>,
}

impl<'a> Model<'a> {
    fn new(lines: &'a [Line]) -> Self {
        let mut children = vec![Vec::new(); lines.len()];
        let mut open: Vec<usize> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            open.truncate(line.depth);
            if let Some(&parent) = open.last() {
                let siblings: &mut Vec<usize> = &mut children[parent];
                let joins = line.kind == Kind::Text
                    && siblings.last().is_some_and(|&last| lines[last].kind == Kind::Text);
                if !joins {
                    siblings.push(at);
                }
            }
            open.push(at);
        }
        Self { lines, children }
    }

    /// The node that a path finds. Every step takes one node among the children of one, so there is never more.
    fn find(&self, path: &str) -> Option<usize> {
        steps(path).into_iter().try_fold(0, |parent, step| self.step(parent, &step))
    }

    fn step(&self, parent: usize, step: &Step) -> Option<usize> {
        let mut nodes: Vec<usize> =
            self.children[parent].iter().copied().filter(|&at| step.test.takes(&self.lines[at])).collect();
        for predicate in &step.predicates {
            nodes = match predicate {
                Predicate::Place(place) => nodes.get(place - 1).copied().into_iter().collect(),
                Predicate::LocalName(name) => {
                    nodes.into_iter().filter(|&at| local(&self.lines[at]) == name).collect()
                }
                Predicate::Named(name) => {
                    nodes.into_iter().filter(|&at| Test::Name(name.clone()).takes(&self.lines[at])).collect()
                }
            };
        }
        assert!(nodes.len() <= 1, "a step finds {} nodes", nodes.len());
        nodes.first().copied()
    }
}

/// The local part of a name written as `{namespace}local`, or of an HTML name, which has no other part.
fn local(line: &Line) -> &str {
    line.name.rsplit('}').next().unwrap_or(&line.name)
}

#[derive(Debug, PartialEq)]
struct Step {
    test: Test,
    predicates: Vec<Predicate>,
}

#[derive(Debug, PartialEq)]
enum Test {
    Any,
    Name(String),
    Text,
    Comment,
    Instruction,
}

#[derive(Debug, PartialEq)]
enum Predicate {
    Place(usize),
    LocalName(String),
    Named(String),
}

impl Test {
    fn takes(&self, line: &Line) -> bool {
        match self {
            Self::Any => line.kind == Kind::Element,
            // In an HTML document a bare name means HTML elements, in XML elements of no namespace.
            Self::Name(name) => line.kind == Kind::Element && line.name == *name && line.vocabulary < 2,
            Self::Text => line.kind == Kind::Text,
            Self::Comment => line.kind == Kind::Comment,
            Self::Instruction => line.kind == Kind::Instruction,
        }
    }
}

/// Reads the part of XPath that locators write; anything else is an error.
fn steps(path: &str) -> Vec<Step> {
    let mut rest = path;
    let mut steps = Vec::new();
    while let Some(step) = rest.strip_prefix('/').filter(|step| !step.is_empty()) {
        let (test, mut after) = test(step);
        let mut predicates = Vec::new();
        while let Some(inside) = after.strip_prefix('[') {
            let (predicate, behind) = predicate(inside);
            predicates.push(predicate);
            after = behind.strip_prefix(']').unwrap_or_else(|| panic!("no ] at {behind:?} in {path}"));
        }
        steps.push(Step { test, predicates });
        rest = after;
    }
    assert!(rest.is_empty() || path == "/", "{rest:?} is left of {path}");
    steps
}

fn test(step: &str) -> (Test, &str) {
    let calls = [
        ("*", Test::Any),
        ("text()", Test::Text),
        ("comment()", Test::Comment),
        ("processing-instruction()", Test::Instruction),
    ];
    for (written, test) in calls {
        if let Some(rest) = step.strip_prefix(written) {
            return (test, rest);
        }
    }
    let (name, rest) = name(step);
    (Test::Name(name), rest)
}

fn predicate(inside: &str) -> (Predicate, &str) {
    if let Some(list) = inside.strip_prefix("local-name()=concat(") {
        let (mut name, mut rest) = literal(list);
        while let Some(more) = rest.strip_prefix(',') {
            let (part, behind) = literal(more);
            name += &part;
            rest = behind;
        }
        return (Predicate::LocalName(name), rest.strip_prefix(')').expect("a closed call"));
    }
    if let Some(written) = inside.strip_prefix("local-name()=") {
        let (name, rest) = literal(written);
        return (Predicate::LocalName(name), rest);
    }
    if let Some(step) = inside.strip_prefix("self::") {
        let (name, rest) = name(step);
        return (Predicate::Named(name), rest);
    }
    let end = inside.find(|c: char| !c.is_ascii_digit()).expect("a closed predicate");
    (Predicate::Place(inside[..end].parse().expect("a number")), &inside[end..])
}

fn literal(text: &str) -> (String, &str) {
    let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '"')).expect("a literal");
    let (inside, rest) = text[1..].split_once(quote).expect("a closed literal");
    (inside.to_owned(), rest)
}

/// A name of XML without a prefix.
fn name(text: &str) -> (String, &str) {
    let is_start = |c: char| c.is_alphabetic() || c == '_';
    let is_inner = |c: char| is_start(c) || c.is_ascii_digit() || matches!(c, '-' | '.' | '\u{b7}');
    assert!(text.starts_with(is_start), "no name at {text:?}");
    let end = text.find(|c| !is_inner(c)).unwrap_or(text.len());
    (text[..end].to_owned(), &text[end..])
}

fn assert_html_paths(text: &str, about: &str) {
    let digest = encode(text, Format::Html);
    let lines = referee::html(text);
    assert_eq!(dom_outline(&digest).len(), lines.len(), "{about}: one tree");
    let model = Model::new(&lines);
    let locator = Locator::new(&digest);
    for node in digest.depth_first() {
        let Some(path) = locator.xpath(node) else {
            let kind = digest.kind(node);
            assert!(
                matches!(kind, Kind::Doctype | Kind::Fragment) || in_template(&digest, node),
                "{about}: no path to {kind:?}"
            );
            continue;
        };
        let run = first_of_run(&digest, node);
        assert_eq!(model.find(&path), Some(run.0 as usize), "{about}: {path} to {}", digest.name(node));
    }
}

/// The first of the texts that stand side by side with this one.
fn first_of_run(digest: &PageDigest, node: NodeId) -> NodeId {
    let is_text = |node: NodeId| matches!(digest.kind(node), Kind::Text | Kind::Raw);
    let Some(parent) = digest.parent(node).filter(|_| is_text(node)) else { return node };
    let before: Vec<NodeId> = digest.children(parent).take_while(|&sibling| sibling < node).collect();
    before.into_iter().rev().take_while(|&sibling| is_text(sibling)).last().unwrap_or(node)
}

/// Whether the referee took the document.
fn assert_xml_paths(text: &str, about: &str) -> bool {
    let Some(lines) = referee::xml(text) else { return false };
    let digest = encode(text, Format::Xml);
    if digest.tagged(Kind::Entity.name()).next().is_some() {
        return true; // what an entity stands for is not in our tree
    }
    let (own, places) = referee::xpath_outline(&digest);
    assert_eq!(own.len(), lines.len(), "{about}: one tree");
    let model = Model::new(&lines);
    let locator = Locator::new(&digest);
    for (node, place) in digest.depth_first().zip(places) {
        let path = locator.xpath(node);
        assert_eq!(
            path.is_some(),
            place.is_some(),
            "{about}: {path:?} to {:?} {:?}",
            digest.kind(node),
            digest.content(node)
        );
        if let Some(path) = path {
            assert_eq!(model.find(&path), place, "{about}: {path} to {}", digest.name(node));
        }
    }
    assert_xml_selectors(&digest, &locator, &model, about);
    true
}

/// XML selectors are steps of `name:nth-child(n)`, whose first is the root, and each finds one element.
fn assert_xml_selectors(digest: &PageDigest, locator: &Locator<'_>, model: &Model<'_>, about: &str) {
    for node in reachable(digest) {
        let css = locator.css(node).expect("an element has a selector");
        let steps: Vec<&str> = css.split(" > ").collect();
        let elements = model.lines.iter().enumerate().filter(|(_, line)| line.kind == Kind::Element);
        let found: Vec<usize> =
            elements.map(|(at, _)| at).filter(|&at| matches_steps(model, at, &steps)).collect();
        assert_eq!(found.len(), 1, "{about}: {css}");
        assert_eq!(lineage(model, found[0]).len(), digest.depth(node), "{about}: {css}");
    }
}

/// The elements from the root to this one.
fn lineage(model: &Model<'_>, at: usize) -> Vec<usize> {
    let mut lineage = vec![at];
    while let Some(parent) =
        model.children.iter().position(|children| children.contains(&lineage[0])).filter(|&parent| parent > 0)
    {
        lineage.insert(0, parent);
    }
    lineage
}

fn matches_steps(model: &Model<'_>, at: usize, steps: &[&str]) -> bool {
    let lineage = lineage(model, at);
    let Some(above) = lineage.len().checked_sub(steps.len()) else { return false };
    lineage[above..].iter().zip(steps).all(|(&at, step)| matches_step(model, at, step))
}

fn matches_step(model: &Model<'_>, at: usize, step: &str) -> bool {
    let parent =
        model.children.iter().position(|children| children.contains(&at)).expect("an element has a parent");
    if let Some(name) = step.strip_suffix(":root") {
        return parent == 0 && (name.is_empty() || name == local(&model.lines[at]));
    }
    let (name, place) = step.split_once(":nth-child(").unwrap_or_else(|| panic!("{step} is no step"));
    let place: usize = place.strip_suffix(')').expect("a closed place").parse().expect("a number");
    let elements =
        model.children[parent].iter().filter(|&&sibling| model.lines[sibling].kind == Kind::Element);
    name == local(&model.lines[at]) && elements.clone().position(|&sibling| sibling == at) == Some(place - 1)
}

#[test]
fn selectors_find_every_element_of_the_corpus() {
    for (name, bytes) in corpus() {
        let text = decode(&bytes, None).text;
        assert_selectors(&text, &name);
        assert_no_other_selectors(&encode(&text, Format::Html));
    }
}

#[test]
fn paths_find_every_node_of_the_corpus() {
    for (name, bytes) in corpus() {
        let text = decode(&bytes, None).text;
        assert_html_paths(&text, &name);
        assert_xml_paths(&text, &name);
    }
}

#[test]
fn an_html_element_that_is_not_the_root_is_not_taken_for_it() {
    assert_selectors("<p><svg><html><p>", "html in SVG");
    assert_selectors("<p><math><html id=x>", "html in MathML");
}

#[test]
fn ids_that_differ_only_in_case_are_no_anchors_in_quirks_mode() {
    // Without a doctype, browsers match ids and classes in any case.
    let digest = encode("<p id=x>a<p id=X>b", Format::Html);
    let locator = Locator::new(&digest);
    for node in digest.tagged("p") {
        let css = locator.css(node).expect("an element has a selector");
        assert!(!css.starts_with('#'), "{css} finds both");
    }
}

#[test]
fn odd_ids_and_names_are_escaped() {
    let ids = [
        "1", "-", "-1", "--", "a b", "a.b", "#", "é", "日", "\\", "\"", "'", "a\nb", "\u{7f}", "\u{0}",
        "x:y", "😀", "\u{1}", " ",
    ];
    let page: String = ids.iter().map(|id| format!("<p id=\"{}\">", id.replace('"', "&quot;"))).collect();
    assert_selectors(&page, "odd ids");
    assert_selectors("<x-y><o'x><q\"z><w'\"v><a:b><x²><xé><x.y><x#y><x\\y><h7>", "odd names");
}

#[test]
fn odd_names_have_paths() {
    assert_html_paths("<x-y><o'x>a</o'x><q\"z>b<a:b>c<x²>d<xé>e<x.y>f", "odd names");
}

#[test]
fn a_name_with_both_quotes_has_a_path() {
    assert_html_paths("<w'\"v>a</w'\"v><w'\"v>b", "both quotes in a name");
}

#[test]
fn an_xml_element_inside_its_like_is_told_from_it() {
    assert!(assert_xml_paths("<a><a><a/><b/></a><b><a><b/></a></b></a>", "nested alike"));
}

#[test]
fn space_outside_of_the_root_has_no_path() {
    assert!(assert_xml_paths("<?xml version='1.0'?>\n<!--c-->\n<a/>\n", "space around the root"));
}

#[test]
fn an_empty_section_does_not_count_as_text() {
    assert!(assert_xml_paths("<a><![CDATA[]]><b/>x<![CDATA[]]>y<b/><![CDATA[z]]></a>", "empty sections"));
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn selectors_find_every_element_of_soup(text in soup()) {
        assert_selectors(&text, "soup");
        assert_no_other_selectors(&encode(&text, Format::Html));
    }

    #[test]
    fn paths_find_every_node_of_soup(text in soup()) {
        assert_html_paths(&text, "soup");
    }

    #[test]
    fn paths_find_every_node_of_xml(text in xml()) {
        assert!(assert_xml_paths(&text, "XML"));
    }
}
