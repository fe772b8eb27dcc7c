//! Other words in place of those of a text.

use crate::generate;
use fastrand::Rng;

/// A common word.
pub(super) fn word(rng: &mut Rng) -> &'static str {
    generate::common_word(rng)
}

/// The text with all its words replaced, the space between them kept.
pub(super) fn other(text: &str, rng: &mut Rng) -> String {
    replaced(text, |_| true, rng)
}

/// The text with one to three of its words replaced.
pub(super) fn some_other(text: &str, rng: &mut Rng) -> String {
    let count = text.split_whitespace().count().max(1);
    let first = rng.usize(..count);
    let end = first + rng.usize(1..=3);
    replaced(text, |at| (first..end).contains(&at), rng)
}

fn replaced(text: &str, chosen: impl Fn(usize) -> bool, rng: &mut Rng) -> String {
    let mut out = String::with_capacity(text.len());
    let mut words = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let kept = piece.trim_end_matches(char::is_whitespace);
        let is_chosen = !kept.is_empty() && chosen(words);
        words += usize::from(!kept.is_empty());
        out.extend([if is_chosen { word(rng) } else { kept }, &piece[kept.len()..]]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_change_and_space_stays() {
        let rng = &mut Rng::with_seed(1);
        let shape = |text: &str| text.chars().filter(|c| c.is_whitespace()).collect::<String>();
        let text = "  one two\n three ";
        assert_eq!(shape(&other(text, rng)), shape(text));
        assert_eq!(other(" \n", rng), " \n");
        let kept =
            some_other("a b c d e f g h", rng).split(' ').filter(|word| "abcdefgh".contains(word)).count();
        assert!((5..=8).contains(&kept));
    }
}
