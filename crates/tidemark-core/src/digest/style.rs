//! How a page spells its markup: what its author wrote where HTML leaves a choice.
//!
//! A guess at the spelling makes the serialisation resemble the page, and so the residue small. It is found by counting in the
//! source; being wrong costs bytes, never correctness. Cost: one scan of the source.

mod counts;
mod references;

use super::PageDigest;
use counts::Counts;
use memchr::memmem;
pub(crate) use references::LONGEST as LONGEST_REFERENCE;
use references::References;
use std::collections::{BTreeMap, BTreeSet};

/// Choices of spelling for a whole page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    /// Lines end with CR LF, or CR, rather than LF.
    pub(crate) newline: Newline,
    /// How empty elements end: `<br>`, `<br/>`, `<br />`.
    pub(crate) empty: Empty,
    /// What the page does, of all that a page can choose to do.
    pub(crate) choices: Choices,
    /// Characters written as references, with what stands between `&` and `;`.
    pub(crate) references: BTreeMap<char, String>,
    /// Tags (by number) whose start tags are left out, such as `tbody`.
    pub(crate) omitted_starts: BTreeSet<u32>,
    /// Tags whose end tags are left out, such as `li`.
    pub(crate) omitted_ends: BTreeSet<u32>,
}

/// A way of spelling that a page has or has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Tag names in capitals.
    UpperTags,
    /// Attribute names in capitals.
    UpperAttributes,
    /// Attribute values in single quotes.
    SingleQuotes,
    /// Attribute values without quotes where they need none.
    NoQuotes,
    /// `alt` rather than `alt=""`.
    BareAttributes,
    /// `&` in attributes and texts as it is.
    BareAmpersands,
    /// `<!doctype` in small letters.
    SmallDoctype,
    /// A space before the `>` of start tags.
    SpaceBeforeEnd,
}

impl Choice {
    pub(crate) const ALL: [Self; 8] = [
        Self::UpperTags,
        Self::UpperAttributes,
        Self::SingleQuotes,
        Self::NoQuotes,
        Self::BareAttributes,
        Self::BareAmpersands,
        Self::SmallDoctype,
        Self::SpaceBeforeEnd,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::UpperTags => "upper-tags",
            Self::UpperAttributes => "upper-attributes",
            Self::SingleQuotes => "single-quotes",
            Self::NoQuotes => "no-quotes",
            Self::BareAttributes => "bare-attributes",
            Self::BareAmpersands => "bare-ampersands",
            Self::SmallDoctype => "small-doctype",
            Self::SpaceBeforeEnd => "space-before-end",
        }
    }
}

/// A set of choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choices(u8);

impl Choices {
    pub(crate) const fn contains(self, choice: Choice) -> bool {
        self.0 & (1 << choice as u8) != 0
    }

    pub(crate) fn insert(&mut self, choice: Choice) {
        self.0 |= 1 << choice as u8;
    }
}

impl FromIterator<Choice> for Choices {
    fn from_iter<I: IntoIterator<Item = Choice>>(choices: I) -> Self {
        choices.into_iter().fold(Self::default(), |mut set, choice| {
            set.insert(choice);
            set
        })
    }
}

/// End of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Newline {
    #[default]
    Lf,
    CrLf,
    Cr,
}

impl Newline {
    pub(crate) const ALL: [Self; 3] = [Self::Lf, Self::CrLf, Self::Cr];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Lf => "lf",
            Self::CrLf => "crlf",
            Self::Cr => "cr",
        }
    }

    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
        }
    }
}

/// End of an empty element's tag before its `>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Empty {
    #[default]
    Bare,
    Slash,
    SpaceSlash,
}

impl Empty {
    pub(crate) const ALL: [Self; 3] = [Self::Bare, Self::Slash, Self::SpaceSlash];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Slash => "slash",
            Self::SpaceSlash => "space-slash",
        }
    }

    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Bare => "",
            Self::Slash => "/",
            Self::SpaceSlash => " /",
        }
    }
}

impl Style {
    /// Finds the style of a page from its source text.
    pub(crate) fn of(digest: &PageDigest, text: &str) -> Self {
        let mut counts = Counts::new(digest);
        counts.scan(text);
        let occurrences = |needle: &str| memmem::find_iter(text.as_bytes(), needle.as_bytes()).count();
        let (double, single) = (occurrences("=\""), occurrences("='"));
        let references = References::of(text);
        let choices = [
            (Choice::UpperTags, counts.upper > counts.lower),
            (Choice::UpperAttributes, counts.upper_attributes > counts.lower_attributes),
            (Choice::SingleQuotes, single > double),
            (Choice::NoQuotes, counts.unquoted > double + single),
            (Choice::BareAttributes, occurrences("=\"\"") + occurrences("=''") == 0),
            (Choice::BareAmpersands, references.bare > references.escaped),
            (Choice::SmallDoctype, occurrences("<!doctype") > 0),
            (Choice::SpaceBeforeEnd, counts.spaced * 2 > counts.starts.iter().sum()),
        ];
        Self {
            newline: newline(text.as_bytes()),
            empty: counts.empty(),
            choices: choices.into_iter().filter_map(|(choice, made)| made.then_some(choice)).collect(),
            references: references.preferred(digest),
            omitted_starts: counts.rarer(&counts.starts),
            omitted_ends: counts.rarer(&counts.ends),
        }
    }

    pub(crate) fn has(&self, choice: Choice) -> bool {
        self.choices.contains(choice)
    }

    pub(crate) fn doctype(&self) -> &'static str {
        if self.has(Choice::SmallDoctype) { "<!doctype " } else { "<!DOCTYPE " }
    }

    pub(crate) fn omits_start(&self, tag: u32) -> bool {
        self.omitted_starts.contains(&tag)
    }

    pub(crate) fn omits_end(&self, tag: u32) -> bool {
        self.omitted_ends.contains(&tag)
    }
}

fn newline(bytes: &[u8]) -> Newline {
    let returns = memchr::memchr_iter(b'\r', bytes).count();
    if returns == 0 {
        return Newline::Lf;
    }
    let pairs = memmem::find_iter(bytes, b"\r\n").count();
    let feeds = memchr::memchr_iter(b'\n', bytes).count() - pairs;
    if pairs >= feeds && pairs * 2 >= returns {
        Newline::CrLf
    } else if returns - pairs > feeds {
        Newline::Cr
    } else {
        Newline::Lf
    }
}
