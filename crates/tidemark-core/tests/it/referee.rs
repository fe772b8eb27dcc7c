//! The same pages as other parsers read them.

use crate::outline::Line;
use html5ever_of_rcdom::tendril::{StrTendril, TendrilSink};
use html5ever_of_rcdom::tokenizer::TokenizerOpts;
use html5ever_of_rcdom::tree_builder::TreeBuilderOpts;
use html5ever_of_rcdom::{Attribute, ParseOpts, QualName, ns, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use roxmltree::{Document, Node, ParsingOptions};
use tidemark_core::digest::{Kind, NodeId, PageDigest};

/// HTML as html5ever's own tree has it, fed in one piece.
pub(crate) fn html(text: &str) -> Vec<Line> {
    let options = ParseOpts {
        tokenizer: TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() },
        tree_builder: TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
    };
    let dom = parse_document(RcDom::default(), options).one(StrTendril::from_slice(text));
    let mut lines = Vec::new();
    let mut open = vec![(dom.document.clone(), 0)]; // a node of this DOM takes its subtree with it when dropped
    while let Some((node, depth)) = open.pop() {
        lines.push(html_line(&node, depth));
        open.extend(node.children.borrow().iter().rev().map(|child| (child.clone(), depth + 1)));
        if let NodeData::Element { template_contents, .. } = &node.data
            && let Some(contents) = &*template_contents.borrow()
        {
            lines.push(Line::leaf(depth + 1, Kind::Fragment, ""));
            open.extend(contents.children.borrow().iter().rev().map(|child| (child.clone(), depth + 2)));
        }
    }
    lines
}

fn html_line(node: &Handle, depth: usize) -> Line {
    match &node.data {
        NodeData::Document => Line::leaf(depth, Kind::Document, ""),
        NodeData::Doctype { name, public_id, system_id } => {
            Line::leaf(depth, Kind::Doctype, &doctype(name, public_id, system_id))
        }
        NodeData::Text { contents } => Line::leaf(depth, Kind::Text, &contents.borrow()),
        NodeData::Comment { contents } => Line::leaf(depth, Kind::Comment, contents),
        NodeData::ProcessingInstruction { target, contents } => {
            Line::leaf(depth, Kind::Instruction, &format!("{target} {contents}"))
        }
        NodeData::Element { name, attrs, .. } => Line {
            vocabulary: vocabulary(name),
            ..Line::element(depth, &name.local, attrs.borrow().iter().map(attribute))
        },
    }
}

fn vocabulary(name: &QualName) -> u32 {
    match name.ns {
        ns!(html) => 1,
        ns!(svg) => 2,
        ns!(mathml) => 3,
        _ => 0,
    }
}

fn attribute(attribute: &Attribute) -> (String, String) {
    let prefix = attribute
        .name
        .prefix
        .as_ref()
        .filter(|prefix| !prefix.is_empty())
        .map(|prefix| format!("{prefix}:"))
        .unwrap_or_default();
    (format!("{prefix}{}", attribute.name.local), attribute.value.to_string())
}

fn doctype(name: &str, public: &str, system: &str) -> String {
    match (public, system) {
        ("", "") => name.to_owned(),
        ("", system) => format!("{name} SYSTEM \"{system}\""),
        (public, "") => format!("{name} PUBLIC \"{public}\""),
        (public, system) => format!("{name} PUBLIC \"{public}\" \"{system}\""),
    }
}

/// XML as roxmltree reads it, if it takes it. Names are written `{namespace}local`; texts are whole runs, as XPath sees them.
pub(crate) fn xml(text: &str) -> Option<Vec<Line>> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).ok()?;
    let lines = document.descendants().map(|node| xml_line(&node));
    Some(lines.filter(|line| line.kind != Kind::Text || !line.content.is_empty()).collect())
}

fn xml_line(node: &Node<'_, '_>) -> Line {
    let depth = node.ancestors().count() - 1;
    let unified = |text: &str| text.replace("\r\n", "\n"); // roxmltree leaves line ends alone outside of text
    if let Some(instruction) = node.pi() {
        let data = unified(instruction.value.unwrap_or_default());
        return Line::leaf(depth, Kind::Instruction, &instruction_line(instruction.target, &data));
    }
    let text = node.text().unwrap_or_default();
    if node.is_root() {
        Line::leaf(depth, Kind::Document, "")
    } else if node.is_text() {
        Line::leaf(depth, Kind::Text, text)
    } else if node.is_comment() {
        Line::leaf(depth, Kind::Comment, &unified(text))
    } else {
        let attributes = node.attributes().map(|a| (expanded(a.namespace(), a.name()), a.value().to_owned()));
        let name = expanded(node.tag_name().namespace(), node.tag_name().name());
        Line::element(depth, &name, attributes)
    }
}

fn expanded(namespace: Option<&str>, local: &str) -> String {
    namespace.map(|namespace| format!("{{{namespace}}}")).unwrap_or_default() + local
}

fn instruction_line(target: &str, data: &str) -> String {
    format!("{target} {}", data.trim_ascii())
}

/// An XML digest in the form of [`xml`], and the line of each node.
///
/// Left out is what XPath does not see: declaration, doctype, space outside of the root, empty texts.
pub(crate) fn xpath_outline(digest: &PageDigest) -> (Vec<Line>, Vec<Option<usize>>) {
    let mut lines: Vec<Line> = Vec::new();
    let mut places = Vec::new();
    let mut after_text = false;
    for node in digest.depth_first() {
        let line = xpath_line(digest, node);
        let follows_text =
            std::mem::replace(&mut after_text, line.as_ref().is_some_and(|line| line.kind == Kind::Text));
        match (line, lines.last_mut()) {
            (Some(line), Some(last))
                if follows_text && line.kind == Kind::Text && last.depth == line.depth =>
            {
                last.content += &line.content;
            }
            (Some(line), _) => lines.push(line),
            (None, _) => {
                after_text = follows_text && digest.content(node) == Some("");
                places.push(None);
                continue;
            }
        }
        places.push(Some(lines.len() - 1));
    }
    (lines, places)
}

fn xpath_line(digest: &PageDigest, node: NodeId) -> Option<Line> {
    let depth = digest.depth(node);
    let content = digest.content(node).unwrap_or_default();
    match digest.kind(node) {
        Kind::Text | Kind::Raw | Kind::Cdata => {
            (depth > 1 && !content.is_empty()).then(|| Line::leaf(depth, Kind::Text, content))
        }
        Kind::Instruction => {
            let (target, data) =
                content.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((content, ""));
            Some(Line::leaf(depth, Kind::Instruction, &instruction_line(target, data)))
        }
        Kind::Element => {
            let attributes =
                digest.attributes(node).filter(|(name, _)| *name != "xmlns" && !name.starts_with("xmlns:"));
            let attributes = attributes.map(|(name, value)| {
                let prefix = name.split_once(':').map(|(prefix, _)| prefix);
                (resolved(digest, node, prefix.map(Some), name), value.to_owned())
            });
            let name = digest.name(node);
            let prefix = name.split_once(':').map(|(prefix, _)| prefix);
            let own = resolved(digest, node, Some(prefix), name);
            Some(Line::element(depth, &own, attributes))
        }
        kind @ (Kind::Document | Kind::Comment) => Some(Line::leaf(depth, kind, content)),
        Kind::Doctype | Kind::Declaration | Kind::Entity | Kind::Fragment => None,
    }
}

/// A qualified name with its prefix resolved as declared at the node or above it; `None` for a name in no namespace.
#[expect(
    clippy::option_option,
    reason = "a name without a namespace, or with the default one, or with a prefix"
)]
fn resolved(digest: &PageDigest, node: NodeId, prefix: Option<Option<&str>>, name: &str) -> String {
    let local = name.rsplit(':').next().unwrap_or(name);
    let Some(prefix) = prefix else { return local.to_owned() };
    if prefix == Some("xml") {
        return expanded(Some("http://www.w3.org/XML/1998/namespace"), local);
    }
    let declaration = prefix.map_or_else(|| "xmlns".to_owned(), |prefix| format!("xmlns:{prefix}"));
    let declared = std::iter::once(node)
        .chain(digest.ancestors(node))
        .find_map(|node| digest.attribute(node, &declaration));
    expanded(declared.filter(|namespace| !namespace.is_empty()), local)
}
