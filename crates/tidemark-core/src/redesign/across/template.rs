//! Which lines of a page are its template's: menus, footers, banners.
//!
//! With other documents of the template: what at least half of them say, too. Without: links that are not in a sentence, and what stands
//! in elements that templates are made of (Kohlschütter et al., *Boilerplate Detection using Shallow Text Features*, 2010: link density and
//! length tell most of it). Cost: linear in all documents.

use super::texts::{TextLine, Texts};
use crate::digest::PageDigest;
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest line of links or furniture that is taken for the template's, in words.
const SHORT: usize = 12;

/// Other documents made with the old and with the new template; the more, the surer. None at all are fine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Templates<'a> {
    /// Of the old one.
    pub old: &'a [&'a PageDigest],
    /// Of the new one.
    pub new: &'a [&'a PageDigest],
}

/// For each line whether it is the template's.
pub(super) fn lines(texts: &Texts, others: &[&PageDigest]) -> Vec<bool> {
    if others.is_empty() {
        return texts.lines.iter().map(is_likely).collect();
    }
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    for other in others {
        let lines: FxHashSet<u64> = Texts::of(other).lines.iter().map(|line| line.hash).collect();
        lines.into_iter().for_each(|line| *counts.entry(line).or_default() += 1);
    }
    let is_common = |line: &TextLine| counts.get(&line.hash).is_some_and(|&count| 2 * count >= others.len());
    texts.lines.iter().map(is_common).collect()
}

fn is_likely(line: &TextLine) -> bool {
    let words = line.words.len();
    words <= SHORT && (line.furniture || line.linked == words)
}
