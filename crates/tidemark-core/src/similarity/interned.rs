//! A page as numbers: the nodes of its subtrees, and their words.
//!
//! Source: our own, for the fast way. Cost: linear in nodes and words, but for O(log n) each to count distinct words.
//! The words of a node are a range of one list in the order of the page, never a set of its own: sets of all ancestors of a
//! word would take nodes × depth. A word counts in a range if its place before lies outside.

use std::ops::Range;

/// One page: the nodes of the wanted subtrees.
#[derive(Default)]
pub(super) struct Side {
    pub(super) entries: Vec<Entry>,
    /// By row of the subtree table; empty where not wanted.
    pub(super) parts: Vec<Part>,
    pub(super) words: Vec<u32>,
    /// For each word the place after its last one before, or 0.
    pub(super) previous: Vec<u32>,
}

/// A node.
pub(super) struct Entry {
    pub(super) tag: u32,
    pub(super) path: u32,
    pub(super) attributes: u32,
    /// The same for nodes whose subtrees and paths are the same.
    pub(super) identity: u32,
    pub(super) words: Range<u32>,
    /// Number of distinct words.
    pub(super) distinct: u32,
}

/// A subtree.
#[derive(Default)]
pub(super) struct Part {
    pub(super) entries: Range<usize>,
    /// The entries in the order of tags.
    pub(super) by_tag: Vec<u32>,
    /// The identities of the entries, in their order.
    identities: Vec<u32>,
}

impl Part {
    /// Whether a node with the same subtree and path is here.
    pub(super) fn contains(&self, identity: u32) -> bool {
        self.identities.binary_search(&identity).is_ok()
    }
}

impl Side {
    /// The entries of a part with a tag.
    pub(super) fn tagged(&self, part: &Part, tag: u32) -> Range<usize> {
        let tag_at = |&at: &u32| self.entries[at as usize].tag;
        let start = part.by_tag.partition_point(|at| tag_at(at) < tag);
        start..start + part.by_tag[start..].partition_point(|at| tag_at(at) == tag)
    }

    /// The distinct words of an entry.
    pub(super) fn distinct(&self, entry: &Entry) -> impl Iterator<Item = u32> {
        let range = entry.words.start as usize..entry.words.end as usize;
        let start = entry.words.start;
        let all = self.words[range.clone()].iter().zip(&self.previous[range]);
        all.filter(move |&(_, &previous)| previous <= start).map(|(&word, _)| word)
    }

    /// Counts the distinct words of all entries: from the last entry to the first, with a tree of sums over places in which only
    /// the first place of each word from here on counts.
    pub(super) fn count_distinct(&mut self, vocabulary: usize) {
        let mut sums = Sums(vec![0; self.words.len() + 1]);
        let mut first: Vec<Option<usize>> = vec![None; vocabulary];
        let mut place = self.words.len();
        for entry in self.entries.iter_mut().rev() {
            while place > entry.words.start as usize {
                place -= 1;
                sums.add(place, 1);
                if let Some(later) = first[self.words[place] as usize].replace(place) {
                    sums.add(later, -1);
                }
            }
            entry.distinct = sums.below(entry.words.end as usize).cast_unsigned();
        }
    }
}

impl Side {
    /// Adds a node; its words are those that come until it is closed.
    pub(super) fn push(&mut self, mut entry: Entry) -> usize {
        entry.words = self.words.len() as u32..0;
        self.entries.push(entry);
        self.entries.len() - 1
    }

    pub(super) fn close(&mut self, entry: Option<usize>) {
        if let Some(entry) = entry {
            self.entries[entry].words.end = self.words.len() as u32;
        }
    }

    /// The part of all entries from one on.
    pub(super) fn part(&self, start: usize) -> Part {
        let entries = start..self.entries.len();
        let mut by_tag: Vec<u32> = entries.clone().map(|at| at as u32).collect();
        by_tag.sort_by_key(|&at| self.entries[at as usize].tag);
        let mut identities: Vec<u32> = self.entries[start..].iter().map(|entry| entry.identity).collect();
        identities.sort_unstable();
        Part { entries, by_tag, identities }
    }
}

/// A Fenwick tree: counts by place, and their sums.
struct Sums(Vec<i32>);

impl Sums {
    fn add(&mut self, place: usize, count: i32) {
        let mut at = place + 1;
        while at < self.0.len() {
            self.0[at] += count;
            at += at & at.wrapping_neg();
        }
    }

    /// The sum of all places below one.
    fn below(&self, place: usize) -> i32 {
        let mut at = place;
        let mut sum = 0;
        while at > 0 {
            sum += self.0[at];
            at -= at & at.wrapping_neg();
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn distinct_words_are_counted_in_every_range() {
        let words = vec![0, 1, 0, 2, 2, 1, 3, 0];
        let place_before = |at: usize| words[..at].iter().rposition(|word| *word == words[at]);
        let previous = (0..words.len()).map(|at| place_before(at).map_or(0, |at| at as u32 + 1)).collect();
        let ranges = (0..=8u32).flat_map(|start| (start..=8).map(move |end| start..end));
        let entry = |words| Entry { tag: 0, path: 0, attributes: 0, identity: 0, words, distinct: 0 };
        let mut side = Side { entries: ranges.map(entry).collect(), parts: Vec::new(), words, previous };
        side.count_distinct(4);
        for entry in &side.entries {
            let range = entry.words.start as usize..entry.words.end as usize;
            let set: BTreeSet<u32> = side.words[range].iter().copied().collect();
            assert_eq!(entry.distinct as usize, set.len(), "{:?}", entry.words);
            assert_eq!(side.distinct(entry).collect::<BTreeSet<_>>(), set);
            assert_eq!(side.distinct(entry).count(), set.len());
        }
    }
}
