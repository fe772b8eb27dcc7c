//! What a document gives the stream: four small sets, and nothing of its text.
//!
//! Tag shingles are the paper's. The other three are ours and say what shingles cannot: *scaffold*, the elements near the root with their names
//! and classes, where a design shows first and content last; *paths*, every element with the two above it, where a redesign of the body shows;
//! *resources*, the style sheets, scripts, icons and generator of the head. Sets, so that a page that grows by more of the same stays itself.
//! Cost: one walk. Numbers in names count as nothing: `post-1234` is the same in every document, `app.9f86d081.js` in every build.

use super::{Shingling, Sketch};
use crate::digest::{Kind, NodeId, PageDigest};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// Levels below the body that are the scaffold.
const SCAFFOLD: usize = 3;
/// Most entries of the scaffold, of the paths, and of the resources.
const MOST: [usize; 3] = [512, 2048, 256];
/// Length from which letters and digits of a hexadecimal number are the name of a build.
const BUILD: usize = 8;

/// What a document shows of the template it was made with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Runs of neighbouring tags.
    pub shingles: Sketch,
    /// Elements near the root, each with all above it.
    pub scaffold: Sketch,
    /// Elements of the body, each with the two above it.
    pub paths: Sketch,
    /// Style sheets, scripts, icons and generator, by name.
    pub resources: Sketch,
}

impl Fingerprint {
    /// The fingerprint of a document.
    pub fn of(digest: &PageDigest, shingling: Shingling) -> Self {
        let (scaffold, paths) = body(digest);
        Self {
            shingles: shingling.shingles(digest),
            scaffold: Sketch::of(scaffold, MOST[0]),
            paths: Sketch::of(paths, MOST[1]),
            resources: Sketch::of(resources(digest), MOST[2]),
        }
    }

    /// How much two documents look made with one template, in [0, 1]: the mean over the sets that at least one of them has.
    pub fn likeness(&self, other: &Self) -> f64 {
        let facets = [
            (&self.shingles, &other.shingles),
            (&self.scaffold, &other.scaffold),
            (&self.paths, &other.paths),
            (&self.resources, &other.resources),
        ];
        mean(facets).unwrap_or(1.0)
    }

    /// The same for what stands around the content: scaffold and resources. All kinds of pages of a site have it in common.
    pub fn surroundings(&self, other: &Self) -> f64 {
        let facets = [(&self.scaffold, &other.scaffold), (&self.resources, &other.resources)];
        mean(facets).unwrap_or_else(|| self.likeness(other))
    }
}

/// The mean similarity of pairs of sets; those that are both empty say nothing.
fn mean<const N: usize>(pairs: [(&Sketch, &Sketch); N]) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for (mine, theirs) in pairs.into_iter().filter(|(mine, theirs)| !(mine.is_empty() && theirs.is_empty())) {
        sum += mine.similarity(theirs);
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}

/// Frame and paths of the elements inside the body, or inside the root where there is no body.
fn body(digest: &PageDigest) -> (Vec<u64>, Vec<u64>) {
    let body = digest.tagged("body").next().unwrap_or(NodeId::ROOT);
    let floor = digest.depth(body);
    let mut open: Vec<(u64, u64)> = Vec::new(); // label and path of each element above, the body left out
    let (mut scaffold, mut paths) = (Vec::new(), Vec::new());
    for node in digest.subtree(body).skip(1).filter(|&node| digest.kind(node) == Kind::Element) {
        let level = digest.depth(node) - floor;
        open.truncate(level - 1);
        let label = label(digest, node);
        let above = |steps: usize| open.len().checked_sub(steps).map_or((0, 0), |at| open[at]);
        let path = mix([above(1).1, label]);
        paths.push(mix([above(2).0, above(1).0, label]));
        if level <= SCAFFOLD {
            scaffold.push(path);
        }
        // A fragment is a level without a label.
        open.resize(level - 1, (0, path));
        open.push((label, path));
    }
    (scaffold, paths)
}

/// An element's name, classes in any order, and id.
fn label(digest: &PageDigest, node: NodeId) -> u64 {
    let mut classes = 0u64;
    let mut id = 0;
    for (name, value) in digest.attributes(node) {
        match name {
            "class" => {
                classes = value.split_ascii_whitespace().map(without_numbers).fold(0, u64::wrapping_add);
            }
            "id" => id = without_numbers(value),
            _ => {}
        }
    }
    mix([xxh3_64(digest.name(node).as_bytes()), classes, id])
}

fn resources(digest: &PageDigest) -> Vec<u64> {
    let named = |node: NodeId| {
        let attribute = |name| digest.attribute(node, name);
        match digest.name(node) {
            "link" if attribute("rel").is_some_and(is_template) => attribute("href").map(file),
            "script" => attribute("src").map(file),
            "meta" if attribute("name") == Some("generator") => attribute("content").map(without_numbers),
            _ => None,
        }
    };
    digest.scan().filter(|row| row.attributes > 0).filter_map(|row| named(row.node)).collect()
}

fn is_template(relation: &str) -> bool {
    let relation = relation.to_ascii_lowercase();
    relation.contains("stylesheet") || relation.contains("icon")
}

/// The name of a file at the end of an address, without the name of its build.
fn file(address: &str) -> u64 {
    let path = address.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_build = |part: &&str| part.len() >= BUILD && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let parts = name.split(['.', '-', '_']).filter(|part| !is_build(part));
    parts.map(without_numbers).fold(0, |hash, part| mix([hash, part]))
}

fn without_numbers(name: &str) -> u64 {
    if name.bytes().any(|byte| byte.is_ascii_digit()) {
        let bare: String = name.chars().filter(|letter| !letter.is_ascii_digit()).collect();
        return xxh3_64(bare.as_bytes());
    }
    xxh3_64(name.as_bytes())
}

fn mix<const N: usize>(parts: [u64; N]) -> u64 {
    xxh3_64(bytemuck::cast_slice(&parts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    fn of(page: &str) -> Fingerprint {
        let digest = PageDigest::encode(page.as_bytes(), &Reading::default()).unwrap();
        Fingerprint::of(&digest, Shingling::default())
    }

    #[test]
    fn numbers_and_builds_in_names_count_as_nothing() {
        let old = of("<link rel=stylesheet href=/a/site.0123abcd.css?v=1><div id=post-1 class='x col-3'>");
        let new = of("<link rel=stylesheet href=../b/site.4567cdef.css><div id=post-22 class='col-9 x'>");
        assert_eq!(old, new);
        assert_ne!(old.resources, of("<link rel=stylesheet href=/a/other.css>").resources);
    }

    #[test]
    fn text_is_not_in_it_and_more_of_the_same_is_the_same() {
        let old = of("<main><ul><li>one<li>two</ul></main>");
        assert_eq!(old.scaffold, of("<main><ul><li>three<li>four<li>five<li>six</ul></main>").scaffold);
        assert_eq!(old.paths, of("<main><ul><li>three<li>four<li>five<li>six</ul></main>").paths);
    }

    #[test]
    fn the_frame_ends_below_three_levels_and_paths_do_not() {
        let (old, new) = ("<a><b><i><u></u></i></b></a>", "<a><b><i><s></s></i></b></a>");
        assert_eq!(of(old).scaffold, of(new).scaffold);
        assert_ne!(of(old).paths, of(new).paths);
        assert_ne!(of("<a><b><i>").scaffold, of("<a><b><u>").scaffold);
    }

    #[test]
    fn sets_that_neither_has_say_nothing() {
        // No resources and an empty body: shingles alone are compared.
        assert!((of("").likeness(&of("")) - 1.0).abs() < 1e-12);
        assert!(of("<p>").likeness(&of("<div>")) < 1e-12);
    }

    #[test]
    fn a_page_without_a_body_has_a_frame() {
        assert!(!of("<frameset><frame><frame></frameset>").scaffold.is_empty());
        assert!(!of("<?xml version='1.0'?><list><item/></list>").scaffold.is_empty());
    }
}
