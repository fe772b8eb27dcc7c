//! Tidemark's algorithms: from bytes to pages to exact, explained differences.
//!
//! This crate does no IO, reads no clock and opens no file. Bytes come in, values go out.
//!
//! ```
//! use tidemark_core::{digest::{Facet, PageDigest}, page::Reading};
//!
//! let old = PageDigest::encode(b"<p>Price: 10", &Reading::default())?;
//! let new = PageDigest::encode(b"<p>Price: 12", &Reading::default())?;
//! let changed = old.changed(&new);
//! assert!(changed.contains(Facet::Content) && !changed.contains(Facet::Structure));
//! assert_eq!(&*old.revert()?, b"<p>Price: 10");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod archive;
pub mod diff;
pub mod digest;
pub mod feed;
pub mod figure;
pub mod page;
pub mod profile;
pub mod records;
pub mod redesign;
pub mod render;
pub mod revisit;
pub mod segment;
pub mod similarity;
