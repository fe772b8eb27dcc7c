//! The packed variant: the columns as two streams that compress well, in one zstd frame with our
//! [dictionary](super::dictionary).
//!
//! *Shape* holds tags, attribute names and ends of elements, a byte each for [names everybody uses](super::vocabulary);
//! *text* holds names nobody knows, attribute values and contents in document order, each closed by 0xFF, a byte that UTF-8
//! never has. The frame holds three numbers (lengths of description and shape, number of nodes), then description, shape and text.
//!
//! Cost: linear both ways. Roads not taken, measured over real pages before the dictionary, as a share of zstd -19 of the page:
//! one stream a column with lengths 1.11, with terminators 1.02, values grouped by attribute name 1.02; this one 0.97.

use super::container::Container;
use super::dictionary;
use super::vocabulary::{NAME_CODES, NAMES, TAG_CODES, TAGS};
use super::{NativeError, Variant, container};
use crate::digest::Kind;
use crate::digest::columns::{Arrays, Columns, is_packed_kind};
use crate::page::Limits;

/// Sections of a packed file.
const COLUMNS: usize = 0;
pub(crate) const RESIDUE: usize = 1;

const CLOSE: u8 = 0;
const OTHER_TAG: u8 = 1;
const KNOWN_TAGS: u8 = 2;
const OTHER_NAME: u8 = 0x81;
const KNOWN_NAMES: u8 = 0x82;
const END: u8 = 0xff;

/// Writes the columns compressed.
pub(crate) fn write(columns: &Columns<'_>, meta: &[u8], residue: &[u8]) -> Result<Vec<u8>, NativeError> {
    let frame = dictionary::compress(&stream(columns, meta));
    container::write(Variant::Packed, &[&frame, residue])
}

/// What is compressed: description, shape and text behind their lengths.
pub(crate) fn stream(columns: &Columns<'_>, meta: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new(columns);
    writer.nodes();
    let mut stream = Vec::with_capacity(meta.len() + writer.shape.len() + writer.text.len() + 16);
    for number in [meta.len(), writer.shape.len(), columns.children.len()] {
        write_number(&mut stream, number as u32);
    }
    stream.extend_from_slice(meta);
    stream.extend_from_slice(&writer.shape);
    stream.extend_from_slice(&writer.text);
    stream
}

/// A packed file, decompressed.
pub(crate) struct Unpacked {
    stream: Vec<u8>,
    meta: usize,
    shape: usize,
    nodes: usize,
    start: usize,
}

impl Unpacked {
    pub(crate) fn read(container: &Container<'_>, limits: &Limits) -> Result<Self, NativeError> {
        let limit = limits.text().saturating_add(limits.nodes.saturating_mul(8));
        let stream = dictionary::decompress(container.section(COLUMNS)?, limit)?;
        let mut rest = Reader { bytes: &stream, at: 0 };
        let (meta, shape, nodes) =
            (rest.number()? as usize, rest.number()? as usize, rest.number()? as usize);
        let start = rest.at;
        let sound = start + meta + shape <= stream.len() && nodes <= shape;
        if nodes > limits.nodes {
            return Err(NativeError::TooLarge("too many nodes"));
        }
        sound.then_some(Self { stream, meta, shape, nodes, start }).ok_or(MALFORMED)
    }

    /// The description of the page.
    pub(crate) fn meta(&self) -> &[u8] {
        &self.stream[self.start..self.start + self.meta]
    }

    /// The columns.
    pub(crate) fn arrays(&self) -> Result<Arrays, NativeError> {
        let (shape, text) = self.stream[self.start + self.meta..].split_at(self.shape);
        let arrays = Builder::new(shape, text, self.nodes).build()?;
        (arrays.children.len() == self.nodes).then_some(arrays).ok_or(MALFORMED)
    }
}

const MALFORMED: NativeError = NativeError::Malformed("the packed columns are not readable");

struct Writer<'a> {
    columns: &'a Columns<'a>,
    shape: Vec<u8>,
    text: Vec<u8>,
    other_tags: Numbering,
    other_names: Numbering,
}

/// Numbers given to names as they first appear.
struct Numbering {
    by_entry: Vec<Option<u32>>,
    count: u32,
}

impl Numbering {
    fn new(entries: usize) -> Self {
        Self { by_entry: vec![None; entries], count: 0 }
    }

    /// The number of an entry, and whether it is new.
    fn number(&mut self, entry: u32) -> (u32, bool) {
        let known = &mut self.by_entry[entry as usize];
        let fresh = known.is_none();
        let number = *known.get_or_insert(self.count);
        self.count += u32::from(fresh);
        (number, fresh)
    }
}

impl<'a> Writer<'a> {
    fn new(columns: &'a Columns<'a>) -> Self {
        Self {
            columns,
            shape: Vec::with_capacity(columns.children.len() * 3),
            text: Vec::with_capacity(
                columns.content.len() + columns.attribute_values.len() + columns.children.len(),
            ),
            other_tags: Numbering::new(columns.tag_kinds.len()),
            other_names: Numbering::new(columns.name_ends.len()),
        }
    }

    fn nodes(&mut self) {
        let columns = self.columns;
        let mut missing: Vec<u32> = Vec::new(); // children still to come, of each open node
        for (node, (&tag, &children)) in columns.tags.iter().zip(columns.children).enumerate() {
            self.tag(tag);
            columns.attribute_rows(node).for_each(|row| self.attribute(row));
            if columns.kind_of_tag(tag).has_children() {
                missing.push(children);
            } else {
                self.string(columns.content_of(node));
                count_child(&mut missing);
            }
            while missing.last() == Some(&0) {
                missing.pop();
                self.shape.push(CLOSE);
                count_child(&mut missing);
            }
        }
    }

    fn tag(&mut self, tag: u32) {
        let (kind, name) = (self.columns.tag_kinds[tag as usize], self.columns.tag_name(tag));
        if let Some(&code) = TAG_CODES.get(&(kind, name)) {
            return self.shape.push(KNOWN_TAGS + code as u8);
        }
        let (number, fresh) = self.other_tags.number(tag);
        self.shape.push(OTHER_TAG);
        write_number(&mut self.shape, number);
        if fresh {
            write_number(&mut self.shape, kind);
            self.string(name);
        }
    }

    fn attribute(&mut self, row: usize) {
        let name = self.columns.attribute_name(row);
        if let Some(&code) = NAME_CODES.get(name) {
            self.shape.push(KNOWN_NAMES + code as u8);
        } else {
            let (number, fresh) = self.other_names.number(self.columns.attribute_names[row]);
            self.shape.push(OTHER_NAME);
            write_number(&mut self.shape, number);
            if fresh {
                self.string(name);
            }
        }
        self.string(self.columns.attribute_value(row));
    }

    fn string(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
        self.text.push(END);
    }
}

fn count_child(missing: &mut [u32]) {
    if let Some(missing) = missing.last_mut() {
        *missing -= 1;
    }
}

fn write_number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// The bytes up to the next end.
    fn string(&mut self) -> Result<&'a [u8], NativeError> {
        let rest = &self.bytes[self.at..];
        let length = memchr::memchr(END, rest).ok_or(MALFORMED)?;
        self.at += length + 1;
        Ok(&rest[..length])
    }

    fn byte(&mut self) -> Result<u8, NativeError> {
        let byte = *self.bytes.get(self.at).ok_or(MALFORMED)?;
        self.at += 1;
        Ok(byte)
    }

    fn number(&mut self) -> Result<u32, NativeError> {
        let mut number = 0u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(number).map_err(|_| MALFORMED);
            }
        }
        Err(MALFORMED)
    }
}

/// Builds the columns while it reads the streams.
struct Builder<'a> {
    shape: Reader<'a>,
    text: Reader<'a>,
    arrays: Arrays,
    /// Texts are checked for UTF-8 once, when they are complete.
    content: Vec<u8>,
    values: Vec<u8>,
    open: Vec<u32>,
    /// Whether the last thing read was an element or an attribute of it.
    takes_attributes: bool,
    /// Entries of the page's lists, by code and by number.
    known_tags: Vec<Option<u32>>,
    other_tags: Vec<u32>,
    known_names: Vec<Option<u32>>,
    other_names: Vec<u32>,
}

impl<'a> Builder<'a> {
    fn new(shape: &'a [u8], text: &'a [u8], nodes: usize) -> Self {
        let arrays = Arrays {
            children: Vec::with_capacity(nodes),
            tags: Vec::with_capacity(nodes),
            attribute_ends: Vec::with_capacity(nodes),
            content_ends: Vec::with_capacity(nodes),
            ..Arrays::default()
        };
        Self {
            shape: Reader { bytes: shape, at: 0 },
            text: Reader { bytes: text, at: 0 },
            arrays,
            content: Vec::with_capacity(text.len()),
            values: Vec::with_capacity(text.len() / 4),
            open: Vec::new(),
            takes_attributes: false,
            known_tags: vec![None; TAGS.len()],
            other_tags: Vec::new(),
            known_names: vec![None; NAMES.len()],
            other_names: Vec::new(),
        }
    }

    fn build(mut self) -> Result<Arrays, NativeError> {
        while self.shape.at < self.shape.bytes.len() {
            match self.shape.byte()? {
                CLOSE => {
                    self.open.pop().ok_or(MALFORMED)?;
                    self.takes_attributes = false;
                }
                code if code < 0x80 => self.node(code)?,
                code => self.attribute(code)?,
            }
        }
        if !self.open.is_empty() || self.text.at != self.text.bytes.len() {
            return Err(MALFORMED);
        }
        self.arrays.content = String::from_utf8(self.content).map_err(|_| MALFORMED)?;
        self.arrays.attribute_values = String::from_utf8(self.values).map_err(|_| MALFORMED)?;
        Ok(self.arrays)
    }

    fn node(&mut self, code: u8) -> Result<(), NativeError> {
        let tag = self.tag(code)?;
        let node = self.arrays.children.len() as u32;
        if let Some(&parent) = self.open.last() {
            self.arrays.children[parent as usize] += 1;
        }
        let kind = self.arrays.columns().kind_of_tag(tag);
        self.takes_attributes = kind == Kind::Element;
        if kind.has_children() {
            self.open.push(node);
        } else {
            let content = self.text.string()?;
            self.content.extend_from_slice(content);
        }
        self.arrays.children.push(0);
        self.arrays.tags.push(tag);
        self.arrays.attribute_ends.push(self.arrays.attribute_names.len() as u32);
        self.arrays.content_ends.push(self.content.len() as u32);
        Ok(())
    }

    fn attribute(&mut self, code: u8) -> Result<(), NativeError> {
        let name = self.name(code)?;
        let value = self.text.string()?;
        self.values.extend_from_slice(value);
        self.arrays.attribute_names.push(name);
        self.arrays.attribute_value_ends.push(self.values.len() as u32);
        let end = self.arrays.attribute_ends.last_mut().filter(|_| self.takes_attributes);
        *end.ok_or(MALFORMED)? += 1;
        Ok(())
    }

    fn tag(&mut self, code: u8) -> Result<u32, NativeError> {
        if code != OTHER_TAG {
            let code = (code - KNOWN_TAGS) as usize;
            let &(kind, name) = TAGS.get(code).ok_or(MALFORMED)?;
            let known = self.known_tags[code];
            return Ok(
                known.unwrap_or_else(|| *self.known_tags[code].insert(add_tag(&mut self.arrays, kind, name)))
            );
        }
        let number = self.shape.number()? as usize;
        if number == self.other_tags.len() {
            let kind = self.shape.number()?;
            let name = std::str::from_utf8(self.text.string()?).map_err(|_| MALFORMED)?;
            if !is_packed_kind(kind) {
                return Err(MALFORMED);
            }
            self.other_tags.push(add_tag(&mut self.arrays, kind, name));
        }
        self.other_tags.get(number).copied().ok_or(MALFORMED)
    }

    fn name(&mut self, code: u8) -> Result<u32, NativeError> {
        if code != OTHER_NAME {
            let code = code.checked_sub(KNOWN_NAMES).ok_or(MALFORMED)? as usize;
            let name = NAMES.get(code).ok_or(MALFORMED)?;
            let known = self.known_names[code];
            return Ok(
                known.unwrap_or_else(|| *self.known_names[code].insert(add_name(&mut self.arrays, name)))
            );
        }
        let number = self.shape.number()? as usize;
        if number == self.other_names.len() {
            let name = std::str::from_utf8(self.text.string()?).map_err(|_| MALFORMED)?;
            self.other_names.push(add_name(&mut self.arrays, name));
        }
        self.other_names.get(number).copied().ok_or(MALFORMED)
    }
}

fn add_tag(arrays: &mut Arrays, kind: u32, name: &str) -> u32 {
    arrays.tag_kinds.push(kind);
    arrays.tag_names.push_str(name);
    arrays.tag_name_ends.push(arrays.tag_names.len() as u32);
    arrays.tag_kinds.len() as u32 - 1
}

fn add_name(arrays: &mut Arrays, name: &str) -> u32 {
    arrays.names.push_str(name);
    arrays.name_ends.push(arrays.names.len() as u32);
    arrays.name_ends.len() as u32 - 1
}
