//! Where a node is, in three spellings: tag path, CSS selector, XPath.
//!
//! Cost: a [`Locator`] is built once in O(n); each path then costs the depth of its node.
//! Contents of a `template` are not in the document a selector searches, so they have a tag path only.

use super::{Kind, NodeId, PageDigest};
use crate::page::Format;
use crate::page::arena::Space;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Names places in one page.
pub struct Locator<'a> {
    digest: &'a PageDigest,
    /// The node's number among siblings: of its type in HTML, of all elements in XML; runs of text count as one.
    ordinal: Vec<u32>,
    /// The element's number among its sibling elements of any type.
    element: Vec<u32>,
    /// Whether no sibling shares the node's type.
    single: Vec<bool>,
    /// The only element with this id, or none if there are several. In small letters, for browsers may ignore case.
    ids: FxHashMap<String, Option<NodeId>>,
    /// Whether plain names would miss elements because of their namespaces.
    namespaced: bool,
}

impl<'a> Locator<'a> {
    /// Prepares the places of a page.
    pub fn new(digest: &'a PageDigest) -> Self {
        let columns = digest.columns();
        let mut locator = Self {
            digest,
            ordinal: vec![0; digest.len()],
            element: vec![0; digest.len()],
            single: vec![true; digest.len()],
            ids: FxHashMap::default(),
            namespaced: columns.names.contains("xmlns") || columns.tag_names.contains(':'),
        };
        locator.count_siblings();
        for node in digest.depth_first() {
            if let Some(id) = digest.attribute(node, "id").filter(|id| !id.is_empty()) {
                locator
                    .ids
                    .entry(id.to_ascii_lowercase())
                    .and_modify(|node| *node = None)
                    .or_insert(Some(node));
            }
        }
        locator
    }

    /// Names of the node's ancestors and its own, from the top: `html/body/p/#text`.
    pub fn tag_path(&self, node: NodeId) -> String {
        let mut names: Vec<&str> =
            self.lineage(node).into_iter().map(|node| self.digest.name(node)).collect();
        if names.is_empty() {
            names.push(Kind::Document.name());
        }
        names.join("/")
    }

    /// A CSS selector that finds this element and no other. Only elements have one.
    pub fn css(&self, node: NodeId) -> Option<String> {
        let lineage = self.reachable(node)?;
        if self.digest.kind(node) != Kind::Element || self.element[lineage[0].index()] != 1 {
            return None; // no element, or below a second root, which only broken XML has
        }
        let anchor = lineage.iter().rposition(|&node| self.unique_id(node).is_some());
        let steps: Vec<String> =
            lineage[anchor.unwrap_or(0)..].iter().map(|&node| self.css_step(node)).collect();
        Some(steps.join(" > "))
    }

    /// An XPath 1.0 expression that finds this node and no other. The document type and the XML declaration have none.
    pub fn xpath(&self, node: NodeId) -> Option<String> {
        let lineage = self.reachable(node)?;
        let mut path = String::new();
        for node in lineage {
            path.push('/');
            path.push_str(&self.xpath_step(node)?);
        }
        Some(if path.is_empty() { "/".to_owned() } else { path })
    }

    /// The node and its ancestors below the document, from the top.
    fn lineage(&self, node: NodeId) -> Vec<NodeId> {
        let mut lineage: Vec<NodeId> = std::iter::once(node).chain(self.digest.ancestors(node)).collect();
        lineage.pop();
        lineage.reverse();
        lineage
    }

    fn reachable(&self, node: NodeId) -> Option<Vec<NodeId>> {
        let lineage = self.lineage(node);
        let in_template = lineage.iter().any(|&node| self.digest.kind(node) == Kind::Fragment);
        (!in_template).then_some(lineage)
    }

    fn unique_id(&self, node: NodeId) -> Option<&'a str> {
        let id = self.digest.attribute(node, "id")?;
        let unique = self.digest.about().format == Format::Html
            && self.ids.get(&id.to_ascii_lowercase()) == Some(&Some(node));
        unique.then_some(id)
    }

    fn css_step(&self, node: NodeId) -> String {
        if let Some(id) = self.unique_id(node) {
            return format!("#{}", css_identifier(id));
        }
        let name = self.digest.name(node);
        let ordinal = self.ordinal[node.index()];
        match self.digest.about().format {
            _ if self.digest.parent(node) == Some(NodeId::ROOT) => self.css_root(name),
            Format::Xml => {
                let local = name.rsplit(':').next().unwrap_or(name);
                format!("{}:nth-child({ordinal})", css_identifier(local))
            }
            Format::Html if self.single[node.index()] => css_identifier(name),
            Format::Html => format!("{}:nth-of-type({ordinal})", css_identifier(name)),
        }
    }

    /// The root by its name, if no other element has it.
    fn css_root(&self, name: &str) -> String {
        let html = self.digest.about().format == Format::Html;
        let only = html && self.digest.tagged(name).nth(1).is_none();
        if only { css_identifier(name) } else { ":root".to_owned() }
    }

    fn xpath_step(&self, node: NodeId) -> Option<String> {
        let ordinal = self.ordinal[node.index()];
        let outside = self.digest.parent(node) == Some(NodeId::ROOT);
        match self.digest.kind(node) {
            Kind::Element => Some(self.xpath_element(node, ordinal)),
            // To XPath there is no text outside of the root, and no empty text.
            Kind::Text | Kind::Raw | Kind::Cdata | Kind::Entity if outside || ordinal == 0 => None,
            Kind::Text | Kind::Raw | Kind::Cdata | Kind::Entity => Some(format!("text()[{ordinal}]")),
            Kind::Comment => Some(format!("comment()[{ordinal}]")),
            Kind::Instruction => Some(format!("processing-instruction()[{ordinal}]")),
            Kind::Document | Kind::Fragment | Kind::Doctype | Kind::Declaration => None,
        }
    }

    fn xpath_element(&self, node: NodeId, ordinal: u32) -> String {
        let name = self.digest.name(node);
        let plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        match (self.digest.about().format, self.digest.space(node)) {
            (Format::Xml, _) if self.namespaced || !plain => format!("*[{ordinal}]"),
            (Format::Xml, _) => format!("*[{ordinal}][self::{name}]"),
            (_, Space::Html) if plain => format!("{name}[{ordinal}]"),
            _ if !name.contains('\'') => format!("*[local-name()='{name}'][{ordinal}]"),
            _ if !name.contains('"') => format!("*[local-name()=\"{name}\"][{ordinal}]"),
            _ => format!("*[{}]", self.element[node.index()]),
        }
    }

    /// Numbers the children of every node.
    fn count_siblings(&mut self) {
        let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
        for parent in self.digest.depth_first() {
            if self.digest.child_count(parent) == 0 {
                continue;
            }
            counts.clear();
            let (mut behind_text, mut elements) = (false, 0);
            for child in self.digest.children(parent) {
                let text = self.class(child) == TEXT;
                if text && self.digest.content(child) == Some("") {
                    continue;
                }
                elements += u32::from(self.digest.kind(child) == Kind::Element);
                self.element[child.index()] = elements;
                let count = counts.entry(self.class(child)).or_default();
                *count += u32::from(!(text && behind_text));
                self.ordinal[child.index()] = *count;
                behind_text = text;
            }
            for child in self.digest.children(parent) {
                self.single[child.index()] = counts.get(&self.class(child)) == Some(&1);
            }
        }
    }

    /// What a node is counted among.
    fn class(&self, node: NodeId) -> u32 {
        match self.digest.kind(node) {
            Kind::Text | Kind::Raw | Kind::Cdata | Kind::Entity => TEXT,
            Kind::Element if self.digest.about().format == Format::Xml => ELEMENT,
            _ => self.digest.tag(node),
        }
    }
}

const TEXT: u32 = u32::MAX;
const ELEMENT: u32 = u32::MAX - 1;

/// Escapes a name as CSSOM's "serialize an identifier" does.
fn css_identifier(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for (at, c) in name.chars().enumerate() {
        let leads = at == 0 || (at == 1 && name.starts_with('-'));
        match c {
            '\0' => escaped.push('\u{fffd}'),
            '0'..='9' if leads => write_code(&mut escaped, c),
            c if c.is_ascii_control() => write_code(&mut escaped, c),
            '-' if name.len() == 1 => escaped.push_str("\\-"),
            c if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii() => escaped.push(c),
            c => {
                escaped.push('\\');
                escaped.push(c);
            }
        }
    }
    escaped
}

fn write_code(escaped: &mut String, c: char) {
    write!(escaped, "\\{:x} ", u32::from(c)).expect("a string takes any text");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    fn page(text: &str) -> PageDigest {
        PageDigest::encode(text.as_bytes(), &Reading::default()).unwrap()
    }

    #[test]
    fn the_three_spellings() {
        let digest = page("<div><p>a<p id=x>b <b>c</b> d<!--e--></div><div><p>f");
        let locator = Locator::new(&digest);
        let bold = digest.tagged("b").next().unwrap();
        assert_eq!(locator.tag_path(bold), "html/body/div/p/b");
        assert_eq!(locator.css(bold).unwrap(), "#x > b");
        assert_eq!(locator.xpath(bold).unwrap(), "/html[1]/body[1]/div[1]/p[2]/b[1]");
        let last = digest.tagged("p").last().unwrap();
        assert_eq!(locator.css(last).unwrap(), "html > body > div:nth-of-type(2) > p");
        let text = digest.tagged("#text").nth(3).unwrap();
        assert_eq!(digest.content(text), Some(" d"));
        assert_eq!(locator.xpath(text).unwrap(), "/html[1]/body[1]/div[1]/p[2]/text()[2]");
        assert_eq!(locator.css(text), None);
        assert_eq!(locator.tag_path(NodeId::ROOT), "#document");
    }

    #[test]
    fn ids_that_repeat_are_no_anchors() {
        let digest = page("<p id=x>a<p id=x>b<p id='1 a'>c");
        let locator = Locator::new(&digest);
        let found: Vec<String> = digest.tagged("p").map(|node| locator.css(node).unwrap()).collect();
        assert_eq!(found, ["html > body > p:nth-of-type(1)", "html > body > p:nth-of-type(2)", "#\\31 \\ a"]);
    }

    #[test]
    fn template_contents_have_a_tag_path_only() {
        let digest = page("<template><p>x</template>");
        let locator = Locator::new(&digest);
        let inner = digest.tagged("p").next().unwrap();
        assert_eq!(locator.tag_path(inner), "html/head/template/#fragment/p");
        assert_eq!((locator.css(inner), locator.xpath(inner)), (None, None));
    }
}
