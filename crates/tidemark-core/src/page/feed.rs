//! How text reaches the tokenizer, so that a tag with a hundred thousand attributes stays cheap.
//!
//! html5ever compares each attribute with all before it. No hook of its lets us stop that, but feeding it
//! in small chunks shows when it is inside a long tag: a whole chunk goes in and no token comes out.
//! Such pages, and only they, are fed again tag by tag, and a tag with too many attributes is cut before the
//! tokenizer sees the rest. Cost: linear; for ordinary pages one counter a chunk.
//! Road not taken: scanning every page for long tags first, which costs all pages for the sake of the few.

use super::Note;
use super::html::Sink;
use super::nesting::Nesting;
use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{TokenSink, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};

const CHUNK: usize = 4096;

/// The page has a tag, comment or doctype that filled a whole chunk.
pub(crate) struct LongTag;

/// Feeds the text in chunks; gives up at the first long tag.
pub(crate) fn in_chunks(text: &str, sink: Sink) -> Result<Sink, LongTag> {
    let feeder = Feeder::new(sink);
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, tail) = rest.split_at(floor_boundary(rest, CHUNK));
        if feeder.feed(chunk) == 0 && !tail.is_empty() {
            return Err(LongTag);
        }
        rest = tail;
    }
    Ok(feeder.finish())
}

/// Feeds the text in pieces that each hold one `<`, at their start, and cuts tags with too many attributes.
///
/// A piece that goes in without a token coming out leaves a construct open that began at its `<`;
/// the next pieces belong to it until a token comes. Only outside of such a construct does a `<` begin a tag.
pub(crate) fn tag_by_tag(text: &str, sink: Sink) -> Sink {
    let limit = sink.limits().attributes;
    let feeder = Feeder::new(sink);
    let starts = memchr::memchr_iter(b'<', text.as_bytes());
    let (mut fed, mut inside) = (0, false);
    for start in starts {
        if start < fed {
            continue; // belongs to a tag that was cut
        }
        if start > fed && feeder.feed(&text[fed..start]) > 0 {
            inside = false;
        }
        fed = start;
        if inside {
            continue;
        }
        feeder.feed("<"); // flushes what was pending, so that tokens from here on are this construct's
        fed += 1;
        inside = match feeder.enter(text, &mut fed) {
            Entered::Nothing => false,
            Entered::Declaration => true,
            Entered::Tag { name_end } => {
                if let Some(cut) = Cut::find(text, name_end, limit) {
                    feeder.feed(&text[fed..cut.from]);
                    feeder.feed(" "); // ends a value without quotes
                    feeder.tokenizer.sink.builder.sink.note(Note::AttributesCapped);
                    fed = cut.to;
                }
                true
            }
        };
    }
    feeder.feed(&text[fed..]);
    feeder.finish()
}

/// What a `<` outside of any construct begins.
enum Entered {
    /// Text, or a tag that has ended already.
    Nothing,
    /// A comment, a doctype or the like.
    Declaration,
    /// A start or end tag, read to the end of its name.
    Tag {
        /// Where the name ends.
        name_end: usize,
    },
}

/// A section without text gives no token in SVG and MathML, and a comment elsewhere.
const EMPTY_SECTION: &[u8] = b"![CDATA[]]>";

struct Feeder {
    tokenizer: Tokenizer<Nesting>,
    queue: BufferQueue,
}

impl Feeder {
    fn new(sink: Sink) -> Self {
        let builder =
            TreeBuilder::new(sink, TreeBuilderOpts { scripting_enabled: false, ..Default::default() });
        // With `discard_bom` html5ever would drop a U+FEFF at the start of every chunk.
        let options = TokenizerOpts { discard_bom: false, ..Default::default() };
        Self { tokenizer: Tokenizer::new(Nesting::new(builder), options), queue: BufferQueue::default() }
    }

    /// Feeds a piece of text; how many tokens came out of it.
    fn feed(&self, text: &str) -> u64 {
        let before = self.tokenizer.sink.tokens();
        if !text.is_empty() {
            self.queue.push_back(StrTendril::from_slice(text));
            self.drain();
        }
        self.tokenizer.sink.tokens() - before
    }

    /// Feeds as much behind a `<` as it takes to know what it begins.
    fn enter(&self, text: &str, fed: &mut usize) -> Entered {
        let (bytes, start) = (text.as_bytes(), *fed);
        if bytes[start..].starts_with(b"![CDATA[")
            && self.tokenizer.sink.adjusted_current_node_present_but_not_in_html_namespace()
        {
            // A section is all text, kept back until its end.
            let length =
                memchr::memmem::find(&bytes[start..], b"]]>").map_or(bytes.len() - start, |at| at + 3);
            *fed = start + length;
            self.feed(&text[start..*fed]);
            return Entered::Nothing;
        }
        let slash = usize::from(bytes.get(start) == Some(&b'/'));
        let end = match bytes.get(start + slash) {
            Some(first) if first.is_ascii_alphabetic() => skip(bytes, start + slash, |b| !ends_name(b)),
            // These two can end without a token.
            Some(b'>') if slash == 1 => start + 1,
            _ if bytes[start..].starts_with(EMPTY_SECTION) => start + EMPTY_SECTION.len() - 1,
            Some(_) if slash == 1 => return Entered::Declaration,
            Some(b'!' | b'?') => return Entered::Declaration,
            _ => return Entered::Nothing,
        };
        *fed = (end + 1).min(bytes.len());
        // In a script, a comment or plain text a name comes out at once; in a tag it is kept until the end of the tag.
        let silent = self.feed(&text[start..*fed]) == 0;
        let is_tag = silent && bytes.get(end).is_none_or(|&b| b != b'>');
        if is_tag { Entered::Tag { name_end: end } } else { Entered::Nothing }
    }

    /// The tokenizer pauses after each script, for a browser to run it.
    fn drain(&self) {
        while !matches!(self.tokenizer.feed(&self.queue), TokenizerResult::Done) {}
    }

    fn finish(self) -> Sink {
        self.drain();
        self.tokenizer.end();
        self.tokenizer.sink.builder.sink
    }
}

/// The part of a tag that is left out: from just after the last attribute kept to its closing `>` or `/>`.
struct Cut {
    from: usize,
    to: usize,
}

impl Cut {
    /// Reads a tag from the end of its name on; a cut if it has more than `limit` attributes. A tag that never
    /// ends is cut at the end of the text.
    fn find(text: &str, name_end: usize, limit: usize) -> Option<Self> {
        let bytes = text.as_bytes();
        let (mut at, mut count, mut from) = (name_end, 0, name_end + 1);
        loop {
            at = skip(bytes, at, |b| is_space(b) || b == b'/');
            if bytes.get(at).is_none_or(|&b| b == b'>') {
                let closes_itself = bytes[at - 1] == b'/';
                return (count > limit).then_some(Self { from, to: at - usize::from(closes_itself) });
            }
            at = after_attribute(bytes, at);
            count += 1;
            if count == limit {
                from = at;
            }
        }
    }
}

/// The place behind the attribute that begins at `at`.
fn after_attribute(bytes: &[u8], at: usize) -> usize {
    let end = skip(bytes, at + 1, |b| !ends_name(b) && b != b'=');
    let equals = skip(bytes, end, is_space);
    if bytes.get(equals) != Some(&b'=') {
        return end;
    }
    let value = skip(bytes, equals + 1, is_space);
    match bytes.get(value) {
        Some(&quote @ (b'"' | b'\'')) => {
            memchr::memchr(quote, &bytes[value + 1..]).map_or(bytes.len(), |length| value + length + 2)
        }
        _ => skip(bytes, value, |b| !is_space(b) && b != b'>'),
    }
}

fn skip(bytes: &[u8], from: usize, wanted: impl Fn(u8) -> bool) -> usize {
    from + bytes[from.min(bytes.len())..].iter().take_while(|&&b| wanted(b)).count()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')
}

fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}

/// The largest boundary of a character that is not past `length`, but at least one character.
fn floor_boundary(text: &str, length: usize) -> usize {
    let floor = text.floor_char_boundary(length);
    if floor > 0 { floor } else { text.ceil_char_boundary(length.max(1)) }
}
