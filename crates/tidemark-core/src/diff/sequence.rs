//! Two sequences of numbers put in step: what of the one stayed, and what came in the other.
//!
//! Source: the histogram method of git, by imara-diff. On long sequences it is not linear: it looks through all that is left after every find, and what it
//! falls back to looks back over everything common. So long ones are cut first: at numbers that each side has once and that kept their order
//! (patience), and what is still long is gone through in windows that overlap. Cost: near linear. What a cut may cost is a longer script,
//! where more than a window was put in at once and nothing in it is unique.

use super::order::rising;
use imara_diff::{Algorithm, Diff, Token};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Longer than this on both sides together is cut.
pub(crate) const LONG: usize = 8192;
/// Length of a window on each side, and how much of it is settled before the next.
const WINDOW: usize = 2048;
const SETTLED: usize = 1536;

/// What became of each number.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    removed: Vec<bool>,
    added: Vec<bool>,
    /// Whether windows were gone through: a shorter script may exist.
    pub(crate) is_coarse: bool,
}

/// A stretch that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

impl Steps {
    /// Compares two sequences of numbers below `count`.
    pub(crate) fn of(old: &[Token], new: &[Token], count: u32) -> Self {
        let mut steps =
            Self { removed: vec![false; old.len()], added: vec![false; new.len()], is_coarse: false };
        if old.len() + new.len() <= LONG {
            steps.short(old, new, 0..old.len(), 0..new.len(), count);
            return steps;
        }
        let (mut old_at, mut new_at) = (0, 0);
        for (old_fixed, new_fixed) in fixed(old, new, count).into_iter().chain([(old.len(), new.len())]) {
            steps.stretch(old, new, old_at..old_fixed, new_at..new_fixed, count);
            (old_at, new_at) = (old_fixed + 1, new_fixed + 1);
        }
        steps
    }

    /// Pairs of places that are the same, in order.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (usize, usize)> {
        let places = |gone: &[bool]| (0..gone.len()).filter(|&at| !gone[at]).collect::<Vec<_>>();
        places(&self.removed).into_iter().zip(places(&self.added))
    }

    /// What lies between them.
    pub(crate) fn hunks(&self) -> Vec<Hunk> {
        let (mut old, mut new, mut hunks) = (0, 0, Vec::new());
        for (old_kept, new_kept) in self.kept().chain([(self.removed.len(), self.added.len())]) {
            if old < old_kept || new < new_kept {
                hunks.push(Hunk { old: old..old_kept, new: new..new_kept });
            }
            (old, new) = (old_kept + 1, new_kept + 1);
        }
        hunks
    }

    fn stretch(&mut self, old: &[Token], new: &[Token], olds: Range<usize>, news: Range<usize>, count: u32) {
        let same = |&(a, b): &(usize, usize)| old[a] == new[b];
        let start = olds.clone().zip(news.clone()).take_while(same).count();
        let (mut old_at, mut new_at) = (olds.start + start, news.start + start);
        while olds.end - old_at + news.end - new_at > LONG {
            self.is_coarse = true;
            let old_end = olds.end.min(old_at + WINDOW);
            let new_end = news.end.min(new_at + WINDOW);
            self.short(old, new, old_at..old_end, new_at..new_end, count);
            (old_at, new_at) = self.settled(old_at..old_end, new_at..new_end);
        }
        self.short(old, new, old_at..olds.end, new_at..news.end, count);
    }

    /// Where the next window begins: behind the last pair of the settled part, so that it is in step; else behind that part, nothing of
    /// which is then kept.
    fn settled(&mut self, olds: Range<usize>, news: Range<usize>) -> (usize, usize) {
        let kept_old = olds.clone().filter(|&at| !self.removed[at]);
        let kept_new = news.clone().filter(|&at| !self.added[at]);
        let is_settled = |&(a, b): &(usize, usize)| a - olds.start < SETTLED && b - news.start < SETTLED;
        let last = kept_old.zip(kept_new).take_while(is_settled).last();
        if let Some((a, b)) = last {
            return (a + 1, b + 1);
        }
        let next = (olds.end.min(olds.start + SETTLED), news.end.min(news.start + SETTLED));
        self.removed[olds.start..next.0].fill(true);
        self.added[news.start..next.1].fill(true);
        next
    }

    fn short(&mut self, old: &[Token], new: &[Token], olds: Range<usize>, news: Range<usize>, count: u32) {
        if olds.is_empty() || news.is_empty() {
            self.removed[olds].fill(true);
            self.added[news].fill(true);
            return;
        }
        let (old, new) = (&old[olds.clone()], &new[news.clone()]);
        let mut diff = Diff::default();
        if (count as usize) <= 2 * (old.len() + new.len()) {
            diff.compute_with(Algorithm::Histogram, old, new, count);
        } else {
            let mut numbers = FxHashMap::default(); // a table of all numbers for each small stretch would cost their product
            let (old, new) = (renumbered(old, &mut numbers), renumbered(new, &mut numbers));
            diff.compute_with(Algorithm::Histogram, &old, &new, numbers.len() as u32);
        }
        (0..).zip(olds).for_each(|(at, place)| self.removed[place] = diff.is_removed(at));
        (0..).zip(news).for_each(|(at, place)| self.added[place] = diff.is_added(at));
    }
}

fn renumbered(tokens: &[Token], numbers: &mut FxHashMap<u32, u32>) -> Vec<Token> {
    let mut number = |token: &Token| {
        let next = numbers.len() as u32;
        Token(*numbers.entry(token.0).or_insert(next))
    };
    tokens.iter().map(&mut number).collect()
}

/// Places of numbers that each side has once and that kept their order.
fn fixed(old: &[Token], new: &[Token], count: u32) -> Vec<(usize, usize)> {
    let (old_places, new_places) = (single(old, count), single(new, count));
    let pairs = old.iter().enumerate().filter(|&(at, token)| old_places[token.0 as usize] == Some(at));
    let pairs = pairs.filter_map(|(at, token)| Some((at, new_places[token.0 as usize]?)));
    let pairs: Vec<(usize, usize)> = pairs.collect();
    let places: Vec<u32> = pairs.iter().map(|&(_, new)| new as u32).collect();
    rising(&places).into_iter().map(|at| pairs[at]).collect()
}

/// For each number its place, if it is there once.
fn single(tokens: &[Token], count: u32) -> Vec<Option<usize>> {
    let mut places: Vec<(u32, usize)> = vec![(0, 0); count as usize];
    for (at, token) in tokens.iter().enumerate() {
        let place = &mut places[token.0 as usize];
        *place = (place.0.saturating_add(1), at);
    }
    places.into_iter().map(|(times, at)| (times == 1).then_some(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look like words: a few that are common, many that are not.
    fn words(count: usize, seed: u32) -> Vec<Token> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Token((state >> 16) % (1 << ((state >> 8) % 9)))
        };
        (0..count).map(|_| next()).collect()
    }

    fn assert_in_step(old: &[Token], new: &[Token]) -> usize {
        let steps = Steps::of(old, new, 256);
        assert!(steps.kept().all(|(a, b)| old[a] == new[b]));
        let gone = steps.removed.iter().filter(|&&is| is).count();
        let came = steps.added.iter().filter(|&&is| is).count();
        assert_eq!(old.len() - gone, new.len() - came, "pairs are pairs");
        gone + came
    }

    #[test]
    fn long_sequences_are_in_step_too() {
        let old = words(30_000, 1);
        let mut new = old.clone();
        new.splice(20_000..20_010, words(25, 2));
        new.splice(9_000..9_000, words(300, 3));
        assert!(assert_in_step(&old, &new) <= 335);
        assert_eq!(assert_in_step(&old, &old), 0);
        assert_in_step(&old, &words(20_000, 4));
        assert_in_step(&words(3, 5), &old);
        assert_eq!(assert_in_step(&[], &old), 30_000);
    }

    #[test]
    fn hunks_lie_between_what_is_kept() {
        let [a, b, c, d] = [0, 1, 2, 3].map(Token);
        let hunks = Steps::of(&[a, b, c], &[a, d, c, d], 4).hunks();
        assert_eq!(hunks, [Hunk { old: 1..2, new: 1..2 }, Hunk { old: 3..3, new: 3..4 }]);
    }
}
