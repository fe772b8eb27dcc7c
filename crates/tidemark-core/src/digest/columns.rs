//! The arrays of a digest, and who owns them.
//!
//! A freshly encoded digest owns one vector a column; one loaded from the plain native form borrows all of
//! them from the file's bytes. Everyone else sees [`Columns`] and cannot tell the difference.

use super::Kind;
use super::native::{NativeError, Plain};
use crate::page::arena::Space;
use std::ops::Range;

/// The columns as owned vectors: what layout and unpacking produce.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrays {
    pub(crate) children: Vec<u32>,
    pub(crate) tags: Vec<u32>,
    pub(crate) attribute_ends: Vec<u32>,
    pub(crate) content_ends: Vec<u32>,
    pub(crate) tag_kinds: Vec<u32>,
    pub(crate) tag_name_ends: Vec<u32>,
    pub(crate) attribute_names: Vec<u32>,
    pub(crate) attribute_value_ends: Vec<u32>,
    pub(crate) name_ends: Vec<u32>,
    pub(crate) tag_names: String,
    pub(crate) names: String,
    pub(crate) attribute_values: String,
    pub(crate) content: String,
}

/// The columns as everybody reads them. In the paper's words: N is the length of `children`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Columns<'a> {
    /// ST: number of children of each node.
    pub(crate) children: &'a [u32],
    /// TM: entry of the tag list for each node, numbered in the order of first appearance.
    pub(crate) tags: &'a [u32],
    /// AM: end of each node's rows in the attribute list.
    pub(crate) attribute_ends: &'a [u32],
    /// CM: end of each node's text in `content`.
    pub(crate) content_ends: &'a [u32],
    /// TL: kind and vocabulary of each entry, see [`pack_kind`].
    pub(crate) tag_kinds: &'a [u32],
    /// TL: end of each entry's name in `tag_names`.
    pub(crate) tag_name_ends: &'a [u32],
    /// AL: name of each row, an entry of the list of attribute names, numbered like tags.
    pub(crate) attribute_names: &'a [u32],
    /// AL: end of each row's value in `attribute_values`.
    pub(crate) attribute_value_ends: &'a [u32],
    /// End of each attribute name in `names`.
    pub(crate) name_ends: &'a [u32],
    pub(crate) tag_names: &'a str,
    pub(crate) names: &'a str,
    pub(crate) attribute_values: &'a str,
    /// CL: all content in document order.
    pub(crate) content: &'a str,
}

/// Columns of numbers and of text in the order of the native form.
pub(crate) const NUMBERS: usize = 9;
pub(crate) const TEXTS: usize = 4;

/// What the columns are called where a person sees them, in the order of the native form.
pub(crate) const COLUMN_NAMES: [&str; NUMBERS + TEXTS] = [
    "children",
    "tags",
    "attribute-ends",
    "content-ends",
    "tag-kinds",
    "tag-name-ends",
    "attribute-names",
    "attribute-value-ends",
    "name-ends",
    "tag-names",
    "names",
    "attribute-values",
    "content",
];

impl<'a> Columns<'a> {
    pub(crate) fn from_parts(numbers: [&'a [u32]; NUMBERS], texts: [&'a str; TEXTS]) -> Self {
        let [
            children,
            tags,
            attribute_ends,
            content_ends,
            tag_kinds,
            tag_name_ends,
            attribute_names,
            attribute_value_ends,
            name_ends,
        ] = numbers;
        let [tag_names, names, attribute_values, content] = texts;
        Self {
            children,
            tags,
            attribute_ends,
            content_ends,
            tag_kinds,
            tag_name_ends,
            attribute_names,
            attribute_value_ends,
            name_ends,
            tag_names,
            names,
            attribute_values,
            content,
        }
    }

    pub(crate) fn numbers(&self) -> [&'a [u32]; NUMBERS] {
        [
            self.children,
            self.tags,
            self.attribute_ends,
            self.content_ends,
            self.tag_kinds,
            self.tag_name_ends,
            self.attribute_names,
            self.attribute_value_ends,
            self.name_ends,
        ]
    }

    pub(crate) fn texts(&self) -> [&'a str; TEXTS] {
        [self.tag_names, self.names, self.attribute_values, self.content]
    }

    pub(crate) fn kind_of_tag(&self, tag: u32) -> Kind {
        Kind::ALL[(self.tag_kinds[tag as usize] & 0xff) as usize]
    }

    pub(crate) fn space_of_tag(&self, tag: u32) -> Space {
        [Space::Plain, Space::Html, Space::Svg, Space::MathMl][(self.tag_kinds[tag as usize] >> 8) as usize]
    }

    pub(crate) fn tag_name(&self, tag: u32) -> &'a str {
        &self.tag_names[range(self.tag_name_ends, tag as usize)]
    }

    pub(crate) fn content_of(&self, node: usize) -> &'a str {
        &self.content[range(self.content_ends, node)]
    }

    pub(crate) fn attribute_rows(&self, node: usize) -> Range<usize> {
        range(self.attribute_ends, node)
    }

    pub(crate) fn attribute_name(&self, row: usize) -> &'a str {
        self.name(self.attribute_names[row])
    }

    pub(crate) fn attribute_value(&self, row: usize) -> &'a str {
        &self.attribute_values[range(self.attribute_value_ends, row)]
    }

    /// How much a stretch of nodes weighs: bytes of text, and eight for every node and attribute.
    pub(crate) fn weight(&self, nodes: Range<usize>) -> usize {
        let between = |ends: &[u32]| before(ends, nodes.end) - before(ends, nodes.start);
        between(self.content_ends) + 8 * nodes.len() + 8 * between(self.attribute_ends)
    }

    /// The contents of nodes that follow each other.
    pub(crate) fn contents_of(&self, nodes: Range<usize>) -> &'a str {
        &self.content[before(self.content_ends, nodes.start)..before(self.content_ends, nodes.end)]
    }

    /// The values of all their attributes.
    pub(crate) fn attribute_values_of(&self, nodes: Range<usize>) -> &'a str {
        let rows = before(self.attribute_ends, nodes.start)..before(self.attribute_ends, nodes.end);
        let ends = self.attribute_value_ends;
        &self.attribute_values[before(ends, rows.start)..before(ends, rows.end)]
    }

    /// An entry of the list of attribute names.
    pub(crate) fn name(&self, name: u32) -> &'a str {
        &self.names[range(self.name_ends, name as usize)]
    }

    /// The list of attribute names.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let (names, name_ends) = (self.names, self.name_ends);
        (0..name_ends.len()).map(move |name| &names[range(name_ends, name)])
    }

    /// Entries of the tag list for an element name.
    pub(crate) fn tags_named(&self, name: &str) -> impl Iterator<Item = u32> {
        (0..self.tag_kinds.len() as u32).filter(move |&tag| self.tag_name(tag) == name)
    }
}

/// Kind and vocabulary of a tag in one number.
pub(crate) fn pack_kind(kind: Kind, space: Space) -> u32 {
    kind as u32 | (space as u32) << 8
}

/// Whether a number is one that [`pack_kind`] makes.
pub(crate) fn is_packed_kind(number: u32) -> bool {
    let (kind, space) = (number & 0xff, number >> 8);
    (kind as usize) < Kind::ALL.len() && space <= 3 && (space == 0 || kind == Kind::Element as u32)
}

fn range(ends: &[u32], at: usize) -> Range<usize> {
    before(ends, at)..ends[at] as usize
}

/// Where the entry begins whose end stands at `at`.
pub(crate) fn before(ends: &[u32], at: usize) -> usize {
    if at == 0 { 0 } else { ends[at - 1] as usize }
}

/// Who owns the columns of a digest.
#[derive(Debug)]
pub(crate) enum Owner {
    /// Vectors of our own.
    Built(Arrays),
    /// A native file in memory, and where its columns lie in it.
    Loaded(Plain),
}

impl Owner {
    /// The columns; fails only for a loaded file that is malformed.
    pub(crate) fn columns(&self) -> Result<Columns<'_>, NativeError> {
        match self {
            Self::Built(arrays) => Ok(arrays.columns()),
            Self::Loaded(plain) => plain.columns(),
        }
    }
}

impl Arrays {
    pub(crate) fn columns(&self) -> Columns<'_> {
        Columns::from_parts(
            [
                &self.children,
                &self.tags,
                &self.attribute_ends,
                &self.content_ends,
                &self.tag_kinds,
                &self.tag_name_ends,
                &self.attribute_names,
                &self.attribute_value_ends,
                &self.name_ends,
            ],
            [&self.tag_names, &self.names, &self.attribute_values, &self.content],
        )
    }
}

self_cell::self_cell!(
    /// An owner together with the columns borrowed from it.
    pub(crate) struct Holder {
        owner: Owner,
        #[covariant]
        dependent: Columns,
    }
    impl {Debug}
);
