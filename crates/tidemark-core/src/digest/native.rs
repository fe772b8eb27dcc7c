//! The native form of a digest: a `.tmd` file that loads with next to no parsing.
//!
//! Source: Page Digest, experiment 4 ("loading the native Page Digest"); the format is ours.
//! Two variants share one container: *plain* holds the columns as they lie in memory and is borrowed after checking;
//! *packed* holds them compressed. Both keep the residue, so both give back the exact bytes of the page.
//! Cost: plain, one checksum and one pass of checks; packed, that and decompression.
//!
//! A file is hostile until proven sound: corrupt, truncated and future files give a [`NativeError`]; a file that loads is a
//! page that could have been encoded.

mod check;
mod container;
mod dictionary;
mod meta;
mod packed;
mod plain;
mod vocabulary;

pub(crate) use plain::Plain;

use super::columns::{COLUMN_NAMES, Holder, Owner};
use super::residue::{Effort, Residue, Source};
use super::{PageDigest, layout};
use crate::page::Limits;
use crate::page::arena::Arena;
use container::Container;
use meta::Described;
use packed::Unpacked;

/// The version of the form that this release writes, and the newest it reads.
pub const VERSION: u16 = 1;

/// The extension of files in native form.
pub const EXTENSION: &str = "tmd";

/// How a digest is kept in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Columns as in memory: largest file, fastest load.
    Plain,
    /// Columns compressed: smallest file.
    Packed,
}

impl Variant {
    /// The name used in flags and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Packed => "packed",
        }
    }
}

/// Why a native file was not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NativeError {
    /// The first bytes are not those of a native file.
    #[error("not a Tidemark digest: the file does not begin with the mark of the format")]
    NotNative,
    /// Written by a later release.
    #[error(
        "the digest has format version {found}, this release reads up to {VERSION}; update Tidemark to read it"
    )]
    FutureVersion {
        /// Version in the file.
        found: u16,
    },
    /// Shorter or longer than it says.
    #[error("the digest should have {expected} bytes and has {found}; it was cut off or something was added")]
    Length {
        /// Length written in the header.
        expected: u64,
        /// Length of the file.
        found: u64,
    },
    /// Some byte is not what was written.
    #[error("the digest is corrupt: its checksum does not match")]
    Checksum,
    /// The checksum is right but the content is not a digest.
    #[error("the digest is malformed: {0}")]
    Malformed(&'static str),
    /// Larger than the caller allows.
    #[error("the digest unpacks to more than the limits allow: {0}")]
    TooLarge(&'static str),
    /// The bytes of the page cannot be made again.
    #[error("the page cannot be restored from the digest: {0}")]
    Residue(String),
}

impl PageDigest {
    /// Writes the digest in native form. Fails only beyond 4 GiB.
    pub fn to_native(&self, variant: Variant) -> Result<Vec<u8>, NativeError> {
        let effort = match variant {
            Variant::Plain => Effort::Fast,
            Variant::Packed => Effort::Small,
        };
        let residue = self.source.residue(self, effort);
        let meta = meta::write(&self.about, &residue);
        match variant {
            Variant::Plain => plain::write(self.columns(), &meta, &residue.frame),
            Variant::Packed => packed::write(self.columns(), &meta, &residue.frame),
        }
    }

    /// Loads a digest from its native form, checking everything a page relies on.
    pub fn from_native(bytes: &[u8], limits: &Limits) -> Result<Self, NativeError> {
        let container = Container::read(bytes)?;
        let (owner, described, frame) = match container.variant {
            Variant::Plain => (
                Owner::Loaded(Plain::read(&container)?),
                meta::read(container.section(plain::META)?, limits)?,
                container.section(plain::RESIDUE)?,
            ),
            Variant::Packed => {
                let unpacked = Unpacked::read(&container, limits)?;
                let described = meta::read(unpacked.meta(), limits)?;
                (Owner::Built(unpacked.arrays()?), described, container.section(packed::RESIDUE)?)
            }
        };
        let holder = Holder::try_new(owner, Owner::columns)?;
        check::page(holder.borrow_dependent(), limits)?;
        let Described { about, style, hash } = described;
        let residue = Residue { style, hash, frame: frame.to_vec() };
        Ok(Self::assemble(holder, about, Source::Residue(residue)))
    }

    /// What is known of the page besides its tree, and what the tree lacks to its bytes: the two parts that make bytes of a tree.
    pub(crate) fn described(&self, effort: Effort) -> (String, Vec<u8>) {
        let residue = self.source.residue(self, effort);
        let meta = meta::write(&self.about, &residue);
        (String::from_utf8_lossy(&meta).into_owned(), residue.frame)
    }

    /// A page from a tree that was built by hand, and the two parts of [`PageDigest::described`]. The tree is checked like a file.
    pub(crate) fn from_arena(
        mut arena: Arena,
        meta: &str,
        frame: Vec<u8>,
        limits: &Limits,
    ) -> Result<Self, NativeError> {
        let Described { about, style, hash } = meta::read(meta.as_bytes(), limits)?;
        let holder = Holder::try_new(Owner::Built(layout::lay_out(&mut arena, None)), Owner::columns)?;
        check::page(holder.borrow_dependent(), limits)?;
        Ok(Self::assemble(holder, about, Source::Residue(Residue { style, hash, frame })))
    }

    /// The packed variant before compression, which is what the dictionary is trained on.
    pub fn packing_stream(&self) -> Vec<u8> {
        let residue = self.source.residue(self, Effort::Fast);
        packed::stream(self.columns(), &meta::write(&self.about, &residue))
    }

    /// Size of what the arrays lack to the bytes of the page, as a native file would keep it.
    pub fn residue_size(&self) -> usize {
        self.source.residue(self, Effort::Fast).frame.len()
    }

    /// Sizes of the columns in memory, in bytes, by name.
    pub fn column_sizes(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let columns = self.columns();
        let numbers = columns.numbers().map(|column| column.len() * 4);
        let texts = columns.texts().map(str::len);
        COLUMN_NAMES.into_iter().zip(numbers.into_iter().chain(texts))
    }
}

/// Whether bytes claim to be a digest in native form.
pub fn is_native(bytes: &[u8]) -> bool {
    bytes.starts_with(&container::MAGIC)
}
