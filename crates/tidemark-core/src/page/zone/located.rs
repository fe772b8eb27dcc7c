//! Where the zones of a watch are on one page: ranges of nodes, and how each zone was found.
//!
//! Cost: each zone is found on its own; the ranges are then merged and cut in one sorted pass.

use super::wording::Wording;
use super::xpath::Failure;
use super::{Found, ZoneSpec, Zones};
use crate::digest::{NodeId, PageDigest};
use std::cell::LazyCell;
use std::fmt;
use std::ops::Range;

/// How one zone was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Where it is written: so many nodes, each with what is below it; one for two texts.
    Found {
        /// How many.
        nodes: usize,
    },
    /// The picked node is no longer where it was, but was found again.
    Reanchored {
        /// In [0, 1].
        confidence: f64,
    },
    /// The picked node is not on the page, or too many look like it.
    Lost,
    /// The selector, expression or texts match nothing on this page.
    Nothing,
    /// The zone could not be looked for; told is why.
    Failed(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Found { nodes: 1 } => f.write_str("found"),
            Self::Found { nodes } => write!(f, "found {nodes} times"),
            Self::Reanchored { confidence } => {
                write!(f, "moved; found again with confidence {confidence:.2}")
            }
            Self::Lost => f.write_str("lost: nothing on the page is like it, or too much is; pick it again"),
            Self::Nothing => f.write_str("matches nothing on this page"),
            Self::Failed(reason) => write!(f, "could not be looked for: {reason}"),
        }
    }
}

/// The zones of a watch on one page.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// What is looked at: sorted, disjoint, not touching each other, none empty.
    pub regions: Vec<Range<NodeId>>,
    /// How each included zone was found, in their order.
    pub included: Vec<Outcome>,
    /// How each excluded zone was found, in their order.
    pub excluded: Vec<Outcome>,
}

impl Located {
    /// Whether a node is looked at. Cost: logarithmic in the number of regions.
    pub fn contains(&self, node: NodeId) -> bool {
        let behind = self.regions.partition_point(|region| region.start <= node);
        behind.checked_sub(1).is_some_and(|at| node < self.regions[at].end)
    }
}

impl Located {
    /// Whether any node of a range is looked at. Cost: as for one node.
    pub fn meets(&self, range: Range<NodeId>) -> bool {
        let behind = self.regions.partition_point(|region| region.end <= range.start);
        self.regions.get(behind).is_some_and(|region| region.start < range.end)
    }
}

impl Zones {
    /// Finds all zones on a page. Zones that are not found leave nothing to look at; they never widen to the page.
    pub fn locate(&self, digest: &PageDigest) -> Located {
        let wording = LazyCell::new(|| Wording::of(digest));
        let mut included = Vec::with_capacity(self.include.len());
        let mut kept = Vec::new();
        for zone in &self.include {
            included.push(find(zone, digest, &wording, &mut kept));
        }
        if self.include.is_empty() {
            kept.push(NodeId::ROOT..NodeId(digest.len() as u32));
        }
        let mut excluded = Vec::with_capacity(self.exclude.len());
        let mut cut = Vec::new();
        for zone in &self.exclude {
            excluded.push(find(zone, digest, &wording, &mut cut));
        }
        Located { regions: without(&merged(kept), &merged(cut)), included, excluded }
    }
}

fn find<F: FnOnce() -> Wording>(
    zone: &ZoneSpec,
    digest: &PageDigest,
    wording: &LazyCell<Wording, F>,
    ranges: &mut Vec<Range<NodeId>>,
) -> Outcome {
    let subtree = |node: NodeId| node..NodeId(digest.end(node));
    let found: Vec<Range<NodeId>> = match zone {
        ZoneSpec::Css(css) => match css.find(digest) {
            Some(nodes) => nodes.into_iter().map(subtree).collect(),
            None => return too_costly(),
        },
        ZoneSpec::XPath(xpath) => match xpath.find(digest) {
            Ok(found) => found,
            Err(Failure::TooCostly) => return too_costly(),
            Err(Failure::Refused(reason)) => return Outcome::Failed(reason),
        },
        ZoneSpec::Json(path) => path.find(digest).into_iter().map(subtree).collect(),
        ZoneSpec::Text(boundary) => boundary.find(digest, wording).into_iter().collect(),
        ZoneSpec::Picked(anchor) => match anchor.find_with(digest, wording) {
            Found::Exact(node) => vec![subtree(node)],
            Found::Reanchored { node, confidence } => {
                ranges.push(subtree(node));
                return Outcome::Reanchored { confidence };
            }
            Found::Lost => return Outcome::Lost,
        },
    };
    let nodes = found.len();
    ranges.extend(found);
    if nodes == 0 { Outcome::Nothing } else { Outcome::Found { nodes } }
}

fn too_costly() -> Outcome {
    Outcome::Failed("it takes more steps than a page of this size allows; write it more simply".to_owned())
}

/// Sorted, joined where they overlap or touch.
fn merged(mut ranges: Vec<Range<NodeId>>) -> Vec<Range<NodeId>> {
    ranges.retain(|range| range.start < range.end);
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<NodeId>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// One merged list without another.
fn without(kept: &[Range<NodeId>], cut: &[Range<NodeId>]) -> Vec<Range<NodeId>> {
    let mut left = Vec::with_capacity(kept.len());
    let mut first = 0;
    for range in kept {
        let mut start = range.start;
        while first < cut.len() && cut[first].end <= start {
            first += 1;
        }
        for hole in cut[first..].iter().take_while(|hole| hole.start < range.end) {
            if start < hole.start {
                left.push(start..hole.start);
            }
            start = start.max(hole.end);
        }
        if start < range.end {
            left.push(start..range.end);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    fn ranges(list: &[(u32, u32)]) -> Vec<Range<NodeId>> {
        list.iter().map(|&(start, end)| NodeId(start)..NodeId(end)).collect()
    }

    #[test]
    fn ranges_are_joined_and_cut() {
        let kept = merged(ranges(&[(9, 12), (0, 3), (2, 5), (5, 6), (20, 20), (14, 30)]));
        assert_eq!(kept, ranges(&[(0, 6), (9, 12), (14, 30)]));
        let cut = ranges(&[(1, 2), (4, 10), (11, 15), (29, 40)]);
        assert_eq!(without(&kept, &cut), ranges(&[(0, 1), (2, 4), (10, 11), (15, 29)]));
        assert_eq!(without(&kept, &[]), kept);
        assert_eq!(without(&kept, &ranges(&[(0, 99)])), []);
    }

    #[test]
    fn zones_of_a_page() {
        let page = "<main><p>a</p><p class=ad>b</p><p>c</p></main><footer><p>d</footer>";
        let digest = PageDigest::encode(page.as_bytes(), &Reading::default()).unwrap();
        let seen = |include: &[&str], exclude: &[&str]| {
            let zones = Zones::parse(include.iter().copied(), exclude.iter().copied()).unwrap();
            let located = zones.locate(&digest);
            let texts = digest.tagged("#text").filter(|&node| located.contains(node));
            let text: String = texts.filter_map(|node| digest.content(node)).collect();
            (text, located)
        };
        assert_eq!(seen(&[], &[]).0, "abcd");
        assert_eq!(seen(&[], &[".ad", "//footer"]).0, "ac");
        assert_eq!(seen(&["main"], &[".ad"]).0, "ac");
        assert_eq!(seen(&["text:b...d"], &[]).0, "bc");
        let (text, located) = seen(&["main", "p", "nav", "//nav", "text:x...y"], &["main"]);
        assert_eq!(text, "d");
        let nothing = Outcome::Nothing;
        let found = |nodes| Outcome::Found { nodes };
        assert_eq!(located.included, [found(1), found(4), nothing.clone(), nothing.clone(), nothing]);
        let (text, located) = seen(&["nav"], &[]);
        assert_eq!((text.as_str(), located.regions.len()), ("", 0), "never the whole page by mistake");
    }
}
