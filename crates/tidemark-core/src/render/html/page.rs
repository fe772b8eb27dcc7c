//! A page with its marks, as HTML for a frame.
//!
//! The new page is written with what went standing where it was; the old one alone, for the view side by side. Cost: linear in both.

use super::safe::is_shown;
use super::writer::{Interest, Page};
use crate::diff::Edit;
use crate::diff::words::Run;
use crate::digest::{Kind, NodeId, PageDigest};
use crate::render::Changes;
use crate::render::merge::{Event, Merge, Step};
use crate::render::wording::PageSide;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Writes pages with the changes they are part of.
pub(super) struct Marker<'a> {
    pub(super) merge: &'a Merge<'a>,
    /// For every edit the number of its change.
    pub(super) numbers: &'a [usize],
    /// For every change how much of its block it is, from 1 to 4; 0 for what a reader does not see.
    pub(super) levels: &'a [u8],
    /// Edits by what they did: nodes that came, and nodes that went.
    pub(super) came: FxHashMap<NodeId, usize>,
    pub(super) went: FxHashMap<NodeId, usize>,
    /// What is of interest in texts of the pages, in order.
    interests: FxHashMap<(PageSide, NodeId), Vec<Interest>>,
}

impl<'a> Marker<'a> {
    pub(super) fn new(
        merge: &'a Merge<'a>,
        numbers: &'a [usize],
        levels: &'a [u8],
        changes: &Changes,
    ) -> Self {
        let (mut came, mut went) = <(FxHashMap<_, _>, FxHashMap<_, _>)>::default();
        for (edit, &number) in merge.difference.script.edits.iter().zip(numbers) {
            match edit {
                Edit::Insert { new } | Edit::Move { new, .. } => drop(came.insert(*new, number)),
                Edit::Delete { .. } | Edit::Update { .. } => {}
            }
            match edit {
                Edit::Delete { old } | Edit::Move { old, .. } => drop(went.insert(*old, number)),
                Edit::Insert { .. } | Edit::Update { .. } => {}
            }
        }
        Self { merge, numbers, levels, came, went, interests: interests(changes) }
    }

    /// What is of interest in a part of a text.
    fn interests(&self, page: PageSide, node: NodeId, part: Range<usize>) -> Vec<Interest> {
        let all = self.interests.get(&(page, node)).map_or(&[][..], Vec::as_slice);
        let first = all.partition_point(|(range, _)| range.start < part.start);
        let here = all[first..].iter().take_while(|(range, _)| range.end <= part.end);
        here.map(|(range, reason)| (range.start - part.start..range.end - part.start, reason.clone()))
            .collect()
    }

    /// A whole text without a mark of its own.
    fn plain(&self, page: PageSide, node: NodeId, text: &str, file: &mut Page) {
        file.text(text, &self.interests(page, node, 0..text.len()));
    }

    /// The new page with everything marked.
    pub(super) fn new_page(&self) -> String {
        let mut page = Page::new(self.merge.new);
        self.merge.walk(NodeId::ROOT, |event| {
            match event {
                Event::Open(node) if !is_shown(self.merge.new, node) => return Step::Over,
                Event::Open(node) => self.open_new(node, &mut page),
                Event::Close(node) => page.close(self.merge.new, node),
                Event::Ghost(old) => self.ghost(old, &mut page),
            }
            Step::In
        });
        page.finish()
    }

    /// The old page with what went and what changed.
    pub(super) fn old_page(&self) -> String {
        let mut page = Page::new(self.merge.old);
        self.write_old(NodeId::ROOT, &mut page, Side::Whole);
        page.finish()
    }

    fn open_new(&self, node: NodeId, page: &mut Page) {
        let merge = self.merge;
        let update =
            merge.updates.get(&node).map(|&edit| (&merge.difference.script.edits[edit], self.numbers[edit]));
        if let Some((Edit::Update { old: old_node, text, .. }, number)) = update
            && !text.is_empty()
            && page.takes_marks()
            && merge.new.kind(node) == Kind::Text
        {
            let (old, new) = (
                merge.old.content(*old_node).unwrap_or_default(),
                merge.new.content(node).unwrap_or_default(),
            );
            let came = |run: &Run| self.interests(PageSide::New, node, run.new.clone());
            let went = |run: &Run| self.interests(PageSide::Old, *old_node, run.old.clone());
            for run in text {
                if run.same {
                    page.text(&new[run.new.clone()], &came(run));
                } else {
                    page.marked("del", number, self.level(number), &old[run.old.clone()], &went(run));
                    page.marked("ins", number, self.level(number), &new[run.new.clone()], &came(run));
                }
            }
            return;
        }
        let came = self.came.get(&node).copied();
        let mark = match (came, update) {
            (Some(number), _) if merge.is_added(node) => Some(("added", number)),
            (Some(number), _) => Some(("moved", number)),
            (None, Some((_, number))) => Some(("changed", number)),
            (None, None) => None,
        };
        match (mark, merge.new.kind(node)) {
            (Some((_, number)), Kind::Text) if page.takes_marks() => {
                let text = merge.new.content(node).unwrap_or_default();
                let interests = self.interests(PageSide::New, node, 0..text.len());
                page.marked("ins", number, self.level(number), text, &interests);
            }
            (None, Kind::Text) => {
                self.plain(PageSide::New, node, merge.new.content(node).unwrap_or_default(), page);
            }
            (mark, _) => {
                page.open(
                    merge.new,
                    node,
                    mark.map(|(kind, number)| (kind, number, self.level(number))),
                    true,
                );
                if let Some(("moved", number)) = mark {
                    page.link("moved from here", number, "from");
                }
            }
        }
    }

    fn level(&self, number: usize) -> u8 {
        self.levels.get(number).copied().unwrap_or(1)
    }

    /// What stood here. Of what moved, only a link to where it is now.
    fn ghost(&self, old: NodeId, page: &mut Page) {
        let Some(&number) = self.went.get(&old) else { return };
        if !page.takes_marks() {
            return;
        }
        if self.merge.moved_away.contains_key(&old) {
            page.link("moved to another place", number, "to");
        } else {
            self.write_old(old, page, Side::Ghost);
        }
    }

    /// Writes a subtree of the old page.
    fn write_old(&self, top: NodeId, page: &mut Page, side: Side) {
        let old = self.merge.old;
        let mut open: Vec<NodeId> = Vec::new();
        let (mut at, end) = (top.0, old.end(top));
        loop {
            while let Some(&node) = open.last().filter(|&&node| old.end(node) == at) {
                page.close(old, node);
                open.pop();
            }
            if at == end {
                return;
            }
            let node = NodeId(at);
            let moved_out = side == Side::Ghost && node != top && self.merge.moved_away.contains_key(&node);
            if moved_out || !is_shown(old, node) || (side == Side::Ghost && !is_ghostly(old, node)) {
                at = old.end(node);
                continue;
            }
            self.open_old(node, page, side);
            open.push(node);
            at += 1;
        }
    }

    fn open_old(&self, node: NodeId, page: &mut Page, side: Side) {
        let (merge, old) = (self.merge, self.merge.old);
        let went = self.went.get(&node).copied();
        if old.kind(node) == Kind::Text {
            let content = old.content(node).unwrap_or_default();
            let interests = |part: Range<usize>| self.interests(PageSide::Old, node, part);
            match (went, self.update_of_old(node)) {
                (Some(number), _) if page.takes_marks() => {
                    page.marked("del", number, self.level(number), content, &interests(0..content.len()));
                }
                (None, Some((runs, number))) if page.takes_marks() && side == Side::Whole => {
                    for run in runs {
                        let text = &content[run.old.clone()];
                        if run.same {
                            page.text(text, &interests(run.old.clone()));
                        } else {
                            page.marked("del", number, self.level(number), text, &interests(run.old.clone()));
                        }
                    }
                }
                _ => self.plain(PageSide::Old, node, content, page),
            }
            return;
        }
        let mark = match went {
            Some(number) if merge.moved_away.contains_key(&node) => Some(("moved", number)),
            Some(number) => Some(("removed", number)),
            None => None,
        };
        page.open(
            old,
            node,
            mark.map(|(kind, number)| (kind, number, self.level(number))),
            side == Side::Whole,
        );
    }

    fn update_of_old(&self, old: NodeId) -> Option<(&'a [Run], usize)> {
        let new = self.merge.difference.mapping.to_new(old)?;
        let &edit = self.merge.updates.get(&new)?;
        match &self.merge.difference.script.edits[edit] {
            Edit::Update { text, .. } if !text.is_empty() => Some((text, self.numbers[edit])),
            _ => None,
        }
    }
}

/// What is of interest, by the text it stands in. A text may be part of two changes, if it moved in what moved: each word is marked once.
fn interests(changes: &Changes) -> FxHashMap<(PageSide, NodeId), Vec<Interest>> {
    let mut found: FxHashMap<(PageSide, NodeId), Vec<Interest>> = FxHashMap::default();
    for mention in changes.changes.iter().flat_map(|change| &change.mentions) {
        for (page, node, range) in &mention.places {
            found.entry((*page, *node)).or_default().push((range.clone(), mention.reason()));
        }
    }
    for list in found.values_mut() {
        list.sort_by_key(|(range, _)| (range.start, range.end));
        let mut end = 0;
        list.retain(|(range, _)| {
            let is_new = range.start >= end;
            end = if is_new { range.end } else { end };
            is_new
        });
    }
    found
}

/// What part of the old page is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// All of it, on its own.
    Whole,
    /// Something that went, inside the new page.
    Ghost,
}

/// A comment or a part of the frame of a page is no sight.
fn is_ghostly(old: &PageDigest, node: NodeId) -> bool {
    match old.kind(node) {
        Kind::Element => {
            !matches!(old.name(node), "html" | "head" | "body" | "title" | "meta" | "link" | "style")
        }
        Kind::Text | Kind::Fragment => true,
        _ => false,
    }
}
