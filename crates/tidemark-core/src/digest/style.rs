//! How a page spells its markup: what its author wrote where HTML leaves a choice.
//!
//! A guess at the spelling makes the serialisation resemble the page, and so the residue small. It is found by counting in the
//! source; being wrong costs bytes, never correctness. Cost: one scan of the source.

use super::serialise::is_void;
use super::{Kind, PageDigest};
use crate::page::Format;
use crate::page::arena::Space;
use memchr::memmem;
use rustc_hash::FxHashMap;
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

/// The character references in a source.
#[derive(Default)]
struct References<'a> {
    /// How often each spelling stands for each character.
    spellings: BTreeMap<(char, &'a str), usize>,
    /// Ampersands that begin no reference, and those written `&amp;`.
    bare: usize,
    escaped: usize,
}

impl<'a> References<'a> {
    const LONGEST: usize = 12;

    fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut references = Self::default();
        for at in memchr::memchr_iter(b'&', bytes) {
            let rest = &bytes[at + 1..bytes.len().min(at + 1 + Self::LONGEST)];
            let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'#').count();
            let name = &text[at + 1..at + 1 + length];
            match referenced(name).filter(|_| rest.get(length) == Some(&b';')) {
                Some('&') => references.escaped += 1,
                Some(character) => *references.spellings.entry((character, name)).or_default() += 1,
                None => references.bare += 1,
            }
        }
        references
    }

    /// Characters that the page writes as references more often than not.
    fn preferred(&self, digest: &PageDigest) -> BTreeMap<char, String> {
        let mut best: BTreeMap<char, (usize, usize, &str)> = BTreeMap::new(); // all, most, its name
        for (&(character, name), &count) in &self.spellings {
            let entry = best.entry(character).or_insert((0, 0, name));
            entry.0 += count;
            if count > entry.1 {
                (entry.1, entry.2) = (count, name);
            }
        }
        let mut written: BTreeMap<char, usize> = best.keys().map(|&character| (character, 0)).collect();
        let columns = digest.columns();
        let texts = digest.tagged(Kind::Text.name()).map(|node| columns.content_of(node.index()));
        if !written.is_empty() {
            for character in texts.chain([columns.attribute_values]).flat_map(str::chars) {
                if let Some(count) = written.get_mut(&character) {
                    *count += 1;
                }
            }
        }
        best.retain(|character, (all, _, _)| *all * 2 > written[character]);
        best.into_iter().map(|(character, (_, _, name))| (character, name.to_owned())).collect()
    }
}

/// The one character that a reference stands for.
fn referenced(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
            None => number.parse(),
        };
        return char::from_u32(code.ok()?).filter(|c| !c.is_control());
    }
    let key = format!("{name};");
    let &(first, second) = html5ever::data::NAMED_ENTITIES.get(key.as_str())?;
    (first != 0 && second == 0).then(|| char::from_u32(first)).flatten()
}

/// What stands in the source, tag by tag.
struct Counts<'a> {
    digest: &'a PageDigest,
    by_name: FxHashMap<&'a str, u32>,
    starts: Vec<usize>,
    ends: Vec<usize>,
    upper: usize,
    lower: usize,
    upper_attributes: usize,
    lower_attributes: usize,
    unquoted: usize,
    spaced: usize,
    /// Tags that could be empty-element tags, by how they end.
    empties: [usize; 3],
}

impl<'a> Counts<'a> {
    fn new(digest: &'a PageDigest) -> Self {
        let columns = digest.columns();
        let tags = columns.tag_kinds.len();
        let elements = (0..tags as u32).filter(|&tag| columns.kind_of_tag(tag) == Kind::Element);
        Self {
            digest,
            by_name: elements.map(|tag| (columns.tag_name(tag), tag)).collect(),
            starts: vec![0; tags],
            ends: vec![0; tags],
            upper: 0,
            lower: 0,
            upper_attributes: 0,
            lower_attributes: 0,
            unquoted: 0,
            spaced: 0,
            empties: [0; 3],
        }
    }

    fn scan(&mut self, text: &str) {
        let bytes = text.as_bytes();
        for at in memchr::memchr_iter(b'<', bytes) {
            let is_end = bytes.get(at + 1) == Some(&b'/');
            let start = at + 1 + usize::from(is_end);
            let ends_name = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'/' | b'>');
            let length = bytes[start..].iter().take(64).take_while(|b| !ends_name(b)).count();
            let Some(tag) = text.get(start..start + length).and_then(|name| self.tag(name)) else { continue };
            if is_end {
                self.ends[tag as usize] += 1;
            } else {
                self.starts[tag as usize] += 1;
                let rest = &bytes[start + length..];
                self.start_tag(tag, &rest[..memchr::memchr(b'>', rest).unwrap_or(0)]);
            }
        }
    }

    /// The tag of a name, in capitals or not.
    fn tag(&mut self, name: &str) -> Option<u32> {
        if let Some(&tag) = self.by_name.get(name) {
            self.lower += 1;
            return Some(tag);
        }
        let tag = *self.by_name.get(name.to_ascii_lowercase().as_str())?;
        self.upper += 1;
        Some(tag)
    }

    /// Counts how the rest of a start tag is spelled.
    fn start_tag(&mut self, tag: u32, rest: &[u8]) {
        for equals in memchr::memchr_iter(b'=', rest) {
            let before = rest[..equals].last().copied().unwrap_or(b' ');
            self.upper_attributes += usize::from(before.is_ascii_uppercase());
            self.lower_attributes += usize::from(before.is_ascii_lowercase());
            self.unquoted += usize::from(rest.get(equals + 1).is_some_and(u8::is_ascii_alphanumeric));
        }
        self.spaced += usize::from(rest.ends_with(b" "));
        let columns = self.digest.columns();
        if columns.space_of_tag(tag) != Space::Html || is_void(columns.tag_name(tag)) {
            let empty = match rest {
                [.., b' ', b'/'] => Empty::SpaceSlash,
                [.., b'/'] => Empty::Slash,
                _ => Empty::Bare,
            };
            self.empties[empty as usize] += 1;
        }
    }

    fn empty(&self) -> Empty {
        let [bare, slash, space_slash] = self.empties;
        let xml = self.digest.about().format == Format::Xml;
        if slash + space_slash == 0 || (!xml && bare > slash + space_slash) {
            Empty::Bare
        } else if slash >= space_slash {
            Empty::Slash
        } else {
            Empty::SpaceSlash
        }
    }

    /// HTML tags of which the page writes fewer than half.
    fn rarer(&self, written: &[usize]) -> BTreeSet<u32> {
        let columns = self.digest.columns();
        let mut nodes = vec![0; written.len()];
        columns.tags.iter().for_each(|&tag| nodes[tag as usize] += 1);
        let omitted = |tag: &u32| written[*tag as usize] * 2 < nodes[*tag as usize];
        let html = |tag: &u32| columns.space_of_tag(*tag) == Space::Html;
        let has_end = |tag: &u32| !is_void(columns.tag_name(*tag));
        self.by_name.values().copied().filter(html).filter(has_end).filter(omitted).collect()
    }
}
