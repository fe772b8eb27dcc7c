//! What the engine remembers of the versions of a page, beside their bytes: the signatures of its segments, and its restless places.
//!
//! The store packs it. It is worth little: whatever cannot be read, because it was damaged or a later program wrote it, is begun again from the last version.

use crate::restless::Restless;
use serde::{Deserialize, Serialize};
use tidemark_core::digest::PageDigest;
use tidemark_core::segment::Evolution;

/// Form in which it is stored. Another number is not read.
const FORM: u8 = 1;
/// Versions whose signatures are kept.
const WINDOW: usize = 32;

/// What is remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Segments through time.
    pub evolution: Evolution,
    /// Places that change at nearly every visit.
    pub restless: Restless,
}

impl Memory {
    /// What was stored, or else a beginning with the last version.
    pub fn recall(stored: Option<&[u8]>, baseline: Option<&PageDigest>) -> Self {
        stored.and_then(Self::unpack).unwrap_or_else(|| {
            let mut evolution = Evolution::with_window(WINDOW);
            if let Some(baseline) = baseline {
                evolution.advance(baseline);
            }
            Self { evolution, restless: Restless::default() }
        })
    }

    /// To be stored.
    pub fn pack(&self) -> Option<Vec<u8>> {
        let plain = postcard::to_allocvec(self).ok()?;
        Some([&[FORM], &*plain].concat())
    }

    fn unpack(stored: &[u8]) -> Option<Self> {
        let (&form, packed) = stored.split_first()?;
        if form != FORM {
            return None;
        }
        postcard::from_bytes(packed).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_core::page::Reading;

    #[test]
    fn it_is_read_back_or_begun_again() {
        let page = PageDigest::encode(b"<p>one<p>two", &Reading::default()).unwrap();
        let memory = Memory::recall(None, Some(&page));
        assert_eq!(memory.evolution.matrix().versions(), 1);
        let packed = memory.pack().unwrap();
        assert_eq!(Memory::recall(Some(&packed), None), memory);
        for damaged in [&packed[..packed.len() / 2], &[9, 1, 2], &[]] {
            assert_eq!(Memory::recall(Some(damaged), Some(&page)), memory);
        }
    }
}
