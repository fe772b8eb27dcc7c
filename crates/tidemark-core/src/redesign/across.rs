//! Across a redesign: what became of the texts of a page, and of the zones in it, when every element around them is another.
//!
//! Both pages are read as lines of words and put together text by text ([`Across`]). From that one alignment come the
//! [`ContentDiff`], which tells changes of content and not of the template, and the places of zones on the new page ([`Reanchor`]).
//! Cost: near linear in both pages, bounded, the same result every time.
//!
//! ```
//! use tidemark_core::redesign::{Across, Templates};
//! use tidemark_core::{digest::PageDigest, page::Reading};
//!
//! let old = "<table><tr><td><b>Tides</b><p>High water at ten. Low water at four in the afternoon.</table>";
//! let new = "<main><h1>Tides</h1><div>High water at ten.</div><div>Low water at five in the afternoon.</div></main>";
//! let [old, new] = [old, new].map(|page| PageDigest::encode(page.as_bytes(), &Reading::default()).unwrap());
//! let diff = Across::between(&old, &new).content(&Templates::default());
//! let tally = diff.tally();
//! assert_eq!((tally.unchanged, tally.removed, tally.added), (11, 1, 1));
//! ```

mod align;
mod content;
mod reanchor;
mod template;
mod texts;

pub use content::{ContentDiff, ContentLine, LineKind, Tally};
pub use reanchor::{Candidate, Reanchor};
pub use template::Templates;

use crate::digest::PageDigest;
use align::Alignment;
use texts::Texts;

/// Two versions of a page made with different templates, text put beside text.
#[derive(Debug)]
pub struct Across<'a> {
    old: Side<'a>,
    new: Side<'a>,
    alignment: Alignment,
    /// For each old word whether each page says it once, and the same for it and the next one.
    single: Vec<(bool, bool)>,
    /// New words that an old one became.
    taken: Vec<bool>,
}

/// A page with its texts.
#[derive(Debug)]
struct Side<'a> {
    digest: &'a PageDigest,
    texts: Texts,
}

impl<'a> Across<'a> {
    /// Puts two pages side by side.
    pub fn between(old: &'a PageDigest, new: &'a PageDigest) -> Self {
        let [old, new] = [old, new].map(|digest| Side { digest, texts: Texts::of(digest) });
        let alignment = Alignment::of(&old.texts, &new.texts);
        let single = reanchor::single(&old.texts.words, &new.texts.words);
        let mut taken = vec![false; new.texts.words.len()];
        alignment.to_new.iter().flatten().for_each(|&word| taken[word as usize] = true);
        Self { old, new, alignment, single, taken }
    }

    /// What became of the content. Other documents of either template tell it from the template's own text.
    pub fn content(&self, templates: &Templates<'_>) -> ContentDiff {
        let old = template::lines(&self.old.texts, templates.old);
        let new = template::lines(&self.new.texts, templates.new);
        ContentDiff::of([&self.old.texts, &self.new.texts], &self.alignment, [&old, &new])
    }
}
