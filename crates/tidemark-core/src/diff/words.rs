//! Two texts word by word.
//!
//! Source: words as UAX 29 bounds them, punctuation and space included; the histogram method of git, by imara-diff, which stays near linear
//! on any input. Cost: the ends that are equal are found byte by byte, and only what lies between them is cut into words.

use super::sequence::{Hunk, LONG, Steps};
use crate::page::words::pieces;
use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::FxHasher;
use std::hash::{BuildHasher as _, BuildHasherDefault};
use std::ops::Range;

/// A stretch of two texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Whether both sides are the same here; if not, the old side was replaced by the new one, and one of them may be empty.
    pub same: bool,
    /// Bytes of the old text.
    pub old: Range<usize>,
    /// Bytes of the new text.
    pub new: Range<usize>,
}

/// How two texts differ: runs that are the same and runs that are not, in turn, covering both.
pub fn compare(old: &str, new: &str) -> Vec<Run> {
    let (start, end) = equal_ends(old, new);
    let (old_middle, new_middle) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    let mut runs = Runs::default();
    runs.push(true, start, start);
    if old_middle.is_empty() || new_middle.is_empty() {
        runs.push(false, old_middle.len(), new_middle.len());
    } else {
        middle(old_middle, new_middle, &mut runs);
    }
    runs.push(true, end, end);
    runs.runs
}

fn middle(old: &str, new: &str, runs: &mut Runs) {
    if is_unlike(old, new) {
        runs.push(false, old.len(), new.len());
        return;
    }
    let mut input = InternedInput::default();
    input.update_before(pieces(old));
    input.update_after(pieces(new));
    let length = |tokens: &[imara_diff::Token]| -> usize {
        tokens.iter().map(|&token| input.interner[token].len()).sum()
    };
    let mut before = 0;
    for hunk in hunks(&input) {
        let kept = length(&input.before[before..hunk.old.start]);
        runs.push(true, kept, kept);
        before = hunk.old.end;
        runs.push(false, length(&input.before[hunk.old]), length(&input.after[hunk.new]));
    }
    let kept = length(&input.before[before..]);
    runs.push(true, kept, kept);
}

/// Fewest words for which it is worth asking whether two texts have anything in common.
const SOME: usize = 12;

/// Whether two texts share so few words that one was replaced by the other: nobody reads a thousand words crossed out one by one. Cost: linear.
fn is_unlike(old: &str, new: &str) -> bool {
    let words = old.split_ascii_whitespace().count();
    if words < SOME {
        return false;
    }
    let bits = (8 * words).next_power_of_two();
    let mut met = vec![0u64; bits.div_ceil(64)];
    let hasher = BuildHasherDefault::<FxHasher>::default();
    let place = |word: &str| (hasher.hash_one(word) >> 7) as usize & (bits - 1);
    old.split_ascii_whitespace().map(place).for_each(|at| met[at / 64] |= 1 << (at % 64));
    let (mut all, mut common) = (0usize, 0usize);
    for at in new.split_ascii_whitespace().map(place) {
        all += 1;
        common += usize::from(met[at / 64] >> (at % 64) & 1 == 1);
    }
    all >= SOME && 4 * common < all
}

/// What was replaced. Short texts are made to read well, too: neighbouring changes become one.
fn hunks(input: &InternedInput<&str>) -> Vec<Hunk> {
    if input.before.len() + input.after.len() > LONG {
        return Steps::of(&input.before, &input.after, input.interner.num_tokens()).hunks();
    }
    let mut diff = Diff::compute(Algorithm::Histogram, input);
    diff.postprocess_no_heuristic(input);
    let range = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| Hunk { old: range(hunk.before), new: range(hunk.after) }).collect()
}

/// Runs as they are appended: of one sort in turn, none empty.
#[derive(Default)]
struct Runs {
    runs: Vec<Run>,
}

impl Runs {
    fn push(&mut self, same: bool, old: usize, new: usize) {
        if old + new == 0 {
            return;
        }
        let (old_start, new_start) = self.runs.last().map_or((0, 0), |last| (last.old.end, last.new.end));
        match self.runs.last_mut() {
            Some(last) if last.same == same => {
                last.old.end += old;
                last.new.end += new;
            }
            _ => {
                let (old, new) = (old_start..old_start + old, new_start..new_start + new);
                self.runs.push(Run { same, old, new });
            }
        }
    }
}

/// Lengths of the equal beginning and the equal end, neither of which cuts a word.
fn equal_ends(old: &str, new: &str) -> (usize, usize) {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let start = if start == a.len() && start == b.len() { start } else { back_to_space(a, start) };
    let room = a.len().min(b.len()) - start;
    let end = a.iter().rev().zip(b.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    (start, on_to_space(a, end))
}

/// Space of ASCII is always a bound of words next to what is no space, so a cut behind or before it cuts no word.
fn back_to_space(text: &[u8], start: usize) -> usize {
    text[..start].iter().rposition(|&byte| byte == b' ' || byte == b'\n').unwrap_or(0)
}

fn on_to_space(text: &[u8], end: usize) -> usize {
    let start = text.len() - end;
    text[start..].iter().position(|&byte| byte == b' ' || byte == b'\n').map_or(0, |skipped| end - skipped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> String {
        let runs = compare(old, new);
        let side = |text: fn(&Run) -> Range<usize>, whole: &str| -> String {
            runs.iter().map(|run| &whole[text(run)]).collect()
        };
        assert_eq!(side(|run| run.old.clone(), old), old);
        assert_eq!(side(|run| run.new.clone(), new), new);
        runs.iter()
            .map(|run| {
                let (old, new) = (&old[run.old.clone()], &new[run.new.clone()]);
                if run.same { old.to_owned() } else { format!("[{old}→{new}]") }
            })
            .collect()
    }

    #[test]
    fn words_are_told_apart() {
        assert_eq!(shown("", ""), "");
        assert_eq!(shown("a b", "a b"), "a b");
        assert_eq!(shown("", "a"), "[→a]");
        assert_eq!(shown("costs 10 €", "costs 12 €"), "costs [10→12] €");
        assert_eq!(shown("one three", "one two three"), "one[→ two] three");
        assert_eq!(shown("one two three", "one three"), "one[ two→] three");
        assert_eq!(shown("Straße", "Straßen"), "[Straße→Straßen]");
        assert_eq!(shown("price 1.50", "price 1.55"), "price [1.50→1.55]");
        assert_eq!(shown("a b c d", "d c b a").matches('[').count(), 2);
        assert_eq!(
            shown("(it's 3.5 km)\t日本語の本", "(it's 3.6 km)\t日本語の木"),
            "(it's [3.5→3.6] km)\t日本語の[本→木]"
        );
    }

    #[test]
    fn texts_with_nothing_in_common_are_replaced_as_a_whole() {
        let text = |word: &str| (0..40).map(|number| format!("{word}{number} ")).collect::<String>();
        assert_eq!(compare(&text("a"), &text("b")).iter().filter(|run| !run.same).count(), 1);
        assert_eq!(
            compare(&text("a"), &text("a").replace("a7 ", "x ")).iter().filter(|run| !run.same).count(),
            1
        );
    }
}
