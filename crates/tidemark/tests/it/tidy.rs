//! Rules of the house that a machine can check.

use crate::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_path_named_in_the_architecture_exists() {
    let files = files(&root());
    let names: BTreeSet<&str> = files.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    let mut checked = 0;
    for (document, named) in named_in_documents() {
        let is_path = named.contains('/') || [".rs", ".md"].iter().any(|end| named.ends_with(end));
        if is_path && !named.contains([' ', '<']) {
            let exists = root().join(&named).exists() || names.contains(named.as_str());
            assert!(exists, "{document} names {named}, which does not exist");
            checked += 1;
        }
    }
    assert!(checked > 20, "only {checked} paths found: is this test looking at the right documents?");
}

#[test]
fn every_item_named_in_the_architecture_exists() {
    let sources = sources();
    let mut checked = 0;
    for (document, named) in named_in_documents() {
        let is_item = named.split("::").all(|part| !part.is_empty() && part.chars().all(is_identifier));
        for item in named.split("::").filter(|_| is_item) {
            assert!(is_defined(&sources, item), "{document} names {named}, but nothing defines {item}");
            checked += 1;
        }
    }
    assert!(checked > 40, "only {checked} items found: is this test looking at the right documents?");
}

#[test]
fn documents_are_reachable_from_the_readme() {
    let readme = read(&root().join("README.md"));
    for file in files(&root().join("docs")) {
        let in_decisions = file.parent().is_some_and(|parent| parent.ends_with("decisions"));
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        assert!(in_decisions || readme.contains(&name), "README.md does not mention docs/{name}");
    }
}

#[test]
fn files_stay_small() {
    let sizes: Vec<(PathBuf, usize)> =
        rust_files().map(|path| (path.clone(), read(&path).lines().count())).collect();
    for (path, lines) in &sizes {
        assert!(*lines <= 700, "{} has {lines} lines: is it still one thing?", path.display());
    }
    let large = sizes.iter().filter(|(_, lines)| *lines > 400).count();
    assert!(large * 10 <= sizes.len(), "{large} of {} files have more than 400 lines", sizes.len());
}

#[test]
fn no_lint_is_silenced_without_a_reason() {
    for path in rust_files() {
        let text = read(&path);
        for word in ["#[allow(", "#[expect("] {
            let starts =
                text.match_indices(word).filter(|(at, _)| text[..*at].trim_end_matches(' ').ends_with('\n'));
            for (at, _) in starts {
                let attribute = text[at..].split_once(")]").map_or("", |(attribute, _)| attribute);
                assert!(attribute.contains("reason = "), "{}: say why: {attribute}", path.display());
            }
        }
    }
}

#[test]
fn core_knows_no_outside() {
    let outside =
        ["std::fs", "std::net", "std::env", "std::process", "std::time", "std::thread", "std::io", "tokio"];
    for path in files(&root().join("crates/tidemark-core/src")) {
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = read(&path);
            for word in outside {
                assert!(!text.contains(word), "{} uses {word}", path.display());
            }
        }
    }
}

#[test]
fn versions_stand_in_one_table() {
    for manifest in files(&root().join("crates")).into_iter().filter(|path| path.ends_with("Cargo.toml")) {
        let text = read(&manifest);
        let dependencies = text.split_once("[dependencies]").map_or("", |(_, rest)| rest);
        for line in dependencies.lines().filter(|line| line.contains('=') && !line.starts_with(['#', '['])) {
            let own = line.contains(".workspace") || line.contains("workspace = true");
            let is_dependency = !line.contains("harness") && !line.starts_with("name");
            assert!(own || !is_dependency, "{}: '{line}' has a version of its own", manifest.display());
        }
    }
}

/// What stands between backticks in the documents that must be true, with the document's name.
fn named_in_documents() -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for document in ["ARCHITECTURE.md", "docs/papers.md"] {
        let text = read(&root().join(document));
        let outside_blocks = text.split("```").step_by(2);
        for block in outside_blocks {
            found.extend(block.split('`').skip(1).step_by(2).map(|named| (document, named.to_owned())));
        }
    }
    found
}

fn is_identifier(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// Whether some source defines an item, a module or a crate of this name.
fn is_defined(sources: &str, name: &str) -> bool {
    let definitions = ["fn", "struct", "enum", "trait", "const", "static", "mod", "type"];
    let defined = definitions.iter().any(|keyword| {
        let definition = format!("{keyword} {name}");
        sources.match_indices(&definition).any(|(at, _)| {
            let before = sources[..at].chars().next_back().is_none_or(|c| !is_identifier(c));
            let after = sources[at + definition.len()..].chars().next().is_none_or(|c| !is_identifier(c));
            before && after
        })
    });
    defined || root().join("crates").join(name.replace('_', "-")).exists()
}

fn sources() -> String {
    rust_files().map(|path| read(&path)).collect()
}

fn rust_files() -> impl Iterator<Item = PathBuf> {
    files(&root()).into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
}

/// All files below a folder that belong to the repository, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository can be listed") {
            let path = entry.expect("its entries can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let hidden = name.starts_with('.') || name == "target";
            match path.is_dir() {
                true if !hidden => folders.push(path),
                false => found.push(path),
                true => {}
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}
