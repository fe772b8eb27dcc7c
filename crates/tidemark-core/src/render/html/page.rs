//! A page with its marks, as HTML for a frame.
//!
//! The new page is written with what went standing where it was; the old one alone, for the view side by side. Cost: linear in both.

use super::safe::{is_shown, push_text, push_value, value};
use crate::diff::Edit;
use crate::diff::words::Run;
use crate::digest::serialise::is_void;
use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::Format;
use crate::page::arena::Space;
use crate::render::merge::{Event, Merge, Step};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// Writes pages with the changes they are part of.
pub(super) struct Marker<'a> {
    pub(super) merge: &'a Merge<'a>,
    /// For every edit the number of its change.
    pub(super) numbers: &'a [usize],
    /// For every change how much of its block it is, from 1 to 4.
    pub(super) levels: &'a [u8],
    /// Edits by what they did: nodes that came, and nodes that went.
    pub(super) came: FxHashMap<NodeId, usize>,
    pub(super) went: FxHashMap<NodeId, usize>,
}

impl<'a> Marker<'a> {
    pub(super) fn new(merge: &'a Merge<'a>, numbers: &'a [usize], levels: &'a [u8]) -> Self {
        let (mut came, mut went) = <(FxHashMap<_, _>, FxHashMap<_, _>)>::default();
        for (edit, &number) in merge.difference.script.edits.iter().zip(numbers) {
            match edit {
                Edit::Insert { new } | Edit::Move { new, .. } => drop(came.insert(*new, number)),
                Edit::Delete { .. } | Edit::Update { .. } => {}
            }
            match edit {
                Edit::Delete { old } | Edit::Move { old, .. } => drop(went.insert(*old, number)),
                Edit::Insert { .. } | Edit::Update { .. } => {}
            }
        }
        Self { merge, numbers, levels, came, went }
    }

    /// The new page with everything marked.
    pub(super) fn new_page(&self) -> String {
        let mut page = Page::new(self.merge.new);
        self.merge.walk(NodeId::ROOT, |event| {
            match event {
                Event::Open(node) if !is_shown(self.merge.new, node) => return Step::Over,
                Event::Open(node) => self.open_new(node, &mut page),
                Event::Close(node) => page.close(self.merge.new, node),
                Event::Ghost(old) => self.ghost(old, &mut page),
            }
            Step::In
        });
        page.finish()
    }

    /// The old page with what went and what changed.
    pub(super) fn old_page(&self) -> String {
        let mut page = Page::new(self.merge.old);
        self.write_old(NodeId::ROOT, &mut page, Side::Whole);
        page.finish()
    }

    fn open_new(&self, node: NodeId, page: &mut Page) {
        let merge = self.merge;
        let update =
            merge.updates.get(&node).map(|&edit| (&merge.difference.script.edits[edit], self.numbers[edit]));
        if let Some((Edit::Update { old, text, .. }, number)) = update
            && !text.is_empty()
            && page.takes_marks()
            && merge.new.kind(node) == Kind::Text
        {
            let (old, new) =
                (merge.old.content(*old).unwrap_or_default(), merge.new.content(node).unwrap_or_default());
            for run in text {
                if run.same {
                    page.text(&new[run.new.clone()]);
                } else {
                    page.marked("del", number, self.level(number), &old[run.old.clone()]);
                    page.marked("ins", number, self.level(number), &new[run.new.clone()]);
                }
            }
            return;
        }
        let came = self.came.get(&node).copied();
        let mark = match (came, update) {
            (Some(number), _) if merge.is_added(node) => Some(("added", number)),
            (Some(number), _) => Some(("moved", number)),
            (None, Some((_, number))) => Some(("changed", number)),
            (None, None) => None,
        };
        match (mark, merge.new.kind(node)) {
            (Some((_, number)), Kind::Text) if page.takes_marks() => {
                page.marked("ins", number, self.level(number), merge.new.content(node).unwrap_or_default());
            }
            (mark, _) => {
                page.open(
                    merge.new,
                    node,
                    mark.map(|(kind, number)| (kind, number, self.level(number))),
                    true,
                );
                if let Some(("moved", number)) = mark {
                    page.link("moved from here", number, "from");
                }
            }
        }
    }

    fn level(&self, number: usize) -> u8 {
        self.levels.get(number).copied().unwrap_or(1)
    }

    /// What stood here. Of what moved, only a link to where it is now.
    fn ghost(&self, old: NodeId, page: &mut Page) {
        let Some(&number) = self.went.get(&old) else { return };
        if !page.takes_marks() {
            return;
        }
        if self.merge.moved_away.contains_key(&old) {
            page.link("moved to another place", number, "to");
        } else {
            self.write_old(old, page, Side::Ghost);
        }
    }

    /// Writes a subtree of the old page.
    fn write_old(&self, top: NodeId, page: &mut Page, side: Side) {
        let old = self.merge.old;
        let mut open: Vec<NodeId> = Vec::new();
        let (mut at, end) = (top.0, old.end(top));
        loop {
            while let Some(&node) = open.last().filter(|&&node| old.end(node) == at) {
                page.close(old, node);
                open.pop();
            }
            if at == end {
                return;
            }
            let node = NodeId(at);
            let moved_out = side == Side::Ghost && node != top && self.merge.moved_away.contains_key(&node);
            if moved_out || !is_shown(old, node) || (side == Side::Ghost && !is_ghostly(old, node)) {
                at = old.end(node);
                continue;
            }
            self.open_old(node, page, side);
            open.push(node);
            at += 1;
        }
    }

    fn open_old(&self, node: NodeId, page: &mut Page, side: Side) {
        let (merge, old) = (self.merge, self.merge.old);
        let went = self.went.get(&node).copied();
        if old.kind(node) == Kind::Text {
            let content = old.content(node).unwrap_or_default();
            match (went, self.update_of_old(node)) {
                (Some(number), _) if page.takes_marks() => {
                    page.marked("del", number, self.level(number), content);
                }
                (None, Some((runs, number))) if page.takes_marks() && side == Side::Whole => {
                    for run in runs {
                        let text = &content[run.old.clone()];
                        if run.same {
                            page.text(text);
                        } else {
                            page.marked("del", number, self.level(number), text);
                        }
                    }
                }
                _ => page.text(content),
            }
            return;
        }
        let mark = match went {
            Some(number) if merge.moved_away.contains_key(&node) => Some(("moved", number)),
            Some(number) => Some(("removed", number)),
            None => None,
        };
        page.open(
            old,
            node,
            mark.map(|(kind, number)| (kind, number, self.level(number))),
            side == Side::Whole,
        );
    }

    fn update_of_old(&self, old: NodeId) -> Option<(&'a [Run], usize)> {
        let new = self.merge.difference.mapping.to_new(old)?;
        let &edit = self.merge.updates.get(&new)?;
        match &self.merge.difference.script.edits[edit] {
            Edit::Update { text, .. } if !text.is_empty() => Some((text, self.numbers[edit])),
            _ => None,
        }
    }
}

/// What part of the old page is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// All of it, on its own.
    Whole,
    /// Something that went, inside the new page.
    Ghost,
}

/// A comment or a part of the frame of a page is no sight.
fn is_ghostly(old: &PageDigest, node: NodeId) -> bool {
    match old.kind(node) {
        Kind::Element => {
            !matches!(old.name(node), "html" | "head" | "body" | "title" | "meta" | "link" | "style")
        }
        Kind::Text | Kind::Fragment => true,
        _ => false,
    }
}

/// The page as it is written.
struct Page {
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
    fn new(digest: &PageDigest) -> Self {
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

    fn finish(mut self) -> String {
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

    fn takes_marks(&self) -> bool {
        matches!(self.inside(), Inside::Marks | Inside::Parts)
    }

    fn text(&mut self, text: &str) {
        match self.inside() {
            Inside::Raw => self.html.push_str(&text.replace("</", "< /")),
            _ => push_text(text, &mut self.html),
        }
    }

    fn marked(&mut self, element: &str, number: usize, level: u8, text: &str) {
        let is_blank = text.trim().is_empty();
        if text.is_empty() || (is_blank && element == "del") {
            return;
        }
        if is_blank || self.inside() == Inside::Parts {
            if element == "ins" {
                self.text(text);
            }
            return;
        }
        let _ = write!(
            self.html,
            "<{element} data-tidemark=\"{}\" data-tidemark-change=\"{number}\" data-tidemark-level=\"{level}\">",
            if element == "ins" { "added" } else { "removed" }
        );
        push_text(text, &mut self.html);
        let _ = write!(self.html, "</{element}>");
    }

    /// A link between the two places of what moved.
    fn link(&mut self, text: &str, number: usize, end: &str) {
        if self.inside() == Inside::Marks {
            let _ = write!(
                self.html,
                "<a data-tidemark=\"link\" data-tidemark-change=\"{number}\" data-tidemark-end=\"{end}\" href=\"#\">{text}</a>"
            );
        }
    }

    fn open(&mut self, digest: &PageDigest, node: NodeId, mark: Option<(&str, usize, u8)>, with_ids: bool) {
        match digest.kind(node) {
            Kind::Element => self.element(digest, node, mark, with_ids),
            Kind::Text | Kind::Cdata => self.text(digest.content(node).unwrap_or_default()),
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

    fn close(&mut self, digest: &PageDigest, node: NodeId) {
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
