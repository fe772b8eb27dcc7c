//! What a reader is interested in, gathered from the files that the command line names.

use crate::cli::{ExpansionOptions, InterestOptions, ReaderOptions, ReadingOptions};
use crate::input;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::path::Path;
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::page::Limits;
use tidemark_core::profile::foaf::FoafPage;
use tidemark_core::profile::{Foaf, Language, Matcher, Profile, Term};

/// What a reader is interested in, ready to be looked for.
pub(crate) fn matcher(reader: &ReaderOptions, reading: &ReadingOptions) -> Result<Matcher> {
    let interests = Interests::load(reader.profile.as_deref(), &reader.interests, reading)?;
    Ok(interests.matcher(&reader.expansion))
}

/// A profile with everything that was added to it.
pub(crate) struct Interests {
    pub(crate) profile: Profile,
    /// Pages that FOAF files name; reading them is left to the reader of this list.
    pub(crate) pages: Vec<FoafPage>,
}

impl Interests {
    pub(crate) fn load(
        profile: Option<&Path>,
        options: &InterestOptions,
        reading: &ReadingOptions,
    ) -> Result<Self> {
        let profile = profile.map_or_else(|| Ok(Profile::default()), |path| read(path, reading))?;
        let mut interests = Self { profile, pages: Vec::new() };
        let language = Language::of(&options.term_language);
        for written in &options.term {
            let term = Term::parse(written, language);
            interests.profile.add([term.with_context(|| format!("cannot read --term '{written}'"))?]);
        }
        for path in &options.foaf {
            interests.add_foaf(path, reading)?;
        }
        for path in &options.pages {
            let page = input::digest(path, reading)?;
            let lines = page.visible_lines(NodeId::ROOT);
            interests.profile.add_page(&input::name(path), &lines, language_of(&page), options.key_terms);
        }
        Ok(interests)
    }

    /// The profile as it is written, a term a line; where the terms are from is not kept.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let mut language = Language::default();
        for term in &self.profile.terms {
            if term.language != language {
                language = term.language;
                let _ = writeln!(text, "language: {}", tag(language));
            }
            let sign = if term.negative {
                "-"
            } else if term.expands {
                ""
            } else {
                "="
            };
            let weight = if term.weight < 1.0 { format!(" *{}", term.weight) } else { String::new() };
            let _ = writeln!(text, "{sign}\"{}\"{weight}", term.words);
        }
        text
    }

    /// The profile with related words.
    pub(crate) fn expanded(&self, options: &ExpansionOptions) -> Profile {
        if options.no_expand {
            return self.profile.clone();
        }
        self.profile.expand(&options.reach.unwrap_or_default())
    }

    /// Ready to be looked for, related words included.
    pub(crate) fn matcher(&self, options: &ExpansionOptions) -> Matcher {
        Matcher::new(&self.expanded(options))
    }

    fn add_foaf(&mut self, path: &Path, reading: &ReadingOptions) -> Result<()> {
        let bytes = input::bytes(path, &reading.limits.limits())?;
        let foaf = Foaf::read(&bytes, None)
            .with_context(|| format!("cannot read {} as a FOAF file", input::name(path)))?;
        self.profile.add(foaf.terms);
        self.pages.extend(foaf.pages);
        Ok(())
    }
}

fn read(path: &Path, reading: &ReadingOptions) -> Result<Profile> {
    let limits: Limits = reading.limits.limits();
    let bytes = input::bytes(path, &limits)?;
    let text = String::from_utf8(bytes)
        .with_context(|| format!("cannot read {}: a profile is text in UTF-8", input::name(path)))?;
    Profile::parse(&text).with_context(|| {
        format!("cannot read {}; docs/profiles.md tells how profiles are written", input::name(path))
    })
}

/// The first code of two letters that is read as a language.
fn tag(language: Language) -> String {
    let codes = ('a'..='z').flat_map(|first| ('a'..='z').map(move |second| format!("{first}{second}")));
    codes.into_iter().find(|code| Language::of(code) == language).unwrap_or_default()
}

/// What a page says it is written in.
fn language_of(page: &PageDigest) -> Language {
    let named = page.tagged("html").next().and_then(|html| page.attribute(html, "lang"));
    named.map_or_else(Language::default, Language::of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_written_as_it_is_read() {
        let profile =
            Profile::parse("storm\n\"interest rate\" *0.5\n-lamp\nlanguage: de\n=Bank\nlanguage: zz\nxyz\n")
                .unwrap();
        let text = Interests { profile: profile.clone(), pages: Vec::new() }.text();
        assert_eq!(Profile::parse(&text).unwrap(), profile, "{text}");
        assert_eq!(Language::of(&tag(Language::German)), Language::German);
    }
}
