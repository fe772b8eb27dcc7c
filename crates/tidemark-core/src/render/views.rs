//! Links, images and numbers: views of their own on the same changes.

use super::{Change, ChangeKind, Changes, SpanKind};
use crate::digest::{Kind, NodeId, PageDigest};
use rustc_hash::FxHashMap;

/// A link or an image that came or went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Whether it came ([`ChangeKind::Added`]) or went ([`ChangeKind::Removed`]).
    pub kind: ChangeKind,
    /// Its address as the page has it.
    pub address: String,
    /// Its text, or the description of an image.
    pub text: String,
}

/// A number that took another's place.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// The change it is part of.
    pub change: usize,
    /// What was written.
    pub old: String,
    /// What is written.
    pub new: String,
    /// By how much it grew, in percent; none if it was 0.
    pub percent: Option<f64>,
}

/// Links of only one of the pages, by address.
pub fn links(old: &PageDigest, new: &PageDigest) -> Vec<Target> {
    targets(old, new, "a", "href", |page, node| super::outline::beginning(page, node, 80))
}

/// Images of only one of the pages, by address.
pub fn images(old: &PageDigest, new: &PageDigest) -> Vec<Target> {
    targets(old, new, "img", "src", |page, node| page.attribute(node, "alt").unwrap_or_default().to_owned())
}

/// Compares by address, as often as it occurs: a second link to the same place is news as well.
fn targets(
    old: &PageDigest,
    new: &PageDigest,
    element: &str,
    attribute: &str,
    text: impl Fn(&PageDigest, NodeId) -> String,
) -> Vec<Target> {
    let list = |page: &PageDigest| -> Vec<(String, NodeId)> {
        let elements = page.tagged(element).filter(|&node| page.kind(node) == Kind::Element);
        elements.filter_map(|node| Some((page.attribute(node, attribute)?.trim().to_owned(), node))).collect()
    };
    let (old_list, new_list) = (list(old), list(new));
    let mut counts: FxHashMap<&str, i64> = FxHashMap::default();
    old_list.iter().for_each(|(address, _)| *counts.entry(address).or_default() += 1);
    new_list.iter().for_each(|(address, _)| *counts.entry(address).or_default() -= 1);
    let mut found = Vec::new();
    for (kind, page, list, sign) in
        [(ChangeKind::Removed, old, &old_list, 1), (ChangeKind::Added, new, &new_list, -1)]
    {
        let mut left: FxHashMap<&str, i64> =
            counts.iter().map(|(&address, &count)| (address, (count * sign).max(0))).collect();
        for (address, node) in list.iter().rev() {
            let count = left.entry(address).or_default();
            if *count > 0 {
                *count -= 1;
                found.push((kind, *node, Target { kind, address: address.clone(), text: text(page, *node) }));
            }
        }
    }
    found.sort_by_key(|(kind, node, _)| (*kind, *node));
    found.into_iter().map(|(_, _, target)| target).collect()
}

/// Numbers that were replaced by numbers, in the order of the changes.
pub fn numbers(changes: &Changes) -> Vec<Number> {
    changes.changes.iter().enumerate().flat_map(|(at, change)| numbers_of(at, change)).collect()
}

fn numbers_of(at: usize, change: &Change) -> Vec<Number> {
    if !change.seen || change.kind != ChangeKind::Changed {
        return Vec::new();
    }
    let pairs = change
        .line
        .spans
        .windows(2)
        .filter(|pair| pair[0].kind == SpanKind::Removed && pair[1].kind == SpanKind::Added);
    let numbers = pairs.flat_map(|pair| {
        let (old, new) = (figures(&pair[0].text), figures(&pair[1].text));
        // Only where each side has as many is it clear which took the place of which.
        let fits = old.len() == new.len();
        old.into_iter()
            .zip(new)
            .filter(move |(old, new)| fits && (old.1 - new.1).abs() > f64::EPSILON)
            .collect::<Vec<_>>()
    });
    numbers
        .map(|((old, old_value), (new, new_value))| Number {
            change: at,
            percent: (old_value != 0.0).then(|| (new_value - old_value) / old_value.abs() * 100.0),
            old,
            new,
        })
        .collect()
}

/// The numbers of a text, as written and as values.
fn figures(text: &str) -> Vec<(String, f64)> {
    let is_part = |character: char| {
        character.is_ascii_digit() || matches!(character, '.' | ',' | '\u{a0}' | '\u{202f}' | '\'')
    };
    let pieces = text.split(|character: char| !is_part(character));
    pieces
        .map(|piece| piece.trim_matches(|character: char| !character.is_ascii_digit()))
        .filter(|piece| !piece.is_empty())
        .filter_map(|piece| Some((piece.to_owned(), value(piece)?)))
        .collect()
}

/// The value of a number with any of the usual separators: the last of `.` and `,` is the decimal mark, unless exactly three digits follow
/// it and it is the only kind of mark with nothing else to tell.
fn value(written: &str) -> Option<f64> {
    let Some(last) = written.rfind(['.', ',']) else {
        return written.chars().filter(char::is_ascii_digit).collect::<String>().parse().ok();
    };
    let digits_after = written[last + 1..].len();
    let mark = written.as_bytes()[last] as char;
    let others = written[..last].contains(['.', ',', '\u{a0}', '\u{202f}', '\'']);
    let repeated = written[..last].contains(mark);
    let groups = repeated || (digits_after == 3 && !others);
    let plain: String = written
        .char_indices()
        .filter_map(|(at, character)| match character {
            _ if character.is_ascii_digit() => Some(character),
            _ if at == last && !groups => Some('.'),
            _ => None,
        })
        .collect();
    plain.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let read = |text: &str| figures(text).into_iter().map(|(_, value)| value).collect::<Vec<_>>();
        assert_eq!(read("1,234.50 EUR"), [1234.5]);
        assert_eq!(read("1.234,50 €"), [1234.5]);
        assert_eq!(read("12.5%, then 1,000"), [12.5, 1000.0]);
        assert_eq!(read("1'234'567 and 7"), [1_234_567.0, 7.0]);
        assert_eq!(read("no figure."), [0.0; 0]);
    }
}
