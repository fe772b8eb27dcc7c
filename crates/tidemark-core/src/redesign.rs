//! Redesigns in a stream of documents: one event instead of a thousand changes.
//!
//! Source: Gottron, *Detecting Website Redesigns via Template Similarity on Streams of Documents* (2008).
//! A document gives the stream a small [`Fingerprint`] and is then forgotten; a [`Stream`] keeps the last h of them and the similarities
//! between them, so that its memory does not grow with its length. Four detectors are the paper's; the fifth is ours, see `own`.
//!
//! ```
//! use tidemark_core::redesign::{Fingerprint, Settings, Shingling, Stream};
//! use tidemark_core::{digest::PageDigest, page::Reading};
//!
//! let mut stream = Stream::new(Settings::default());
//! for number in 0..40 {
//!     let old = "<body><div id=top><h1>News</h1></div><ul class=menu><li><a href=/>Home</a></ul><p>Text";
//!     let new = "<body><nav class=bar><a href=/>Home</a></nav><main><article><h2>News</h2><section><p>Text";
//!     let page = if number < 20 { old } else { new };
//!     let digest = PageDigest::encode(page.as_bytes(), &Reading::default())?;
//!     let step = stream.push(Fingerprint::of(&digest, Shingling::default()));
//!     for detection in step.raised() {
//!         assert_eq!((detection.first, detection.delay()), (20, 4));
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod across;
mod cluster;
mod design;
mod detector;
mod findings;
mod fingerprint;
mod matrix;
mod own;
mod settings;
mod shingles;
mod sketch;
mod stream;
mod triangles;
mod welch;

pub use across::{Across, Candidate, ContentDiff, ContentLine, LineKind, Reanchor, Tally, Templates};
pub use detector::{Detection, Detector, Reading};
pub use findings::Findings;
pub use fingerprint::Fingerprint;
pub use matrix::Matrix;
pub use settings::Settings;
pub use shingles::{Shingling, Tags};
pub use sketch::Sketch;
pub use stream::{Step, Stream};
