//! A digest back to markup, in the spelling its page prefers.
//!
//! Source: the paper's algorithm 2; "serializing HTML fragments" of WHATWG HTML §13.3. Cost: linear, no recursion.
//! The result need not be the page: it is the best guess at it that the arrays and a [`Style`] give, and
//! the residue says what is missing. **It is part of the native form**: a file written by one
//! release is read by the next with this very text as its prefix, so any change here needs a new version there.

use super::style::Style;
use super::{Kind, NodeId, PageDigest};
use crate::page::Format;
use crate::page::arena::Space;

/// Writes the page in a style.
pub(crate) fn serialise(digest: &PageDigest, style: &Style) -> String {
    let columns = digest.columns();
    let mut writer = Writer {
        digest,
        style,
        xml: digest.about().format == Format::Xml,
        out: String::with_capacity(columns.content.len() + columns.attribute_values.len() + digest.len() * 10),
    };
    let mut open: Vec<NodeId> = Vec::new();
    for node in digest.depth_first() {
        while let Some(&last) = open.last().filter(|&&last| digest.end(last) <= node.0) {
            writer.close(last);
            open.pop();
        }
        writer.open(node);
        open.push(node);
    }
    open.into_iter().rev().for_each(|node| writer.close(node));
    writer.out
}

/// Whether an HTML element has neither content nor end tag.
pub(crate) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area" | "base" | "basefont" | "bgsound" | "br" | "col" | "embed" | "frame" | "hr" | "img" | "input"
            | "keygen" | "link" | "meta" | "param" | "source" | "track" | "wbr"
    )
}

struct Writer<'a> {
    digest: &'a PageDigest,
    style: &'a Style,
    xml: bool,
    out: String,
}

impl Writer<'_> {
    fn open(&mut self, node: NodeId) {
        let digest = self.digest;
        let content = digest.columns().content_of(node.index());
        match digest.kind(node) {
            Kind::Document | Kind::Fragment => {}
            Kind::Element => self.start_tag(node),
            Kind::Text => self.text(content),
            Kind::Raw => self.out.push_str(content),
            Kind::Comment => self.around("<!--", content, "-->"),
            Kind::Doctype => self.around(self.style.doctype(), content, ">"),
            Kind::Cdata => self.around("<![CDATA[", content, "]]>"),
            Kind::Instruction | Kind::Declaration => self.around("<?", content, "?>"),
            Kind::Entity => self.around("&", content, ";"),
        }
    }

    fn around(&mut self, before: &str, content: &str, after: &str) {
        self.out.push_str(before);
        self.out.push_str(content);
        self.out.push_str(after);
    }

    fn start_tag(&mut self, node: NodeId) {
        if self.style.omits_start(self.digest.tag(node)) {
            return;
        }
        self.out.push('<');
        self.tag_name(node);
        for (name, value) in self.digest.attributes(node) {
            self.attribute(name, value);
        }
        if self.is_empty(node) {
            self.out.push_str(self.style.empty_end());
        }
        self.out.push('>');
    }

    fn close(&mut self, node: NodeId) {
        let element = self.digest.kind(node) == Kind::Element;
        let closed = element && self.is_empty(node) && !self.style.empty_end().is_empty();
        let void = element && !self.xml && self.digest.space(node) == Space::Html && is_void(self.digest.name(node));
        if !element || closed || void || self.style.omits_end(self.digest.tag(node)) {
            return;
        }
        self.out.push_str("</");
        self.tag_name(node);
        self.out.push('>');
    }

    /// Whether the element may be written as an empty-element tag.
    fn is_empty(&self, node: NodeId) -> bool {
        match self.digest.space(node) {
            Space::Html => is_void(self.digest.name(node)),
            _ => self.digest.child_count(node) == 0,
        }
    }

    fn tag_name(&mut self, node: NodeId) {
        let start = self.out.len();
        self.out.push_str(self.digest.name(node));
        if self.style.upper {
            self.out[start..].make_ascii_uppercase();
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        if value.is_empty() && !self.xml {
            return;
        }
        let quote = if self.style.single_quotes { '\'' } else { '"' };
        self.out.push('=');
        self.out.push(quote);
        let (style, xml) = (self.style, self.xml);
        escape(&mut self.out, value, |byte| match byte {
            b'&' if !style.bare_ampersands => Some("&amp;"),
            b'"' if !style.single_quotes => Some("&quot;"),
            b'\'' if style.single_quotes => Some("&#39;"),
            b'<' if xml => Some("&lt;"),
            _ => None,
        });
        self.out.push(quote);
    }

    fn text(&mut self, text: &str) {
        let style = self.style;
        if style.named_spaces && text.contains('\u{a0}') {
            return self.text_with_named_spaces(text);
        }
        escape(&mut self.out, text, |byte| text_escape(style, byte));
    }

    fn text_with_named_spaces(&mut self, text: &str) {
        let style = self.style;
        for (at, part) in text.split('\u{a0}').enumerate() {
            if at > 0 {
                self.out.push_str("&nbsp;");
            }
            escape(&mut self.out, part, |byte| text_escape(style, byte));
        }
    }
}

fn text_escape(style: &Style, byte: u8) -> Option<&'static str> {
    match byte {
        b'&' if !style.bare_ampersands => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' if style.named_greater => Some("&gt;"),
        _ => None,
    }
}

/// Copies text, with some ASCII characters replaced.
fn escape(out: &mut String, text: &str, replacement: impl Fn(u8) -> Option<&'static str>) {
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate() {
        if let Some(replacement) = replacement(byte) {
            out.push_str(&text[copied..at]);
            out.push_str(replacement);
            copied = at + 1;
        }
    }
    out.push_str(&text[copied..]);
}
