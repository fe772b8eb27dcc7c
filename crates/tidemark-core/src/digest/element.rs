//! What elements are to a reader: blocks or parts of a line, seen or unseen.

use super::text::INLINE;
use super::{Kind, NodeId, PageDigest};
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
    is_inline_tag(digest, digest.tag(node))
}

/// What the tags of a page are, for those who ask for many nodes.
pub(crate) struct Nature {
    inline: Vec<bool>,
    unseen: Vec<bool>,
}

impl Nature {
    pub(crate) fn of(digest: &PageDigest) -> Self {
        let inline = (0..digest.tag_list().len() as u32).map(|tag| is_inline_tag(digest, tag)).collect();
        let unseen = seen_tags(digest).into_iter().map(|seen| seen == Some(false)).collect();
        Self { inline, unseen }
    }

    /// Whether nodes of this tag are part of a line.
    pub(crate) fn is_inline(&self, tag: u32) -> bool {
        self.inline[tag as usize]
    }

    /// Whether a reader sees nothing of nodes of this tag.
    pub(crate) fn is_unseen(&self, tag: u32) -> bool {
        self.unseen[tag as usize]
    }
}

fn is_inline_tag(digest: &PageDigest, tag: u32) -> bool {
    let columns = digest.columns();
    match columns.kind_of_tag(tag) {
        Kind::Element => match columns.space_of_tag(tag) {
            Space::Html => {
                let name = columns.tag_name(tag);
                INLINE.contains(&name) || IN_LINE.contains(&name)
            }
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
    let own = seen_tags(digest);
    let mut seen: Vec<bool> = Vec::with_capacity(digest.len());
    for row in digest.scan() {
        let around = digest.parent(row.node).is_none_or(|parent| seen[parent.index()]);
        seen.push(own[row.tag.0 as usize].unwrap_or(around));
    }
    seen
}

/// What each entry of the list of tags says by itself: seen, unseen, or as what is around it.
fn seen_tags(digest: &PageDigest) -> Vec<Option<bool>> {
    let of_tag = |(tag, (kind, name)): (u32, (Kind, &str))| {
        let is_html = digest.columns().space_of_tag(tag) == Space::Html;
        match kind {
            Kind::Element if is_html && name == "title" => Some(true),
            Kind::Element if is_html && UNSEEN.contains(&name) => Some(false),
            Kind::Element | Kind::Text | Kind::Cdata | Kind::Document | Kind::Entity => None,
            _ => Some(false),
        }
    };
    (0..).zip(digest.tag_list()).map(of_tag).collect()
}

/// Whether a change of this attribute is seen or met by a reader. Hidden fields of forms are not: tokens change at every visit.
pub(crate) fn is_seen_attribute(page: &PageDigest, node: NodeId, name: &str) -> bool {
    let is_hidden = || page.attribute(node, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"));
    SEEN_ATTRIBUTES.contains(&name) && !is_hidden()
}
