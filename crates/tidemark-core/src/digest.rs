//! The Page Digest: one version of a page as arrays in depth-first order.
//!
//! Source: Rocco, Buttler & Liu, *Page Digest for Large-Scale Web Services* (2003), section 3.
//! Cost: encoding is linear in the bytes; a digest takes about 28 bytes a node and the text.
//! We differ: the maps AM and CM are offsets into lists in document order rather than indices, so that a
//! subtree is one contiguous range in every array; text, raw text, comments, doctype, CDATA and
//! the rest are node kinds of their own; the inverse is exact to the byte, for any bytes.
//!
//! The way of the data: bytes → [`decode`](crate::page::decode) → parse → `layout` → arrays. From there on nothing changes:
//! [`facet`] compares, [`locate`] names places, `revert` gives the bytes back, [`native`] keeps it all in a file.

pub(crate) mod columns;
pub mod differ;
pub(crate) mod element;
pub mod facet;
pub(crate) mod hash;
mod layout;
pub mod locate;
pub mod native;
pub(crate) mod residue;
pub(crate) mod serialise;
mod style;
pub(crate) mod text;
pub(crate) mod tree;
pub mod walk;

pub use differ::Differing;
pub use facet::{Facet, FacetHashes, Facets};
pub use native::{NativeError, Variant};
pub(crate) use text::push_collapsed;

use crate::page::arena::Space;
use crate::page::decode::{Evidence, decode};
use crate::page::{Format, Note, PageError, Reading, html, xml};
use columns::{Columns, Holder, Owner};
use encoding_rs::Encoding;
use residue::Source;
use std::borrow::Cow;
use std::sync::OnceLock;
use tree::Tree;

/// Place of a node in depth-first order; the document is 0. Valid only in its own digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The document node, root of every page.
    pub const ROOT: Self = Self(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// The document, root of the tree.
    Document,
    /// An element; the only kind with a name of its own and attributes.
    Element,
    /// Text that a reader sees.
    Text,
    /// Text that is not markup to the parser: inside `script`, `style` and their like.
    Raw,
    /// A comment.
    Comment,
    /// A document type declaration.
    Doctype,
    /// A CDATA section of an XML page.
    Cdata,
    /// A processing instruction of an XML page.
    Instruction,
    /// An XML declaration.
    Declaration,
    /// A reference to an entity that XML does not know by itself.
    Entity,
    /// The contents of a `template`.
    Fragment,
}

impl Kind {
    /// All kinds in the order of their numbers.
    pub const ALL: [Self; 11] = [
        Self::Document,
        Self::Element,
        Self::Text,
        Self::Raw,
        Self::Comment,
        Self::Doctype,
        Self::Cdata,
        Self::Instruction,
        Self::Declaration,
        Self::Entity,
        Self::Fragment,
    ];

    /// How the kind is written where an element would have its tag name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Document => "#document",
            Self::Element => "#element",
            Self::Text => "#text",
            Self::Raw => "#raw",
            Self::Comment => "#comment",
            Self::Doctype => "#doctype",
            Self::Cdata => "#cdata",
            Self::Instruction => "#instruction",
            Self::Declaration => "#declaration",
            Self::Entity => "#entity",
            Self::Fragment => "#fragment",
        }
    }

    /// Whether nodes of this kind can have children; all others are leaves with content.
    pub const fn has_children(self) -> bool {
        matches!(self, Self::Document | Self::Element | Self::Fragment)
    }
}

/// One version of a page. Immutable.
#[derive(Debug)]
pub struct PageDigest {
    holder: Holder,
    tree: OnceLock<Tree>,
    about: About,
    source: Source,
    hashes: OnceLock<Vec<u128>>,
    facets: OnceLock<FacetHashes>,
}

/// What is known of a page besides its tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The grammar it was read with.
    pub format: Format,
    /// The encoding it was read with.
    pub encoding: &'static Encoding,
    /// Why this encoding.
    pub evidence: Evidence,
    /// Size of the page as it came, in bytes.
    pub bytes: usize,
    /// What was out of the ordinary.
    pub notes: Vec<Note>,
}

impl PageDigest {
    /// Reads a page. Any bytes give one; only a page beyond the limits is refused.
    #[expect(clippy::missing_panics_doc, reason = "the arrays are ours, and property tests hold them to it")]
    pub fn encode(bytes: &[u8], reading: &Reading) -> Result<Self, PageError> {
        check(bytes, reading)?;
        let decoded = decode(bytes, reading.charset.as_deref());
        let format = reading.format.unwrap_or_else(|| Format::sniff(&decoded.text));
        let mut arena = match format {
            Format::Html => html::parse(&decoded.text, reading.limits)?,
            Format::Xml => xml::parse(&decoded.text, reading.limits)?,
        };
        let depth = (format == Format::Html).then_some(reading.limits.depth);
        let arrays = layout::lay_out(&mut arena, depth);
        if decoded.undecodable {
            arena.note(Note::Undecodable);
        }
        let about = About {
            format,
            encoding: decoded.encoding,
            evidence: decoded.evidence,
            bytes: bytes.len(),
            notes: arena.notes,
        };
        let holder =
            Holder::try_new(Owner::Built(arrays), Owner::columns).expect("vectors of our own are sound");
        Ok(Self::assemble(holder, about, Source::Bytes(bytes.into())))
    }

    fn assemble(holder: Holder, about: About, source: Source) -> Self {
        let (tree, hashes, facets) = Default::default();
        Self { holder, tree, about, source, hashes, facets }
    }

    /// The bytes of the page, exactly as they came. Fails only on a digest loaded from a file whose
    /// residue is corrupt.
    pub fn revert(&self) -> Result<Cow<'_, [u8]>, NativeError> {
        self.source.revert(self)
    }

    /// Grammar, encoding, size and notes.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Number of nodes, N. Never 0: every page has its document node.
    #[allow(clippy::len_without_is_empty, reason = "a digest is never empty")]
    pub fn len(&self) -> usize {
        self.columns().children.len()
    }

    /// What the node is.
    pub fn kind(&self, node: NodeId) -> Kind {
        self.columns().kind_of_tag(self.tag(node))
    }

    /// Tag name of an element, or the name of the kind, such as `#text`.
    pub fn name(&self, node: NodeId) -> &str {
        self.columns().tag_name(self.tag(node))
    }

    /// Text of a text node, comment, doctype …; nothing for nodes that can have children.
    pub fn content(&self, node: NodeId) -> Option<&str> {
        (!self.kind(node).has_children()).then(|| self.columns().content_of(node.index()))
    }

    /// Attributes of a node in the order of the page, as name and value.
    pub fn attributes(&self, node: NodeId) -> impl ExactSizeIterator<Item = (&str, &str)> {
        let columns = self.columns();
        columns
            .attribute_rows(node.index())
            .map(|row| (columns.attribute_name(row), columns.attribute_value(row)))
    }

    /// Value of one attribute.
    pub fn attribute(&self, node: NodeId, name: &str) -> Option<&str> {
        self.attributes(node).find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// Number of children, ST.
    pub fn child_count(&self, node: NodeId) -> usize {
        self.columns().children[node.index()] as usize
    }

    /// The parent; none for the document.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != NodeId::ROOT).then(|| NodeId(self.tree().parent[node.index()]))
    }

    /// Levels below the document.
    pub fn depth(&self, node: NodeId) -> usize {
        self.tree().depth[node.index()] as usize
    }

    /// Hash of the subtree of a node: equal subtrees have equal hashes, whatever page they are in.
    /// For matching, not for deciding: xxh3 is fast, not cryptographic. Computed at the first call.
    pub fn subtree_hash(&self, node: NodeId) -> u128 {
        self.subtree_hashes()[node.index()]
    }

    pub(crate) fn subtree_hashes(&self) -> &[u128] {
        self.hashes.get_or_init(|| hash::subtrees(self))
    }

    /// One cryptographic hash per facet: they decide whether two pages differ. Computed at the first call.
    pub fn facet_hashes(&self) -> &FacetHashes {
        self.facets.get_or_init(|| FacetHashes::of(self))
    }

    /// The derived arrays. Computed at the first call: to load a page and compare it needs none of them.
    pub(crate) fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| Tree::derive(self.columns().children))
    }

    pub(crate) fn columns(&self) -> &Columns<'_> {
        self.holder.borrow_dependent()
    }

    pub(crate) fn tag(&self, node: NodeId) -> u32 {
        self.columns().tags[node.index()]
    }

    pub(crate) fn space(&self, node: NodeId) -> Space {
        self.columns().space_of_tag(self.tag(node))
    }

    /// First node behind the subtree of `node`.
    pub(crate) fn end(&self, node: NodeId) -> u32 {
        self.tree().end[node.index()]
    }
}

fn check(bytes: &[u8], reading: &Reading) -> Result<(), PageError> {
    let limit = reading.limits.bytes.min(crate::page::Limits::MAX_BYTES);
    if bytes.len() > limit {
        return Err(PageError::TooManyBytes { found: bytes.len(), limit });
    }
    Ok(())
}
