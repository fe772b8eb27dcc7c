//! What there is to tell of a difference: blocks of a page, entries of a feed, or the content across a redesign. Made from the script that is kept, and only from it.

mod passages;
mod severity;

use crate::pair::{Entries, Pair};
use crate::passage::Passage;
use crate::watch::Shares;
use std::borrow::Cow;
use tidemark_core::page::zone::Located;
use tidemark_core::profile::Matcher;
use tidemark_core::profile::matcher::weight;
use tidemark_core::redesign::{ContentDiff, LineKind};
use tidemark_core::render::{Change, ChangeKind, Changes};

/// What there is to tell.
pub struct Told {
    what: What,
    /// Changes that are in restless places.
    restless: usize,
    /// Changes that no reader sees.
    unseen: usize,
    /// What is told, piece by piece; at most so many as are kept.
    pub passages: Vec<Passage>,
    /// All there are.
    pieces: usize,
    interest: f64,
}

enum What {
    /// Blocks of a page: those worth telling.
    Blocks(Vec<Change>),
    /// Entries of a feed: added, modified, and removed ones, which are not told.
    Entries([usize; 3]),
    /// A redesign: lines of content that came, went or were edited.
    Content { lines: usize, kept: f64 },
}

/// What there is to tell of a pair, in the parts that a watch looks at.
pub fn told(
    pair: &Pair,
    parts: Option<&[Located; 2]>,
    matcher: &Matcher,
    is_restless: impl Fn(&Change) -> bool,
) -> Told {
    match (&pair.feed, &pair.redesign, parts) {
        (Some(entries), _, None) => of_entries(entries, matcher),
        (_, Some(content), None) => of_content(content, matcher),
        _ => of_blocks(pair, parts, matcher, is_restless),
    }
}

fn of_blocks(
    pair: &Pair,
    parts: Option<&[Located; 2]>,
    matcher: &Matcher,
    is_restless: impl Fn(&Change) -> bool,
) -> Told {
    let changes = changes(pair, parts, matcher);
    let all = changes.changes.len();
    let seen: Vec<&Change> = changes.seen().collect();
    let unseen = all - seen.len();
    let worth: Vec<Change> =
        seen.iter().filter(|change| !is_restless(change)).map(|change| (*change).clone()).collect();
    let restless = seen.len() - worth.len();
    let shown = Changes { changes: worth, personal: changes.personal };
    let (passages, pieces) = passages::of_changes(&pair.new, &shown.changes);
    let interest = shown.of_interest().map(|change| change.interest).fold(0.0, f64::max);
    Told { what: What::Blocks(shown.changes), restless, unseen, passages, pieces, interest }
}

/// The changes in the parts a watch looks at, as its reader sees them.
fn changes<'a>(pair: &'a Pair, parts: Option<&[Located; 2]>, matcher: &Matcher) -> Cow<'a, Changes> {
    let difference = match parts {
        None if matcher.is_empty() => return Cow::Borrowed(&pair.changes),
        None => Cow::Borrowed(&pair.difference),
        Some([old, new]) => {
            let mut part = pair.difference.clone();
            part.script = part.script.within(&pair.old, &pair.new, old, new);
            Cow::Owned(part)
        }
    };
    Cow::Owned(Changes::for_reader(&pair.old, &pair.new, &difference, matcher))
}

fn of_entries(entries: &Entries, matcher: &Matcher) -> Told {
    let Entries { old, new, diff } = entries;
    debug_assert!(diff.removed.iter().all(|&at| at < old.items.len()));
    let modified = diff.modified.iter().map(|change| (ChangeKind::Changed, &new.items[change.new]));
    let added = diff.added.iter().map(|&at| (ChangeKind::Added, &new.items[at]));
    let (mut told, mut interest) = (Vec::new(), 0.0f64);
    for (kind, item) in added.chain(modified) {
        let said = format!("{}. {}", item.title.text, item.description.text);
        let found = matcher.find(&said);
        interest = interest.max(weight(found.matches.iter().map(|found| &*found.term)));
        told.push(passages::of_item(kind, item, &said, &found.matches));
    }
    let counts = [diff.added.len(), diff.modified.len(), diff.removed.len()];
    let (passages, pieces) = passages::kept(told);
    Told { what: What::Entries(counts), restless: 0, unseen: 0, passages, pieces, interest }
}

fn of_content(content: &ContentDiff, matcher: &Matcher) -> Told {
    let tally = content.tally();
    let words = tally.unchanged * 2 + tally.removed + tally.added;
    let kept = if words == 0 { 1.0 } else { (tally.unchanged * 2) as f64 / words as f64 };
    let (mut told, mut interest) = (Vec::new(), 0.0f64);
    for line in content.lines.iter().filter(|line| !line.template && line.kind != LineKind::Same) {
        let said = if line.kind == LineKind::Removed { &line.old } else { &line.new };
        let found = matcher.find(said);
        interest = interest.max(weight(found.matches.iter().map(|found| &*found.term)));
        told.push(passages::of_line(line, said, &found.matches));
    }
    let what = What::Content { lines: told.len(), kept };
    let (passages, pieces) = passages::kept(told);
    Told { what, restless: 0, unseen: 0, passages, pieces, interest }
}

impl Told {
    /// Whether nothing changed at all.
    pub fn is_empty(&self) -> bool {
        self.count() == 0 && self.held() == 0
    }

    /// Things that are worth telling.
    pub fn count(&self) -> usize {
        match &self.what {
            What::Blocks(changes) => changes.len(),
            What::Entries([added, modified, _]) => added + modified,
            What::Content { .. } => 1,
        }
    }

    /// Things that are not.
    pub fn held(&self) -> usize {
        let gone = if let What::Entries([_, _, removed]) = self.what { removed } else { 0 };
        self.restless + self.unseen + gone
    }

    /// How much of it is of interest.
    pub fn interest(&self) -> f64 {
        self.interest
    }

    /// Pieces that are not kept because there are too many.
    pub fn more(&self) -> u32 {
        (self.pieces - self.passages.len()) as u32
    }

    /// Why there is nothing worth telling.
    pub fn why_nothing(&self) -> String {
        match (&self.what, self.restless, self.unseen) {
            (What::Entries(_), ..) => {
                "no entry came or changed; some fell off the end of the feed".to_owned()
            }
            (_, 0, _) => "only what a reader does not see changed".to_owned(),
            (_, _, 0) => "only places changed that change at nearly every visit".to_owned(),
            _ => "only places changed that change at nearly every visit, or that a reader does not see"
                .to_owned(),
        }
    }

    /// What it is, in a line.
    pub fn summary(&self) -> String {
        match &self.what {
            What::Blocks(changes) => {
                let counts = ChangeKind::ALL.iter().filter_map(|&kind| {
                    let count = changes.iter().filter(|change| change.kind == kind).count();
                    (count > 0).then(|| format!("{count} {}", kind.name()))
                });
                counts.collect::<Vec<_>>().join(", ")
            }
            What::Entries([added, modified, _]) => format!("{added} new and {modified} changed entries"),
            What::Content { lines: 0, .. } => "redesigned; the content is the same".to_owned(),
            What::Content { lines, kept } => {
                format!("redesigned; {:.0} % of the words remain, {lines} lines differ", 100.0 * kept)
            }
        }
    }

    /// How much of what is looked at changed, from 0 to 1.
    pub fn severity(&self, pair: &Pair, parts: Option<&[Located; 2]>, weights: Option<Shares>) -> f64 {
        match &self.what {
            What::Blocks(changes) => severity::of_blocks(changes, pair, parts, weights),
            What::Content { kept, .. } => 1.0 - kept,
            What::Entries([added, modified, _]) => {
                let all = pair.feed.as_ref().map_or(0, |entries| entries.new.items.len()).max(1);
                ((added + modified) as f64 / all as f64).min(1.0)
            }
        }
    }
}
