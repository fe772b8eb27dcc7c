//! Words of a text: Unicode words as UAX 29 cuts them, case kept.
//!
//! Source: Unicode Standard Annex 29, by `unicode-segmentation`. Cost: linear, no allocation.

use unicode_segmentation::UnicodeSegmentation;

/// The words of a text in order; punctuation and space are left out.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.unicode_words()
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_are_cut_as_unicode_says() {
        let found: Vec<_> = super::words("The price: 3.50 €, isn't it? Straße!").collect();
        assert_eq!(found, ["The", "price", "3.50", "isn't", "it", "Straße"]);
    }
}
