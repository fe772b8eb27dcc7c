//! Start and end tags. One that the page ends in is left out, as in browsers.

use super::{Mode, Tokenizer, ends_name, is_space, reference};
use crate::page::Note;
use html5ever::interface::Attribute;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token};
use html5ever::{LocalName, QualName, ns};
use memchr::{memchr, memchr2};

impl Tokenizer<'_> {
    /// Reads a start tag from its name on.
    pub(super) fn start_tag(&mut self, name: usize) {
        let Some(tag) = self.tag(TagKind::StartTag, name) else { return };
        self.opened = tag.name.clone();
        self.send(Token::TagToken(tag));
    }

    /// Reads an end tag from its name on.
    pub(super) fn end_tag(&mut self, name: usize) {
        let Some(tag) = self.tag(TagKind::EndTag, name) else { return };
        self.mode = Mode::Data;
        self.send(Token::TagToken(tag));
    }

    fn tag(&mut self, kind: TagKind, start: usize) -> Option<Tag> {
        let end = self.skip(start, |byte| !ends_name(byte));
        let name = self.name(start, end);
        self.at = end;
        let mut attrs = Vec::new();
        let Some(self_closing) = self.attributes(&mut attrs) else {
            self.at = self.text.len();
            return None;
        };
        Some(Tag { kind, name, self_closing, attrs, had_duplicate_attributes: false })
    }

    /// Reads attributes and the end of the tag; whether it closes itself. Nothing if the text ends first.
    fn attributes(&mut self, attributes: &mut Vec<Attribute>) -> Option<bool> {
        loop {
            self.at = self.skip(self.at, is_space);
            match self.byte(self.at) {
                None => return None,
                Some(b'>') => {
                    self.at += 1;
                    return Some(false);
                }
                Some(b'/') => {
                    self.at += 1;
                    if self.byte(self.at) == Some(b'>') {
                        self.at += 1;
                        return Some(true);
                    }
                }
                Some(_) => self.attribute(attributes)?,
            }
        }
    }

    /// Reads one attribute. The first of a name counts.
    fn attribute(&mut self, attributes: &mut Vec<Attribute>) -> Option<()> {
        let start = self.at;
        let end = self.skip(start + 1, |byte| !ends_name(byte) && byte != b'=');
        let equals = self.skip(end, is_space);
        let has_value = self.byte(equals) == Some(b'=');
        self.at = if has_value { equals + 1 } else { end };
        if attributes.len() == self.most_attributes {
            self.sink.builder.sink.note(Note::AttributesCapped);
            return if has_value { self.value().map(|_| ()) } else { Some(()) };
        }
        let name = self.name(start, end);
        let value = if has_value { self.value()? } else { StrTendril::new() };
        if !attributes.iter().any(|known| known.name.local == name) {
            attributes.push(Attribute { name: QualName::new(None, ns!(), name), value });
        }
        Some(())
    }

    /// Reads a value from behind the `=` on. Nothing if the text ends in it.
    fn value(&mut self) -> Option<StrTendril> {
        self.at = self.skip(self.at, is_space);
        let bytes = self.text.as_bytes();
        match *bytes.get(self.at)? {
            quote @ (b'"' | b'\'') => {
                let start = self.at + 1;
                let end = start + memchr(quote, &bytes[start..])?;
                self.at = end + 1;
                Some(self.unescaped(start, end))
            }
            b'>' => Some(StrTendril::new()),
            _ => {
                let start = self.at;
                let end = self.skip(start, |byte| !is_space(byte) && byte != b'>');
                self.at = end;
                (end < self.text.len()).then(|| self.unescaped(start, end))
            }
        }
    }

    /// A value with its references resolved.
    fn unescaped(&self, start: usize, end: usize) -> StrTendril {
        let text = &self.text[start..end];
        let Some(mut special) = memchr2(b'&', 0, text.as_bytes()) else { return self.slice(start, end) };
        let mut value = StrTendril::with_capacity(text.len() as u32);
        let mut done = 0;
        loop {
            value.push_slice(&text[done..special]);
            // What follows the value decides nothing: a quote, a space or `>`, which end any reference.
            let (replaced, length) = match text.as_bytes()[special] {
                0 => (Some(char::REPLACEMENT_CHARACTER.to_string()), 1),
                _ => reference::read(&text[special..], true)
                    .map_or((None, 1), |(characters, length)| (Some(characters), length)),
            };
            value.push_slice(replaced.as_deref().unwrap_or("&"));
            done = special + length;
            match memchr2(b'&', 0, &text.as_bytes()[done..]) {
                Some(next) => special = done + next,
                None => break,
            }
        }
        value.push_slice(&text[done..]);
        value
    }

    /// A name in small letters, of an element or an attribute.
    fn name(&mut self, start: usize, end: usize) -> LocalName {
        let written = &self.text[start..end];
        if let Some(known) = self.names.get(written) {
            return known.clone();
        }
        let name = LocalName::from(written.to_ascii_lowercase().replace('\0', "\u{FFFD}"));
        if self.names.len() < MOST_NAMES {
            self.names.insert(written.into(), name.clone());
        }
        name
    }

    pub(super) fn skip(&self, from: usize, wanted: impl Fn(u8) -> bool) -> usize {
        let bytes = self.text.as_bytes();
        let from = from.min(bytes.len());
        from + bytes[from..].iter().take_while(|&&byte| wanted(byte)).count()
    }
}

/// A page does not choose how much is kept for it.
const MOST_NAMES: usize = 1024;
