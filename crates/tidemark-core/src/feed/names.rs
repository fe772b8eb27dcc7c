//! Names in an XML feed: which vocabulary an element belongs to, and the text below it.
//!
//! Prefixes are bound by `xmlns` wherever the first binding stands; well-known prefixes need none, because
//! feeds forget them. The feed's own elements are those without a prefix or with one bound to RSS or Atom.

use super::Prose;
use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::{PageError, Reading};
use rustc_hash::FxHashMap;

/// Vocabularies we read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vocabulary {
    /// RSS or Atom itself.
    Own,
    /// Atom elements inside RSS.
    Atom,
    /// Dublin Core: `dc:date`, `dc:creator`, `dc:subject`.
    Dublin,
    /// `content:encoded`.
    Content,
    /// Anything else.
    Other,
}

/// A feed's page together with how to understand its names.
pub(super) struct Tongue<'a> {
    pub(super) page: &'a PageDigest,
    pub(super) reading: &'a Reading,
    prefixes: FxHashMap<&'a str, Vocabulary>,
}

impl<'a> Tongue<'a> {
    pub(super) fn new(page: &'a PageDigest, reading: &'a Reading) -> Self {
        let mut prefixes = FxHashMap::default();
        for node in page.depth_first() {
            for (name, address) in page.attributes(node) {
                if let Some(prefix) = name.strip_prefix("xmlns:") {
                    prefixes.entry(prefix).or_insert_with(|| vocabulary(address));
                }
            }
        }
        Self { page, reading, prefixes }
    }

    /// Element children with their vocabulary and local name.
    pub(super) fn elements(&self, node: NodeId) -> impl Iterator<Item = (NodeId, Vocabulary, &'a str)> {
        let page = self.page;
        page.children(node).filter(move |&child| is_element(page, child)).map(move |child| {
            let (vocabulary, name) = self.name(child);
            (child, vocabulary, name)
        })
    }

    fn name(&self, node: NodeId) -> (Vocabulary, &'a str) {
        let name = self.page.name(node);
        match name.split_once(':') {
            None => (Vocabulary::Own, name),
            Some((prefix, local)) => (self.prefix(prefix), local),
        }
    }

    fn prefix(&self, prefix: &str) -> Vocabulary {
        let vocabulary = self.prefixes.get(prefix).copied();
        let is_root = self.root().is_some_and(|root| {
            self.page.name(root).split_once(':').is_some_and(|(own, local)| own == prefix && local == "feed")
        });
        match (vocabulary, prefix) {
            (Some(Vocabulary::Atom), _) if is_root => Vocabulary::Own,
            (Some(vocabulary), _) => vocabulary,
            (None, "dc") => Vocabulary::Dublin,
            (None, "content") => Vocabulary::Content,
            (None, "atom") => Vocabulary::Atom,
            (None, _) => Vocabulary::Other,
        }
    }

    /// The outermost element.
    pub(super) fn root(&self) -> Option<NodeId> {
        self.page.children(NodeId::ROOT).find(|&node| is_element(self.page, node))
    }

    /// All text below a node as it stands: a feed keeps markup escaped or in CDATA. Entities nobody declared are written again.
    pub(super) fn raw(&self, node: NodeId) -> String {
        let mut raw = String::new();
        for node in self.page.subtree(node) {
            let content = self.page.content(node).unwrap_or_default();
            match self.page.kind(node) {
                Kind::Text | Kind::Cdata => raw.push_str(content),
                Kind::Entity => raw.extend(["&", content, ";"]),
                _ => {}
            }
        }
        raw
    }

    /// The text of a node without the white space around it; nothing if there is no text.
    pub(super) fn value(&self, node: NodeId) -> Option<String> {
        let raw = self.raw(node);
        let value = raw.trim();
        (!value.is_empty()).then(|| value.to_owned())
    }

    /// Escaped HTML, or real elements where a feed forgot to escape.
    pub(super) fn html(&self, node: NodeId) -> Result<Prose, PageError> {
        if self.page.children(node).any(|child| is_element(self.page, child)) {
            return Ok(Prose { raw: self.markup(node), text: self.page.visible_text(node) });
        }
        Prose::html(self.raw(node).trim(), self.reading)
    }

    /// What is inside an element, written as markup again.
    pub(super) fn markup(&self, node: NodeId) -> String {
        let (mut markup, mut open) = (String::new(), Vec::<(u32, &str)>::new());
        for inner in self.page.subtree(node).skip(1) {
            close(&mut markup, &mut open, inner.0);
            let content = self.page.content(inner).unwrap_or_default();
            match self.page.kind(inner) {
                Kind::Element => {
                    open_tag(self.page, inner, &mut markup);
                    open.push((self.page.end(inner), self.page.name(inner)));
                }
                Kind::Text | Kind::Cdata => escape(content, &mut markup),
                Kind::Entity => markup.extend(["&", content, ";"]),
                _ => {}
            }
        }
        close(&mut markup, &mut open, u32::MAX);
        markup.trim().to_owned()
    }
}

fn vocabulary(address: &str) -> Vocabulary {
    match address.trim().trim_end_matches(['/', '#']) {
        "http://purl.org/rss/1.0"
        | "http://my.netscape.com/rdf/simple/0.9"
        | "http://channel.netscape.com/rdf/simple/0.9" => Vocabulary::Own,
        "http://www.w3.org/2005/Atom" | "http://purl.org/atom/ns" => Vocabulary::Atom,
        "http://purl.org/dc/elements/1.1" | "http://purl.org/dc/terms" => Vocabulary::Dublin,
        "http://purl.org/rss/1.0/modules/content" => Vocabulary::Content,
        _ => Vocabulary::Other,
    }
}

pub(super) fn is_element(page: &PageDigest, node: NodeId) -> bool {
    page.kind(node) == Kind::Element
}

/// The name without its prefix.
pub(super) fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn open_tag(page: &PageDigest, node: NodeId, markup: &mut String) {
    markup.extend(["<", page.name(node)]);
    for (name, value) in page.attributes(node).filter(|(name, _)| !name.starts_with("xmlns")) {
        markup.extend([" ", name, "=\""]);
        escape(value, markup);
        markup.push('"');
    }
    markup.push('>');
}

fn close(markup: &mut String, open: &mut Vec<(u32, &str)>, at: u32) {
    while let Some((_, name)) = open.pop_if(|(end, _)| *end <= at) {
        markup.extend(["</", name, ">"]);
    }
}

fn escape(text: &str, markup: &mut String) {
    for character in text.chars() {
        match character {
            '&' => markup.push_str("&amp;"),
            '<' => markup.push_str("&lt;"),
            '>' => markup.push_str("&gt;"),
            '"' => markup.push_str("&quot;"),
            other => markup.push(other),
        }
    }
}
