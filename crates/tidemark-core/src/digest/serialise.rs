//! A digest back to markup, in the spelling its page prefers.
//!
//! Source: the paper's algorithm 2; "serializing HTML fragments" of WHATWG HTML §13.3. Cost: linear, no recursion.
//! The result need not be the page: it is the best guess at it that the arrays and a [`Style`] give, and
//! the residue says what is missing. **It is part of the native form**: a file written by one
//! release is read by the next with this very text as its prefix, so any change here needs a new version there.

use super::style::{Choice, Empty, Style};
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
        may_refer: first_bytes(style),
        out: String::with_capacity(
            columns.content.len() + columns.attribute_values.len() + digest.len() * 10,
        ),
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
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

struct Writer<'a> {
    digest: &'a PageDigest,
    style: &'a Style,
    xml: bool,
    may_refer: [bool; 256],
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
        self.name(self.digest.name(node), self.style.has(Choice::UpperTags));
        for (name, value) in self.digest.attributes(node) {
            self.attribute(name, value);
        }
        if self.is_empty(node) {
            self.out.push_str(self.style.empty.text());
        } else if self.style.has(Choice::SpaceBeforeEnd) {
            self.out.push(' ');
        }
        self.out.push('>');
    }

    fn close(&mut self, node: NodeId) {
        let digest = self.digest;
        if digest.kind(node) != Kind::Element || self.style.omits_end(digest.tag(node)) {
            return;
        }
        let void = digest.space(node) == Space::Html && is_void(digest.name(node));
        let closed = self.is_empty(node) && self.style.empty != Empty::Bare;
        if !void && !closed {
            self.out.push_str("</");
            self.name(digest.name(node), self.style.has(Choice::UpperTags));
            self.out.push('>');
        }
    }

    /// Whether the element may be written as an empty-element tag.
    fn is_empty(&self, node: NodeId) -> bool {
        match self.digest.space(node) {
            Space::Html => is_void(self.digest.name(node)),
            _ => self.digest.child_count(node) == 0,
        }
    }

    fn name(&mut self, name: &str, upper: bool) {
        let start = self.out.len();
        self.out.push_str(name);
        if upper {
            self.out[start..].make_ascii_uppercase();
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        let style = self.style;
        self.out.push(' ');
        self.name(name, style.has(Choice::UpperAttributes));
        if value.is_empty() && style.has(Choice::BareAttributes) && !self.xml {
            return;
        }
        self.out.push('=');
        if style.has(Choice::NoQuotes) && needs_no_quotes(value) {
            self.out.push_str(value);
            return;
        }
        let quote = if style.has(Choice::SingleQuotes) { b'\'' } else { b'"' };
        self.out.push(char::from(quote));
        let quoted = if style.has(Choice::SingleQuotes) { "&#39;" } else { "&quot;" };
        let xml = self.xml;
        self.escaped(value, |byte| match byte {
            b'&' if !style.has(Choice::BareAmpersands) => Some("&amp;"),
            b'<' if xml => Some("&lt;"),
            byte if byte == quote => Some(quoted),
            _ => None,
        });
        self.out.push(char::from(quote));
    }

    fn text(&mut self, text: &str) {
        let style = self.style;
        self.escaped(text, |byte| match byte {
            b'&' if !style.has(Choice::BareAmpersands) => Some("&amp;"),
            b'<' => Some("&lt;"),
            _ => None,
        });
    }

    /// Copies text, with some ASCII characters replaced, and those that the page writes as references.
    fn escaped(&mut self, text: &str, replacement: impl Fn(u8) -> Option<&'static str>) {
        let mut copied = 0;
        let references = &self.style.references;
        let referred = |at: usize| text[at..].chars().next().and_then(|c| Some((c, references.get(&c)?)));
        for (at, byte) in text.bytes().enumerate() {
            if let Some(replacement) = replacement(byte) {
                self.out.push_str(&text[copied..at]);
                self.out.push_str(replacement);
                copied = at + 1;
            } else if !references.is_empty() && self.may_refer[byte as usize] {
                let Some((character, name)) = referred(at) else { continue };
                self.out.push_str(&text[copied..at]);
                self.out.push('&');
                self.out.push_str(name);
                self.out.push(';');
                copied = at + character.len_utf8();
            }
        }
        self.out.push_str(&text[copied..]);
    }
}

fn needs_no_quotes(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.#%:/".contains(&b))
}

/// The first bytes of characters that are written as references.
fn first_bytes(style: &Style) -> [bool; 256] {
    let mut firsts = [false; 256];
    for character in style.references.keys() {
        firsts[character.encode_utf8(&mut [0; 4]).as_bytes()[0] as usize] = true;
    }
    firsts
}
