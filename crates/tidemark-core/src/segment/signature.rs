//! Signatures: 128 bits of BLAKE3 over a stretch of nodes, equal exactly for stretches that are equal in every facet.
//!
//! Source: `CaSePer`, equation 7. Cost: the nodes and their text once. We differ: the paper's MD5 is broken, and a hostile page could make two
//! contents collide; names are numbered within the stretch, so that a signature does not depend on what else is on the page.

use super::Segment;
use super::outline::Outline;
use crate::digest::columns::Columns;
use crate::digest::{NodeId, PageDigest};
use std::ops::Range;

/// Signs stretches of one page.
pub(crate) struct Signer<'a> {
    columns: &'a Columns<'a>,
    tags: Numbering,
    names: Numbering,
    numbers: Vec<u32>,
}

impl<'a> Signer<'a> {
    pub(crate) fn new(digest: &'a PageDigest) -> Self {
        let columns = digest.columns();
        let tags = Numbering::new(columns.tag_kinds.len());
        let names = Numbering::new(columns.name_ends.len());
        Self { columns, tags, names, numbers: Vec::new() }
    }

    /// The signature of some nodes that follow each other.
    pub(crate) fn sign(&mut self, nodes: Range<u32>) -> u128 {
        let mut hasher = blake3::Hasher::new();
        self.write(nodes, &mut hasher);
        finish(&hasher)
    }

    /// Writes nodes that follow each other so that no other nodes are written alike.
    pub(crate) fn write(&mut self, nodes: Range<u32>, hasher: &mut blake3::Hasher) {
        let (columns, nodes) = (self.columns, nodes.start as usize..nodes.end as usize);
        self.numbers.clear();
        self.numbers.push(nodes.len() as u32);
        for node in nodes.clone() {
            let rows = columns.attribute_rows(node);
            let own = [columns.children[node], self.tags.of(columns.tags[node]), rows.len() as u32];
            self.numbers.extend(own);
            self.numbers.push(columns.content_of(node).len() as u32);
            for row in rows {
                let name = self.names.of(columns.attribute_names[row]);
                self.numbers.extend([name, columns.attribute_value(row).len() as u32]);
            }
        }
        hasher.update(bytemuck::cast_slice(&self.numbers));
        hasher.update(columns.contents_of(nodes.clone()).as_bytes());
        hasher.update(columns.attribute_values_of(nodes).as_bytes());
        for tag in self.tags.forget() {
            hasher.update(&columns.tag_kinds[tag as usize].to_le_bytes());
            write_name(columns.tag_name(tag), hasher);
        }
        for name in self.names.forget() {
            write_name(columns.name(name), hasher);
        }
    }
}

impl Signer<'_> {
    /// The signature of the frame: its nodes, what is loose in it, and where it holds which segments.
    pub(crate) fn frame(&mut self, page: &PageDigest, segments: &[Segment], outline: &Outline) -> u128 {
        let mut hasher = blake3::Hasher::new();
        let mut is_frame = outline.frames.iter().map(|frame| frame.node).peekable();
        let mut segments = segments.iter().peekable();
        let (mut node, len) = (0, page.len() as u32);
        while node < len {
            if let Some(segment) = segments.next_if(|segment| segment.nodes.start == node) {
                hasher.update(b"S").update(&segment.column.0.to_le_bytes());
                hasher.update(&depth(page, node).to_le_bytes());
                node = segment.nodes.end;
            } else if is_frame.next_if_eq(&node).is_some() {
                hasher.update(b"F").update(&depth(page, node).to_le_bytes());
                self.write(node..node + 1, &mut hasher);
                node += 1;
            } else {
                let end = page.end(NodeId(node));
                hasher.update(b"C").update(&depth(page, node).to_le_bytes());
                self.write(node..end, &mut hasher);
                node = end;
            }
        }
        finish(&hasher)
    }
}

/// The hash as it is kept.
pub(crate) fn finish(hasher: &blake3::Hasher) -> u128 {
    let mut bytes = [0; 16];
    hasher.finalize_xof().fill(&mut bytes);
    u128::from_le_bytes(bytes)
}

fn depth(page: &PageDigest, node: u32) -> u32 {
    page.depth(NodeId(node)) as u32
}

/// What a node is called by whoever wrote the page: its tag, and its `id` or else its classes. Suggests pairs, decides nothing.
pub(crate) fn mark(digest: &PageDigest, node: NodeId) -> u64 {
    let mut name = digest.name(node).to_owned();
    for (attribute, sign) in [("id", '#'), ("class", '.')] {
        if let Some(value) = digest.attribute(node, attribute) {
            name.push(sign);
            name.push_str(value);
            break;
        }
    }
    xxhash_rust::xxh3::xxh3_64(name.as_bytes())
}

fn write_name(name: &str, hasher: &mut blake3::Hasher) {
    hasher.update(&(name.len() as u32).to_le_bytes());
    hasher.update(name.as_bytes());
}

/// Numbers by first appearance, forgotten after each stretch.
struct Numbering {
    numbers: Vec<u32>,
    met: Vec<u32>,
}

impl Numbering {
    fn new(count: usize) -> Self {
        Self { numbers: vec![u32::MAX; count], met: Vec::new() }
    }

    fn of(&mut self, entry: u32) -> u32 {
        let number = &mut self.numbers[entry as usize];
        if *number == u32::MAX {
            *number = self.met.len() as u32;
            self.met.push(entry);
        }
        *number
    }

    /// Gives back what was met, in order, and starts again.
    fn forget(&mut self) -> Vec<u32> {
        let met = std::mem::take(&mut self.met);
        met.iter().for_each(|&entry| self.numbers[entry as usize] = u32::MAX);
        met
    }
}

#[cfg(test)]
mod tests {
    use super::Signer;
    use crate::digest::PageDigest;
    use crate::page::Reading;

    fn signature(html: &str) -> u128 {
        let digest = PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap();
        let node = digest.tagged("ul").next().unwrap();
        Signer::new(&digest).sign(node.0..digest.end(node))
    }

    #[test]
    fn what_else_is_on_the_page_does_not_count() {
        let here = signature("<ul class=a><li>1<li id=b>2</ul>");
        assert_eq!(here, signature("<table id=x><td>y</table><ul class=a><li>1<li id=b>2</ul><p>z"));
    }

    #[test]
    fn every_part_counts() {
        let variants = [
            "<ul class=a><li>1<li>2</ul>",
            "<ul class=b><li>1<li>2</ul>",
            "<ul id=a><li>1<li>2</ul>",
            "<ul class=a><li>12<li></ul>",
            "<ul class=a><li>1<p>2</ul>",
            "<ul class=a><li>1<li><li>2</ul>",
            "<ul class=a><li class=a>1<li>2</ul>",
            "<ul class=a><li>1<li>2<!----></ul>",
            "<ul class=''><li a>1<li>2</ul>",
            "<ul class='' a><li>1<li>2</ul>",
        ];
        let mut signatures: Vec<u128> = variants.iter().map(|html| signature(html)).collect();
        signatures.sort_unstable();
        signatures.dedup();
        assert_eq!(signatures.len(), variants.len());
    }
}
