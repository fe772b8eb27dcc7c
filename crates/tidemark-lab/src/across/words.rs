//! Text that did not change, and how much of it a content diff says did not.

use super::site::{Content, Design, Kind};
use crate::corpus;
use anyhow::Result;
use fastrand::Rng;
use std::collections::BTreeSet;
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::page::{Reading, words::words};
use tidemark_core::redesign::{ContentDiff, Fingerprint, Shingling, Templates};

/// Fewest words of a line of a real page that counts as text: shorter ones stand in many pages by chance.
const TEXT: usize = 5;
/// Two versions that look less alike than this are a redesign.
const REDESIGNED: f64 = 0.5;

/// Words of text that did not change, and those of them that were told so; then words told as changed content that are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// All of them.
    pub words: usize,
    /// Told as unchanged.
    pub unchanged: usize,
    /// Of these, in lines told as moved.
    pub moved: usize,
}

impl Kept {
    /// Told as unchanged, as a share.
    pub fn share(&self) -> f64 {
        self.unchanged as f64 / self.words.max(1) as f64
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            words: self.words + other.words,
            unchanged: self.unchanged + other.unchanged,
            moved: self.moved + other.moved,
        }
    }
}

/// A page in two designs, some days apart; text of fields that are the same.
pub(super) fn generated(kind: Kind, seed: u64) -> Kept {
    let rng = &mut Rng::with_seed(seed);
    let content = Content::new(kind, rng);
    let (old, new) = (Design::new(2 * seed), Design::new(2 * seed + 1));
    let (old, new) = (old.render(&content), new.render(&content.later(rng)));
    let same = |(name, node): (&String, &NodeId)| {
        let text = old.digest.visible_text(*node);
        let there = new.truth.get(name).is_some_and(|now| new.digest.visible_text(*now) == text);
        (name.contains('.') && there).then_some(text)
    };
    let unchanged: BTreeSet<String> = old.truth.iter().filter_map(same).collect();
    kept(&old.digest, &new.digest, |line| unchanged.contains(line))
}

/// Neighbouring versions of the corpus' pages with a redesign between them: lines of some length that the new page has word for word.
pub(super) fn of_the_corpus() -> Result<Vec<(String, f64, Kept)>> {
    let mut found = Vec::new();
    let Some(files) = corpus::files()? else { return Ok(found) };
    let versions = files
        .iter()
        .filter(|file| matches!(file.group(), "histories" | "terms") && file.name.ends_with("html"));
    let versions: Vec<&corpus::Document> = versions.collect();
    for pair in versions.windows(2).filter(|pair| folder(&pair[0].name) == folder(&pair[1].name)) {
        let read = |at: usize| PageDigest::encode(&pair[at].bytes, &Reading::default());
        let (Ok(old), Ok(new)) = (read(0), read(1)) else { continue };
        let print = |digest| Fingerprint::of(digest, Shingling::default());
        let likeness = print(&old).likeness(&print(&new));
        if likeness < REDESIGNED {
            let all = format!(" {} ", in_words(&new.visible_text(NodeId::ROOT)));
            let is_kept =
                |line: &str| words(line).count() >= TEXT && all.contains(&format!(" {} ", in_words(line)));
            found.push((pair[1].name.clone(), likeness, kept(&old, &new, is_kept)));
        }
    }
    Ok(found)
}

fn folder(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn in_words(text: &str) -> String {
    words(text).collect::<Vec<_>>().join(" ")
}

/// Goes through the old lines that are known to be unchanged.
fn kept(old: &PageDigest, new: &PageDigest, is_unchanged: impl Fn(&str) -> bool) -> Kept {
    let lines: Vec<String> =
        old.visible_lines(NodeId::ROOT).into_iter().filter(|line| words(line).next().is_some()).collect();
    let diff = ContentDiff::across(old, new, &Templates::default());
    let mut kept = Kept::default();
    for line in &diff.lines {
        let mut start = 0;
        for text in line.old_lines.iter().map(|&at| &lines[at as usize]) {
            let place = start..start + text.len();
            start = place.end + 1;
            if is_unchanged(text) {
                let same = line.runs.iter().filter(|run| run.same);
                let inside = same.map(|run| run.old.start.max(place.start)..run.old.end.min(place.end));
                let unchanged: usize = inside
                    .filter(|part| part.start < part.end)
                    .map(|part| words(&line.old[part]).count())
                    .sum();
                let moved = if line.moved { unchanged } else { 0 };
                kept = kept.plus(Kept { words: words(text).count(), unchanged, moved });
            }
        }
    }
    kept
}
