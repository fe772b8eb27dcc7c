//! Zones of JSON documents by `JSONPath`.
//!
//! Source: RFC 9535 as the crate `serde_json_path` reads it. The JSON is read back from the page it was made into
//! ([`plain`](crate::page::plain)), so a path is a zone like any other. Cost: linear in the page, times what the path asks for: descendant steps (`..`) are
//! limited to two, since each can multiply what is found.

use super::ZoneError;
use super::bounds;
use crate::digest::{Kind, NodeId, PageDigest};
use serde_json::Value;
use serde_json_path::PathElement;

/// Most `..` in one path.
const MOST_DESCENTS: usize = 2;
/// Levels of nesting that a JSON reader lets through.
const MOST_LEVELS: usize = 128;

/// A `JSONPath` that was read and found good.
#[derive(Clone, Debug)]
pub struct JsonPath {
    source: String,
    path: serde_json_path::JsonPath,
}

impl JsonPath {
    /// Reads a path, such as `$.items[*].price`.
    pub fn parse(source: &str) -> Result<Self, ZoneError> {
        bounds::check(source, ZoneError::json)?;
        let descents: Vec<usize> = source.match_indices("..").map(|(at, _)| at).collect();
        if let Some(&at) = descents.get(MOST_DESCENTS) {
            return Err(ZoneError::json(at, "at most two '..' in one path; name the members on the way"));
        }
        let path = serde_json_path::JsonPath::parse(source.trim())
            .map_err(|error| ZoneError::json(error.position(), error.message()))?;
        Ok(Self { source: source.to_owned(), path })
    }

    /// The path as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The nodes of the values it finds: whole items of a list, so that a member is looked at with its name.
    pub(crate) fn find(&self, digest: &PageDigest) -> Vec<NodeId> {
        let Some(root) = root(digest) else {
            return Vec::new();
        };
        let (value, spot) = read(digest, root, root, 0);
        let located = self.path.query_located(&value);
        let mut nodes: Vec<NodeId> =
            located.iter().filter_map(|found| spot.at(&value, found.location().iter())).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}

/// Where a value stands on the page, and those in it, in the order of the value.
struct Spot {
    node: NodeId,
    inside: Vec<Spot>,
}

impl Spot {
    fn at<'a>(&self, mut value: &Value, path: impl Iterator<Item = &'a PathElement<'a>>) -> Option<NodeId> {
        let mut spot = self;
        for step in path {
            let (at, next) = match (step, value) {
                (PathElement::Name(name), Value::Object(members)) => {
                    (members.keys().position(|member| member == name)?, members.get(*name)?)
                }
                (PathElement::Index(at), Value::Array(items)) => (*at, items.get(*at)?),
                _ => return None,
            };
            (spot, value) = (spot.inside.get(at)?, next);
        }
        Some(spot.node)
    }
}

/// The node of the outermost value: the first list, string or number of the body.
fn root(digest: &PageDigest) -> Option<NodeId> {
    let body = digest.tagged("body").next()?;
    elements(digest, body).next()
}

/// Reads a value back. A page that was not made of JSON gives texts, and so does what no JSON reader would have let through.
fn read(digest: &PageDigest, node: NodeId, place: NodeId, depth: usize) -> (Value, Spot) {
    let items = || elements(digest, node).filter(|item| digest.name(*item) == "li");
    match digest.name(node) {
        _ if depth > MOST_LEVELS => (Value::Null, Spot { node: place, inside: Vec::new() }),
        "ul" => {
            let mut members: Vec<(String, Value, Spot)> = items()
                .filter_map(|item| {
                    let mut parts = elements(digest, item);
                    let name = text(digest, parts.next()?);
                    let (value, spot) = read(digest, parts.next()?, item, depth + 1);
                    Some((name, value, spot))
                })
                .collect();
            // The order of a serde_json map.
            members.sort_by(|one, other| one.0.cmp(&other.0));
            members.dedup_by(|one, other| one.0 == other.0);
            let (mut map, mut inside) = (serde_json::Map::new(), Vec::new());
            for (name, value, spot) in members {
                map.insert(name, value);
                inside.push(spot);
            }
            (Value::Object(map), Spot { node: place, inside })
        }
        "ol" => {
            let read_item =
                |item| elements(digest, item).next().map(|value| read(digest, value, item, depth + 1));
            let (values, inside) = items().filter_map(read_item).unzip();
            (Value::Array(values), Spot { node: place, inside })
        }
        "code" => {
            let text = text(digest, node);
            let value = serde_json::from_str(&text).unwrap_or(Value::String(text));
            (value, Spot { node: place, inside: Vec::new() })
        }
        _ => (Value::String(text(digest, node)), Spot { node: place, inside: Vec::new() }),
    }
}

fn elements(digest: &PageDigest, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    digest.children(node).filter(|child| digest.kind(*child) == Kind::Element)
}

fn text(digest: &PageDigest, node: NodeId) -> String {
    digest.children(node).filter_map(|child| digest.content(child)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::zone::Zones;
    use crate::page::{Reading, plain};

    fn found(path: &str) -> Vec<String> {
        let json = br#"{"shop": {"items": [{"name": "kettle", "price": 10}, {"name": "pot & lid", "price": 30}]}, "z\"": [1, [2]]}"#;
        let page = plain::json(json, &Reading::default()).unwrap().unwrap();
        let zones = Zones::parse([path], []).unwrap();
        let located = zones.locate(&page);
        located.regions.iter().map(|region| page.visible_text(region.start)).collect()
    }

    #[test]
    fn paths_find_members_with_their_names() {
        assert_eq!(found("$.shop.items[*].price"), ["price: 10", "price: 30"]);
        assert_eq!(found("json:$.shop.items[?@.price > 20].name"), ["name: pot & lid"]);
        assert_eq!(found("$..name"), ["name: kettle", "name: pot & lid"]);
        assert_eq!(found("$[\"z\\\"\"][1][0]"), ["2"]);
        assert!(found("$.nothing").is_empty());
    }

    #[test]
    fn costly_paths_are_refused() {
        assert!(JsonPath::parse("$..a..b..c").is_err());
        assert!(JsonPath::parse("$.a[").is_err());
        assert!(JsonPath::parse(&"$.a".repeat(5000)).is_err());
    }

    #[test]
    fn other_pages_have_nothing_to_find() {
        let page = PageDigest::encode(b"<p>one<ul><li>a<li></ul>", &Reading::default()).unwrap();
        assert!(JsonPath::parse("$..*").unwrap().find(&page).is_empty());
    }
}
