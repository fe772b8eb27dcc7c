//! The fields of an item, and which of them changed.

use super::Item;

/// Parts of an item that can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemField {
    /// The id; it can change where the link stays.
    Id,
    /// The address.
    Link,
    /// The headline.
    Title,
    /// The description or summary.
    Description,
    /// The full content.
    Content,
    /// The date of publication.
    Published,
    /// The date of the last change.
    Updated,
    /// The authors.
    Authors,
    /// The categories.
    Categories,
    /// The attached files.
    Enclosures,
}

impl ItemField {
    /// The name used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Link => "link",
            Self::Title => "title",
            Self::Description => "description",
            Self::Content => "content",
            Self::Published => "published",
            Self::Updated => "updated",
            Self::Authors => "authors",
            Self::Categories => "categories",
            Self::Enclosures => "enclosures",
        }
    }

    /// The fields in which two items differ.
    pub fn changed(old: &Item, new: &Item) -> Vec<Self> {
        let differs = [
            (Self::Id, old.id != new.id),
            (Self::Link, old.link != new.link),
            (Self::Title, old.title != new.title),
            (Self::Description, old.description != new.description),
            (Self::Content, old.content != new.content),
            (Self::Published, old.published != new.published),
            (Self::Updated, old.updated != new.updated),
            (Self::Authors, old.authors != new.authors),
            (Self::Categories, old.categories != new.categories),
            (Self::Enclosures, old.enclosures != new.enclosures),
        ];
        differs.into_iter().filter_map(|(field, differs)| differs.then_some(field)).collect()
    }
}
