//! The trace of a node on the new page: where its words went, and what took the place of those that went nowhere.

use super::super::Across;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Words on each side that are its surroundings, and how far from the zone they may be now.
const AROUND: usize = 8;
const NEAR: usize = 24;
/// Longest gap for each word that went, and any way.
const GAP: usize = 2;
const GAP_MORE: usize = 4;

/// What is known of a node's words.
pub(super) struct Trace {
    range: Range<usize>,
    /// Marked words before each word of the new page.
    marks: Vec<u32>,
    /// Marked words the zone should have.
    expected: usize,
    identity: f64,
    /// Whether something says that it is this zone, and not one like it.
    pub(super) is_known: bool,
}

impl Trace {
    pub(super) fn of(across: &Across<'_>, range: Range<usize>) -> Self {
        let (old, to_new) = (&across.old.texts, &across.alignment.to_new);
        let mut marked = vec![false; across.new.texts.words.len()];
        let mapped = range.clone().filter_map(|word| to_new[word]);
        mapped.for_each(|word| marked[word as usize] = true);
        let kept = marked.iter().filter(|is| **is).count();
        let filled = fill(across, &range, &mut marked);
        let own = kept as f64 / range.len() as f64;
        let single = has_single(across, &range);
        let numbers = old.words[range.clone()].iter().all(|word| word.number);
        let is_known = (single && own >= 0.5) || kept == range.len() || (numbers && filled > 0);
        let expected = if filled == 0 { range.len() } else { kept + filled };
        let identity = if single { own } else { own / 2.0 };
        Self { range, marks: sums(&marked), expected, identity, is_known }
    }

    /// F1 of the words of an element and the marked ones.
    pub(super) fn likeness(&self, range: &Range<usize>) -> f64 {
        let held = self.marks[range.end] - self.marks[range.start];
        2.0 * f64::from(held) / (range.len() + self.expected).max(1) as f64
    }

    /// How sure it is that the marked words are the zone's.
    pub(super) fn certainty(&self, across: &Across<'_>, range: &Range<usize>) -> f64 {
        1.0 - (1.0 - 0.9 * self.identity) * (1.0 - 0.9 * self.surroundings(across, range))
    }

    /// Share of the words around the zone that still are; the nearer, the more they weigh.
    fn surroundings(&self, across: &Across<'_>, range: &Range<usize>) -> f64 {
        let to_new = &across.alignment.to_new;
        let near = range.start.saturating_sub(NEAR)..range.end + NEAR;
        let before = (0..self.range.start).rev().take(AROUND).enumerate();
        let after = (self.range.end..to_new.len()).take(AROUND).enumerate();
        let (mut still, mut all) = (0.0, 0.0);
        for (distance, word) in before.chain(after) {
            let weight = 1.0 / (1.0 + distance as f64);
            all += weight;
            let is_near = to_new[word].is_some_and(|new| near.contains(&(new as usize)));
            still += if is_near { weight } else { 0.0 };
        }
        if all > 0.0 { still / all } else { 1.0 }
    }
}

/// Marks what stands where words of the range went: between the new places of their neighbours, numbers for numbers. How many were marked.
fn fill(across: &Across<'_>, range: &Range<usize>, marked: &mut [bool]) -> usize {
    let (old, new, to_new) = (&across.old.texts.words, &across.new.texts.words, &across.alignment.to_new);
    let taken = &across.taken;
    let (mut at, mut filled) = (range.start, 0);
    while at < range.end {
        if to_new[at].is_some() {
            at += 1;
            continue;
        }
        let start = (0..at).rev().find(|&word| to_new[word].is_some()).map_or(0, |word| word + 1);
        let end = (at..old.len()).find(|&word| to_new[word].is_some()).unwrap_or(old.len());
        let from = start.checked_sub(1).and_then(|word| to_new[word]).map_or(0, |word| word as usize + 1);
        let to = to_new.get(end).copied().flatten().map_or(new.len(), |word| word as usize);
        if from < to && to - from <= GAP * (end - start) + GAP_MORE {
            let gone = &old[at.max(start)..end.min(range.end)];
            let wanted = |number: bool| gone.iter().any(|word| word.number == number);
            let free = (from..to).filter(|&word| !taken[word] && wanted(new[word].number));
            free.for_each(|word| filled += usize::from(!std::mem::replace(&mut marked[word], true)));
        }
        at = end.max(at + 1);
    }
    filled
}

/// Whether a word of the range is said once on either page and stayed.
fn has_single(across: &Across<'_>, range: &Range<usize>) -> bool {
    range.clone().any(|word| across.alignment.to_new[word].is_some() && across.single[word])
}

/// For each old word whether each page says it once.
pub(in super::super) fn single(
    old: &[super::super::texts::Word],
    new: &[super::super::texts::Word],
) -> Vec<bool> {
    let mut counts: FxHashMap<u64, [u32; 2]> = FxHashMap::default();
    old.iter().for_each(|word| counts.entry(word.hash).or_default()[0] += 1);
    new.iter().for_each(|word| counts.entry(word.hash).or_default()[1] += 1);
    old.iter().map(|word| counts[&word.hash] == [1, 1]).collect()
}

fn sums(marked: &[bool]) -> Vec<u32> {
    let mut sum = 0;
    let mut sums = vec![0];
    sums.extend(marked.iter().map(|&is| {
        sum += u32::from(is);
        sum
    }));
    sums
}
