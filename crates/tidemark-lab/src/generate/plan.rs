//! How the nodes of a tree are dealt out: the shape of generated trees, whatever is written for them.

use fastrand::Rng;
use std::fmt;

/// The proportions of a generated tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A few levels, with hundreds of children to a parent.
    Bushy,
    /// Ten to twenty levels, with a handful to some dozens of children.
    Mixed,
    /// Chains about as long as there are nodes, with one or two children.
    Deep,
}

impl Shape {
    /// Every shape, shallowest first.
    pub const ALL: [Self; 3] = [Self::Bushy, Self::Mixed, Self::Deep];
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Bushy => "bushy",
            Self::Mixed => "mixed",
            Self::Deep => "deep",
        })
    }
}

/// How often, on average, the trunk of a deep tree parts in two.
const FORKS: usize = 2;

/// One move of the pen that writes a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Open,
    Text,
    Close,
}

/// An element being written.
#[derive(Debug)]
struct Frame {
    /// Nodes still to be written below it.
    left: usize,
    /// The most nodes for one child, itself included, in a bushy tree.
    most: usize,
    /// What was last written in it.
    last: Option<Step>,
}

/// Deals a number of nodes out over a tree, depth first.
///
/// Each element is given its number of nodes when it is opened and hands
/// parts of it on to its children, so the total comes out exact.
#[derive(Debug)]
pub(super) struct Plan {
    shape: Shape,
    nodes: usize,
    depth: usize,
    /// The open elements, the root first. Empty once the root is closed.
    frames: Vec<Frame>,
}

impl Plan {
    /// A plan for `nodes` nodes below a root, on at most `depth` levels.
    pub(super) fn new(shape: Shape, nodes: usize, depth: usize, rng: &mut Rng) -> Self {
        let root = Frame::new(shape, nodes, rng);
        Self { shape, nodes, depth, frames: vec![root] }
    }

    /// The next step below the root, or `None` when it is time to close it.
    pub(super) fn next(&mut self, rng: &mut Rng) -> Option<Step> {
        if self.frames.len() > self.depth {
            self.hand_back();
        }
        let top = self.frames.last_mut()?;
        if top.left == 0 {
            self.frames.pop();
            return (!self.frames.is_empty()).then_some(Step::Close);
        }
        let size = top.child_size(self.shape, self.nodes, rng);
        top.left -= size;
        let text = size == 1 && top.last != Some(Step::Text) && rng.u8(..3) > 0;
        let step = if text { Step::Text } else { Step::Open };
        top.last = Some(step);
        if !text {
            self.frames.push(Frame::new(self.shape, size - 1, rng));
        }
        Some(step)
    }

    /// Gives all that is left in the open elements back to the root.
    fn hand_back(&mut self) {
        if let Some((root, rest)) = self.frames.split_first_mut() {
            for frame in rest {
                root.left += std::mem::take(&mut frame.left);
            }
        }
    }
}

impl Frame {
    fn new(shape: Shape, left: usize, rng: &mut Rng) -> Self {
        let most = match shape {
            Shape::Bushy => (left * 2 / rng.usize(100..=500)).max(1),
            Shape::Mixed | Shape::Deep => left,
        };
        Self { left, most, last: None }
    }

    /// How many of the nodes left go to the next child and what is below it.
    fn child_size(&self, shape: Shape, nodes: usize, rng: &mut Rng) -> usize {
        match shape {
            Shape::Bushy => rng.usize(1..=self.most.min(self.left)),
            Shape::Mixed if rng.u8(..4) == 0 => 1,
            Shape::Mixed => rng.usize(1..=(self.left - self.left / 4)),
            Shape::Deep if self.last.is_some() => self.left,
            Shape::Deep if rng.u8(..4) == 0 => rng.usize(1..=self.left.min(3)),
            Shape::Deep if rng.usize(..nodes) < FORKS => rng.usize(self.left / 2..=self.left).max(1),
            Shape::Deep => self.left,
        }
    }
}
