//! Records of a WARC file, pushed in as the bytes come.
//!
//! Source: ISO 28500. Of a record that is no answer nothing is kept. Lengths are believed only as far as bytes come, and kept only up to the limit.
//! Where no record begins, everything up to the next line that begins like one is passed over and told once.

use super::fields::Fields;
use super::http::{self, HEAD};
use super::{Found, Trouble};

/// What a record begins with, after the end of a line.
const BEGIN: &[u8] = b"\nWARC/";

/// Reads an archive.
#[derive(Debug)]
pub struct Reader {
    most: usize,
    /// Whether answers of any media type are wanted.
    any: bool,
    state: State,
    /// Bytes read.
    at: u64,
    /// Where the record began.
    start: u64,
    /// The head while it comes, or the block.
    buffer: Vec<u8>,
}

#[derive(Debug)]
enum State {
    /// Between records, or in the head of one.
    Head,
    /// In the block of a record: what is still to come, and what is wanted of it.
    Block { left: u64, wanted: Option<Wanted> },
    /// Looking for the next record: how much of its beginning is there.
    Lost { matched: usize },
}

/// An answer that may be a page.
#[derive(Debug)]
struct Wanted {
    url: String,
    date: Option<String>,
    is_too_large: bool,
}

impl Reader {
    /// For pages of at most so many bytes.
    pub fn new(most: usize) -> Self {
        Self { most, any: false, state: State::Head, at: 0, start: 0, buffer: Vec::new() }
    }

    /// The same, for answers of any media type: feeds, JSON and files too.
    pub fn any(most: usize) -> Self {
        Self { any: true, ..Self::new(most) }
    }

    /// Takes the next bytes, and gives what was complete with them.
    pub fn push(&mut self, mut bytes: &[u8], found: &mut impl FnMut(Found)) {
        while !bytes.is_empty() {
            let taken = match self.state {
                State::Head => self.head(bytes, found),
                State::Block { .. } => self.block(bytes),
                State::Lost { .. } => self.search(bytes),
            };
            self.at += taken as u64;
            bytes = &bytes[taken..];
            self.settle(found);
        }
    }

    /// Says whether the archive ended where it may end.
    pub fn finish(&mut self) -> Option<Trouble> {
        let is_inside = !self.buffer.is_empty() || matches!(self.state, State::Block { .. });
        let is_lost = matches!(self.state, State::Lost { .. });
        (is_inside && !is_lost).then_some(Trouble::Cut { at: self.start })
    }

    /// Bytes in memory: at most one answer of the size that is allowed, and a head.
    pub fn retained(&self) -> usize {
        self.buffer.len()
    }

    fn head(&mut self, bytes: &[u8], found: &mut impl FnMut(Found)) -> usize {
        if self.buffer.is_empty() {
            let empty = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if empty > 0 {
                return empty;
            }
            self.start = self.at;
        }
        // By lines, so that the empty one is seen whatever way the bytes come.
        let line = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
        let line = line.min(HEAD + 1 - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..line]);
        let known = self.buffer.len().min(BEGIN.len() - 1);
        if self.buffer[..known] != BEGIN[1..=known] {
            self.lose(Trouble::NoRecord { at: self.start }, found);
        } else if self.buffer.ends_with(b"\n\r\n") || self.buffer.ends_with(b"\n\n") {
            self.open(found);
        } else if self.buffer.len() > HEAD {
            self.lose(Trouble::Head { at: self.start }, found);
        }
        line
    }

    /// The head is complete: what follows is the block.
    fn open(&mut self, found: &mut impl FnMut(Found)) {
        let head = Fields::of(&self.buffer);
        self.buffer.clear();
        match head.get("content-length").and_then(|length| length.parse().ok()) {
            Some(left) => self.state = State::Block { left, wanted: wanted(&head) },
            None => self.lose(Trouble::Length { at: self.start }, found),
        }
    }

    fn block(&mut self, bytes: &[u8]) -> usize {
        let room = self.most.saturating_add(HEAD + 1).saturating_sub(self.buffer.len());
        let State::Block { left, wanted } = &mut self.state else { return bytes.len() };
        let taken = bytes.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
        *left -= taken as u64;
        if let Some(wanted) = wanted.as_mut().filter(|wanted| !wanted.is_too_large) {
            wanted.is_too_large = taken >= room;
            self.buffer.extend_from_slice(&bytes[..taken.min(room)]);
            if wanted.is_too_large {
                self.buffer = Vec::new();
            }
        }
        taken
    }

    /// Ends a block that is complete.
    fn settle(&mut self, found: &mut impl FnMut(Found)) {
        if !matches!(self.state, State::Block { left: 0, .. }) {
            return;
        }
        let State::Block { wanted, .. } = std::mem::replace(&mut self.state, State::Head) else { return };
        let answer = std::mem::take(&mut self.buffer);
        let Some(Wanted { url, date, is_too_large }) = wanted else { return };
        let page = if is_too_large {
            Err(Trouble::TooLarge { url, most: self.most })
        } else {
            http::page(url, date, &answer, self.most, self.any)
        };
        match page {
            Ok(None) => {}
            Ok(Some(page)) => found(Found::Page(page)),
            Err(trouble) => found(Found::Trouble(trouble)),
        }
    }

    fn lose(&mut self, trouble: Trouble, found: &mut impl FnMut(Found)) {
        found(Found::Trouble(trouble));
        self.state = State::Lost { matched: usize::from(self.buffer.ends_with(b"\n")) };
        self.buffer.clear();
    }

    /// Looks for a line that begins a record.
    fn search(&mut self, bytes: &[u8]) -> usize {
        let State::Lost { matched } = &mut self.state else { return bytes.len() };
        for (at, &byte) in bytes.iter().enumerate() {
            *matched = if byte == BEGIN[*matched] { *matched + 1 } else { usize::from(byte == b'\n') };
            if *matched == BEGIN.len() {
                self.buffer.extend_from_slice(&BEGIN[1..]);
                self.start = self.at + at as u64 + 2 - BEGIN.len() as u64;
                self.state = State::Head;
                return at + 1;
            }
        }
        bytes.len()
    }
}

fn wanted(head: &Fields) -> Option<Wanted> {
    let is_answer = head.get("warc-type").is_some_and(|kind| kind.eq_ignore_ascii_case("response"));
    let url = head.get("warc-target-uri").unwrap_or_default().trim_matches(['<', '>']).to_owned();
    let date = head.get("warc-date").map(str::to_owned);
    is_answer.then_some(Wanted { url, date, is_too_large: false })
}
