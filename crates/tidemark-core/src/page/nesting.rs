//! The depth cap, kept between the tokenizer and the tree builder.
//!
//! html5ever walks its stack of open elements for nearly every tag, so a page of nested elements costs the square of its depth. Past
//! the cap we hold back the tags of elements that can nest: the elements are left out, what is inside them stays and lands in the
//! innermost element kept. Cost: O(1) a token. Browsers, too, keep 512 levels, and lay deeper elements beside their parents; to do that
//! here would mean walking the full stack for each of them, which is what a hostile page wants.
//! Road not taken: to stop parsing at the cap, which would blind us to everything behind it.

use super::Note;
use super::html::{Handle, Sink};
use html5ever::interface::Tracer;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{LocalName, local_name};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

/// A tree builder that never nests deeper than the cap.
pub(crate) struct Nesting {
    pub(crate) builder: TreeBuilder<Handle, Sink>,
    cap: usize,
    held: RefCell<Held>,
    /// The builder's stack and list of formatting elements have at most this many entries.
    open: Cell<usize>,
    /// Whether they may have changed since they were counted.
    stale: Cell<bool>,
}

impl Nesting {
    pub(crate) fn new(builder: TreeBuilder<Handle, Sink>) -> Self {
        let cap = builder.sink.limits().depth as usize;
        Self { builder, cap, held: RefCell::default(), open: Cell::new(0), stale: Cell::new(true) }
    }

    fn holds_back(&self, tag: &Tag) -> bool {
        match tag.kind {
            TagKind::StartTag if self.is_deep() && self.can_nest(&tag.name) => {
                self.builder.sink.note(Note::DepthCapped);
                self.held.borrow_mut().open(&tag.name);
                true
            }
            TagKind::StartTag => false,
            TagKind::EndTag => self.held.borrow_mut().close(&tag.name),
        }
    }

    /// Void elements have no inside and raw-text elements steer the tokenizer, but not in SVG and MathML.
    fn can_nest(&self, name: &LocalName) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace() || nests_in_html(name)
    }

    /// Whether the builder has as many elements open as the cap allows. They are counted only when the bound says
    /// there could be so many: once in hundreds of tags on an ordinary page.
    fn is_deep(&self) -> bool {
        if self.open.get() >= self.cap && self.stale.replace(false) {
            let count = Count::default();
            self.builder.trace_handles(&count);
            self.open.set(count.0.get());
        }
        self.open.get() >= self.cap
    }

    /// A token for the builder opens at most one element, and formatting elements again that were counted already.
    fn forward(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        self.open.set(self.open.get() + 1);
        self.stale.set(true);
        self.builder.process_token(token, line)
    }
}

#[derive(Default)]
struct Count(Cell<usize>);

impl Tracer for Count {
    type Handle = Handle;

    fn trace_handle(&self, _node: &Handle) {
        self.0.set(self.0.get() + 1);
    }
}

impl TokenSink for Nesting {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if self.builder.sink.is_full() {
            return TokenSinkResult::Continue;
        }
        match &token {
            Token::TagToken(tag) if self.holds_back(tag) => TokenSinkResult::Continue,
            _ => self.forward(token, line),
        }
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Elements that were held back and are still open.
#[derive(Default)]
struct Held {
    stack: Vec<LocalName>,
    count: FxHashMap<LocalName, usize>,
}

impl Held {
    fn open(&mut self, name: &LocalName) {
        self.stack.push(name.clone());
        *self.count.entry(name.clone()).or_default() += 1;
    }

    /// Whether this end tag belongs to an element held back. One that does not closes a kept
    /// element, and so everything held back inside it.
    fn close(&mut self, name: &LocalName) -> bool {
        if self.stack.is_empty() {
            return false;
        }
        if self.count.get(name).copied().unwrap_or(0) == 0 {
            self.stack.clear();
            self.count.clear();
            return false;
        }
        while let Some(closed) = self.stack.pop() {
            if let Some(count) = self.count.get_mut(&closed) {
                *count -= 1;
            }
            if closed == *name {
                break;
            }
        }
        true
    }
}

fn nests_in_html(name: &LocalName) -> bool {
    !matches!(
        *name,
        local_name!("area")
            | local_name!("base")
            | local_name!("br")
            | local_name!("col")
            | local_name!("embed")
            | local_name!("hr")
            | local_name!("iframe")
            | local_name!("img")
            | local_name!("input")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("noembed")
            | local_name!("noframes")
            | local_name!("param")
            | local_name!("plaintext")
            | local_name!("script")
            | local_name!("source")
            | local_name!("style")
            | local_name!("textarea")
            | local_name!("title")
            | local_name!("track")
            | local_name!("wbr")
            | local_name!("xmp")
    )
}
