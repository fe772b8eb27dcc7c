//! A page as it is written for a frame: safe elements, escaped text, and marks where HTML allows them.
//!
//! Cost: linear. What stands around a place decides what may stand in it: no mark is written where a parser would move it elsewhere.

use super::safe::{push_text, push_value, value};
use crate::digest::serialise::is_void;
use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::Format;
use crate::page::arena::Space;
use std::fmt::Write as _;
use std::ops::Range;

/// Bytes of a text that are of interest, and why.
pub(super) type Interest = (Range<usize>, String);

/// The page as it is written.
pub(super) struct Page {
    html: String,
    /// Open elements, by what they allow inside them.
    open: Vec<Inside>,
    xml: bool,
    has_head: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Marks may stand here.
    Marks,
    /// Rows or items only: text and links would be moved out by a parser.
    Parts,
    /// Text only, escaped.
    Plain,
    /// Text only, as it is.
    Raw,
    /// The document itself.
    Frame,
}

impl Page {
    pub(super) fn new(digest: &PageDigest) -> Self {
        let is_html = digest.tagged("html").next().is_some();
        let xml = digest.about().format == Format::Xml && !is_html;
        let mut html = String::with_capacity(digest.about().bytes + digest.about().bytes / 4);
        if xml {
            html.push_str("<!DOCTYPE html><html><head>");
            html.push_str(super::FRAME_HEAD);
            html.push_str("</head><body class=\"tidemark-source\">");
        }
        Self { html, open: Vec::new(), xml, has_head: xml }
    }

    pub(super) fn finish(mut self) -> String {
        if self.xml {
            self.html.push_str("</body></html>");
        }
        self.html
    }

    /// What the marks need, once.
    fn head(&mut self) {
        if !self.has_head {
            self.html.push_str(super::FRAME_HEAD);
            self.has_head = true;
        }
    }

    fn inside(&self) -> Inside {
        self.open.last().copied().unwrap_or(Inside::Frame)
    }

    pub(super) fn takes_marks(&self) -> bool {
        matches!(self.inside(), Inside::Marks | Inside::Parts)
    }

    /// A text, with what is of interest in it in a style of its own where HTML allows it.
    pub(super) fn text(&mut self, text: &str, interests: &[Interest]) {
        match self.inside() {
            Inside::Raw => self.html.push_str(&text.replace("</", "< /")),
            Inside::Marks => self.words(text, interests),
            _ => push_text(text, &mut self.html),
        }
    }

    fn words(&mut self, text: &str, interests: &[Interest]) {
        let mut at = 0;
        for (range, reason) in interests {
            push_text(&text[at..range.start], &mut self.html);
            self.html.push_str("<mark data-tidemark=\"interest\" title=\"");
            push_value(reason, &mut self.html);
            self.html.push_str("\">");
            push_text(&text[range.clone()], &mut self.html);
            self.html.push_str("</mark>");
            at = range.end;
        }
        push_text(&text[at..], &mut self.html);
    }

    pub(super) fn marked(
        &mut self,
        element: &str,
        number: usize,
        level: u8,
        text: &str,
        interests: &[Interest],
    ) {
        let is_blank = text.trim().is_empty();
        if text.is_empty() || (is_blank && element == "del") {
            return;
        }
        if is_blank || self.inside() == Inside::Parts {
            if element == "ins" {
                self.text(text, interests);
            }
            return;
        }
        let _ = write!(
            self.html,
            "<{element} data-tidemark=\"{}\" data-tidemark-change=\"{number}\" data-tidemark-level=\"{level}\">",
            if element == "ins" { "added" } else { "removed" }
        );
        self.words(text, interests);
        let _ = write!(self.html, "</{element}>");
    }

    /// A text with a mark around it, where one may stand.
    pub(super) fn spanned(&mut self, mark: (&str, usize, u8), text: &str) {
        if self.inside() != Inside::Marks {
            self.text(text, &[]);
            return;
        }
        self.html.push_str("<span");
        self.mark(Some(mark));
        self.html.push('>');
        push_text(text, &mut self.html);
        self.html.push_str("</span>");
    }

    /// A link between the two places of what moved.
    pub(super) fn link(&mut self, text: &str, number: usize, end: &str) {
        if self.inside() == Inside::Marks {
            let _ = write!(
                self.html,
                "<a data-tidemark=\"link\" data-tidemark-change=\"{number}\" data-tidemark-end=\"{end}\" href=\"#\">{text}</a>"
            );
        }
    }

    pub(super) fn open(
        &mut self,
        digest: &PageDigest,
        node: NodeId,
        mark: Option<(&str, usize, u8)>,
        with_ids: bool,
    ) {
        match digest.kind(node) {
            Kind::Element => self.element(digest, node, mark, with_ids),
            Kind::Text | Kind::Cdata => self.text(digest.content(node).unwrap_or_default(), &[]),
            // No parser makes raw text with an end tag in it, but a file may hold one.
            Kind::Raw => self.html.push_str(&digest.content(node).unwrap_or_default().replace("</", "< /")),
            Kind::Doctype if !self.xml => {
                let _ = write!(
                    self.html,
                    "<!DOCTYPE {}>",
                    digest.content(node).unwrap_or_default().replace('>', "")
                );
            }
            Kind::Entity => {
                let _ = write!(self.html, "&amp;{};", digest.content(node).unwrap_or_default());
            }
            _ => {}
        }
        if digest.kind(node) == Kind::Fragment {
            self.open.push(self.inside());
        }
    }

    fn element(
        &mut self,
        digest: &PageDigest,
        node: NodeId,
        mark: Option<(&str, usize, u8)>,
        with_ids: bool,
    ) {
        if self.xml {
            self.source_element(digest, node, mark);
            return;
        }
        let name = tag_name(digest.name(node));
        if name == "body" && !self.has_head {
            self.head();
        }
        self.html.push('<');
        self.html.push_str(name);
        for (attribute, written) in digest.attributes(node) {
            let is_id = !with_ids && matches!(attribute, "id" | "name" | "for");
            if let Some(shown) = value(name, attribute, written).filter(|_| !is_id && is_name(attribute)) {
                self.html.push(' ');
                self.html.push_str(attribute);
                self.html.push_str("=\"");
                push_value(shown, &mut self.html);
                self.html.push('"');
            }
        }
        self.mark(mark);
        self.html.push('>');
        if name == "head" {
            self.head();
        }
        if matches!(name, "pre" | "textarea" | "listing") {
            self.html.push('\n'); // a parser drops the first line end
        }
        self.open.push(inside_of(digest, node, self.inside()));
    }

    /// An element of XML that no browser knows, shown as its source.
    fn source_element(&mut self, digest: &PageDigest, node: NodeId, mark: Option<(&str, usize, u8)>) {
        self.html.push_str("<div");
        self.mark(mark);
        self.html.push_str("><code>&lt;");
        push_text(digest.name(node), &mut self.html);
        for (attribute, value) in digest.attributes(node) {
            self.html.push(' ');
            push_text(attribute, &mut self.html);
            self.html.push_str("=\"");
            push_text(value, &mut self.html);
            self.html.push('"');
        }
        self.html.push_str("&gt;</code>");
        self.open.push(Inside::Marks);
    }

    fn mark(&mut self, mark: Option<(&str, usize, u8)>) {
        if let Some((kind, number, level)) = mark {
            let _ = write!(
                self.html,
                " data-tidemark=\"{kind}\" data-tidemark-change=\"{number}\" data-tidemark-level=\"{level}\""
            );
        }
    }

    pub(super) fn close(&mut self, digest: &PageDigest, node: NodeId) {
        match digest.kind(node) {
            Kind::Element => {
                self.open.pop();
                if self.xml {
                    self.html.push_str("</div>");
                } else if !(is_void(digest.name(node)) && digest.space(node) != Space::Svg) {
                    self.html.push_str("</");
                    self.html.push_str(tag_name(digest.name(node)));
                    self.html.push('>');
                }
            }
            Kind::Fragment => drop(self.open.pop()),
            _ => {}
        }
    }
}

/// The name of an element as it is written. Parsers make names that can be written; a file may hold any.
fn tag_name(name: &str) -> &str {
    let is_sound = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && !name.contains(['<', '>', '/', '\0'])
        && !name.contains(char::is_whitespace);
    if is_sound { name } else { "span" }
}

/// Whether an attribute can be written with this name.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(['"', '\'', '<', '>', '=', '/', '\0'])
        && !name.contains(char::is_whitespace)
}

fn inside_of(digest: &PageDigest, node: NodeId, around: Inside) -> Inside {
    if matches!(digest.space(node), Space::Svg | Space::MathMl) {
        return Inside::Plain;
    }
    match digest.name(node) {
        "html" | "head" => Inside::Frame,
        "title" | "textarea" | "option" | "select" | "optgroup" | "datalist" => Inside::Plain,
        "style" | "xmp" | "iframe" | "noembed" | "noframes" | "plaintext" => Inside::Raw,
        "table" | "tbody" | "thead" | "tfoot" | "tr" | "colgroup" | "ul" | "ol" | "dl" | "menu" => {
            Inside::Parts
        }
        _ if around == Inside::Plain => Inside::Plain,
        _ => Inside::Marks,
    }
}
