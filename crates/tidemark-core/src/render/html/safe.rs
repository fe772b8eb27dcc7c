//! What of a hostile page is shown: everything a reader sees, nothing that acts.
//!
//! The marked page is shown in a sandboxed frame without scripts, under a policy that forbids them; taking them out here is the second wall.

use crate::digest::{Kind, NodeId, PageDigest};
use crate::page::arena::Space;

/// Elements that are left out with all they contain: they run, load or leave the page, or are ours to set.
const LEFT_OUT: [&str; 8] = ["script", "base", "object", "embed", "applet", "frame", "frameset", "portal"];

/// Attributes that hold an address.
const ADDRESSES: [&str; 9] =
    ["href", "src", "action", "formaction", "poster", "xlink:href", "cite", "background", "data"];

/// Attributes that are left out everywhere.
const DROPPED: [&str; 7] = ["srcdoc", "autofocus", "ping", "manifest", "nonce", "integrity", "http-equiv"];

/// Whether a node is shown at all.
pub(super) fn is_shown(digest: &PageDigest, node: NodeId) -> bool {
    if digest.kind(node) != Kind::Element {
        return true;
    }
    let name = digest.name(node);
    match name {
        "meta" => {
            digest.attribute(node, "http-equiv").is_none()
                && digest.attribute(node, "name") != Some("referrer")
        }
        "link" => digest.attribute(node, "rel").is_some_and(|rel| {
            rel.split_ascii_whitespace()
                .any(|rel| rel.eq_ignore_ascii_case("stylesheet") || rel.eq_ignore_ascii_case("icon"))
        }),
        "foreignObject" => digest.space(node) != Space::Svg,
        _ => !LEFT_OUT.contains(&name),
    }
}

/// The value of an attribute as it is shown; nothing if it is left out.
pub(super) fn value<'a>(element: &str, name: &str, value: &'a str) -> Option<&'a str> {
    let is = |other: &&str| name.eq_ignore_ascii_case(other);
    let begins = |with: &str| name.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
    let opens_page = element == "iframe" && is(&"src") || is(&"action") || is(&"formaction");
    if begins("on") || begins("data-tidemark") || opens_page || DROPPED.iter().any(is) {
        return None;
    }
    if value.contains(':') && ADDRESSES.iter().any(is) && is_active(value) {
        return Some("#");
    }
    Some(value)
}

/// Whether an address runs something. Browsers ignore space and control characters in the name of a scheme.
fn is_active(address: &str) -> bool {
    let scheme: String = address
        .chars()
        .filter(|character| !character.is_whitespace() && !character.is_control())
        .take_while(|&character| character != ':')
        .take(16)
        .collect::<String>()
        .to_ascii_lowercase();
    let is_data_page =
        scheme == "data" && !address.trim_start().to_ascii_lowercase().starts_with("data:image/");
    matches!(scheme.as_str(), "javascript" | "vbscript" | "livescript" | "blob" | "filesystem")
        || is_data_page
}

/// Text between tags.
pub(super) fn push_text(text: &str, into: &mut String) {
    push_escaped(text, into, &TEXT);
}

/// Text in a quoted attribute.
pub(super) fn push_value(text: &str, into: &mut String) {
    push_escaped(text, into, &VALUE);
}

/// For every byte the number of its escape; 0 for those that need none. A table, because whole pages pass through here.
const TEXT: [u8; 256] = table(&[(b'&', 1), (b'<', 2), (b'>', 3)]);
const VALUE: [u8; 256] = table(&[(b'&', 1), (b'<', 2), (b'"', 4)]);
const ESCAPES: [&str; 5] = ["", "&amp;", "&lt;", "&gt;", "&quot;"];

const fn table(escaped: &[(u8, u8)]) -> [u8; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < escaped.len() {
        table[escaped[at].0 as usize] = escaped[at].1;
        at += 1;
    }
    table
}

fn push_escaped(text: &str, into: &mut String, table: &[u8; 256]) {
    let mut done = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = table[byte as usize];
        if escape != 0 {
            into.push_str(&text[done..at]);
            into.push_str(ESCAPES[escape as usize]);
            done = at + 1;
        }
    }
    into.push_str(&text[done..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_run_are_blunted() {
        for bad in [
            "javascript:x()",
            " java\nscript:x",
            "JAVASCRIPT&#58",
            "vbscript:x",
            "data:text/html,x",
            "\u{1}javascript:x",
        ] {
            assert_eq!(
                value("a", "href", bad),
                if bad.contains(':') { Some("#") } else { Some(bad) },
                "{bad}"
            );
        }
        for good in
            ["https://example.org/", "/a?b:c", "#x", "data:image/png;base64,x", "mailto:a@example.org"]
        {
            assert_eq!(value("a", "href", good), Some(good));
        }
        assert_eq!(value("p", "onclick", "x"), None);
        assert_eq!(value("iframe", "src", "https://example.org/"), None);
        assert_eq!(value("meta", "http-equiv", "refresh"), None);
    }
}
