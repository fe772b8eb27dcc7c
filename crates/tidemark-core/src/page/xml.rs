//! XML text to a tree, kept as XML: names as written, CDATA, declarations and instructions as nodes.
//!
//! Source: XML 1.0, by quick-xml. Cost: linear, at any depth.
//! We differ: XML that is not well formed is still a page, because feeds on the web are often not.
//! A stray end tag is passed over, a missing one supplied; from a place the parser cannot pass, the
//! rest is kept as text, so that a change there is still seen. The first trouble is noted.

use super::arena::{Arena, DOCUMENT, Slot, Space, Tag};
use super::{Limits, Note, PageError};
use crate::digest::Kind;
use quick_xml::Reader;
use quick_xml::escape::{resolve_xml_entity, unescape_with};
use quick_xml::events::{BytesRef, BytesStart, Event};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Parses any text as XML.
pub(crate) fn parse(text: &str, limits: Limits) -> Result<Arena, PageError> {
    let mut builder = Builder::new(Arena::new(limits, text.len()));
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    (config.check_end_names, config.allow_unmatched_ends, config.allow_dangling_amp) = (false, true, true);
    while !builder.arena.is_full() {
        let at = reader.buffer_position() as usize;
        match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(event) => builder.event(event, at),
            Err(error) => {
                builder.trouble(at, &error.to_string());
                builder.arena.append_text(builder.current(), &text[at..]);
                break;
            }
        }
    }
    if !builder.open.is_empty() {
        builder.trouble(text.len(), "the text ends inside an element");
    }
    builder.arena.into_result()
}

struct Builder {
    arena: Arena,
    open: Vec<(Slot, u32)>,
    /// How many elements of a tag are open: a stray end tag is known without a walk up the stack.
    open_count: FxHashMap<u32, usize>,
    tags: FxHashMap<String, u32>,
    names: FxHashMap<String, u32>,
    sound: bool,
}

impl Builder {
    fn new(arena: Arena) -> Self {
        Self {
            arena,
            open: Vec::new(),
            open_count: FxHashMap::default(),
            tags: FxHashMap::default(),
            names: FxHashMap::default(),
            sound: true,
        }
    }

    fn event(&mut self, event: Event<'_>, at: usize) {
        match event {
            Event::Start(start) => {
                let (node, tag) = self.element(&start, at);
                self.open.push((node, tag));
                *self.open_count.entry(tag).or_default() += 1;
            }
            Event::Empty(start) => {
                self.element(&start, at);
            }
            Event::End(end) => self.close(end.name().as_ref(), at),
            Event::Text(text) => self.arena.append_text(self.current(), &text.xml10_content()),
            Event::CData(text) => self.leaf(Kind::Cdata, &text.xml10_content()),
            Event::Comment(text) => self.leaf(Kind::Comment, &text.xml10_content()),
            Event::Decl(declaration) => self.leaf(Kind::Declaration, &one_newline(&declaration)),
            Event::PI(instruction) => self.leaf(Kind::Instruction, &one_newline(&instruction)),
            Event::DocType(doctype) => self.leaf(Kind::Doctype, &doctype.xml10_content()),
            Event::GeneralRef(reference) => self.reference(&reference),
            Event::Eof => {}
        }
    }

    fn current(&self) -> Slot {
        self.open.last().map_or(DOCUMENT, |&(node, _)| node)
    }

    fn leaf(&mut self, kind: Kind, text: &str) {
        let node = self.arena.leaf(kind, text);
        self.arena.append(self.current(), node);
    }

    fn element(&mut self, start: &BytesStart<'_>, at: usize) -> (Slot, u32) {
        let tag = self.tag(start.name().as_ref());
        let first = self.arena.attributes.len();
        self.attributes(start, at, first);
        let node = self.arena.element(tag, first);
        self.arena.append(self.current(), node);
        (node, tag)
    }

    fn tag(&mut self, name: &str) -> u32 {
        if let Some(&tag) = self.tags.get(name) {
            return tag;
        }
        let tag = self.arena.tags.len() as u32;
        self.arena.tags.push(Tag { kind: Kind::Element, space: Space::Plain, name: name.to_owned() });
        self.tags.insert(name.to_owned(), tag);
        tag
    }

    fn attributes(&mut self, start: &BytesStart<'_>, at: usize, first: usize) {
        let limit = self.arena.limits().attributes;
        for attribute in start.html_attributes().with_checks(false) {
            let attribute = match attribute {
                Ok(attribute) => attribute,
                Err(error) => return self.trouble(at, &error.to_string()),
            };
            if self.arena.attributes.len() - first == limit {
                return self.arena.note(Note::AttributesCapped);
            }
            let name = self.name(attribute.key.as_ref());
            if self.arena.attributes[first..].iter().any(|earlier| earlier.name == name) {
                self.trouble(at, "an attribute is given twice");
                continue;
            }
            self.arena.attribute(name, &normalised(&attribute.value));
        }
    }

    fn name(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        self.arena.names.push(name.to_owned());
        let number = self.arena.names.len() as u32 - 1;
        self.names.insert(name.to_owned(), number);
        number
    }

    fn close(&mut self, name: &str, at: usize) {
        let tag = self.tags.get(name.trim_end()).copied();
        let Some(tag) = tag.filter(|tag| self.open_count.get(tag).is_some_and(|&count| count > 0)) else {
            return self.trouble(at, &format!("end tag '{name}' closes nothing"));
        };
        while let Some((_, closed)) = self.open.pop() {
            *self.open_count.entry(closed).or_default() -= 1;
            if closed == tag {
                break;
            }
            self.trouble(at, &format!("end tag '{name}' closes another element"));
        }
    }

    /// A reference in text: to a character, to one of XML's five names, or to an entity, which is kept.
    fn reference(&mut self, reference: &BytesRef<'_>) {
        match reference.resolve_char_ref() {
            Ok(Some(character)) => {
                self.arena.append_text(self.current(), character.encode_utf8(&mut [0; 4]));
            }
            _ => match resolve_xml_entity(reference) {
                Some(text) => self.arena.append_text(self.current(), text),
                None => self.leaf(Kind::Entity, reference),
            },
        }
    }

    fn trouble(&mut self, at: usize, reason: &str) {
        if std::mem::replace(&mut self.sound, false) {
            let reason = reason.chars().filter(|c| !c.is_control()).take(200).collect();
            self.arena.note(Note::NotWellFormed { at, reason });
        }
    }
}

/// Line ends as XML 1.0 §2.11 wants them.
fn one_newline(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// The value with references resolved and white space made spaces (XML 1.0 §3.3.3). A value with a
/// reference nobody declared is left as it was written.
fn normalised(value: &str) -> Cow<'_, str> {
    if !value.bytes().any(|b| matches!(b, b'&' | b'\n' | b'\r' | b'\t')) {
        return Cow::Borrowed(value);
    }
    let spaced = value.replace("\r\n", " ").replace(['\n', '\r', '\t'], " ");
    match unescape_with(&spaced, resolve_xml_entity) {
        Ok(text) => Cow::Owned(text.into_owned()),
        Err(_) => Cow::Owned(spaced),
    }
}
