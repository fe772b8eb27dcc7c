//! What elements are to a reader: blocks or parts of a line, seen or unseen.

use crate::digest::text::INLINE;
use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::arena::Space;

/// Elements that stand in a line of text without being text, beside those that are; everything else breaks the line, unknown elements included.
const IN_LINE: [&str; 22] = [
    "audio", "br", "button", "embed", "iframe", "img", "input", "math", "meter", "object", "output",
    "picture", "progress", "rp", "rt", "ruby", "select", "svg", "textarea", "video", "wbr", "canvas",
];

/// Elements that a reader sees nothing of.
const UNSEEN: [&str; 12] = [
    "head", "script", "style", "template", "link", "meta", "base", "noembed", "noframes", "source", "track",
    "param",
];

/// Attributes whose change a reader sees or meets.
const SEEN_ATTRIBUTES: [&str; 15] = [
    "href",
    "src",
    "srcset",
    "alt",
    "title",
    "value",
    "placeholder",
    "checked",
    "selected",
    "disabled",
    "hidden",
    "open",
    "poster",
    "label",
    "datetime",
];

/// Whether a node is part of a line.
pub(crate) fn is_inline(digest: &PageDigest, node: NodeId) -> bool {
    match digest.kind(node) {
        Kind::Element => match digest.space(node) {
            Space::Html => INLINE.contains(&digest.name(node)) || IN_LINE.contains(&digest.name(node)),
            Space::Svg | Space::MathMl => true,
            Space::Plain => false,
        },
        Kind::Document | Kind::Fragment => false,
        _ => true,
    }
}

/// The nearest node around this one, itself included, that is a block.
pub(crate) fn block_of(digest: &PageDigest, node: NodeId) -> NodeId {
    if !is_inline(digest, node) {
        return node;
    }
    digest.ancestors(node).find(|&node| !is_inline(digest, node)).unwrap_or(NodeId::ROOT)
}

/// For every node whether a reader can see it, as far as the markup tells. The title of a page is seen.
pub(crate) fn seen(digest: &PageDigest) -> Vec<bool> {
    let own: Vec<Option<bool>> = (0..)
        .zip(digest.tag_list())
        .map(|(tag, (kind, name))| {
            let is_html = digest.columns().space_of_tag(tag) == Space::Html;
            match kind {
                Kind::Element if is_html && name == "title" => Some(true),
                Kind::Element if is_html && UNSEEN.contains(&name) => Some(false),
                Kind::Element | Kind::Text | Kind::Cdata | Kind::Document | Kind::Entity => None,
                _ => Some(false),
            }
        })
        .collect();
    let mut seen: Vec<bool> = Vec::with_capacity(digest.len());
    for row in digest.scan() {
        let around = digest.parent(row.node).is_none_or(|parent| seen[parent.index()]);
        seen.push(own[row.tag.0 as usize].unwrap_or(around));
    }
    seen
}

/// Whether a change of this attribute is seen or met by a reader.
pub(crate) fn is_seen_attribute(name: &str) -> bool {
    SEEN_ATTRIBUTES.contains(&name)
}
