//! HTML text to tokens, for html5ever's tree builder.
//!
//! Source: WHATWG HTML §13.2.5, whose states are here functions over the text in memory: a run of text, a name or a value
//! is found by its end and handed on as a slice of the one shared buffer. Cost: linear, also for a tag with a hundred
//! thousand attributes, since those past the limit are read and dropped.
//! We differ: parse errors are not told. Road not taken: html5ever's own tokenizer, which moves character by character through a
//! queue of buffers: it takes three fifths of the time of a parse, compares each attribute with all before it, and has
//! no limit. It stays our referee: property tests hold both to the same tree for every text.

mod declaration;
mod reference;
mod tag;

use super::nesting::Nesting;
use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Token, TokenSink as _, TokenSinkResult};
use memchr::{memchr, memchr2, memchr3};
use rustc_hash::FxHashMap;

/// Sends all tokens of a text to the tree builder, the end included.
pub(crate) fn run(text: &str, sink: &Nesting) {
    Tokenizer::new(text, sink).run();
}

/// How text is read, as the tree builder last said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Text, references and markup.
    Data,
    /// Text and references up to the end tag: `title`, `textarea`.
    Rcdata,
    /// Text up to the end tag: `style`, `iframe` …
    Rawtext,
    /// Text up to the end tag, except in what looks like a comment with a script in it.
    Script,
    /// Text up to the end.
    Plaintext,
}

struct Tokenizer<'a> {
    /// The page with its line ends made `\n`.
    text: StrTendril,
    at: usize,
    mode: Mode,
    /// The last start tag: only its end tag ends raw text.
    opened: LocalName,
    sink: &'a Nesting,
    /// Names met before; a look-up here is cheaper than one in the global table of names.
    names: FxHashMap<Box<str>, LocalName>,
    most_attributes: usize,
}

impl<'a> Tokenizer<'a> {
    fn new(text: &str, sink: &'a Nesting) -> Self {
        let most_attributes = sink.builder.sink.limits().attributes;
        let opened = LocalName::from("");
        let text = with_plain_line_ends(text);
        Self { text, at: 0, mode: Mode::Data, opened, sink, names: FxHashMap::default(), most_attributes }
    }

    fn run(mut self) {
        while self.at < self.text.len() {
            match self.mode {
                Mode::Data => self.data(),
                Mode::Rcdata | Mode::Rawtext | Mode::Script => self.raw(),
                Mode::Plaintext => self.raw_text(self.text.len(), false),
            }
        }
        self.send(Token::EOFToken);
        self.sink.end();
    }

    /// A run of text, and what ends it.
    fn data(&mut self) {
        let (start, bytes) = (self.at, self.text.as_bytes());
        let end = memchr3(b'<', b'&', 0, &bytes[start..]).map_or(bytes.len(), |length| start + length);
        let ended_by = bytes.get(end).copied();
        self.send_text(start, end);
        self.at = end;
        match ended_by {
            Some(b'<') => self.markup(),
            Some(b'&') => self.reference(),
            Some(_) => {
                self.send(Token::NullCharacterToken);
                self.at += 1;
            }
            None => {}
        }
    }

    /// What begins with `<`.
    fn markup(&mut self) {
        let start = self.at;
        match (self.byte(start + 1), self.byte(start + 2)) {
            (Some(first), _) if first.is_ascii_alphabetic() => self.start_tag(start + 1),
            (Some(b'/'), Some(first)) if first.is_ascii_alphabetic() => self.end_tag(start + 2),
            (Some(b'/'), Some(b'>')) => self.at = start + 3,
            (Some(b'/'), Some(_)) => self.bogus_comment(start + 2),
            (Some(b'!'), _) => self.declaration(start + 2),
            (Some(b'?'), _) => self.bogus_comment(start + 1),
            _ => {
                self.send_text(start, start + 1);
                self.at = start + 1;
            }
        }
    }

    /// A character reference in text.
    fn reference(&mut self) {
        let (text, length) = match reference::read(&self.text[self.at..], false) {
            Some((reference, length)) => (reference.into(), length),
            None => (StrTendril::from_char('&'), 1),
        };
        self.send(Token::CharacterTokens(text));
        self.at += length;
    }

    /// Raw text up to its end tag, and that.
    fn raw(&mut self) {
        let end = match self.mode {
            Mode::Script => self.end_of_script(),
            _ => self.end_of_raw(),
        };
        self.raw_text(end.unwrap_or(self.text.len()), self.mode == Mode::Rcdata);
        if let Some(start) = end {
            self.mode = Mode::Data;
            self.end_tag(start + 2);
        }
    }

    /// Sends raw text up to `end`, with U+FFFD in the place of NULs.
    fn raw_text(&mut self, end: usize, with_references: bool) {
        while self.at < end {
            let rest = &self.text.as_bytes()[self.at..end];
            let stop = if with_references { memchr2(b'&', 0, rest) } else { memchr(0, rest) };
            let stop = stop.map_or(end, |length| self.at + length);
            self.send_text(self.at, stop);
            self.at = stop;
            match self.byte(stop) {
                Some(0) if stop < end => {
                    self.send(Token::CharacterTokens(StrTendril::from_char(char::REPLACEMENT_CHARACTER)));
                    self.at += 1;
                }
                Some(b'&') if stop < end => self.reference(),
                _ => {}
            }
        }
    }

    fn end_of_raw(&self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        memchr::memchr_iter(b'<', &bytes[self.at..]).map(|at| self.at + at).find(|&at| self.ends_raw_text(at))
    }

    /// Where the end tag of a script begins. Inside `<!--` … `-->`, a `<script` hides the next `</script`.
    fn end_of_script(&self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let (mut at, mut in_comment, mut hidden) = (self.at, false, false);
        while let Some(length) = memchr2(b'<', b'>', &bytes[at..]) {
            at += length;
            if bytes[at] == b'>' {
                let closes = in_comment && bytes[..at].ends_with(b"--");
                (in_comment, hidden) = (in_comment && !closes, hidden && !closes);
            } else if !hidden && self.ends_raw_text(at) {
                return Some(at);
            } else if !in_comment && bytes[at..].starts_with(b"<!--") {
                in_comment = true;
                at += 3;
            } else if hidden && is_name(&bytes[at..], b"</script") {
                hidden = false;
                at += 8; // with what ends the name, be it a `>`
            } else if in_comment && !hidden && is_name(&bytes[at..], b"<script") {
                hidden = true;
                at += 7;
            }
            at += 1;
        }
        None
    }

    /// Whether the `<` there begins the end tag of the element that is open.
    fn ends_raw_text(&self, at: usize) -> bool {
        let rest = &self.text.as_bytes()[at..];
        let length = self.opened.len() + 2;
        rest.len() > length
            && rest[1] == b'/'
            && rest[2..length].eq_ignore_ascii_case(self.opened.as_bytes())
            && ends_name(rest[length])
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn slice(&self, start: usize, end: usize) -> StrTendril {
        self.text.subtendril(start as u32, (end - start) as u32)
    }

    fn send_text(&mut self, start: usize, end: usize) {
        if start < end {
            self.send(Token::CharacterTokens(self.slice(start, end)));
        }
    }

    /// Hands on a token, and goes by the answer.
    fn send(&mut self, token: Token) {
        match self.sink.process_token(token, 1) {
            TokenSinkResult::Plaintext => self.mode = Mode::Plaintext,
            TokenSinkResult::RawData(RawKind::Rcdata) => self.mode = Mode::Rcdata,
            TokenSinkResult::RawData(RawKind::Rawtext) => self.mode = Mode::Rawtext,
            TokenSinkResult::RawData(_) => self.mode = Mode::Script,
            TokenSinkResult::Continue
            | TokenSinkResult::Script(_)
            | TokenSinkResult::EncodingIndicator(_) => {}
        }
    }
}

/// Whether the text begins with this name, and the name ends there.
fn is_name(text: &[u8], name: &[u8]) -> bool {
    text.len() > name.len() && text[..name.len()].eq_ignore_ascii_case(name) && ends_name(text[name.len()])
}

fn with_plain_line_ends(text: &str) -> StrTendril {
    if memchr(b'\r', text.as_bytes()).is_none() {
        return StrTendril::from_slice(text);
    }
    let mut plain = StrTendril::with_capacity(text.len() as u32);
    let mut lines = text.split('\r');
    plain.push_slice(lines.next().unwrap_or_default());
    for line in lines {
        plain.push_slice("\n");
        plain.push_slice(line.strip_prefix('\n').unwrap_or(line));
    }
    plain
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c')
}

fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}
