//! The fields of a row: its texts, the targets of its links and the sources of its images, each with its path.
//!
//! Cost: linear in the nodes of the row, at any depth: a path has at most [`STEPS`] steps of at most [`STEP`] letters.

use super::{Field, header};
use crate::digest::{Kind, NodeId, PageDigest, push_collapsed};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Innermost steps of a path that are kept, and letters of a step.
const STEPS: usize = 16;
const STEP: usize = 32;

/// Attributes that say something to a reader, with their elements.
const TELLING: [(&str, &str); 3] = [("a", "href"), ("img", "src"), ("img", "alt")];

/// The fields of the subtrees in `nodes`, in order. `columns` are the names of the columns of a table.
pub(super) fn of(page: &PageDigest, nodes: Range<u32>, columns: &[String]) -> Vec<Field> {
    let mut walk = Walk { page, open: Vec::new(), ordinals: FxHashMap::default(), fields: Vec::new() };
    let mut next = nodes.start;
    while next < nodes.end {
        next = walk.step(NodeId(next));
    }
    let mut fields = walk.fields;
    name(page, nodes, columns, &mut fields);
    fields
}

struct Walk<'a> {
    page: &'a PageDigest,
    /// Open elements: node, end and step.
    open: Vec<(NodeId, u32, String)>,
    /// How many children of a tag an element has had.
    ordinals: FxHashMap<(Option<NodeId>, u32), u32>,
    fields: Vec<Field>,
}

impl Walk<'_> {
    /// Visits a node and tells the next one.
    fn step(&mut self, node: NodeId) -> u32 {
        while self.open.pop_if(|(_, end, _)| *end <= node.0).is_some() {}
        match self.page.kind(node) {
            Kind::Element => self.element(node),
            Kind::Text | Kind::Cdata => self.text(node),
            Kind::Fragment => return self.page.end(node),
            _ => {}
        }
        node.0 + 1
    }

    fn element(&mut self, node: NodeId) {
        let step = self.named(node);
        self.open.push((node, self.page.end(node), step));
        for (_, attribute) in TELLING.into_iter().filter(|(element, _)| *element == self.page.name(node)) {
            let value = self.page.attribute(node, attribute).unwrap_or_default().trim();
            if !value.is_empty() {
                self.push(node, format!("{}@{attribute}", self.path()), value.to_owned());
            }
        }
    }

    fn text(&mut self, node: NodeId) {
        let mut text = String::new();
        push_collapsed(&mut text, self.page.content(node).unwrap_or_default().trim());
        if text.is_empty() {
            return;
        }
        let step = self.named(node);
        let only = step == self.page.name(node) && !self.open.is_empty();
        let path = if only { self.path() } else { [self.path(), step].join("/") };
        self.push(node, path.trim_start_matches('/').to_owned(), text);
    }

    fn push(&mut self, node: NodeId, path: String, text: String) {
        self.fields.push(Field { node, path, text, name: None });
    }

    /// The name of a node with its number among siblings of that name, unless it is the first.
    fn named(&mut self, node: NodeId) -> String {
        let parent = self.open.last().map(|(parent, ..)| *parent);
        let ordinal = self.ordinals.entry((parent, self.page.tag(node))).or_default();
        *ordinal += 1;
        let name: String = self.page.name(node).chars().take(STEP).collect();
        if *ordinal == 1 { name } else { format!("{name}[{ordinal}]") }
    }

    fn path(&self) -> String {
        let inner = self.open.len().saturating_sub(STEPS);
        let steps: Vec<&str> = self.open[inner..].iter().map(|(_, _, step)| step.as_str()).collect();
        steps.join("/")
    }
}

/// Gives fields the names of their columns.
fn name(page: &PageDigest, nodes: Range<u32>, columns: &[String], fields: &mut [Field]) {
    if columns.is_empty() {
        return;
    }
    let mut cells = header::columns(page, nodes).into_iter().peekable();
    for field in fields {
        while cells.next_if(|(cell, _)| page.end(*cell) <= field.node.0).is_some() {}
        let column = cells.peek().filter(|(cell, _)| cell.0 <= field.node.0).map(|(_, column)| *column);
        field.name = column.and_then(|column| columns.get(column)).filter(|name| !name.is_empty()).cloned();
    }
}
