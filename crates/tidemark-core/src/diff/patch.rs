//! An edit script that stands on its own: with it and the old page, the new page is made again, to the byte.
//!
//! [`Patch::of`] writes down what an [`EditScript`](super::EditScript) takes from the new page; [`Patch::apply`] needs only the old one. A patch knows which
//! page it is for and what must come out, by hashes over all facets, so it is refused where it does not fit and never makes a wrong page.
//! Its JSON form is described in `docs/json.md`.

mod apply;
mod write;

use crate::digest::NativeError;
use serde::{Deserialize, Serialize};

/// Version of the written form.
pub const VERSION: u32 = 1;

/// A script with everything it needs of the new page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// [`VERSION`] of the program that wrote it.
    pub version: u32,
    /// Whether the script is as short as the full matching makes it.
    pub exact: bool,
    /// Hash over the facets of the page it is for, in hexadecimal.
    pub old: String,
    /// Hash over the facets of the page it makes.
    pub new: String,
    /// Spelling, encoding and size of the page it makes.
    pub about: String,
    /// What the tree lacks to the bytes of that page, in base64.
    pub residue: String,
    /// The edits: first all that goes, in the order of the old page, then the rest in the order of the new one.
    pub edits: Vec<PatchEdit>,
}

/// One edit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum PatchEdit {
    /// Removes a node with everything in it that no move takes out.
    Delete {
        /// Its number in the old page.
        node: u32,
    },
    /// Brings in a node with what is new in it.
    Insert {
        /// Where.
        #[serde(flatten)]
        place: Place,
        /// The node, and nodes below it, in the order of the page.
        nodes: Vec<PatchNode>,
    },
    /// Takes a node to another place.
    Move {
        /// Its number in the old page.
        node: u32,
        /// Where to.
        #[serde(flatten)]
        place: Place,
    },
    /// Changes text or attributes of a node.
    Update {
        /// Its number in the old page.
        node: u32,
        /// Pieces of its text; none if it stays.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        text: Vec<Piece>,
        /// Attributes that get another value, and those that go.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attributes: Vec<AttributeValue>,
        /// The attributes as they are then, where they stand in another order than they would come to by being set.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        order: Vec<(String, String)>,
    },
}

/// A place in the page while the script is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The node it is in.
    pub parent: Reference,
    /// The node it comes after; the first place if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Reference>,
}

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reference {
    /// One that the old page has, by its number there.
    Old(u32),
    /// One that the script brings in, by its number in the new page.
    New(u32),
}

/// A node that is brought in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatchNode {
    /// Its number in the new page.
    pub id: u32,
    /// The node of this insertion it is below, as its last child; none for the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// Name of its kind if it is no element, such as `#text`; its tag name if it is.
    pub name: String,
    /// Vocabulary of an element that is not HTML.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
    /// Its attributes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<(String, String)>,
    /// Its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A piece of a text that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Piece {
    /// So many characters stay.
    Keep(usize),
    /// These go.
    Remove(String),
    /// These come.
    Add(String),
}

/// An attribute with its new value; without one it goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttributeValue {
    /// Its name.
    pub name: String,
    /// Its value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// Why a patch was not applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// Written by a later program.
    #[error("the script has version {found}, this program reads up to {VERSION}; use a newer tidemark")]
    FutureVersion {
        /// The version found.
        found: u32,
    },
    /// Made for another page.
    #[error("the script was made for another page than this one; give the page it starts from")]
    OtherPage,
    /// An edit that makes no sense.
    #[error("edit {edit} of the script is broken: {reason}")]
    Broken {
        /// Its number, from 1.
        edit: usize,
        /// What is wrong.
        reason: &'static str,
    },
    /// Something besides the edits is broken.
    #[error("the script is damaged: {0}")]
    Damaged(&'static str),
    /// The bytes of the new page could not be made.
    #[error(transparent)]
    Page(#[from] NativeError),
}
