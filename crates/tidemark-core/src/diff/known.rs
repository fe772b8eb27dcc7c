//! What two pages are known to have in common before they are compared.
//!
//! A comparison finds the same without knowing anything; it only has to look less.

/// Stretches of whole subtrees that are equal, by their first nodes and their number of nodes; sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    stretches: Vec<(u32, u32, u32)>,
}

impl Known {
    /// Takes stretches as old start, new start and number of nodes.
    pub(crate) fn new(mut stretches: Vec<(u32, u32, u32)>) -> Self {
        stretches.sort_unstable();
        Self { stretches }
    }

    /// Whether the subtrees of two nodes, of as many nodes each, are known to be equal.
    pub(crate) fn is_same(&self, old: u32, new: u32) -> bool {
        let behind = self.stretches.partition_point(|stretch| stretch.0 <= old);
        let Some(&(old_start, new_start, nodes)) = behind.checked_sub(1).map(|at| &self.stretches[at]) else {
            return false;
        };
        old - old_start < nodes && new.checked_sub(new_start) == Some(old - old_start)
    }
}
