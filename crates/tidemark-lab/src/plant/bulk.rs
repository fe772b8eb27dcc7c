//! Many edits at once, without a truth to hold anything against: pages to measure time with.

use super::tree::{Node, Tree};
use super::{planter, words};
use anyhow::{Context, Result};
use fastrand::Rng;
use tidemark_core::digest::PageDigest;
use tidemark_core::page::Reading;

/// What is inserted or deleted by one edit has at most so many nodes.
const SMALL: usize = 6;

/// A page with so many edits: words, attributes, small subtrees doubled and deleted, a quarter each.
pub fn change(page: &str, edits: usize, seed: u64) -> Result<String> {
    let digest = PageDigest::encode(page.as_bytes(), &Reading::default())?;
    let mut tree = Tree::of(&digest);
    let rng = &mut Rng::with_seed(seed);
    let body = digest.tagged("body").next().map_or(0, |body| body.0 as usize);
    let mut order: Vec<usize> = (body + 1..digest.len()).collect();
    rng.shuffle(&mut order);
    let mut done = 0;
    for node in order {
        if done == edits {
            break;
        }
        done += usize::from(edit(&mut tree, node, rng));
    }
    let (page, _) = planter::parsed(&tree).context("the page does not come back from being written")?;
    Ok(page)
}

/// Edits a node, if it can be edited; whether it was.
fn edit(tree: &mut Tree, node: usize, rng: &mut Rng) -> bool {
    let is_small = || tree.is_element(node) && tree.subtree(node).len() <= SMALL;
    match rng.u8(..4) {
        _ if tree.is_text(node) => {
            tree.nodes[node].content = words::some_other(&tree.nodes[node].content, rng);
        }
        0 if is_small() && tree.nodes[tree.nodes[node].parent].children.contains(&node) => {
            tree.detach(node);
            tree.merge_texts(tree.nodes[node].parent);
        }
        1 if is_small() && tree.nodes[tree.nodes[node].parent].children.contains(&node) => {
            double(tree, node, rng);
        }
        _ if tree.is_element(node) => {
            tree.nodes[node].attributes.retain(|(name, _)| name != "title");
            tree.nodes[node].attributes.push(("title".to_owned(), words::word(rng).to_owned()));
        }
        _ => return false,
    }
    true
}

/// Puts an element like this one behind it.
fn double(tree: &mut Tree, node: usize, rng: &mut Rng) {
    let copy = tree.add(Node::element(&tree.nodes[node].name.clone()));
    let text = format!("{} {}", words::word(rng), rng.u16(..));
    tree.nodes[copy].attributes.push(("title".to_owned(), text));
    tree.put(tree.nodes[node].parent, tree.place(node) + 1, copy);
}
