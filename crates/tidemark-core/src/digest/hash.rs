//! A 128-bit hash of every subtree.
//!
//! Cost: one pass from the last node to the first, O(n) and the text once. xxh3 was chosen because it is the fastest hash
//! with a fixed published format; it is not cryptographic, so these hashes suggest matches and never decide whether
//! two pages differ: [`FacetHashes`](super::FacetHashes) do that.

use super::PageDigest;
use super::columns::Columns;
use xxhash_rust::xxh3::xxh3_128;

/// Hashes of all subtrees, by node. Equal subtrees of any two pages have equal hashes: names are hashed by their
/// text, not by their numbers in one page.
pub(crate) fn subtrees(digest: &PageDigest) -> Vec<u128> {
    subtrees_around(digest, &[])
}

/// The same without looking into some subtrees, given in order by their roots with numbers that stand for what is in them.
pub(crate) fn subtrees_around(digest: &PageDigest, known: &[(u32, u32)]) -> Vec<u128> {
    let (columns, tree) = (digest.columns(), digest.tree());
    let tags: Vec<u128> = (0..columns.tag_kinds.len() as u32).map(|tag| tag_hash(columns, tag)).collect();
    let names: Vec<u128> = columns.all_names().map(|name| xxh3_128(name.as_bytes())).collect();
    // Until a node is reached, its place holds the fold of its children from the last one on.
    let mut hashes = vec![0; digest.len()];
    let (mut next, mut known) = (digest.len(), known.iter().rev().peekable());
    while next > 0 {
        let mut node = next - 1;
        let around = known.next_if(|&&(root, _)| node < tree.end[root as usize] as usize);
        if let Some(&(root, number)) = around {
            node = root as usize;
            hashes[node] = mix(&[u128::from(number) + 1]);
        } else {
            hashes[node] =
                mix(&[tags[columns.tags[node] as usize], own(columns, &names, node), hashes[node]]);
        }
        if node > 0 {
            let parent = tree.parent[node] as usize;
            hashes[parent] = mix(&[hashes[parent], hashes[node]]);
        }
        next = node;
    }
    hashes
}

/// What a node has besides its tag and its children: attributes or content.
fn own(columns: &Columns<'_>, names: &[u128], node: usize) -> u128 {
    match columns.attribute_rows(node) {
        rows if !rows.is_empty() => rows.fold(0, |sum, row| {
            let name = names[columns.attribute_names[row] as usize];
            mix(&[sum, name, xxh3_128(columns.attribute_value(row).as_bytes())])
        }),
        _ => xxh3_128(columns.content_of(node).as_bytes()),
    }
}

/// Hash of a tag that is the same in every page.
pub(crate) fn tag_hash(columns: &Columns<'_>, tag: u32) -> u128 {
    let name = xxh3_128(columns.tag_name(tag).as_bytes());
    mix(&[name, u128::from(columns.tag_kinds[tag as usize])])
}

fn mix(parts: &[u128]) -> u128 {
    xxh3_128(bytemuck::cast_slice(parts))
}

#[cfg(test)]
mod tests {
    use crate::digest::{NodeId, PageDigest};
    use crate::page::Reading;

    fn hash_of_first(html: &str, tag: &str) -> u128 {
        let digest = PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap();
        let node = digest.tagged(tag).next().unwrap();
        digest.subtree_hash(node)
    }

    #[test]
    fn equal_subtrees_are_equal_in_any_page() {
        let one = hash_of_first("<p>x<ul class=a><li>1<li>2</ul>", "ul");
        let two = hash_of_first("<title>t</title><div id=z><ul class=a><li>1<li>2</ul></div>", "ul");
        assert_eq!(one, two);
    }

    #[test]
    fn every_part_of_a_subtree_counts() {
        let variants = [
            "<ul class=a><li>1<li>2</ul>",
            "<ul class=b><li>1<li>2</ul>",
            "<ul id=a><li>1<li>2</ul>",
            "<ul><li>1<li>2</ul>",
            "<ul class=a><li>2<li>1</ul>",
            "<ul class=a><li>1<li>2<li></ul>",
            "<ul class=a><li>1<!--2--></ul>",
            "<ul class=a><li>1<li><b>2</b></ul>",
            "<ul class=a><li>12</ul>",
        ];
        let mut hashes: Vec<u128> = variants.iter().map(|html| hash_of_first(html, "ul")).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), variants.len());
    }

    #[test]
    fn the_root_hash_is_the_hash_of_the_page() {
        let page = |html: &str| {
            PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap().subtree_hash(NodeId::ROOT)
        };
        assert_eq!(page("<p CLASS='a'>x"), page("<html><head></head><body><p class=a>x</p></body></html>"));
        assert_ne!(page("<p>x"), page("<p>y"));
    }
}
