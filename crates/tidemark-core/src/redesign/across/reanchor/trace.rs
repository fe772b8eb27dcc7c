//! The trace of a node on the new page: where its words went, and what took the place of those that went nowhere.

use super::super::Across;
use super::super::texts::Word;
use rustc_hash::FxHashMap;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// Words on each side that are its surroundings, and how far from the zone they may be now.
const AROUND: usize = 8;
const NEAR: usize = 24;
/// Longest gap for each word that went, and any way.
const GAP: usize = 2;
const GAP_MORE: usize = 4;
/// What a number around the zone weighs beside a word: it changes more often than not.
const NUMBER: f64 = 0.4;
/// Longest text that is known by its place, in words; and likeness of an element that is just what stands there.
const BRIEF: usize = 3;
const EXACT: f64 = 0.99;

/// What is known of a node's words.
pub(super) struct Trace {
    range: Range<usize>,
    /// Marked words before each word of the new page.
    marks: Vec<u32>,
    /// All marked words.
    expected: usize,
    identity: f64,
    known: Known,
    /// Whether a longer text went as a whole: what stands in its place is something else.
    pub(super) replaced: bool,
}

/// What says that it is this zone, and not one like it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// Words that are said once; or all that it says but numbers, near words that are said once.
    ByWords,
    /// Its place only: a short text that another one took the place of.
    ByPlace,
    /// Nothing.
    No,
}

impl Trace {
    pub(super) fn of(across: &Across<'_>, range: Range<usize>) -> Self {
        let to_new = &across.alignment.to_new;
        let mut marked = vec![false; across.new.texts.words.len()];
        let mapped = range.clone().filter_map(|word| to_new[word]);
        mapped.for_each(|word| marked[word as usize] = true);
        let kept = marked.iter().filter(|is| **is).count();
        let filled = fill(across, &range, &mut marked);
        let lost =
            range.clone().filter(|&word| to_new[word].is_none() && !across.old.texts.words[word].number);
        let own = kept as f64 / (kept + lost.count()).max(1) as f64;
        let single = has_single(across, &range);
        let identity = if single { own.sqrt() } else { own / 2.0 };
        let known = known(across, &range, single && own >= 0.5, kept + filled);
        let replaced = kept == 0 && range.len() > BRIEF;
        Self { range, marks: sums(&marked), expected: kept + filled, identity, known, replaced }
    }

    /// Whether an element with these words is the zone, and not one like it or a small part of it.
    pub(super) fn is_it(&self, range: &Range<usize>) -> bool {
        let whole = 2 * range.len() >= self.range.len();
        match self.known {
            Known::ByWords => whole,
            Known::ByPlace => whole && self.likeness(range) > EXACT,
            Known::No => false,
        }
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
        let is_near = |new: usize| match new.checked_sub(range.end) {
            Some(behind) => behind < NEAR,
            None => new < range.start && range.start - new <= NEAR,
        };
        let before = (0..self.range.start).rev().take(AROUND).enumerate();
        let after = (self.range.end..to_new.len()).take(AROUND).enumerate();
        let (mut still, mut all) = (0.0, 0.0);
        for (distance, word) in before.chain(after) {
            let weight =
                if across.old.texts.words[word].number { NUMBER } else { 1.0 } / (1.0 + distance as f64);
            all += weight;
            still += if to_new[word].is_some_and(|new| is_near(new as usize)) { weight } else { 0.0 };
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

/// What says that the marked words are the zone.
fn known(across: &Across<'_>, range: &Range<usize>, single: bool, marked: usize) -> Known {
    let to_new = &across.alignment.to_new;
    let is_left = |&word: &usize| to_new[word].is_none();
    let mut left = range.clone().filter(is_left);
    let around = range.start.saturating_sub(2 * AROUND)..(range.end + 2 * AROUND).min(to_new.len());
    if single
        || (marked > 0 && left.all(|word| across.old.texts.words[word].number) && has_single(across, &around))
    {
        return Known::ByWords;
    }
    let beside = [range.start.checked_sub(1), Some(range.end)];
    let stayed = |word: Option<usize>| word.and_then(|word| *to_new.get(word)?).is_some();
    let replaced = range.len() <= BRIEF && range.clone().all(|word| to_new[word].is_none());
    if replaced && beside.into_iter().all(stayed) { Known::ByPlace } else { Known::No }
}

/// Whether a word of the range, or two next to each other, are said once on each page and stayed.
fn has_single(across: &Across<'_>, range: &Range<usize>) -> bool {
    let to_new = &across.alignment.to_new;
    let pair = |word: usize| {
        let next = to_new.get(word + 1).copied().flatten();
        word + 1 < range.end
            && next.is_some()
            && next == to_new[word].map(|new| new + 1)
            && across.single[word].1
    };
    range.clone().any(|word| to_new[word].is_some() && (across.single[word].0 || pair(word)))
}

/// For each old word whether each page says it once, and the same for it and the next one.
pub(in super::super) fn single(old: &[Word], new: &[Word]) -> Vec<(bool, bool)> {
    let pairs = |words: &[Word]| -> Vec<u64> {
        words.windows(2).map(|pair| xxh3_64(bytemuck::cast_slice(&[pair[0].hash, pair[1].hash]))).collect()
    };
    let words = |words: &[Word]| -> Vec<u64> { words.iter().map(|word| word.hash).collect() };
    let mut pairs = once(&pairs(old), &pairs(new));
    pairs.push(false); // the last word has none behind it
    once(&words(old), &words(new)).into_iter().zip(pairs).collect()
}

fn once(old: &[u64], new: &[u64]) -> Vec<bool> {
    let mut counts: FxHashMap<u64, [u32; 2]> = FxHashMap::default();
    old.iter().for_each(|&hash| counts.entry(hash).or_default()[0] += 1);
    new.iter().for_each(|&hash| counts.entry(hash).or_default()[1] += 1);
    old.iter().map(|hash| counts[hash] == [1, 1]).collect()
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
