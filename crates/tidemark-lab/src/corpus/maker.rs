//! Who made a page: what the corpus says in its `MANIFEST.json`, or else the name of its folder.
//!
//! Whoever must tell phrases of one maker from phrases of many asks here. Two makers taken for one do no harm, one taken for two does:
//! the same site can lie in several folders and in several archives.

use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// Sources that are collections of other people's pages; there the folder tells more.
const COLLECTIONS: [&str; 3] =
    ["mozilla/readability", "OpenTermsArchive/dating-snapshots", "git-for-windows/track-website-changes"];

/// Folders of articles, up to the first dash, whose pages were written for tests of a parser: all are of one hand.
const TEST_PAGES: [&str; 12] = [
    "base", "basic", "comment", "data", "dev418", "hidden", "invalid", "ol", "remove", "replace", "rtl",
    "svg",
];

/// The maker of each file that the manifest of a corpus knows the source of; empty where there is no manifest.
pub(super) fn from_manifest(folder: &Path) -> Result<HashMap<String, String>> {
    let path = folder.join("MANIFEST.json");
    if !path.exists() {
        return Ok(HashMap::new());
    }
    let read = || anyhow::Ok(serde_json::from_slice(&std::fs::read(&path)?)?);
    Ok(makers(&read().with_context(|| format!("cannot read {}", path.display()))?))
}

/// The maker as the name of a page tells it: folders of one maker are named alike up to the first dash.
pub(super) fn from_name(name: &str) -> &str {
    let (group, rest) = name.split_once('/').unwrap_or(("", name));
    let maker = rest.split(['/', '-', '.']).next().unwrap_or(rest);
    if group == "articles" && TEST_PAGES.contains(&maker) { "test-pages" } else { maker }
}

fn makers(manifest: &Value) -> HashMap<String, String> {
    let mut makers = HashMap::new();
    let list = |value: &Value, key| value[key].as_array().cloned().unwrap_or_default();
    for group in list(manifest, "groups") {
        for file in list(&group, "files") {
            let source = file["repo"].as_str().or(group["repo"].as_str());
            let source = source.filter(|source| !COLLECTIONS.contains(source));
            if let (Some(name), Some(source)) = (file["file"].as_str(), source) {
                makers.insert(name.to_owned(), source.to_owned());
            }
        }
    }
    makers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_one_maker_are_named_alike() {
        assert_eq!(from_name("articles/ehow-1/source.html"), from_name("articles/ehow-2/source.html"));
        assert_eq!(
            from_name("streams/perlweekly-issues/0001.html"),
            from_name("feeds/perlweekly-rss/000.xml")
        );
        assert_eq!(from_name("articles/rtl-1/source.html"), from_name("articles/replace-brs/source.html"));
        assert_eq!(from_name("edge/deep-nesting.html"), from_name("edge/deep-nesting-2.html"));
        assert_ne!(from_name("articles/001/source.html"), from_name("articles/002/source.html"));
        assert_ne!(from_name("edge/arabic.html"), from_name("edge/binary.html"));
    }

    #[test]
    fn the_manifest_knows_sources_of_groups_and_of_single_files() {
        let manifest = serde_json::json!({"groups": [
            {"repo": "one/site", "files": [{"file": "histories/a/0.html"}]},
            {"repo": "several", "files": [{"file": "edge/b.html", "repo": "one/site"}]},
            {"repo": "mozilla/readability", "files": [{"file": "articles/c/source.html"}]},
        ]});
        let makers = makers(&manifest);
        assert_eq!(makers.get("histories/a/0.html"), makers.get("edge/b.html"));
        assert_eq!(makers.get("articles/c/source.html"), None, "a collection is no maker");
    }
}
