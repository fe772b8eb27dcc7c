//! Shape and text back to columns. Both are hostile: every byte is checked before it is believed.

use super::{CLOSE, END, KNOWN_NAMES, KNOWN_TAGS, MALFORMED, OTHER_NAME, OTHER_TAG};
use crate::digest::Kind;
use crate::digest::columns::{Arrays, is_packed_kind};
use crate::digest::native::NativeError;
use crate::digest::native::vocabulary::{NAMES, TAGS};

/// Builds the columns while it reads the streams.
pub(super) struct Builder<'a> {
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
    pub(super) fn new(shape: &'a [u8], text: &'a [u8], nodes: usize) -> Self {
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

    pub(super) fn build(mut self) -> Result<Arrays, NativeError> {
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

/// Reads a stream from its start.
pub(super) struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
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

    pub(super) fn number(&mut self) -> Result<u32, NativeError> {
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

#[cfg(test)]
mod tests {
    use super::Builder;
    use crate::digest::native::check;
    use crate::digest::native::packed::writer::Writer;
    use crate::digest::{NodeId, PageDigest};
    use crate::page::{Limits, Reading};
    use proptest::prelude::*;

    fn streams(page: &str) -> (Vec<u8>, Vec<u8>) {
        let digest = PageDigest::encode(page.as_bytes(), &Reading::default()).unwrap();
        let mut writer = Writer::new(digest.columns());
        writer.nodes();
        (writer.shape.clone(), writer.text.clone())
    }

    const PAGE: &str = "<!doctype html><x-y data-q=1 class=a>é<p>t<!--c--><svg><odd data-q=2 /></svg><x-y>";

    proptest! {
        #[test]
        fn mutated_streams_are_refused_or_make_sound_columns(
            shape_edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
            text_edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        ) {
            let (mut shape, mut text) = streams(PAGE);
            for (at, byte) in shape_edits {
                let at = at.index(shape.len());
                shape[at] = byte;
            }
            for (at, byte) in text_edits {
                let at = at.index(text.len());
                text[at] = byte;
            }
            if let Ok(arrays) = Builder::new(&shape, &text, 0).build() {
                let columns = arrays.columns();
                if check::page(&columns, &Limits::default()).is_ok() {
                    let mut writer = Writer::new(&columns);
                    writer.nodes();
                    let again = Builder::new(&writer.shape, &writer.text, 0).build().unwrap();
                    prop_assert_eq!(again.columns().numbers(), columns.numbers());
                    prop_assert_eq!(again.columns().texts(), columns.texts());
                }
            }
        }
    }

    #[test]
    fn streams_come_back() {
        let (shape, text) = streams(PAGE);
        let arrays = Builder::new(&shape, &text, 0).build().unwrap();
        let digest = PageDigest::encode(PAGE.as_bytes(), &Reading::default()).unwrap();
        assert_eq!(arrays.columns().numbers(), digest.columns().numbers());
        assert_eq!(arrays.columns().texts(), digest.columns().texts());
        assert_eq!(digest.name(NodeId::ROOT), "#document");
    }
}
