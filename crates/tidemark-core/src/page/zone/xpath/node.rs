//! A node of a digest as XPath sees it: the document, elements, attributes, comments, instructions, and runs of text.
//!
//! Where the arrays have several nodes in a row that are all text to XPath (text, CDATA, entities), the first stands for the
//! run. Contents of a template, declarations and text outside of the root are not in XPath's tree, as in [`Locator`].
//!
//! Every step pays from a budget. When it is spent, walks end and texts are empty, so that the evaluator comes to its end;
//! what it then says is thrown away.
//!
//! [`Locator`]: crate::digest::locate::Locator

use super::super::bounds::Budget;
use super::inspect::Traits;
use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::Format;
use crate::page::arena::Space;
use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::Range;
use xpath_eval::{ExpandedName, Node, NodeKind};

/// A page while an expression is evaluated on it.
pub(super) struct Frame<'a> {
    digest: &'a PageDigest,
    pub(super) budget: Budget,
    traits: Traits,
    /// Texts asked for in a row: in a comparison of two sets nothing else is asked, and pairs are looked at unseen.
    texts: Cell<u64>,
}

impl<'a> Frame<'a> {
    /// The budget bounds memory as well: the evaluator keeps what it visits, 16 bytes a step.
    pub(super) fn new(digest: &'a PageDigest, traits: Traits) -> Self {
        let steps = (digest.len() as u64).saturating_mul(32).saturating_add(1 << 22).min(1 << 26);
        Self { digest, budget: Budget::new(steps.saturating_mul(traits.weight)), traits, texts: Cell::new(0) }
    }

    fn step(&self) -> bool {
        self.texts.set(0);
        self.budget.take(self.traits.weight)
    }

    fn read(&self, bytes: usize) -> bool {
        self.texts.set(self.texts.get() + 1);
        let pairs = if self.traits.pairs { self.texts.get() } else { 0 };
        self.budget.take(1 + pairs + (bytes as u64 / 32).saturating_mul(self.traits.weight))
    }
}

/// One node, or one attribute of an element.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    frame: &'a Frame<'a>,
    node: NodeId,
    /// The attribute's number, counted from 1; 0 is the node itself.
    attribute: u32,
}

impl PartialEq for Seen<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.node, self.attribute) == (other.node, other.attribute)
    }
}

impl Eq for Seen<'_> {}

impl<'a> Seen<'a> {
    pub(super) fn root(frame: &'a Frame<'a>) -> Self {
        Self { frame, node: NodeId::ROOT, attribute: 0 }
    }

    /// The nodes of the digest it stands for.
    pub(super) fn range(&self) -> Range<NodeId> {
        let end = match (self.attribute, Node::kind(*self)) {
            (0, NodeKind::Text) => self.run_end(),
            (0, _) => self.digest().end(self.node),
            _ => self.node.0 + 1,
        };
        self.node..NodeId(end)
    }

    fn digest(&self) -> &'a PageDigest {
        self.frame.digest
    }

    fn at(&self, node: NodeId) -> Self {
        Self { frame: self.frame, node, attribute: 0 }
    }

    /// First node behind a run of text.
    fn run_end(&self) -> u32 {
        let limit =
            self.digest().parent(self.node).map_or(self.node.0 + 1, |parent| self.digest().end(parent));
        let text = |&next: &u32| is_text(self.digest().kind(NodeId(next)));
        (self.node.0..limit).take_while(text).last().map_or(limit, |last| last + 1)
    }

    fn attribute_pair(&self) -> (&'a str, &'a str) {
        let number = (self.attribute as usize).saturating_sub(1);
        self.digest().attributes(self.node).nth(number).unwrap_or_default()
    }

    /// Prefix and local part, and whether capitals do not matter.
    fn name_parts(&self) -> Option<(Option<&'a str>, &'a str, bool)> {
        if self.attribute > 0 {
            let html = self.digest().space(self.node) == Space::Html;
            let (name, _) = self.attribute_pair();
            return Some(match name.split_once(':') {
                Some((prefix, local)) => (Some(prefix), local, html),
                None => (None, name, html),
            });
        }
        let name = self.digest().name(self.node);
        match (self.digest().kind(self.node), self.digest().space(self.node)) {
            (Kind::Element, Space::Html) => Some((None, name, true)),
            (Kind::Element, Space::Svg) => Some((Some("svg"), name, false)),
            (Kind::Element, Space::MathMl) => Some((Some("math"), name, false)),
            (Kind::Element, Space::Plain) => Some(match name.split_once(':') {
                Some((prefix, local)) => (Some(prefix), local, false),
                None => (None, name, false),
            }),
            (Kind::Instruction, _) => {
                let content = self.digest().content(self.node).unwrap_or_default();
                Some((None, content.split_ascii_whitespace().next().unwrap_or_default(), false))
            }
            _ => None,
        }
    }

    /// Pieces of its text, in order.
    fn pieces(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let digest = self.digest();
        let text = Node::kind(*self) == NodeKind::Text;
        let (mut next, end) = (self.node.0, if text { self.run_end() } else { digest.end(self.node) });
        let alone = !text && !digest.kind(self.node).has_children();
        std::iter::from_fn(move || {
            while next < end {
                let node = NodeId(next);
                let kind = digest.kind(node);
                next = if kind == Kind::Fragment { digest.end(node) } else { next + 1 };
                if alone || is_text(kind) {
                    return digest.content(node);
                }
            }
            None
        })
    }
}

fn is_text(kind: Kind) -> bool {
    matches!(kind, Kind::Text | Kind::Raw | Kind::Cdata | Kind::Entity)
}

impl<'a> Node<'a> for Seen<'a> {
    fn kind(self) -> NodeKind {
        if self.attribute > 0 {
            return NodeKind::Attribute;
        }
        match self.digest().kind(self.node) {
            Kind::Document => NodeKind::Root,
            Kind::Element | Kind::Fragment => NodeKind::Element,
            Kind::Text | Kind::Raw | Kind::Cdata | Kind::Entity => NodeKind::Text,
            Kind::Comment | Kind::Doctype => NodeKind::Comment,
            Kind::Instruction | Kind::Declaration => NodeKind::ProcessingInstruction,
        }
    }

    fn parent(self) -> Option<Self> {
        let paid = self.frame.step();
        if self.attribute > 0 {
            return Some(self.at(self.node)); // the evaluator relies on it, whatever it costs
        }
        self.digest().parent(self.node).filter(|_| paid).map(|parent| self.at(parent))
    }

    fn children(self) -> impl Iterator<Item = Self> + 'a {
        let digest = self.digest();
        let outside = self.node == NodeId::ROOT;
        let (mut next, end) = match self.attribute {
            0 => (self.node.0 + 1, digest.end(self.node)),
            _ => (0, 0),
        };
        let mut behind_text = false;
        std::iter::from_fn(move || {
            while next < end && self.frame.step() {
                let child = NodeId(next);
                let kind = digest.kind(child);
                next = digest.end(child);
                if is_text(kind) && (outside || digest.content(child) == Some("")) {
                    continue;
                }
                let joins = is_text(kind) && behind_text;
                behind_text = is_text(kind);
                if !joins && !matches!(kind, Kind::Doctype | Kind::Declaration | Kind::Fragment) {
                    return Some(self.at(child));
                }
            }
            None
        })
    }

    fn attributes(self) -> impl Iterator<Item = Self> + 'a {
        let element = self.attribute == 0 && self.digest().kind(self.node) == Kind::Element;
        let count = if element { self.digest().attributes(self.node).len() as u32 } else { 0 };
        (1..=count).take_while(move |_| self.frame.step()).map(move |attribute| Self { attribute, ..self })
    }

    fn namespaces(self) -> impl Iterator<Item = Self> + 'a {
        std::iter::empty()
    }

    fn expanded_name(self) -> Option<ExpandedName> {
        self.name_parts().map(|(prefix, local, _)| ExpandedName {
            namespace_uri: prefix.map(str::to_owned),
            local_name: local.to_owned(),
        })
    }

    fn string_value(self) -> String {
        self.with_string_value(str::to_owned)
    }

    fn document_order(self, other: Self) -> Ordering {
        (self.node, self.attribute).cmp(&(other.node, other.attribute))
    }

    fn has_expanded_name(self, prefix: Option<&str>, local: &str) -> bool {
        self.name_parts().is_some_and(|(its_prefix, its_local, any_case)| {
            let named = its_local == local || (any_case && its_local.eq_ignore_ascii_case(local));
            named && its_prefix == prefix
        })
    }

    fn with_string_value<R>(self, f: impl FnOnce(&str) -> R) -> R {
        if self.frame.budget.spent() {
            return f("");
        }
        if self.attribute > 0 {
            let value = self.attribute_pair().1;
            return f(if self.frame.read(value.len()) { value } else { "" });
        }
        let mut pieces = self.pieces();
        let first = pieces.next().unwrap_or_default();
        let Some(second) = pieces.next() else {
            let walked = self.digest().end(self.node) - self.node.0;
            return f(if self.frame.read(first.len() + walked as usize) { first } else { "" });
        };
        let mut text = [first, second].concat();
        pieces.for_each(|piece| text.push_str(piece));
        let walked = self.digest().end(self.node) - self.node.0;
        f(if self.frame.read(text.len() + walked as usize) { &text } else { "" })
    }

    fn is_id_attribute(self) -> bool {
        let name = self.attribute_pair().0;
        name == "id" && self.digest().about().format == Format::Html || name == "xml:id"
    }
}
