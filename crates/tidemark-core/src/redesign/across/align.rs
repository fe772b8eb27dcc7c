//! Lines of two pages put together by their words, whatever elements hold them.
//!
//! 1. Lines with the same words, in order; then those that are there once on each side, wherever they went.
//! 2. What is left, word by word and in order: lines go together if at least half of the smaller one's words met in a stretch of the other. So a
//!    paragraph that was split goes with all its parts, and a row of cells with the one line it became. Again, at most four times: each
//!    time, what was moved past the rest comes into order.
//! 3. What is still left and has something to say, by shared pairs of neighbouring words.
//!
//! Source: patience and histogram, as in `diff::sequence`. Cost: near linear; step 3 within the budget of `similarity::nearest`.

use super::texts::Texts;
use crate::diff::sequence::Steps;
use crate::similarity::nearest::{BUDGET, nearest, overlap};
use imara_diff::Token;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

/// Rounds of step 2.
const ROUNDS: usize = 4;
/// Fewest words of a line in step 3.
const SOME: usize = 4;

/// Lines that go together; of one side only if nothing does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) old: Vec<u32>,
    pub(super) new: Vec<u32>,
}

/// Which lines go together, and which word became which.
#[derive(Debug, Default)]
pub(super) struct Alignment {
    /// Every line of both pages is in one of them; in the order of their first old lines, then of the new ones.
    pub(super) groups: Vec<Group>,
    /// For each old word the new one.
    pub(super) to_new: Vec<Option<u32>>,
    /// Whether a budget was reached.
    pub(super) is_coarse: bool,
}

impl Alignment {
    pub(super) fn of(old: &Texts, new: &Texts) -> Self {
        let mut draft = Draft::new(old, new);
        draft.equal_in_order();
        draft.equal_elsewhere();
        for _ in 0..ROUNDS {
            if !draft.by_words() {
                break;
            }
        }
        draft.by_neighbours();
        let groups = draft.groups();
        let to_new = words(old, new, &groups, &mut draft.numbers);
        Self { groups, to_new, is_coarse: draft.is_coarse }
    }
}

/// Lines being put together: those of the old page first, then those of the new one, as a forest.
struct Draft<'a> {
    old: &'a Texts,
    new: &'a Texts,
    above: Vec<u32>,
    free: Vec<bool>,
    numbers: FxHashMap<u64, u32>,
    is_coarse: bool,
}

/// What two lines have in common: how many words, and the stretches they lie in.
#[derive(Clone, Copy)]
struct Shared {
    count: usize,
    old: (usize, usize),
    new: (usize, usize),
}

impl<'a> Draft<'a> {
    fn new(old: &'a Texts, new: &'a Texts) -> Self {
        let count = old.lines.len() + new.lines.len();
        let (numbers, above) = (FxHashMap::default(), (0..count as u32).collect());
        Self { old, new, above, free: vec![true; count], numbers, is_coarse: false }
    }

    fn equal_in_order(&mut self) {
        let olds = tokens(self.old.lines.iter().map(|line| line.hash), &mut self.numbers);
        let news = tokens(self.new.lines.iter().map(|line| line.hash), &mut self.numbers);
        let steps = Steps::of(&olds, &news, self.numbers.len() as u32);
        self.is_coarse |= steps.is_coarse;
        steps.kept().for_each(|(old, new)| self.join(old, new));
    }

    fn equal_elsewhere(&mut self) {
        let mut places: BTreeMap<u64, [(usize, usize); 2]> = BTreeMap::new();
        for (side, texts) in [self.old, self.new].into_iter().enumerate() {
            for (at, line) in texts.lines.iter().enumerate().filter(|(at, _)| self.is_free(side, *at)) {
                let place = &mut places.entry(line.hash).or_default()[side];
                *place = (place.0 + 1, at);
            }
        }
        for [(olds, old), (news, new)] in places.into_values() {
            if olds == 1 && news == 1 {
                self.join(old, new);
            }
        }
    }

    /// Whether any lines were put together.
    fn by_words(&mut self) -> bool {
        let [olds, news] = [0, 1].map(|side| self.free_words(side));
        let hashes = |texts: &Texts, places: &[usize]| -> Vec<u64> {
            places.iter().map(|&place| texts.words[place].hash).collect()
        };
        let old_tokens = tokens(hashes(self.old, &olds), &mut self.numbers);
        let new_tokens = tokens(hashes(self.new, &news), &mut self.numbers);
        let steps = Steps::of(&old_tokens, &new_tokens, self.numbers.len() as u32);
        self.is_coarse |= steps.is_coarse;
        let mut met: BTreeMap<(u32, u32), Shared> = BTreeMap::new();
        for (old, new) in steps.kept().map(|(old, new)| (olds[old], news[new])) {
            let lines = (self.old.words[old].line, self.new.words[new].line);
            let shared = met.entry(lines).or_insert(Shared { count: 0, old: (old, old), new: (new, new) });
            *shared = Shared { count: shared.count + 1, old: (shared.old.0, old), new: (shared.new.0, new) };
        }
        met.retain(|&(old, new), shared| self.is_enough(old as usize, new as usize, shared));
        met.keys().for_each(|&(old, new)| self.join(old as usize, new as usize));
        !met.is_empty()
    }

    fn is_enough(&self, old: usize, new: usize, shared: &Shared) -> bool {
        let (olds, news) = (self.old.lines[old].words.len(), self.new.lines[new].words.len());
        let least = if olds.min(news) < 3 { olds.min(news) } else { olds.min(news).div_ceil(2) };
        let (first, last) = if olds < news { shared.new } else { shared.old };
        shared.count >= least && last - first < 2 * shared.count + 2
    }

    fn by_neighbours(&mut self) {
        let left = |side: usize, texts: &Texts| -> Vec<usize> {
            let says = |at: &usize| self.is_free(side, *at) && texts.lines[*at].words.len() >= SOME;
            (0..texts.lines.len()).filter(says).collect()
        };
        let (olds, news) = (left(0, self.old), left(1, self.new));
        let features = |texts: &Texts, lines: &[usize]| -> Vec<Vec<u64>> {
            lines.iter().map(|&line| pairs(texts, line)).collect()
        };
        let (old, new) = (features(self.old, &olds), features(self.new, &news));
        let found = nearest(&old, &new, BUDGET, |a, b| {
            let (both, _) = overlap(&old[a], &new[b]);
            let dice = 2.0 * both as f64 / (old[a].len() + new[b].len()) as f64;
            (dice >= 0.5).then_some(dice)
        });
        self.is_coarse |= found.coarse;
        found.pairs.into_iter().for_each(|(old, new, _)| self.join(olds[old], news[new]));
    }

    fn free_words(&self, side: usize) -> Vec<usize> {
        let texts = [self.old, self.new][side];
        let lines = texts.lines.iter().enumerate().filter(|(at, _)| self.is_free(side, *at));
        lines.flat_map(|(_, line)| line.words.clone()).collect()
    }

    fn is_free(&self, side: usize, line: usize) -> bool {
        self.free[if side == 0 { line } else { self.old.lines.len() + line }]
    }

    fn join(&mut self, old: usize, new: usize) {
        let new = self.old.lines.len() + new;
        self.free[old] = false;
        self.free[new] = false;
        let (one, other) = (self.top(old), self.top(new));
        self.above[one.max(other)] = one.min(other) as u32;
    }

    fn top(&mut self, mut line: usize) -> usize {
        while self.above[line] as usize != line {
            self.above[line] = self.above[self.above[line] as usize]; // paths halve as they are walked
            line = self.above[line] as usize;
        }
        line
    }

    fn groups(&mut self) -> Vec<Group> {
        let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
        for line in 0..self.above.len() {
            let group = groups.entry(self.top(line)).or_default();
            match line.checked_sub(self.old.lines.len()) {
                None => group.old.push(line as u32),
                Some(new) => group.new.push(new as u32),
            }
        }
        groups.into_values().collect()
    }
}

/// Which old word became which new one, group by group.
fn words(old: &Texts, new: &Texts, groups: &[Group], numbers: &mut FxHashMap<u64, u32>) -> Vec<Option<u32>> {
    let mut to_new = vec![None; old.words.len()];
    let places = |texts: &Texts, lines: &[u32]| -> Vec<usize> {
        lines.iter().flat_map(|&line| texts.lines[line as usize].words.clone()).collect()
    };
    for group in groups.iter().filter(|group| !group.old.is_empty() && !group.new.is_empty()) {
        let (olds, news) = (places(old, &group.old), places(new, &group.new));
        let old_tokens = tokens(olds.iter().map(|&at| old.words[at].hash), numbers);
        let new_tokens = tokens(news.iter().map(|&at| new.words[at].hash), numbers);
        let steps = Steps::of(&old_tokens, &new_tokens, numbers.len() as u32);
        steps.kept().for_each(|(a, b)| to_new[olds[a]] = Some(news[b] as u32));
    }
    to_new
}

/// Hashes as numbers, by first appearance.
fn tokens(hashes: impl IntoIterator<Item = u64>, numbers: &mut FxHashMap<u64, u32>) -> Vec<Token> {
    let mut number = |hash| {
        let next = numbers.len() as u32;
        Token(*numbers.entry(hash).or_insert(next))
    };
    hashes.into_iter().map(&mut number).collect()
}

/// Pairs of neighbouring words of a line, sorted, each once.
fn pairs(texts: &Texts, line: usize) -> Vec<u64> {
    let words = &texts.words[texts.lines[line].words.clone()];
    let pair = |pair: &[super::texts::Word]| xxh3_64(bytemuck::cast_slice(&[pair[0].hash, pair[1].hash]));
    let mut pairs: Vec<u64> = words.windows(2).map(pair).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
