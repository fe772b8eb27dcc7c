//! Edits planted in a page, each with the nodes it concerns.
//!
//! An edit is only planted where the truth is one: what goes or moves is there once and says something, no edit lies inside another, and the
//! page with the edit is parsed back to exactly the tree that was meant.

use super::kind::Kind;
use super::tree::{Node, Tree};
use super::{words, write};
use fastrand::Rng;
use std::collections::{BTreeSet, HashMap};
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;

/// One edit that was made.
#[derive(Clone, Debug)]
pub struct Planted {
    /// What was done.
    pub kind: Kind,
    /// Nodes it concerns, by their numbers in the tree.
    pub(super) touched: BTreeSet<usize>,
    /// Of which any may be said to have moved; none if the edit is no move.
    pub(super) moved: BTreeSet<usize>,
}

/// Tags of what is taken for a block.
const BLOCKS: [&str; 22] = [
    "p",
    "div",
    "li",
    "tr",
    "section",
    "article",
    "ul",
    "ol",
    "table",
    "blockquote",
    "h1",
    "h2",
    "h3",
    "h4",
    "figure",
    "dl",
    "aside",
    "nav",
    "header",
    "footer",
    "pre",
    "form",
];
/// Tags of what a block may be moved into.
const CONTAINERS: [&str; 9] =
    ["div", "section", "article", "main", "body", "blockquote", "td", "aside", "li"];
/// Tags that are taken away from around what is in them.
const WRAPPERS: [&str; 13] = [
    "div",
    "section",
    "article",
    "blockquote",
    "center",
    "span",
    "a",
    "b",
    "i",
    "em",
    "strong",
    "font",
    "header",
];
/// Largest block, in nodes.
const LARGEST: usize = 80;
/// Fewest letters and digits of a block: less does not tell what it is.
const LETTERS: usize = 12;
/// How often a place for an edit is looked for, and how often an edit is tried.
const LOOKS: usize = 400;
const TRIES: usize = 12;

/// A page that edits are planted in.
#[derive(Debug)]
pub(super) struct Planter {
    pub(super) tree: Tree,
    rng: Rng,
    /// Nodes of the old page whose subtree it has once.
    unique: Vec<bool>,
    /// Nodes that edits concern.
    touched: BTreeSet<usize>,
    /// Nodes in which nothing more is planted.
    sealed: BTreeSet<usize>,
}

impl Planter {
    pub(super) fn new(old: &PageDigest, rng: Rng) -> Self {
        let mut counts: HashMap<u128, usize> = HashMap::new();
        old.depth_first().for_each(|node| *counts.entry(old.subtree_hash(node)).or_default() += 1);
        let unique = old.depth_first().map(|node| counts[&old.subtree_hash(node)] == 1).collect();
        let (touched, sealed) = Default::default();
        Self { tree: Tree::of(old), rng, unique, touched, sealed }
    }

    /// Plants an edit, if a place for one is found.
    pub(super) fn plant(&mut self, kind: Kind) -> Option<Planted> {
        for _ in 0..TRIES {
            let saved = self.tree.clone();
            let planted = self.attempt(kind)?;
            if parsed(&self.tree).is_some() {
                self.touched.extend(&planted.touched);
                self.sealed.extend(planted.touched.iter().filter(|_| kind != Kind::Attribute));
                return Some(planted);
            }
            self.tree = saved;
        }
        None
    }

    fn attempt(&mut self, kind: Kind) -> Option<Planted> {
        let (touched, moved) = match kind {
            Kind::Insert => (self.insert()?, Vec::new()),
            Kind::Delete => (self.delete()?, Vec::new()),
            Kind::Words => (self.words()?, Vec::new()),
            Kind::Attribute => (self.attribute()?, Vec::new()),
            Kind::Move => self.move_away()?,
            Kind::Reorder => self.reorder()?,
            Kind::Wrap => (self.wrap()?, Vec::new()),
            Kind::Unwrap => (self.unwrap()?, Vec::new()),
        };
        Some(Planted { kind, touched: touched.into_iter().collect(), moved: moved.into_iter().collect() })
    }

    /// A block that comes is like one that is there: what is hardest to tell from an edit of its neighbour.
    fn insert(&mut self) -> Option<Vec<usize>> {
        let model = self.block()?;
        let copy = self.copy(model);
        let place = self.tree.place(model) + self.rng.usize(..2);
        self.tree.put(self.tree.nodes[model].parent, place, copy);
        Some(self.tree.subtree(copy))
    }

    fn copy(&mut self, root: usize) -> usize {
        let mut copies = HashMap::new();
        for node in self.tree.subtree(root) {
            let mut copy = Node { children: Vec::new(), ..self.tree.nodes[node].clone() };
            copy.attributes.retain(|(name, _)| name != "id");
            if self.tree.is_text(node) {
                copy.content = words::other(&copy.content, &mut self.rng);
            }
            let parent = copies.get(&copy.parent).copied();
            let number = self.tree.add(copy);
            copies.insert(node, number);
            if let Some(parent) = parent {
                self.tree.put(parent, self.tree.nodes[parent].children.len(), number);
            }
        }
        copies[&root]
    }

    fn delete(&mut self) -> Option<Vec<usize>> {
        let block = self.block()?;
        let mut touched = self.tree.subtree(block);
        self.tree.detach(block);
        touched.extend(self.tree.merge_texts(self.tree.nodes[block].parent));
        Some(touched)
    }

    fn words(&mut self) -> Option<Vec<usize>> {
        let text = self.look(|planter, node| {
            planter.tree.is_text(node) && planter.tree.nodes[node].content.split_whitespace().count() > 2
        })?;
        let changed = words::some_other(&self.tree.nodes[text].content, &mut self.rng);
        (changed != self.tree.nodes[text].content).then_some(())?;
        self.tree.nodes[text].content = changed;
        Some(vec![text])
    }

    fn attribute(&mut self) -> Option<Vec<usize>> {
        let node = self.look(|planter, node| planter.tree.is_element(node))?;
        let value = format!("{}-{}", words::word(&mut self.rng), self.rng.u16(..));
        let attributes = &mut self.tree.nodes[node].attributes;
        match self.rng.usize(..=2 * attributes.len()) {
            0 => attributes.push(("data-tide".to_owned(), value)),
            at if at % 2 == 0 => attributes[(at - 1) / 2].1 = value,
            at => drop(attributes.remove((at - 1) / 2)),
        }
        Some(vec![node])
    }

    fn move_away(&mut self) -> Option<(Vec<usize>, Vec<usize>)> {
        let block = self.block()?;
        let parent = self.tree.nodes[block].parent;
        let takes: &[&str] = match self.tree.nodes[block].name.as_str() {
            "li" => &["ul", "ol"],
            "tr" => &["tbody"],
            _ => &CONTAINERS,
        };
        let goal = self.look(|planter, node| {
            node != parent
                && takes.contains(&planter.tree.nodes[node].name.as_str())
                && node != block
                && !planter.tree.around(node).any(|around| around == block)
        })?;
        let mut touched = self.tree.subtree(block);
        self.tree.detach(block);
        touched.extend(self.tree.merge_texts(parent));
        let place = self.rng.usize(..=self.tree.nodes[goal].children.len());
        self.tree.put(goal, place, block);
        Some((touched, vec![block]))
    }

    /// Whichever of the two, or of what lies between them, is said to have moved: it is the same page. Nor can anybody tell which of
    /// the spaces between and beside them stayed.
    fn reorder(&mut self) -> Option<(Vec<usize>, Vec<usize>)> {
        let block = self.block()?;
        let parent = self.tree.nodes[block].parent;
        let siblings = self.tree.nodes[parent].children.clone();
        let others: Vec<usize> =
            siblings.iter().copied().filter(|&node| node != block && self.is_block(node)).collect();
        let other = *others.get(self.rng.usize(..others.len().max(1)))?;
        let (one, two) = (self.tree.place(block), self.tree.place(other));
        self.tree.nodes[parent].children.swap(one, two);
        let (first, last) = (one.min(two), one.max(two));
        let moved = siblings[first..=last].to_vec();
        let beside =
            [first.checked_sub(1), Some(last + 1)].into_iter().flatten().filter_map(|at| siblings.get(at));
        let spaces = beside.copied().filter(|&node| self.is_space(node)).collect::<Vec<_>>();
        let touched = moved.iter().copied().chain(self.tree.subtree(block)).chain(self.tree.subtree(other));
        Some((touched.chain(spaces).collect(), moved))
    }

    fn wrap(&mut self) -> Option<Vec<usize>> {
        let block = self.block()?;
        let parent = self.tree.nodes[block].parent;
        let name = if self.rng.bool() { "div" } else { "section" };
        let wrapper = self.tree.add(Node::element(name));
        let place = self.tree.detach(block);
        self.tree.put(parent, place, wrapper);
        self.tree.put(wrapper, 0, block);
        Some(vec![wrapper, block])
    }

    fn unwrap(&mut self) -> Option<Vec<usize>> {
        let wrapper = self.look(|planter, node| {
            WRAPPERS.contains(&planter.tree.nodes[node].name.as_str()) && planter.is_known_again(node)
        })?;
        let parent = self.tree.nodes[wrapper].parent;
        let children = self.tree.nodes[wrapper].children.clone();
        let place = self.tree.detach(wrapper);
        children.iter().rev().for_each(|&child| self.tree.put(parent, place, child));
        let merged = self.tree.merge_texts(parent);
        Some([vec![wrapper], children, merged].concat())
    }

    fn is_space(&self, node: usize) -> bool {
        self.tree.is_text(node) && self.tree.nodes[node].content.trim().is_empty()
    }

    fn block(&mut self) -> Option<usize> {
        self.look(Self::is_block)
    }

    fn is_block(&self, node: usize) -> bool {
        BLOCKS.contains(&self.tree.nodes[node].name.as_str()) && self.is_known_again(node)
    }

    /// Whether a node is of a size to be moved about, is there once, and holds no edit.
    fn is_known_again(&self, node: usize) -> bool {
        let subtree = self.tree.subtree(node);
        self.unique.get(node).copied().unwrap_or_default()
            && subtree.len() <= LARGEST.min(self.unique.len() / 8)
            && !subtree.iter().any(|inside| self.touched.contains(inside))
            && self.tree.letters(node) >= LETTERS
    }

    /// Looks in the body for a node that no edit concerns, in no node that one moved or brought in.
    fn look(&mut self, fits: impl Fn(&Self, usize) -> bool) -> Option<usize> {
        let order = self.tree.in_order();
        let nodes: Vec<usize> = (0..LOOKS).map(|_| order[self.rng.usize(..order.len())]).collect();
        nodes.into_iter().find(|&node| self.is_open(node) && fits(self, node))
    }

    fn is_open(&self, node: usize) -> bool {
        !self.touched.contains(&node)
            && self.tree.around(node).any(|around| self.tree.nodes[around].name == "body")
            && !self.tree.around(node).any(|around| self.sealed.contains(&around))
    }
}

/// The page as written, if a parser makes the same tree of it.
pub(super) fn parsed(tree: &Tree) -> Option<(String, PageDigest)> {
    let page = write::html(tree);
    let digest = PageDigest::encode(page.as_bytes(), &Reading::default()).ok()?;
    tree.is(&digest).then_some((page, digest))
}
