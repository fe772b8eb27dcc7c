//! Comparing two pages by facet: structure, tags, attributes, content, each on its own.
//!
//! Source: Page Digest, section 4.1 and algorithm 3 (Sdiff). Cost: early exit at the first difference; at most one
//! comparison of the arrays, at the speed of memory. Facets decide *whether* two versions differ, nothing else does.
//! We differ: a facet's value is its sequence in document order, not tied to node numbers, so that a bare
//! element inserted at the top does not count as a change of all attributes and contents behind it. Where the attributes
//! stand is compared when structure and tags are equal, for only then is there a common frame.
//! So all facets are equal exactly if the pages are.

use super::PageDigest;
use super::columns::Columns;
use std::fmt;

/// One aspect of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Facet {
    /// The shape of the tree: numbers of children in depth-first order.
    Structure,
    /// Tag names and node kinds in depth-first order.
    Tags,
    /// Lists of attributes, names and values, in document order.
    Attributes,
    /// Texts, comments and everything else with words, in document order.
    Content,
}

impl Facet {
    /// All facets.
    pub const ALL: [Self; 4] = [Self::Structure, Self::Tags, Self::Attributes, Self::Content];

    /// The name used in flags, files and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Structure => "structure",
            Self::Tags => "tags",
            Self::Attributes => "attributes",
            Self::Content => "content",
        }
    }

    /// The inverse of [`Facet::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|facet| facet.name() == name)
    }
}

impl fmt::Display for Facet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of facets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Facets(u8);

impl Facets {
    /// All four.
    pub const ALL: Self = Self(0b1111);

    /// Whether the facet is in the set.
    pub const fn contains(self, facet: Facet) -> bool {
        self.0 & (1 << facet as u8) != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The facets in the set, in their order.
    pub fn iter(self) -> impl Iterator<Item = Facet> {
        Facet::ALL.into_iter().filter(move |&facet| self.contains(facet))
    }

    /// The facets in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn set(&mut self, facet: Facet, contained: bool) {
        self.0 |= u8::from(contained) << facet as u8;
    }
}

impl FromIterator<Facet> for Facets {
    fn from_iter<I: IntoIterator<Item = Facet>>(facets: I) -> Self {
        facets.into_iter().fold(Self::default(), |mut set, facet| {
            set.set(facet, true);
            set
        })
    }
}

impl PageDigest {
    /// The facets in which two pages differ. Empty exactly if the pages are equal.
    pub fn changed(&self, new: &Self) -> Facets {
        Facet::ALL.into_iter().filter(|&facet| self.facet_changed(new, facet)).collect()
    }

    /// Whether one facet differs; looks no further than the first difference.
    pub fn facet_changed(&self, new: &Self, facet: Facet) -> bool {
        let (old, new) = (self.columns(), new.columns());
        match facet {
            Facet::Structure => structure_changed(old, new),
            Facet::Tags => tags_changed(old, new),
            Facet::Attributes => attributes_changed(old, new),
            Facet::Content => content_changed(old, new),
        }
    }
}

/// Algorithm 3: first the number of nodes, then the numbers of children.
fn structure_changed(old: &Columns<'_>, new: &Columns<'_>) -> bool {
    old.children.len() != new.children.len() || old.children != new.children
}

fn tags_changed(old: &Columns<'_>, new: &Columns<'_>) -> bool {
    old.tags.len() != new.tags.len()
        || old.tag_kinds != new.tag_kinds
        || (old.tag_name_ends, old.tag_names) != (new.tag_name_ends, new.tag_names)
        || old.tags != new.tags
}

fn attributes_changed(old: &Columns<'_>, new: &Columns<'_>) -> bool {
    if old.attribute_names.len() != new.attribute_names.len()
        || (old.name_ends, old.names) != (new.name_ends, new.names)
        || old.attribute_names != new.attribute_names
        || old.attribute_value_ends != new.attribute_value_ends
        || old.attribute_values != new.attribute_values
    {
        return true;
    }
    if old.attribute_ends == new.attribute_ends {
        return false;
    }
    let same_frame = !structure_changed(old, new) && !tags_changed(old, new);
    same_frame || !attribute_counts(old).eq(attribute_counts(new))
}

fn content_changed(old: &Columns<'_>, new: &Columns<'_>) -> bool {
    old.content.len() != new.content.len()
        || old.content != new.content
        || !content_lengths(old).eq(content_lengths(new))
}

/// Numbers of attributes of the nodes that have any.
fn attribute_counts(columns: &Columns<'_>) -> impl Iterator<Item = u32> {
    differences(columns.attribute_ends).filter(|&count| count > 0)
}

/// Lengths of the contents of the nodes that can have any.
fn content_lengths(columns: &Columns<'_>) -> impl Iterator<Item = u32> {
    let has_content: Vec<bool> =
        (0..columns.tag_kinds.len() as u32).map(|tag| !columns.kind_of_tag(tag).has_children()).collect();
    let lengths = columns.tags.iter().zip(differences(columns.content_ends));
    lengths.filter_map(move |(&tag, length)| has_content[tag as usize].then_some(length))
}

fn differences(ends: &[u32]) -> impl Iterator<Item = u32> {
    let mut start = 0;
    ends.iter().map(move |&end| end - std::mem::replace(&mut start, end))
}

/// One hash per facet, for a page that is not at hand any more. BLAKE3 cut to 128 bits: a hostile page
/// must not be able to change without being seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FacetHashes {
    structure: u128,
    tags: u128,
    attributes: u128,
    /// Which nodes the attributes stand at; counts when structure and tags are equal.
    placement: u128,
    content: u128,
}

impl FacetHashes {
    pub(crate) fn of(digest: &PageDigest) -> Self {
        let columns = digest.columns();
        let counts: Vec<u32> = attribute_counts(columns).collect();
        let lengths: Vec<u32> = content_lengths(columns).collect();
        Self {
            structure: hash(&[columns.children], &[]),
            tags: hash(&[columns.tag_kinds, columns.tag_name_ends, columns.tags], &[columns.tag_names]),
            attributes: hash(
                &[columns.name_ends, &counts, columns.attribute_names, columns.attribute_value_ends],
                &[columns.names, columns.attribute_values],
            ),
            placement: hash(&[columns.attribute_ends], &[]),
            content: hash(&[&lengths], &[columns.content]),
        }
    }

    /// One hash over all of them, in hexadecimal: equal exactly for pages that are equal in every facet.
    pub fn fingerprint(&self) -> String {
        let parts = [self.structure, self.tags, self.attributes, self.placement, self.content];
        format!("{:032x}", hash(&[bytemuck::cast_slice(&parts)], &[]))
    }

    /// The facets in which two pages differ; the same answer as [`PageDigest::changed`].
    pub fn changed(&self, new: &Self) -> Facets {
        let mut changed = Facets::default();
        changed.set(Facet::Structure, self.structure != new.structure);
        changed.set(Facet::Tags, self.tags != new.tags);
        let moved = changed.is_empty() && self.placement != new.placement;
        changed.set(Facet::Attributes, self.attributes != new.attributes || moved);
        changed.set(Facet::Content, self.content != new.content);
        changed
    }

    /// The hash of one facet.
    pub const fn get(&self, facet: Facet) -> u128 {
        match facet {
            Facet::Structure => self.structure,
            Facet::Tags => self.tags,
            Facet::Attributes => self.attributes,
            Facet::Content => self.content,
        }
    }
}

/// Each part goes in with its length before it, so that no two lists of parts hash alike.
fn hash(numbers: &[&[u32]], texts: &[&str]) -> u128 {
    let mut hasher = blake3::Hasher::new();
    let numbers = numbers.iter().map(|column| bytemuck::cast_slice::<u32, u8>(column));
    for part in numbers.chain(texts.iter().map(|text| text.as_bytes())) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let hash = hasher.finalize();
    u128::from_le_bytes(*hash.as_bytes().first_chunk().expect("a BLAKE3 hash has 32 bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    fn changed(old: &str, new: &str) -> Vec<&'static str> {
        let [old, new] =
            [old, new].map(|html| PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap());
        let by_arrays = old.changed(&new);
        assert_eq!(by_arrays, old.facet_hashes().changed(new.facet_hashes()), "arrays and hashes must agree");
        by_arrays.iter().map(Facet::name).collect()
    }

    #[test]
    fn each_facet_changes_on_its_own() {
        let old = "<p class=a>one</p><p>two</p>";
        assert!(changed(old, old).is_empty());
        assert!(changed(old, "<P  CLASS='a'>one</P><p>two").is_empty(), "spelling is not a facet");
        assert_eq!(changed(old, "<p class=a>one</p><p>2</p>"), ["content"]);
        assert_eq!(changed(old, "<p class=b>one</p><p>two</p>"), ["attributes"]);
        assert_eq!(changed(old, "<p id=a>one</p><p>two</p>"), ["attributes"]);
        assert_eq!(changed(old, "<p class=a>one</p><h1>two</h1>"), ["tags"]);
        assert_eq!(changed("<p><b></b></p><p></p>", "<p></p><p><b></b></p>"), ["structure", "tags"]);
    }

    #[test]
    fn an_inserted_bare_element_leaves_attributes_and_content_alone() {
        let changed = changed("<p class=a>one</p><p>two</p>", "<hr><p class=a>one</p><p>two</p>");
        assert_eq!(changed, ["structure", "tags"]);
    }

    #[test]
    fn an_attribute_that_moves_to_another_node_is_seen() {
        assert_eq!(changed("<p class=a></p><p></p>", "<p></p><p class=a></p>"), ["attributes"]);
        assert_eq!(changed("<p a=1 b=2></p><p></p>", "<p a=1></p><p b=2></p>"), ["attributes"]);
    }

    #[test]
    fn content_that_moves_between_nodes_is_seen() {
        assert_eq!(changed("<p>a</p><p>bc</p>", "<p>ab</p><p>c</p>"), ["content"]);
        assert_eq!(changed("<!--a--><p>b</p>", "<!----><p>ab</p>"), ["content"]);
    }
}
