//! HTML text to a tree, with the error recovery every browser has.
//!
//! Source: WHATWG HTML §13.2, by html5ever; this is our [`TreeSink`], which writes an [`Arena`].
//! Cost: linear; the caps on depth and attributes are kept by [`nesting`](super::nesting) and
//! [`tokenizer`], because html5ever alone is quadratic in both.
//! We differ from browsers: scripting is off, so `noscript` has children; a selected option is not
//! copied into `selectedcontent`, because that text is not in the page.

use super::arena::{Arena, DOCUMENT, NONE, Slot, Space, Tag};
use super::nesting::Nesting;
use super::{Limits, Note, PageError, tokenizer};
use crate::digest::Kind;
use elsa::FrozenVec;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode};
use html5ever::tendril::StrTendril;
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use html5ever::{Attribute, ExpandedName, QualName, expanded_name, local_name, ns};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::RefCell;

/// Parses any text as HTML.
pub(crate) fn parse(text: &str, limits: Limits) -> Result<Arena, PageError> {
    let options = TreeBuilderOpts { scripting_enabled: false, ..Default::default() };
    let nesting = Nesting::new(TreeBuilder::new(Sink::new(limits, text.len()), options));
    tokenizer::run(text, &nesting);
    nesting.builder.sink.finish().into_result()
}

/// A node as html5ever holds it; the tag rides along, so that asking for a name costs no look-up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Handle {
    node: Slot,
    tag: u32,
}

/// Receives the tree from html5ever.
pub(crate) struct Sink {
    arena: RefCell<Arena>,
    /// Element names by tag; shared out by reference while it grows.
    elements: FrozenVec<Box<QualName>>,
    tags: RefCell<FxHashMap<QualName, u32>>,
    names: RefCell<FxHashMap<QualName, u32>>,
    /// Attribute names as written: `xlink:href` is one name, in SVG and outside of it.
    written: RefCell<FxHashMap<String, u32>>,
}

impl Sink {
    fn new(limits: Limits, bytes: usize) -> Self {
        let elements = FrozenVec::new();
        for _ in Kind::ALL {
            elements.push(Box::new(QualName::new(None, ns!(), "".into()))); // kinds that are no elements
        }
        Self {
            arena: RefCell::new(Arena::new(limits, bytes)),
            elements,
            tags: RefCell::default(),
            names: RefCell::default(),
            written: RefCell::default(),
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.arena.borrow().is_full()
    }

    pub(crate) fn note(&self, note: Note) {
        self.arena.borrow_mut().note(note);
    }

    pub(crate) fn limits(&self) -> Limits {
        *self.arena.borrow().limits()
    }

    fn tag(&self, name: QualName) -> u32 {
        if let Some(&tag) = self.tags.borrow().get(&name) {
            return tag;
        }
        let mut arena = self.arena.borrow_mut();
        let tag = arena.tags.len() as u32;
        arena.tags.push(Tag { kind: Kind::Element, space: space(&name), name: name.local.to_string() });
        self.elements.push(Box::new(name.clone()));
        self.tags.borrow_mut().insert(name, tag);
        tag
    }

    fn push_attributes(&self, arena: &mut Arena, attributes: &[Attribute]) {
        let mut names = self.names.borrow_mut();
        for attribute in attributes {
            let name = *names.entry(attribute.name.clone()).or_insert_with(|| {
                let written = written(&attribute.name);
                *self.written.borrow_mut().entry(written.clone()).or_insert_with(|| {
                    arena.names.push(written);
                    arena.names.len() as u32 - 1
                })
            });
            arena.attribute(name, &attribute.value);
        }
    }

    fn handle(&self, node: Slot) -> Handle {
        Handle { node, tag: self.arena.borrow().nodes[node as usize].tag }
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Arena;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Arena {
        self.arena.into_inner()
    }

    fn parse_error(&self, _message: Cow<'static, str>) {} // recovery is the normal case on the web

    fn get_document(&self) -> Handle {
        Handle { node: DOCUMENT, tag: Kind::Document as u32 }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.elements[target.tag as usize].expanded()
    }

    fn create_element(&self, name: QualName, mut attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let tag = self.tag(name);
        let mut arena = self.arena.borrow_mut();
        if attributes.len() > arena.limits().attributes {
            attributes.truncate(arena.limits().attributes);
            arena.note(Note::AttributesCapped);
        }
        let first = arena.attributes.len();
        self.push_attributes(&mut arena, &attributes);
        let node = arena.element(tag, first);
        if flags.template {
            let contents = arena.node(Kind::Fragment as u32, (NONE, NONE));
            arena.append(node, contents);
        }
        Handle { node, tag }
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        let node = self.arena.borrow_mut().leaf(Kind::Comment, &text);
        self.handle(node)
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        let node = self.arena.borrow_mut().leaf(Kind::Instruction, &format!("{target} {data}"));
        self.handle(node)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        let mut arena = self.arena.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => arena.append(parent.node, child.node),
            NodeOrText::AppendText(text) => arena.append_text(parent.node, &text),
        }
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let attached = self.arena.borrow().nodes[element.node as usize].parent != NONE;
        if attached {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public: StrTendril, system: StrTendril) {
        let mut arena = self.arena.borrow_mut();
        let node = arena.leaf(Kind::Doctype, &doctype(&name, &public, &system));
        arena.append(DOCUMENT, node);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        let contents = self.arena.borrow().nodes[target.node as usize].first;
        self.handle(contents)
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.node == y.node
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let mut arena = self.arena.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => {
                arena.detach(child.node);
                arena.insert_before(sibling.node, child.node);
            }
            NodeOrText::AppendText(text) => arena.insert_text_before(sibling.node, &text),
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        let mut arena = self.arena.borrow_mut();
        let known = arena.attributes_of(target.node).to_vec();
        let is_known = |new: &Attribute| {
            let number = self.names.borrow().get(&new.name).copied();
            known.iter().any(|old| Some(old.name) == number)
        };
        let mut missing: Vec<Attribute> = attributes.into_iter().filter(|new| !is_known(new)).collect();
        let room = arena.limits().attributes.saturating_sub(known.len());
        if missing.is_empty() {
            return;
        }
        if missing.len() > room {
            missing.truncate(room);
            arena.note(Note::AttributesCapped);
        }
        let first = arena.attributes.len() as u32;
        arena.attributes.extend(known);
        self.push_attributes(&mut arena, &missing);
        arena.nodes[target.node as usize].data = (first, arena.attributes.len() as u32);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.arena.borrow_mut().detach(target.node);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.arena.borrow_mut().reparent(node.node, new_parent.node);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        if self.elem_name(handle) != expanded_name!(mathml "annotation-xml") {
            return false;
        }
        let arena = self.arena.borrow();
        arena.attributes_of(handle.node).iter().any(|attribute| {
            let value = arena.value(attribute);
            arena.names[attribute.name as usize] == "encoding"
                && (value.eq_ignore_ascii_case("text/html")
                    || value.eq_ignore_ascii_case("application/xhtml+xml"))
        })
    }

    fn allow_declarative_shadow_roots(&self, _intended_parent: &Handle) -> bool {
        false // a shadow root is kept as the template it was written as
    }
}

fn space(name: &QualName) -> Space {
    match name.ns {
        ns!(svg) => Space::Svg,
        ns!(mathml) => Space::MathMl,
        _ => Space::Html,
    }
}

/// An attribute's name as a page would spell it.
fn written(name: &QualName) -> String {
    match &name.prefix {
        Some(prefix) if !prefix.is_empty() => format!("{prefix}:{}", name.local),
        _ => name.local.to_string(),
    }
}

/// What stands between `<!DOCTYPE ` and `>`.
fn doctype(name: &str, public: &str, system: &str) -> String {
    match (public.is_empty(), system.is_empty()) {
        (true, true) => name.to_owned(),
        (true, false) => format!("{name} SYSTEM \"{system}\""),
        (false, true) => format!("{name} PUBLIC \"{public}\""),
        (false, false) => format!("{name} PUBLIC \"{public}\" \"{system}\""),
    }
}
