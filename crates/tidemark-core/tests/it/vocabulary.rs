//! WordNet and inflection under any query: no panic, the same answer twice, what is promised of it.

use proptest::prelude::*;
use tidemark_core::profile::inflection::{Language, fold, keys};
use tidemark_core::profile::wordnet::{Reach, WordNet};

/// Letters that endings and stems are made of, apostrophes, marks that combine, other scripts.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zäéßœ'’ ]{0,12}(s|es|ing|ed|ies|men|est|ung|ment|'s)?",
        "[а-яёЁα-ωάΣء-يا-ی\u{900}-\u{94d}\u{b85}-\u{bcd}א-ת'\u{301}\u{200d}]{0,12}",
        "\\PC{0,20}",
    ]
}

proptest! {
    #[test]
    fn any_word_has_keys(word in word()) {
        for &language in Language::KNOWN.iter().chain([&Language::Other]) {
            let found = keys(&word, language);
            prop_assert_eq!(&found, &keys(&word, language));
            prop_assert!(found.is_empty() == fold(&word).is_empty());
            prop_assert!(found.first().is_none_or(|first| *first == fold(&word)));
        }
    }

    #[test]
    fn any_term_may_be_asked_for(term in word(), senses in 0..4usize, down in 0..4usize, up in 0..4usize, most in 0..40usize) {
        let (wordnet, reach) = (WordNet::get(), Reach { senses, down, up, most });
        let found = wordnet.related(&term, &reach);
        prop_assert!(found.len() <= most && found.iter().all(|one| one.weight > 0.0 && one.weight < 1.0));
        prop_assert_eq!(found, wordnet.related(&term, &reach));
        prop_assert!(u64::from(wordnet.frequency(&term)) < wordnet.total());
        for lemma in wordnet.lemmas(&term) {
            prop_assert!(wordnet.lemmas(&lemma).contains(&lemma), "a base form is its own base form");
        }
    }
}
