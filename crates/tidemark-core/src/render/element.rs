//! What elements are to a reader: blocks or parts of a line, seen or unseen.

use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::arena::Space;

/// Elements that are part of a line of text. Everything else breaks the line, unknown elements included.
const INLINE: [&str; 46] = [
    "a", "abbr", "acronym", "audio", "b", "bdi", "bdo", "big", "br", "button", "cite", "code", "data", "del",
    "dfn", "em", "embed", "font", "i", "iframe", "img", "input", "ins", "kbd", "label", "mark", "meter",
    "object", "output", "picture", "progress", "q", "rp", "rt", "ruby", "s", "samp", "select", "small",
    "span", "strike", "strong", "sub", "sup", "svg", "tt",
];
const MORE_INLINE: [&str; 8] = ["u", "var", "video", "wbr", "time", "nobr", "textarea", "math"];

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
            Space::Html => INLINE.contains(&digest.name(node)) || MORE_INLINE.contains(&digest.name(node)),
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
