//! Languages whose inflected forms are known.

use snowball_stemmers_rs::{Algorithm, Stemmer};

/// Declares the languages, each with its codes in ISO 639; the stemmers have the same names.
macro_rules! languages {
    ($($name:ident $codes:pat,)*) => {
        /// A language whose inflected forms are known, or another.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Language {
            $(#[doc = concat!("The language ", stringify!($name), ".")] $name,)*
            /// A language whose words are compared as they stand.
            Other,
        }

        impl Language {
            /// All languages whose inflected forms are known.
            pub const KNOWN: &[Self] = &[$(Self::$name),*];

            /// The language of a tag as in `lang="de-AT"` (BCP 47); only its first part counts. A page that names
            /// none is taken for English, as by [`Default`].
            pub fn of(tag: &str) -> Self {
                let primary = tag.trim().split(['-', '_']).next().unwrap_or_default();
                match primary.to_ascii_lowercase().as_str() {
                    $($codes => Self::$name,)*
                    _ => Self::Other,
                }
            }

            pub(super) fn stemmer(self) -> Option<Stemmer> {
                match self {
                    $(Self::$name => Some(Stemmer::create(Algorithm::$name)),)*
                    Self::Other => None,
                }
            }
        }
    };
}

/// English is what most pages that do not say are written in, and its base forms harm other languages least: they are whole
/// words, not stems.
impl Default for Language {
    fn default() -> Self {
        Self::English
    }
}

languages! {
    Arabic "ar" | "ara",
    Armenian "hy" | "hye" | "arm",
    Basque "eu" | "eus" | "baq",
    Catalan "ca" | "cat",
    Czech "cs" | "ces" | "cze",
    Danish "da" | "dan",
    Dutch "nl" | "nld" | "dut",
    English "en" | "eng" | "",
    Esperanto "eo" | "epo",
    Estonian "et" | "est",
    Finnish "fi" | "fin",
    French "fr" | "fra" | "fre",
    German "de" | "deu" | "ger",
    Greek "el" | "ell" | "gre",
    Hindi "hi" | "hin",
    Hungarian "hu" | "hun",
    Indonesian "id" | "ind",
    Irish "ga" | "gle",
    Italian "it" | "ita",
    Lithuanian "lt" | "lit",
    Nepali "ne" | "nep",
    Norwegian "no" | "nb" | "nn" | "nor" | "nob" | "nno",
    Persian "fa" | "fas" | "per",
    Polish "pl" | "pol",
    Portuguese "pt" | "por",
    Romanian "ro" | "ron" | "rum",
    Russian "ru" | "rus",
    Serbian "sr" | "srp",
    Sesotho "st" | "sot",
    Spanish "es" | "spa",
    Swedish "sv" | "swe",
    Tamil "ta" | "tam",
    Turkish "tr" | "tur",
    Ukrainian "uk" | "ukr",
    Yiddish "yi" | "yid",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_known_by_the_first_part_of_its_tag() {
        for (tag, language) in [
            ("de-AT", Language::German),
            ("EN_us", Language::English),
            (" nb ", Language::Norwegian),
            ("zh-Hant-TW", Language::Other),
            ("", Language::English),
            ("denglisch", Language::Other),
        ] {
            assert_eq!(Language::of(tag), language, "{tag}");
        }
    }
}
