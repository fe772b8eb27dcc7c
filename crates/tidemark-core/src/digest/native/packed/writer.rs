//! Columns to shape and text.

use super::{CLOSE, END, KNOWN_NAMES, KNOWN_TAGS, OTHER_NAME, OTHER_TAG};
use crate::digest::columns::Columns;
use crate::digest::native::vocabulary::{NAME_CODES, TAG_CODES};

/// Writes the two streams.
pub(super) struct Writer<'a> {
    columns: &'a Columns<'a>,
    pub(super) shape: Vec<u8>,
    pub(super) text: Vec<u8>,
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
    pub(super) fn new(columns: &'a Columns<'a>) -> Self {
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

    pub(super) fn nodes(&mut self) {
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

pub(super) fn write_number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}
