//! Whether HTML is a shell that scripts are to fill: scripts, and hardly any words that a reader would see.
//!
//! A rule of our own. Words in `noscript` do not count, since they are for others, nor do those of the title; a page that says "loading" in a few words is as empty as one that
//! says nothing. Cost: one reading of the page. A page without a script is never a shell, however short: a browser would show the same.

use tidemark_core::digest::{Kind, NodeId, PageDigest};

/// With fewer words than this there is nothing to watch yet.
const FEW: usize = 25;

/// Whether a browser would show more than there is.
pub fn is_shell(page: &PageDigest) -> bool {
    page.tagged("script").any(|script| runs(page, script)) && words(page) < FEW
}

/// Data in a script element is none that runs.
fn runs(page: &PageDigest, script: NodeId) -> bool {
    let media = page.attribute(script, "type").unwrap_or_default().to_ascii_lowercase();
    media.is_empty() || media == "module" || media.contains("javascript")
}

/// Words a reader sees, counted as far as they matter.
fn words(page: &PageDigest) -> usize {
    const NEVER: [&str; 6] = ["script", "style", "noscript", "template", "title", "head"];
    let mut seen = 0;
    let mut skipped = 0;
    for node in page.depth_first() {
        if (node.0 as usize) < skipped {
            continue;
        }
        if page.kind(node) == Kind::Element && NEVER.contains(&page.name(node)) {
            skipped = page.subtree(node).last().map_or(0, |last| last.0 as usize + 1);
        } else if page.kind(node) == Kind::Text {
            seen += page.content(node).map_or(0, |text| text.split_whitespace().count());
        }
        if seen >= FEW {
            break;
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_core::page::Reading;

    fn shell(html: &str) -> bool {
        is_shell(&PageDigest::encode(html.as_bytes(), &Reading::default()).unwrap())
    }

    #[test]
    fn what_scripts_are_to_fill_is_a_shell() {
        assert!(shell(
            "<!doctype html><title>An app</title><div id=root></div><script src=/app.js></script>"
        ));
        assert!(shell("<div id=app>Loading…</div><script type=module src=a.js></script>"));
        let plea = "You need to enable JavaScript to run this app. ".repeat(9);
        assert!(shell(&format!(
            "<body><noscript>{plea}</noscript><app-root></app-root><script>boot()</script>"
        )));
        assert!(shell(&format!("<style>{plea}</style><script>{plea}</script><body><main></main>")));
    }

    #[test]
    fn what_says_something_or_has_no_script_is_none() {
        let said = "A page that says what it has to say, in words. ".repeat(9);
        assert!(!shell(&format!("<script src=a.js></script><p>{said}")));
        assert!(!shell("<p>Closed today."));
        assert!(!shell("<p>Closed today.<script type=application/ld+json>{\"a\":1}</script>"));
        assert!(!shell(""));
    }
}
