//! Trees as HTML.
//!
//! Source: "serializing HTML fragments" of WHATWG HTML. Not every tree can be written so that a parser makes it again; whoever needs that
//! parses what was written and looks. Road not taken: the serialiser of the core, which writes digests, and these are not digests yet.

use super::tree::{Node, Tree};
use tidemark_core::digest::Kind;

const VOID: [&str; 18] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen",
    "link", "meta", "param", "source", "track", "wbr",
];

/// Writes a page.
pub(super) fn html(tree: &Tree) -> String {
    let mut out = String::with_capacity(tree.nodes.len() * 24);
    let mut open = vec![(0, false)];
    while let Some((node, is_written)) = open.pop() {
        let at = &tree.nodes[node];
        if is_written {
            out.extend(["</", &at.name, ">"]);
            continue;
        }
        start(at, &mut out);
        if at.kind == Kind::Element && !VOID.contains(&at.name.as_str()) {
            open.push((node, true));
            out.push_str(lost_newline(tree, at));
        }
        open.extend(at.children.iter().rev().map(|&child| (child, false)));
    }
    out
}

fn start(node: &Node, out: &mut String) {
    match node.kind {
        Kind::Element => {
            out.extend(["<", &node.name]);
            for (name, value) in &node.attributes {
                out.extend([" ", name, "=\""]);
                escape(value, out);
                out.push('"');
            }
            out.push('>');
        }
        Kind::Text => escape(&node.content, out),
        Kind::Comment => out.extend(["<!--", &node.content, "-->"]),
        Kind::Doctype => out.extend(["<!DOCTYPE ", &node.content, ">"]),
        _ => out.push_str(&node.content),
    }
}

/// A parser drops a newline right behind these tags, so one is written for it to drop.
fn lost_newline(tree: &Tree, node: &Node) -> &'static str {
    let first = node.children.first().map_or("", |&child| &tree.nodes[child].content);
    let drops = matches!(node.name.as_str(), "pre" | "textarea" | "listing");
    if drops && first.starts_with('\n') { "\n" } else { "" }
}

fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\r' => out.push_str("&#13;"),
            character => out.push(character),
        }
    }
}
