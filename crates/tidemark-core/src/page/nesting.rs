//! The depth cap, kept between the tokenizer and the tree builder.
//!
//! html5ever walks its stack of open elements for nearly every tag, so a page of nested elements costs
//! the square of its depth. Past the cap we hold back the start tags of elements that can nest,
//! with their end tags; what is inside them stays and lands in the innermost element kept. Browsers keep
//! 512 levels in much the same way. Cost: O(1) a token, and nothing is lost but levels.
//! Road not taken: to stop parsing at the cap, which would blind us to everything after it.

use super::html::{Handle, Sink};
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use html5ever::{LocalName, local_name};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

/// A tree builder that never nests deeper than the cap.
pub(crate) struct Nesting {
    pub(crate) builder: TreeBuilder<Handle, Sink>,
    held: RefCell<Held>,
    tokens: Cell<u64>,
}

impl Nesting {
    pub(crate) fn new(builder: TreeBuilder<Handle, Sink>) -> Self {
        Self { builder, held: RefCell::default(), tokens: Cell::new(0) }
    }

    /// How many tokens have come so far, errors not counted.
    pub(crate) fn tokens(&self) -> u64 {
        self.tokens.get()
    }

    fn holds_back(&self, tag: &Tag) -> bool {
        match tag.kind {
            TagKind::StartTag if can_nest(&tag.name) && self.builder.sink.is_deep() => {
                self.held.borrow_mut().open(&tag.name);
                true
            }
            TagKind::StartTag => false,
            TagKind::EndTag => self.held.borrow_mut().close(&tag.name),
        }
    }
}

impl TokenSink for Nesting {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if matches!(token, Token::ParseError(_)) {
            return TokenSinkResult::Continue;
        }
        self.tokens.set(self.tokens.get() + 1);
        if self.builder.sink.is_full() {
            return TokenSinkResult::Continue;
        }
        match &token {
            Token::TagToken(tag) if self.holds_back(tag) => TokenSinkResult::Continue,
            _ => self.builder.process_token(token, line),
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

/// Void elements have no inside; raw-text elements steer the tokenizer and must not be held back.
fn can_nest(name: &LocalName) -> bool {
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
