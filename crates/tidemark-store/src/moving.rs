//! Databases that come and go: copied, backed up, restored, moved, written out and read in.
//!
//! All of it stands on one list of tables (`tables`), read in one order within one transaction (`walk`), so a source may be written to meanwhile, and is written in one
//! transaction, so a target that somebody kills is empty and not half full. Cost: linear in the rows; memory bounded by a batch of a few megabytes, or by one row.

mod backup;
mod copy;
mod export;
mod import;
mod line;
mod put;
mod sequence;
mod walk;
mod warc;

pub use backup::{Backup, backup, restore};
pub use copy::{Copied, copy};
pub use export::{Exported, LINES, WARC, canonical_hash, export};
pub use import::{Imported, import};

/// Told what is being done, how far it is, and how far it goes.
pub type Progress<'a> = &'a mut dyn FnMut(&str, u64, u64);
