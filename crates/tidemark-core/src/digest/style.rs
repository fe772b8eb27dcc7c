//! How a page spells its markup: what its author wrote where HTML leaves a choice.
//!
//! A guess at the spelling makes the serialisation resemble the page, and so the residue small. It is found by counting in the
//! source; being wrong costs bytes, never correctness. Cost: one scan of the source.

use super::serialise::is_void;
use super::{Kind, PageDigest};
use crate::page::arena::Space;
use memchr::memmem;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Choices of spelling for a whole page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    /// Lines end with CR LF, or CR, rather than LF.
    pub(crate) newline: Newline,
    /// How empty elements end: `<br>`, `<br/>`, `<br />`.
    pub(crate) empty: Empty,
    /// Tag names in capitals.
    pub(crate) upper: bool,
    /// Attribute values in single quotes.
    pub(crate) single_quotes: bool,
    /// `&` in attributes and texts as it is.
    pub(crate) bare_ampersands: bool,
    /// `&nbsp;` for no-break spaces.
    pub(crate) named_spaces: bool,
    /// `&gt;` in texts.
    pub(crate) named_greater: bool,
    /// `<!doctype` in small letters.
    pub(crate) small_doctype: bool,
    /// Tags (by number) whose start tags are left out, such as `tbody`.
    pub(crate) omitted_starts: BTreeSet<u32>,
    /// Tags whose end tags are left out, such as `li`.
    pub(crate) omitted_ends: BTreeSet<u32>,
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

impl Style {
    /// Finds the style of a page from its source text.
    pub(crate) fn of(digest: &PageDigest, text: &str) -> Self {
        let mut counts = Counts::new(digest);
        counts.scan(text);
        let bytes = text.as_bytes();
        let occurrences = |needle: &str| memmem::find_iter(bytes, needle.as_bytes()).count();
        let single = occurrences("='");
        let ampersands = memchr::memchr_iter(b'&', bytes).count();
        let mut style = Self {
            newline: newline(bytes),
            empty: counts.empty(),
            upper: counts.upper > counts.lower,
            single_quotes: single > occurrences("=\""),
            bare_ampersands: occurrences("&amp;") * 2 < ampersands.saturating_sub(counts.references(text)),
            named_spaces: occurrences("&nbsp;") > occurrences("\u{a0}"),
            named_greater: occurrences("&gt;") > 0,
            small_doctype: occurrences("<!doctype") > 0,
            ..Self::default()
        };
        counts.omissions(&mut style);
        style
    }

    pub(crate) fn doctype(&self) -> &'static str {
        if self.small_doctype { "<!doctype " } else { "<!DOCTYPE " }
    }

    pub(crate) fn empty_end(&self) -> &'static str {
        match self.empty {
            Empty::Bare => "",
            Empty::Slash => "/",
            Empty::SpaceSlash => " /",
        }
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

/// What stands in the source, tag by tag.
struct Counts<'a> {
    digest: &'a PageDigest,
    by_name: FxHashMap<&'a str, u32>,
    starts: Vec<usize>,
    ends: Vec<usize>,
    upper: usize,
    lower: usize,
    bare: usize,
    slash: usize,
    space_slash: usize,
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
            bare: 0,
            slash: 0,
            space_slash: 0,
        }
    }

    fn scan(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut lowered = String::new();
        for at in memchr::memchr_iter(b'<', bytes) {
            let is_end = bytes.get(at + 1) == Some(&b'/');
            let start = at + 1 + usize::from(is_end);
            let length = bytes[start..]
                .iter()
                .take(64)
                .take_while(|&&b| !b.is_ascii_whitespace() && !matches!(b, b'/' | b'>'))
                .count();
            let Some(name) = text.get(start..start + length) else { continue };
            let mut tag = self.by_name.get(name).copied();
            if tag.is_none() {
                lowered.clear();
                lowered.push_str(name);
                lowered.make_ascii_lowercase();
                tag = self.by_name.get(lowered.as_str()).copied();
                self.upper += usize::from(tag.is_some());
            } else {
                self.lower += 1;
            }
            let Some(tag) = tag else { continue };
            if is_end {
                self.ends[tag as usize] += 1;
            } else {
                self.starts[tag as usize] += 1;
                self.empty_tag(tag, &bytes[start + length..]);
            }
        }
    }

    /// Counts how the tag ends, if it could be an empty-element tag.
    fn empty_tag(&mut self, tag: u32, rest: &[u8]) {
        let columns = self.digest.columns();
        if columns.space_of_tag(tag) == Space::Html && !is_void(columns.tag_name(tag)) {
            return;
        }
        match memchr::memchr(b'>', rest).map(|end| &rest[..end]) {
            Some(tag) if tag.ends_with(b" /") => self.space_slash += 1,
            Some(tag) if tag.ends_with(b"/") => self.slash += 1,
            _ => self.bare += 1,
        }
    }

    fn empty(&self) -> Empty {
        let xml = self.digest.about().format == crate::page::Format::Xml;
        let closed = self.slash + self.space_slash;
        if closed == 0 || (!xml && self.bare > closed) {
            Empty::Bare
        } else if self.slash >= self.space_slash {
            Empty::Slash
        } else {
            Empty::SpaceSlash
        }
    }

    /// Roughly, the ampersands that begin a reference other than `&amp;`.
    fn references(&self, text: &str) -> usize {
        let bytes = text.as_bytes();
        memchr::memchr_iter(b'&', bytes)
            .filter(|&at| {
                let rest = &bytes[at + 1..bytes.len().min(at + 12)];
                let name = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'#').count();
                rest.get(name) == Some(&b';') && !rest.starts_with(b"amp;")
            })
            .count()
    }

    /// Tags of which the page writes fewer than half.
    fn omissions(&self, style: &mut Style) {
        let columns = self.digest.columns();
        let mut nodes = vec![0; self.starts.len()];
        columns.tags.iter().for_each(|&tag| nodes[tag as usize] += 1);
        for &tag in self.by_name.values() {
            if columns.space_of_tag(tag) != Space::Html {
                continue;
            }
            if self.starts[tag as usize] * 2 < nodes[tag as usize] {
                style.omitted_starts.insert(tag);
            }
            if self.ends[tag as usize] * 2 < nodes[tag as usize] {
                style.omitted_ends.insert(tag);
            }
        }
    }
}
