//! Words of a text: Unicode words as UAX 29 cuts them, case kept.
//!
//! Source: Unicode Standard Annex 29, by `unicode-segmentation`. Cost: linear, no allocation. UAX 29 joins nothing across ASCII space, and what is only
//! letters and digits of ASCII is one word; the full rules, which cost many times as much, are asked about the rest.

use unicode_segmentation::{UWordBounds, UnicodeSegmentation};

/// The words of a text in order; punctuation and space are left out.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).filter(|piece| piece.chars().any(char::is_alphanumeric))
}

/// The words of a text with everything between them. Space in a row is one piece.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
    let mut rest = text;
    let mut cut: Option<UWordBounds<'_>> = None;
    std::iter::from_fn(move || {
        if let Some(piece) = cut.as_mut().and_then(Iterator::next) {
            return Some(piece);
        }
        let bytes = rest.as_bytes();
        let first = bytes.first()?;
        let length = bytes.iter().take_while(|byte| is_space(byte) == is_space(first)).count();
        let (chunk, tail) = rest.split_at(length);
        rest = tail;
        if is_space(first) || chunk.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Some(chunk);
        }
        cut.insert(chunk.split_word_bounds()).next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 8] = [
        "",
        "a b",
        "The price: 3.50 €, isn't it? Straße!",
        "x_y 1,000.5;z",
        "日本語 テスト\u{301}",
        "a\u{200d}b 👩‍👩‍👧 c",
        "U.S.A. don't\r\nstop ",
        "\u{301}x \u{200d}y ab\u{301} 7\u{301}",
    ];

    #[test]
    fn words_are_cut_as_unicode_says() {
        let found: Vec<_> = words("The price: 3.50 €, isn't it? Straße!").collect();
        assert_eq!(found, ["The", "price", "3.50", "isn't", "it", "Straße"]);
        for text in TEXTS {
            assert_eq!(words(text).collect::<Vec<_>>(), text.unicode_words().collect::<Vec<_>>(), "{text}");
        }
    }

    #[test]
    fn pieces_make_up_the_text() {
        for text in TEXTS {
            assert_eq!(pieces(text).collect::<String>(), text);
        }
        assert_eq!(pieces("a  \n b").collect::<Vec<_>>(), ["a", "  \n ", "b"], "space is one piece");
    }
}
