//! The statements of a file: RDF/XML, Turtle or JSON-LD, told apart by how it begins.
//!
//! Source: the W3C grammars, by the parsers of Oxigraph. Nothing is fetched: the context of FOAF is known here, any other one has to stand in the file.

use super::FoafError;
use super::guard::{check_elements, check_entities, check_nesting};
use crate::page::decode::decode;
use oxjsonld::{JsonLdParser, JsonLdRemoteDocument};
use oxrdf::{NamedNode, NamedOrBlankNode, Term as Object, Triple};
use oxrdfxml::RdfXmlParser;
use oxttl::TurtleParser;
use rustc_hash::FxHashMap;

const MOST_BYTES: usize = 1 << 20;
const MOST_TRIPLES: usize = 20_000;

/// What FOAF's own terms mean; `@vocab` names all of them, and pages are addresses.
const CONTEXT: &str = r#"{"@context": {
    "@vocab": "http://xmlns.com/foaf/0.1/", "foaf": "http://xmlns.com/foaf/0.1/",
    "dc": "http://purl.org/dc/elements/1.1/", "dcterms": "http://purl.org/dc/terms/",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#", "skos": "http://www.w3.org/2004/02/skos/core#",
    "interest": {"@type": "@id"}, "topic_interest": {"@type": "@id"}, "weblog": {"@type": "@id"},
    "homepage": {"@type": "@id"}, "workplaceHomepage": {"@type": "@id"}, "workInfoHomepage": {"@type": "@id"},
    "schoolHomepage": {"@type": "@id"}, "currentProject": {"@type": "@id"}, "pastProject": {"@type": "@id"},
    "publications": {"@type": "@id"}, "knows": {"@type": "@id"}, "primaryTopic": {"@type": "@id"}
}}"#;

/// All statements, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) triples: Vec<Triple>,
    /// Numbers of the statements about each subject.
    about: FxHashMap<NamedOrBlankNode, Vec<usize>>,
}

impl Graph {
    pub(super) fn read(bytes: &[u8], base: &str) -> Result<Self, FoafError> {
        if bytes.len() > MOST_BYTES {
            return Err(FoafError::Large);
        }
        let decoded = decode(bytes, None);
        let text = decoded.text.trim_start_matches('\u{feff}').trim_start();
        match text.as_bytes().first() {
            None => Err(FoafError::Empty),
            Some(b'{') => json(text, base),
            Some(b'[') if serde_json::from_str::<serde_json::Value>(text).is_ok() => json(text, base),
            Some(b'<') if is_xml(text) => xml(text, base),
            Some(_) => turtle(text, base),
        }
    }

    /// The objects of a subject's property.
    pub(super) fn objects<'a>(
        &'a self,
        subject: &NamedOrBlankNode,
        property: &'a str,
    ) -> impl Iterator<Item = &'a Object> {
        let about = self.about.get(subject).into_iter().flatten();
        let triples = about.map(|&at| &self.triples[at]);
        triples.filter(move |triple| triple.predicate.as_str() == property).map(|triple| &triple.object)
    }

    fn gather<E: std::fmt::Display>(
        triples: impl Iterator<Item = Result<Triple, E>>,
        grammar: &'static str,
    ) -> Result<Self, FoafError> {
        let mut graph = Self::default();
        for triple in triples {
            let triple = triple.map_err(|error| FoafError::Grammar { grammar, error: error.to_string() })?;
            if graph.triples.len() == MOST_TRIPLES {
                return Err(FoafError::Large);
            }
            graph.about.entry(triple.subject.clone()).or_default().push(graph.triples.len());
            graph.triples.push(triple);
        }
        Ok(graph)
    }
}

/// Turtle may begin with `<` too, but with an address: no name with a prefix, and no namespace, which RDF/XML cannot do without.
fn is_xml(text: &str) -> bool {
    let tag = text[1..].split('>').next().unwrap_or_default();
    let prefix = tag.split_once(':').map_or("", |(prefix, _)| prefix);
    let is_prefixed = prefix == "rdf" || prefix == "foaf";
    tag.starts_with(['?', '!']) || is_prefixed || tag.contains("xmlns")
}

fn xml(text: &str, base: &str) -> Result<Graph, FoafError> {
    check_entities(text)?;
    check_elements(text)?;
    let parser = RdfXmlParser::new().lenient().with_base_iri(base).map_err(|_| FoafError::Base)?;
    Graph::gather(parser.for_slice(without_declaration(text).as_bytes()), "RDF/XML")
}

/// The text is decoded by now, whatever the declaration says.
fn without_declaration(text: &str) -> &str {
    let declared = text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>"));
    declared.map_or(text, |(_, rest)| rest)
}

fn turtle(text: &str, base: &str) -> Result<Graph, FoafError> {
    check_nesting(text)?;
    let parser = TurtleParser::new().lenient().with_base_iri(base).map_err(|_| FoafError::Base)?;
    Graph::gather(parser.for_slice(text.as_bytes()), "Turtle")
}

fn json(text: &str, base: &str) -> Result<Graph, FoafError> {
    check_nesting(text)?;
    let parser = JsonLdParser::new().lenient().with_base_iri(base).map_err(|_| FoafError::Base)?;
    let quads = parser.for_slice(text.as_bytes()).with_load_document_callback(|address, _| {
        if !is_foaf(address) {
            return Err(FoafError::Context(address.to_owned()).into());
        }
        Ok(JsonLdRemoteDocument { document: CONTEXT.into(), document_url: address.to_owned() })
    });
    Graph::gather(quads.map(|quad| quad.map(Triple::from)), "JSON-LD")
}

/// Whether an address is one of those at which FOAF's context is published.
fn is_foaf(address: &str) -> bool {
    let place = address.split_once("://").map_or(address, |(_, place)| place);
    place.starts_with("xmlns.com/foaf/")
}

/// A node that statements can be about.
pub(super) fn subject(object: &Object) -> Option<NamedOrBlankNode> {
    match object {
        Object::NamedNode(node) => Some(NamedNode::clone(node).into()),
        Object::BlankNode(node) => Some(node.clone().into()),
        Object::Literal(_) => None,
    }
}
