//! A page as XML that every XML library reads to the same tree.
//!
//! Elements, their attributes and their texts are kept. Comments, declarations and texts of nothing but space are left out: libraries
//! disagree about them. Names and characters that XML does not have are replaced. All of it is in an element `page`: a document that begins with
//! `html` would be read as HTML.

use tidemark_core::digest::{Kind, NodeId, PageDigest};

/// Writes the tree below the first element of a page.
pub fn xml(page: &PageDigest) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?><page>");
    let root = page.children(NodeId::ROOT).find(|&node| page.kind(node) == Kind::Element);
    let mut open: Vec<(NodeId, bool)> = root.map(|root| (root, false)).into_iter().collect();
    while let Some((node, is_written)) = open.pop() {
        match page.kind(node) {
            Kind::Element if is_written => out.extend(["</", &name(page.name(node)), ">"]),
            Kind::Element => {
                start(page, node, &mut out);
                open.push((node, true));
            }
            Kind::Text | Kind::Raw | Kind::Cdata => {
                let text = page.content(node).unwrap_or_default();
                if !text.trim().is_empty() {
                    escape(text, &mut out);
                }
            }
            _ => {}
        }
        if !is_written {
            let children: Vec<NodeId> = page.children(node).collect();
            open.extend(children.into_iter().rev().map(|child| (child, false)));
        }
    }
    out.push_str("</page>");
    out
}

fn start(page: &PageDigest, node: NodeId, out: &mut String) {
    out.extend(["<", &name(page.name(node))]);
    let mut met: Vec<String> = Vec::new();
    for (attribute, value) in page.attributes(node) {
        let attribute = name(attribute);
        if !met.contains(&attribute) {
            out.extend([" ", &attribute, "=\""]);
            escape(value, out);
            out.push('"');
            met.push(attribute);
        }
    }
    out.push('>');
}

/// A name without prefixes, which would need a declaration.
fn name(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    let is_start = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if is_start && !name.to_ascii_lowercase().starts_with("xml") { name } else { format!("_{name}") }
}

fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(' '),
            character
                if character < ' ' || matches!(character, '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}') =>
            {
                out.push('?');
            }
            character => out.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_core::page::{Format, Reading};

    #[test]
    fn what_is_written_is_read_as_xml() {
        let page = "<p class='a' xlink:href=b a&b='1\"2'>one <b>two</b> &amp; three<br><!--no--> </p>";
        let digest = PageDigest::encode(page.as_bytes(), &Reading::default()).unwrap();
        let read = PageDigest::encode(xml(&digest).as_bytes(), &Reading::default()).unwrap();
        assert_eq!((read.about().format, &*read.about().notes), (Format::Xml, &[][..]));
        let p = read.tagged("p").next().unwrap();
        assert_eq!(read.attribute(p, "a_b"), Some("1\"2"));
        assert_eq!(read.attribute(p, "xlink_href"), Some("b"));
    }
}
