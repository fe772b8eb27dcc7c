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
    digest: &'a PageDigest,
    columns: &'a Columns<'a>,
    tags: Numbering,
    names: Numbering,
    written: Vec<u8>,
}

impl<'a> Signer<'a> {
    pub(crate) fn new(digest: &'a PageDigest) -> Self {
        let columns = digest.columns();
        let tags = Numbering::new(columns.tag_kinds.len());
        let names = Numbering::new(columns.name_ends.len());
        Self { digest, columns, tags, names, written: Vec::new() }
    }

    /// The signature of a subtree.
    pub(crate) fn subtree(&mut self, node: u32) -> u128 {
        self.written.clear();
        self.write(node..self.digest.end(NodeId(node)));
        cut(blake3::hash(&self.written))
    }

    /// The signature of the frame: its nodes, what is loose in it, and where it holds which segments.
    pub(crate) fn frame(&mut self, segments: &[Segment], outline: &Outline) -> u128 {
        let mut is_frame = outline.frames.iter().map(|frame| frame.node).peekable();
        let mut segments = segments.iter().peekable();
        let (mut node, len) = (0, self.digest.len() as u32);
        self.written.clear();
        while node < len {
            let depth = self.digest.depth(NodeId(node)) as u32;
            if let Some(segment) = segments.next_if(|segment| segment.nodes.start == node) {
                self.numbers([SEGMENT, depth, segment.column.0]);
                node = segment.nodes.end;
            } else {
                let is_frame = is_frame.next_if_eq(&node).is_some();
                let end = if is_frame { node + 1 } else { self.digest.end(NodeId(node)) };
                self.numbers([if is_frame { FRAME } else { CRUMB }, depth]);
                self.write(node..end);
                node = end;
            }
        }
        cut(blake3::hash(&self.written))
    }

    /// Writes nodes that follow each other so that no other nodes are written alike.
    fn write(&mut self, nodes: Range<u32>) {
        let (columns, nodes) = (self.columns, nodes.start as usize..nodes.end as usize);
        self.numbers([nodes.len() as u32]);
        for node in nodes.clone() {
            let rows = columns.attribute_rows(node);
            let tag = self.tags.of(columns.tags[node]);
            let content = columns.content_of(node).len() as u32;
            self.numbers([columns.children[node], tag, rows.len() as u32, content]);
            for row in rows {
                let name = self.names.of(columns.attribute_names[row]);
                self.numbers([name, columns.attribute_value(row).len() as u32]);
            }
        }
        self.written.extend_from_slice(columns.contents_of(nodes.clone()).as_bytes());
        self.written.extend_from_slice(columns.attribute_values_of(nodes).as_bytes());
        for tag in self.tags.forget() {
            let name = columns.tag_name(tag);
            self.numbers([columns.tag_kinds[tag as usize], name.len() as u32]);
            self.written.extend_from_slice(name.as_bytes());
        }
        for name in self.names.forget() {
            let name = columns.name(name);
            self.numbers([name.len() as u32]);
            self.written.extend_from_slice(name.as_bytes());
        }
    }

    /// Most numbers are small, so they are written in seven bits a byte.
    fn numbers<const N: usize>(&mut self, numbers: [u32; N]) {
        for mut number in numbers {
            while number >= 0x80 {
                self.written.push(number as u8 | 0x80);
                number >>= 7;
            }
            self.written.push(number as u8);
        }
    }
}

/// What stands in the frame.
const SEGMENT: u32 = 0;
const FRAME: u32 = 1;
const CRUMB: u32 = 2;

/// The signature of several that follow each other.
pub(crate) fn joined(signatures: &[u128]) -> u128 {
    cut(blake3::hash(bytemuck::cast_slice(signatures)))
}

/// The hash as it is kept.
fn cut(hash: blake3::Hash) -> u128 {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.as_bytes()[..16]);
    u128::from_le_bytes(bytes)
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
        Signer::new(&digest).subtree(node.0)
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
