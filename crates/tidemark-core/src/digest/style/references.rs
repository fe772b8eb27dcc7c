//! Which characters a page writes as references, such as `&nbsp;` or `&#8217;`.

use crate::digest::{Kind, PageDigest};
use std::collections::BTreeMap;

/// Longest name of a reference that is looked at.
pub(crate) const LONGEST: usize = 12;

/// The character references in a source.
#[derive(Default)]
pub(super) struct References<'a> {
    /// How often each spelling stands for each character.
    spellings: BTreeMap<(char, &'a str), usize>,
    /// Ampersands that begin no reference, and those written `&amp;`.
    pub(super) bare: usize,
    pub(super) escaped: usize,
}

impl<'a> References<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut references = Self::default();
        for at in memchr::memchr_iter(b'&', bytes) {
            let rest = &bytes[at + 1..bytes.len().min(at + 1 + LONGEST)];
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
    pub(super) fn preferred(&self, digest: &PageDigest) -> BTreeMap<char, String> {
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
