//! An element of a digest as the selector engine sees it.

use super::super::bounds::Budget;
use super::names::{Name, Names, Never};
use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::Format;
use crate::page::arena::Space;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::matching::{ElementSelectorFlags, MatchingContext};
use selectors::{Element, OpaqueElement};
use std::fmt;

const NONE: u32 = u32::MAX;
/// Levels that `:has` may look down.
const DEPTH: usize = 1024;

/// A page while selectors are matched on it.
pub(super) struct Frame<'a> {
    digest: &'a PageDigest,
    /// The element sibling before each node: the arrays know the way forward only, and to count back from the parent
    /// would make `:nth-child` quadratic.
    previous: Vec<u32>,
    pub(super) budget: Budget,
}

impl<'a> Frame<'a> {
    pub(super) fn new(digest: &'a PageDigest) -> Self {
        let mut previous = vec![NONE; digest.len()];
        let mut last_child = vec![NONE; digest.len()];
        for node in digest.depth_first().skip(1) {
            if let (Kind::Element, Some(parent)) = (digest.kind(node), digest.parent(node)) {
                previous[node.index()] = std::mem::replace(&mut last_child[parent.index()], node.0);
            }
        }
        Self { digest, previous, budget: super::budget(digest.len()) }
    }
}

/// One element.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    frame: &'a Frame<'a>,
    node: NodeId,
}

impl fmt::Debug for Seen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.digest().name(self.node), self.node.0)
    }
}

impl<'a> Seen<'a> {
    pub(super) fn new(frame: &'a Frame<'a>, node: NodeId) -> Self {
        Self { frame, node }
    }

    fn digest(&self) -> &'a PageDigest {
        self.frame.digest
    }

    /// The same frame at another element; none when the budget is spent, which ends every walk.
    fn at(&self, node: NodeId) -> Option<Self> {
        self.frame.budget.take(1).then_some(Self { frame: self.frame, node })
    }

    /// Prefix and local part of the name.
    fn name(&self) -> (&'a str, &'a str) {
        let name = self.digest().name(self.node);
        match self.digest().space(self.node) {
            Space::Html => ("html", name),
            Space::Svg => ("svg", name),
            Space::MathMl => ("math", name),
            Space::Plain => name.split_once(':').unwrap_or(("", name)),
        }
    }

    /// Prefix and local part of an attribute's name. HTML elements have no prefixes; the colon belongs to the name.
    fn attribute_name(&self, name: &'a str) -> (&'a str, &'a str) {
        match self.digest().space(self.node) {
            Space::Html => ("", name),
            Space::Plain => name.split_once(':').unwrap_or(("", name)),
            Space::Svg | Space::MathMl => match name.split_once(':') {
                Some((prefix @ ("xlink" | "xml" | "xmlns"), local)) => (prefix, local),
                _ => ("", name),
            },
        }
    }

    fn elements_from(&self, start: u32, end: u32) -> Option<Self> {
        let mut next = start;
        while next < end {
            let here = self.at(NodeId(next))?;
            if self.digest().kind(here.node) == Kind::Element {
                return Some(here);
            }
            next = self.digest().end(here.node);
        }
        None
    }

    fn value(&self, name: &str) -> Option<&'a str> {
        self.digest().attribute(self.node, name)
    }
}

impl Element for Seen<'_> {
    type Impl = Names;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(&self.digest().columns().children[self.node.index()])
    }

    fn parent_element(&self) -> Option<Self> {
        let parent = self.digest().parent(self.node)?;
        (self.digest().kind(parent) == Kind::Element).then(|| self.at(parent))?
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        let previous = self.frame.previous[self.node.index()];
        (previous != NONE).then(|| self.at(NodeId(previous)))?
    }

    fn next_sibling_element(&self) -> Option<Self> {
        let parent = self.digest().parent(self.node)?;
        self.elements_from(self.digest().end(self.node), self.digest().end(parent))
    }

    fn first_element_child(&self) -> Option<Self> {
        // Asked for by `:has` only, which recurses over depth. HTML is flat by its limits; XML can be as deep as it likes.
        if self.digest().depth(self.node) > DEPTH {
            self.frame.budget.take(u64::MAX);
        }
        self.elements_from(self.node.0 + 1, self.digest().end(self.node))
    }

    fn is_html_element_in_html_document(&self) -> bool {
        self.digest().about().format == Format::Html && self.digest().space(self.node) == Space::Html
    }

    fn has_local_name(&self, name: &Name) -> bool {
        self.name().1 == &*name.0
    }

    fn has_namespace(&self, prefix: &Name) -> bool {
        self.name().0 == &*prefix.0
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.digest().tag(self.node) == self.digest().tag(other.node)
    }

    fn attr_matches(
        &self,
        prefix: &NamespaceConstraint<&Name>,
        name: &Name,
        operation: &AttrSelectorOperation<&Name>,
    ) -> bool {
        self.digest().attributes(self.node).any(|(found, value)| {
            let (its_prefix, local) = self.attribute_name(found);
            let there = match prefix {
                NamespaceConstraint::Any => true,
                NamespaceConstraint::Specific(prefix) => its_prefix == &*prefix.0,
            };
            there && local == &*name.0 && operation.eval_str(value)
        })
    }

    fn match_non_ts_pseudo_class(&self, class: &Never, _: &mut MatchingContext<'_, Names>) -> bool {
        match *class {}
    }

    fn match_pseudo_element(&self, element: &Never, _: &mut MatchingContext<'_, Names>) -> bool {
        match *element {}
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        false
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Name, case: CaseSensitivity) -> bool {
        self.value("id").is_some_and(|value| case.eq(value.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, class: &Name, case: CaseSensitivity) -> bool {
        self.value("class").is_some_and(|value| {
            value.split_ascii_whitespace().any(|found| case.eq(found.as_bytes(), class.0.as_bytes()))
        })
    }

    fn has_custom_state(&self, _: &Name) -> bool {
        false
    }

    fn imported_part(&self, _: &Name) -> Option<Name> {
        None
    }

    fn is_part(&self, _: &Name) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        self.digest().children(self.node).all(|child| {
            self.frame.budget.take(1);
            match self.digest().kind(child) {
                Kind::Element | Kind::Entity => false,
                Kind::Text | Kind::Raw | Kind::Cdata => self.digest().content(child) == Some(""),
                _ => true,
            }
        })
    }

    fn is_root(&self) -> bool {
        self.digest().parent(self.node) == Some(NodeId::ROOT)
    }

    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }
}
