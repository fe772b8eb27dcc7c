//! What a reader is told: edits gathered into changes of one block each.
//!
//! A paragraph in which three words and a link changed is one change, shown as one line with its words marked. Cost: linear in the edits and
//! the blocks they are in.

use super::interest::{Mention, in_attributes, interest, mentions};
use super::line::Line;
use super::merge::Merge;
use super::outline::{Outline, beginning};
use super::wording::{self, Wording, breaks_line};
use crate::diff::{AttributeEdit, Difference, Edit};
use crate::digest::element::{block_of, is_inline, is_seen_attribute, seen};
use crate::digest::{NodeId, PageDigest};
use crate::profile::Matcher;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, OnceCell};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// A block came.
    Added,
    /// A block went.
    Removed,
    /// A block stays and has other words, links or attributes.
    Changed,
    /// A block went to another place as it was.
    Moved,
}

impl ChangeKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Added, Self::Removed, Self::Changed, Self::Moved];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Moved => "moved",
        }
    }

    /// A mark that needs no colour.
    pub const fn sign(self) -> char {
        match self {
            Self::Added => '+',
            Self::Removed => '-',
            Self::Changed => '~',
            Self::Moved => '>',
        }
    }
}

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// The block in the old page, if it was there.
    pub old: Option<NodeId>,
    /// The block in the new page, if it is there.
    pub new: Option<NodeId>,
    /// The headings it stands under, outermost first, and for a cell of a table the name of its row.
    pub headings: Vec<String>,
    /// What it says, with what differs.
    pub line: Line,
    /// Attributes that changed in it, with the element they are of.
    pub attributes: Vec<(NodeId, AttributeEdit)>,
    /// From 0, hardly worth a look, to 1, all of it.
    pub severity: f64,
    /// Whether a reader sees it: not so for scripts, comments, most attributes and empty space.
    pub seen: bool,
    /// What in it is of interest to the reader.
    pub mentions: Vec<Mention>,
    /// How much it is of interest; 0 if not at all.
    pub interest: f64,
}

/// All changes: those of interest first, the most interesting before others; all the rest in the order of the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// The changes.
    pub changes: Vec<Change>,
    /// Whether a profile was asked.
    pub personal: bool,
}

/// Where a change belongs: to a line of a block of the new page, or to a block that came, went or moved.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Home {
    /// A block, and the node its line begins with.
    Line(NodeId, u32),
    /// A block as such, for its attributes.
    Block(NodeId),
    Came(NodeId),
    Went(NodeId),
    Moved(NodeId),
}

impl Change {
    /// Attributes that changed and that a reader sees.
    pub fn shown_attributes<'a>(
        &'a self,
        new: &'a PageDigest,
    ) -> impl Iterator<Item = &'a (NodeId, AttributeEdit)> {
        self.attributes.iter().filter(|(node, edit)| is_seen_attribute(new, *node, &edit.name))
    }
}

impl Changes {
    /// The changes of a difference.
    pub fn of(old: &PageDigest, new: &PageDigest, difference: &Difference) -> Self {
        Self::for_reader(old, new, difference, &Matcher::default())
    }

    /// The changes of a difference, with what is of interest to a reader.
    pub fn for_reader(
        old: &PageDigest,
        new: &PageDigest,
        difference: &Difference,
        matcher: &Matcher,
    ) -> Self {
        Self::gather(&Merge::new(old, new, difference), matcher).0
    }

    /// The changes, and for every edit the number of its change.
    pub(crate) fn gather(merge: &Merge<'_>, matcher: &Matcher) -> (Self, Vec<usize>) {
        let mut groups: Vec<(Home, Vec<usize>)> = Vec::new();
        let mut places: FxHashMap<Home, usize> = FxHashMap::default();
        let mut homes = Homes { merge, lines: FxHashMap::default(), tops: OnceCell::new() };
        for (at, edit) in merge.difference.script.edits.iter().enumerate() {
            let home = homes.of(edit);
            let place = *places.entry(home).or_insert_with(|| {
                groups.push((home, Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push(at);
        }
        groups.sort_by_key(|(home, edits)| (position(merge, *home), edits[0]));
        let builder = Builder::new(merge, matcher);
        let mut built: Vec<(Change, Vec<usize>)> =
            groups.into_iter().map(|(home, edits)| (builder.change(home, &edits), edits)).collect();
        built.sort_by(|(one, _), (other, _)| other.interest.total_cmp(&one.interest));
        let mut numbers = vec![0; merge.difference.script.len()];
        let mut changes = Vec::with_capacity(built.len());
        for (change, edits) in built {
            edits.iter().for_each(|&edit| numbers[edit] = changes.len());
            changes.push(change);
        }
        (Self { changes, personal: !matcher.is_empty() }, numbers)
    }

    /// The changes that are of interest to the reader.
    pub fn of_interest(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| change.interest > 0.0)
    }

    /// The changes that a reader sees.
    pub fn seen(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| change.seen)
    }
}

/// Finds the home of each edit.
struct Homes<'a> {
    merge: &'a Merge<'a>,
    /// For each block the nodes that its lines begin with.
    lines: FxHashMap<NodeId, Vec<u32>>,
    /// For each node of the new page the outermost of those around it that came with it.
    tops: OnceCell<Vec<NodeId>>,
}

impl Homes<'_> {
    fn of(&mut self, edit: &Edit) -> Home {
        let (old_page, new_page) = (self.merge.old, self.merge.new);
        match edit {
            Edit::Insert { new } | Edit::Move { new, .. } if is_inline(new_page, *new) => self.inside(*new),
            Edit::Insert { new } => Home::Came(*new),
            Edit::Delete { old } => {
                let parent =
                    old_page.parent(*old).and_then(|parent| self.merge.difference.mapping.to_new(parent));
                match parent {
                    Some(parent) if is_inline(old_page, *old) => self.around_ghost(parent, *old),
                    _ => Home::Went(*old),
                }
            }
            Edit::Move { new, .. } => Home::Moved(*new),
            Edit::Update { new, .. } => self.inside(*new),
        }
    }

    /// The line that a node of the new page is in.
    fn inside(&mut self, node: NodeId) -> Home {
        let block = block_of(self.merge.new, node);
        if self.merge.is_added(block) {
            return Home::Came(self.top_added(block));
        }
        if block == node {
            return Home::Block(block);
        }
        self.line(block, node.0)
    }

    /// The line that a node of the old page was in.
    fn around_ghost(&mut self, parent: NodeId, ghost: NodeId) -> Home {
        let block = block_of(self.merge.new, parent);
        let position = match self.merge.anchor(ghost) {
            Some(anchor) if is_inline(self.merge.new, anchor) => anchor.0,
            _ => self.merge.position(ghost).unwrap_or(parent.0 + 1),
        };
        if block == parent {
            return self.line(block, position);
        }
        self.inside(parent)
    }

    fn line(&mut self, block: NodeId, position: u32) -> Home {
        let page = self.merge.new;
        let lines = self.lines.entry(block).or_insert_with(|| {
            let mut starts = vec![block.0 + 1];
            for child in page.children(block).filter(|&child| breaks_line(page, block, child)) {
                starts.push(page.end(child));
            }
            starts
        });
        let line = lines.partition_point(|&start| start <= position);
        Home::Line(block, lines[line.saturating_sub(1)])
    }

    /// The outermost of the nodes around this one that came with it.
    fn top_added(&self, node: NodeId) -> NodeId {
        let tops = self.tops.get_or_init(|| {
            let mut tops: Vec<NodeId> = Vec::with_capacity(self.merge.new.len());
            for node in self.merge.new.depth_first() {
                let parent = self.merge.new.parent(node).filter(|&parent| self.merge.is_added(parent));
                tops.push(parent.map_or(node, |parent| tops[parent.index()]));
            }
            tops
        });
        tops[node.index()]
    }
}

fn position(merge: &Merge<'_>, home: Home) -> u32 {
    match home {
        Home::Line(_, start) => start,
        Home::Block(new) | Home::Came(new) | Home::Moved(new) => new.0,
        Home::Went(old) => merge.position(old).unwrap_or(u32::MAX),
    }
}

struct Builder<'a> {
    merge: &'a Merge<'a>,
    matcher: &'a Matcher,
    outlines: [Outline; 2],
    seen: [Vec<bool>; 2],
    /// Bytes that may still be read for what is of interest: blocks that moved inside of others are read once for each.
    budget: Cell<usize>,
}

impl<'a> Builder<'a> {
    fn new(merge: &'a Merge<'a>, matcher: &'a Matcher) -> Self {
        let outlines = [Outline::of(merge.old), Outline::of(merge.new)];
        let bytes = 4 * (merge.old.about().bytes + merge.new.about().bytes);
        let budget = Cell::new(if matcher.is_empty() { 0 } else { bytes });
        Self { merge, matcher, outlines, seen: [seen(merge.old), seen(merge.new)], budget }
    }

    fn change(&self, home: Home, edits: &[usize]) -> Change {
        let merge = self.merge;
        let edits = || edits.iter().map(|&edit| &merge.difference.script.edits[edit]);
        let attributes: Vec<(NodeId, AttributeEdit)> = edits()
            .filter_map(|edit| match edit {
                Edit::Update { new, attributes, .. } => Some((*new, attributes)),
                _ => None,
            })
            .flat_map(|(new, attributes)| attributes.iter().map(move |attribute| (new, attribute.clone())))
            .collect();
        let (kind, old, new) = match home {
            Home::Came(new) => (ChangeKind::Added, None, Some(new)),
            Home::Went(old) => (ChangeKind::Removed, Some(old), None),
            Home::Moved(new) => (ChangeKind::Moved, merge.moved.get(&new).copied(), Some(new)),
            Home::Line(new, _) | Home::Block(new) => {
                (ChangeKind::Changed, merge.difference.mapping.to_old(new), Some(new))
            }
        };
        let wording = self.wording(home);
        let line = wording.line();
        let headings = match home {
            Home::Went(old) => self.outlines[0].path(old),
            _ => self.outlines[1].path(NodeId(position(merge, home))),
        };
        let headings = match new {
            Some(cell) => headings.into_iter().chain(row_name(merge.new, cell)).collect(),
            None => headings,
        };
        let severity = severity(kind, &line, &attributes);
        let seen =
            self.is_seen(old, new) && says_something(self.merge.new, kind, &line, &attributes, edits());
        let mentions = if seen { self.mentions(kind, &wording, &line, &attributes) } else { Vec::new() };
        let interest = interest(&mentions);
        Change { kind, old, new, headings, line, attributes, severity, seen, mentions, interest }
    }

    /// The words of a change.
    fn wording(&self, home: Home) -> Wording<'a> {
        let (merge, most) = (self.merge, self.budget.get());
        let wording = match home {
            Home::Came(new) | Home::Moved(new) => wording::all_of(merge, new, most),
            Home::Went(old) => wording::removed(merge, old, most),
            Home::Line(new, start) => wording::line_from(merge, new, start, most),
            Home::Block(_) => Wording::default(),
        };
        self.budget.set(most.saturating_sub(wording.len()));
        wording
    }

    fn mentions(
        &self,
        kind: ChangeKind,
        wording: &Wording<'_>,
        line: &Line,
        attributes: &[(NodeId, AttributeEdit)],
    ) -> Vec<Mention> {
        let mut found = mentions(self.matcher, kind, wording, line);
        found.extend(in_attributes(self.matcher, attributes));
        found
    }

    fn is_seen(&self, old: Option<NodeId>, new: Option<NodeId>) -> bool {
        match (old, new) {
            (_, Some(new)) => self.seen[1][new.index()],
            (Some(old), None) => self.seen[0][old.index()],
            (None, None) => false,
        }
    }
}

/// What a row of a table is called: its first cell, unless this cell is that.
fn row_name(page: &PageDigest, cell: NodeId) -> Option<String> {
    let is_cell = |node: NodeId| matches!(page.name(node), "td" | "th");
    let row = page.parent(cell).filter(|&row| is_cell(cell) && page.name(row) == "tr")?;
    let first = page.children(row).find(|&node| is_cell(node)).filter(|&first| first != cell)?;
    Some(beginning(page, first, 40)).filter(|name| !name.is_empty())
}

/// Whether a reader would notice: words, pictures and the like, or an attribute that shows.
fn says_something<'a>(
    page: &PageDigest,
    kind: ChangeKind,
    line: &Line,
    attributes: &[(NodeId, AttributeEdit)],
    edits: impl Iterator<Item = &'a Edit>,
) -> bool {
    let shown = attributes.iter().any(|(node, attribute)| is_seen_attribute(page, *node, &attribute.name));
    let structural = edits.filter(|edit| !matches!(edit, Edit::Update { .. })).count() > 0;
    match kind {
        ChangeKind::Changed => line.is_changed() || shown,
        ChangeKind::Moved => !line.is_empty(),
        ChangeKind::Added | ChangeKind::Removed => structural && !line.is_empty(),
    }
}

/// Source: Artail & Fawaz, 4.2: the distance of the coefficient from 1, here of the words of a block. What came or went is all of it; a
/// block that moved as it was, or that has other attributes only, is a little.
fn severity(kind: ChangeKind, line: &Line, attributes: &[(NodeId, AttributeEdit)]) -> f64 {
    match kind {
        ChangeKind::Added | ChangeKind::Removed => 1.0,
        ChangeKind::Moved => 0.25,
        ChangeKind::Changed => {
            let least = if attributes.is_empty() { 0.0 } else { 0.1 };
            line.distance().max(least)
        }
    }
}
