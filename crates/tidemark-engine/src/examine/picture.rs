//! Where on its picture a page changed: the nodes of the changes, found among the boxes that the browser listed.
//!
//! The browser lists the elements of its document in order; the page is read anew from its HTML, and has the same elements in the same order, but where the parser sees
//! them otherwise (a form in a form, a table in a paragraph). Both lists are walked side by side; after a mismatch the nearest place is taken where some tags agree again.
//! Cost: linear, times a constant window after each mismatch. An element that has no counterpart has no box: left out rather than guessed.

use crate::fetch::{NodeBox, Picture};
use crate::record::{ChangedBox, NewPicture};
use tidemark_core::digest::{Kind, NodeId, PageDigest};
use tidemark_core::render::Change;

/// After a mismatch, so far is looked ahead on either side, for so many tags in a row that agree.
const WINDOW: usize = 64;
const AGREED: usize = 4;
/// Boxes that are kept.
const MOST: usize = 500;

/// A picture as it is kept, with where its page changed.
pub(super) fn kept<'a>(
    picture: &Picture,
    page: &PageDigest,
    changes: impl Iterator<Item = &'a Change>,
) -> NewPicture {
    let places = aligned(page, &picture.boxes);
    let mut boxes: Vec<ChangedBox> = Vec::new();
    for change in changes.take(MOST) {
        let Some(node) = change.new else { continue };
        let Some(area) =
            element(page, node).and_then(|node| places[node.0 as usize]).map(|at| picture.boxes[at].area)
        else {
            continue;
        };
        let changed = ChangedBox { kind: change.kind.name().into(), area };
        if area.width > 0 && area.height > 0 && !boxes.contains(&changed) {
            boxes.push(changed);
        }
    }
    NewPicture { png: picture.png.clone(), width: picture.width, height: picture.height, boxes }
}

/// The element that shows a node.
fn element(page: &PageDigest, node: NodeId) -> Option<NodeId> {
    if page.kind(node) == Kind::Element {
        Some(node)
    } else {
        page.parent(node).filter(|parent| page.kind(*parent) == Kind::Element)
    }
}

/// For each node of the page its place in the list of boxes.
fn aligned(page: &PageDigest, boxes: &[NodeBox]) -> Vec<Option<usize>> {
    let elements: Vec<NodeId> = page.depth_first().filter(|node| page.kind(*node) == Kind::Element).collect();
    let agree = |mine: usize, theirs: usize| match (elements.get(mine), boxes.get(theirs)) {
        (Some(node), Some(one)) => page.name(*node).eq_ignore_ascii_case(&one.tag),
        (None, None) => true, // both at their end
        _ => false,
    };
    let mut places = vec![None; page.len()];
    let (mut mine, mut theirs) = (0, 0);
    while mine < elements.len() && theirs < boxes.len() {
        if agree(mine, theirs) {
            places[elements[mine].0 as usize] = Some(theirs);
            (mine, theirs) = (mine + 1, theirs + 1);
        } else {
            let Some((skipped, passed)) = again(mine, theirs, agree) else { break };
            (mine, theirs) = (mine + skipped, theirs + passed);
        }
    }
    places
}

/// The nearest place where they agree again.
fn again(mine: usize, theirs: usize, agree: impl Fn(usize, usize) -> bool) -> Option<(usize, usize)> {
    let agreed =
        |skipped: usize, passed: usize| (0..AGREED).all(|n| agree(mine + skipped + n, theirs + passed + n));
    let pairs = (1..WINDOW).flat_map(|sum| (0..=sum).map(move |skipped| (skipped, sum - skipped)));
    pairs.into_iter().find(|&(skipped, passed)| agreed(skipped, passed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::Area;
    use bytes::Bytes;
    use tidemark_core::diff::Difference;
    use tidemark_core::page::Reading;
    use tidemark_core::render::Changes;

    fn page(html: &str) -> PageDigest {
        PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap()
    }

    /// One box for each tag, the first at the top.
    fn picture(tags: &str) -> Picture {
        let area = |at: usize| Area { x: 0, y: i32::try_from(at).unwrap(), width: 10, height: 1 };
        let boxes = tags
            .split(' ')
            .enumerate()
            .map(|(at, tag)| NodeBox { tag: tag.into(), area: area(at) })
            .collect();
        Picture { png: Bytes::new(), width: 10, height: 100, boxes }
    }

    fn changed(old: &str, new: &str, tags: &str) -> Vec<(String, i32)> {
        let (old, new) = (page(old), page(new));
        let changes = Changes::of(&old, &new, &Difference::of(&old, &new));
        let kept = kept(&picture(tags), &new, changes.seen());
        kept.boxes.into_iter().map(|changed| (changed.kind, changed.area.y)).collect()
    }

    #[test]
    fn a_changed_line_and_a_new_one_have_their_boxes() {
        let old = "<html><head></head><body><h1>Shop</h1><p>costs 10 EUR</p></body></html>";
        let new = "<html><head></head><body><h1>Shop</h1><p>costs 12 EUR</p><ul><li>new here</li></ul></body></html>";
        let found = changed(old, new, "html head body h1 p ul li");
        assert_eq!(found, [("changed".to_owned(), 4), ("added".to_owned(), 5)]);
    }

    #[test]
    fn lists_that_differ_are_aligned_and_what_has_no_box_is_left_out() {
        let old = "<html><head></head><body><h1>Shop</h1><div><p>a</p></div><p>b</p><p>c</p></body></html>";
        let new = "<html><head></head><body><h1>Shop</h1><div><p>x</p></div><p>b</p><p>y</p></body></html>";
        // The browser has a banner that the page has not, and lacks the paragraph in the division.
        let found = changed(old, new, "html head body h1 custom-banner i div p p");
        assert_eq!(found.last(), Some(&("changed".to_owned(), 8)));
        assert!(changed(old, new, "body").is_empty());
        assert!(changed(old, new, &"x ".repeat(500)).is_empty());
    }
}
