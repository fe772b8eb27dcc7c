//! A page as a list of lines, one a node: the form in which trees of different makers are compared.

use crate::file::vocabularies;
use tidemark_core::digest::{Kind, NodeId, PageDigest};

/// One node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Levels below the document.
    pub(crate) depth: usize,
    /// What the node is.
    pub(crate) kind: Kind,
    /// 1 HTML, 2 SVG, 3 MathML, 0 for everything else.
    pub(crate) vocabulary: u32,
    /// Tag name, or `#text` and the like.
    pub(crate) name: String,
    /// Names and values in order.
    pub(crate) attributes: Vec<(String, String)>,
    /// Text of what has text.
    pub(crate) content: String,
}

impl Line {
    /// A node that is not an element.
    pub(crate) fn leaf(depth: usize, kind: Kind, content: &str) -> Self {
        let (name, content) = (kind.name().to_owned(), content.to_owned());
        Self { depth, kind, vocabulary: 0, name, attributes: Vec::new(), content }
    }

    /// An element.
    pub(crate) fn element(
        depth: usize,
        name: &str,
        attributes: impl Iterator<Item = (String, String)>,
    ) -> Self {
        let (name, attributes) = (name.to_owned(), attributes.collect());
        Self { name, attributes, ..Self::leaf(depth, Kind::Element, "") }
    }
}

/// All nodes of a digest.
pub(crate) fn outline(digest: &PageDigest) -> Vec<Line> {
    let lines = digest.depth_first().zip(vocabularies(digest));
    lines.map(|(node, vocabulary)| Line { vocabulary, ..line(digest, node) }).collect()
}

/// The nodes as a DOM has them, where raw text is text.
pub(crate) fn dom_outline(digest: &PageDigest) -> Vec<Line> {
    let text = |line: Line| {
        if line.kind == Kind::Raw { Line::leaf(line.depth, Kind::Text, &line.content) } else { line }
    };
    outline(digest).into_iter().map(text).collect()
}

fn line(digest: &PageDigest, node: NodeId) -> Line {
    let attributes = digest.attributes(node).map(|(name, value)| (name.to_owned(), value.to_owned()));
    let element = Line::element(digest.depth(node), digest.name(node), attributes);
    Line { kind: digest.kind(node), content: digest.content(node).unwrap_or_default().to_owned(), ..element }
}

/// Fails with the first lines that differ and what stands before them.
pub(crate) fn assert_same(found: &[Line], expected: &[Line], about: &str) {
    let same = found.iter().zip(expected).take_while(|(found, expected)| found == expected).count();
    if same < found.len().max(expected.len()) {
        let show = |line: &Line| format!("{line:?}").chars().take(300).collect::<String>();
        let before: Vec<String> = found[same.saturating_sub(4)..same].iter().map(show).collect();
        let [found, expected] = [found, expected].map(|lines| lines.get(same).map(show).unwrap_or_default());
        panic!(
            "{about}, line {same}, after\n  {}\nfound\n  {found}\nexpected\n  {expected}",
            before.join("\n  ")
        );
    }
}
