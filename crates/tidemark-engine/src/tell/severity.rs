//! How severe a change is: the share of what is looked at that is not as it was.
//!
//! Source: Artail & Fawaz, section 4.2, where severity is the distance of the coefficient from 1. We differ: it is counted from the edits that are told, so that what is
//! held back does not count, and separately for words, attributes and places; the greatest of the three, each by its weight, is the severity. Cost: linear in the words
//! looked at.

use crate::pair::Pair;
use crate::watch::Shares;
use std::ops::Range;
use tidemark_core::digest::{Kind, NodeId, PageDigest};
use tidemark_core::page::zone::Located;
use tidemark_core::render::{Change, ChangeKind, SpanKind};

/// Of blocks of a page, in [0, 1].
pub(super) fn of_blocks(
    changes: &[Change],
    pair: &Pair,
    parts: Option<&[Located; 2]>,
    weights: Option<Shares>,
) -> f64 {
    let (words, blocks) = size(pair, parts);
    let (mut differ, mut attributes, mut moved) = (0usize, 0usize, 0usize);
    for change in changes {
        if change.kind == ChangeKind::Moved {
            moved += 1;
            continue;
        }
        let spans = change.line.spans.iter().filter(|span| span.kind != SpanKind::Same);
        differ += spans.map(|span| span.text.split_whitespace().count()).sum::<usize>();
        attributes += change.attributes.len();
    }
    let share = |part: usize, whole: usize| (part as f64 / whole.max(1) as f64).min(1.0);
    let weights = weights.unwrap_or(Shares { words: 1.0, attributes: 1.0, places: 1.0 });
    let greatest = weights.words.max(weights.attributes).max(weights.places).max(f64::MIN_POSITIVE);
    let parts = [
        (weights.words, share(differ, words)),
        (weights.attributes, share(attributes, blocks)),
        (weights.places, share(moved, blocks)),
    ];
    parts.into_iter().map(|(weight, share)| weight / greatest * share).fold(0.0, f64::max)
}

/// Words of both versions together, and elements of the greater one.
fn size(pair: &Pair, parts: Option<&[Located; 2]>) -> (usize, usize) {
    let count = |page: &PageDigest, side: usize| match parts {
        None => counts(page, &[NodeId::ROOT..NodeId(page.len() as u32)]),
        Some(parts) => counts(page, &parts[side].regions),
    };
    let (old, new) = (count(&pair.old, 0), count(&pair.new, 1));
    (old.0 + new.0, old.1.max(new.1))
}

fn counts(page: &PageDigest, regions: &[Range<NodeId>]) -> (usize, usize) {
    let (mut words, mut elements) = (0, 0);
    for node in regions.iter().flat_map(|region| (region.start.0..region.end.0).map(NodeId)) {
        match page.kind(node) {
            Kind::Text => words += page.content(node).map_or(0, |text| text.split_whitespace().count()),
            Kind::Element => elements += 1,
            _ => {}
        }
    }
    (words, elements)
}
