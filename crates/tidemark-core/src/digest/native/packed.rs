//! The packed variant: the columns as two streams that compress well, in one zstd frame with our
//! [`dictionary`].
//!
//! *Shape* holds tags, attribute names and ends of elements, a byte each for [names everybody uses](super::vocabulary);
//! *text* holds names nobody knows, attribute values and contents in document order, each closed by 0xFF, a byte that UTF-8
//! never has. The frame holds three numbers (lengths of description and shape, number of nodes), then description, shape and text.
//!
//! Cost: linear both ways. Roads not taken, measured over real pages before the dictionary, as a share of zstd -19 of the page:
//! one stream a column with lengths 1.11, with terminators 1.02, values grouped by attribute name 1.02; this one 0.97.

mod builder;
mod writer;

use super::container::Container;
use super::{NativeError, Variant, container, dictionary};
use crate::digest::columns::{Arrays, Columns};
use crate::page::Limits;
use builder::{Builder, Reader};
use writer::{Writer, write_number};

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
