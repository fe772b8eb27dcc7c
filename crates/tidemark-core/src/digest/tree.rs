//! What follows from ST alone: parent, end of subtree and depth of every node.
//!
//! Source: the `children` subroutine of the paper's algorithm 2, with both errata mended: it reads its own stack,
//! and a chain of last children closes as many levels as end there.
//! Cost: one pass, O(n) time and space, at any depth.

/// Derived arrays, indexed by node.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// Parent; the document is its own.
    pub(crate) parent: Vec<u32>,
    /// First node behind the subtree.
    pub(crate) end: Vec<u32>,
    /// Levels below the document.
    pub(crate) depth: Vec<u32>,
}

impl Tree {
    /// Whether the numbers of children make one tree.
    pub(crate) fn is_one(children: &[u32]) -> bool {
        let mut missing = 1u64; // nodes announced and not yet met
        for &count in children {
            if missing == 0 {
                return false;
            }
            missing = missing - 1 + u64::from(count);
        }
        missing == 0
    }

    /// Derives the arrays of numbers that make one tree.
    pub(crate) fn derive(children: &[u32]) -> Self {
        let room = || Vec::with_capacity(children.len());
        let mut tree = Self { parent: room(), end: room(), depth: room() };
        let mut open: Vec<(u32, u32)> = Vec::new(); // node, children still to come
        for (node, &wanted) in (0u32..).zip(children) {
            let depth = open.len() as u32;
            let parent = open.last_mut().map_or(0, |(parent, missing)| {
                *missing -= 1;
                *parent
            });
            tree.push(parent, depth);
            if wanted > 0 {
                open.push((node, wanted));
                continue;
            }
            while let Some(&(closed, 0)) = open.last() {
                tree.end[closed as usize] = node + 1;
                open.pop();
            }
        }
        tree
    }

    /// Adds a node, for now a leaf.
    fn push(&mut self, parent: u32, depth: u32) {
        self.parent.push(parent);
        self.depth.push(depth);
        self.end.push(self.parent.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn erratum_a_chain_of_last_children_closes_every_level() {
        // 0 ─ 1 ─ 2 ─ 3 ; 0 ─ 4
        let tree = Tree::derive(&[2, 1, 1, 0, 0]);
        assert_eq!(tree.parent, [0, 0, 1, 2, 0]);
        assert_eq!(tree.end, [5, 4, 4, 4, 5]);
        assert_eq!(tree.depth, [0, 1, 2, 3, 1]);
    }

    #[test]
    fn the_papers_figure_2() {
        // table > tr > (td > img), (td > table > tr > (td > img), (td > font > 5 leaves))
        let tree = Tree::derive(&[1, 2, 1, 0, 1, 1, 2, 1, 0, 1, 5, 0, 0, 0, 0, 0]);
        assert_eq!(tree.parent, [0, 0, 1, 2, 1, 4, 5, 6, 7, 6, 9, 10, 10, 10, 10, 10]);
        assert_eq!(tree.end[4], 16);
    }

    #[test]
    fn a_million_levels_are_no_trouble() {
        let mut children = vec![1; 1_000_000];
        children.push(0);
        assert!(Tree::is_one(&children));
        let tree = Tree::derive(&children);
        assert_eq!(tree.depth[1_000_000], 1_000_000);
        assert!(tree.end.iter().all(|&end| end == 1_000_001));
    }

    #[test]
    fn numbers_that_are_no_tree_are_refused() {
        for children in [&[][..], &[0, 0], &[1], &[2, 0], &[1, 0, 0], &[1, 1], &[u32::MAX, 0]] {
            assert!(!Tree::is_one(children), "{children:?}");
        }
    }
}
