//! FOAF files: what a person says about their interests, and the pages that tell more.
//!
//! Source: Kuppusamy & Aghila, section 3 (profile), and the FOAF vocabulary, 0.99. RDF/XML, Turtle and JSON-LD are read. Cost: linear in the file, which has at
//! most 1 MiB and 20 000 statements. Core fetches nothing: [`Foaf::pages`] are for the program to read, and their text is given to
//! [`Profile::add_page`](super::Profile::add_page).
//!
//! A file also speaks of the people its owner knows. The owner is whom it is primarily about; where it does not say, all who are known by nobody in it.

mod address;
mod graph;
mod guard;

use super::inflection::Language;
use super::term::{MOST_WORDS, Origin, Term};
use crate::page::words;
use graph::{Graph, subject};
use oxrdf::{NamedOrBlankNode, Term as Object};
use rustc_hash::FxHashSet;
use thiserror::Error;

const FOAF: &str = "http://xmlns.com/foaf/0.1/";

/// Where addresses lead that are relative in a file without an address.
const NOWHERE: &str = "http://nowhere.invalid/";

/// What properties mean: their name, what a term of theirs weighs (0 if they name pages only), and whether their address says something.
const PROPERTIES: [(&str, f64, bool); 10] = [
    ("topic_interest", 0.9, true),
    ("interest", 0.9, true),
    ("currentProject", 0.6, false),
    ("pastProject", 0.3, false),
    ("weblog", 0.0, false),
    ("homepage", 0.0, false),
    ("workplaceHomepage", 0.0, false),
    ("workInfoHomepage", 0.0, false),
    ("schoolHomepage", 0.0, false),
    ("publications", 0.0, false),
];

/// Properties that name a thing, best first.
const LABELS: [&str; 7] = [
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://purl.org/dc/elements/1.1/title",
    "http://purl.org/dc/terms/title",
    "http://xmlns.com/foaf/0.1/name",
    "http://xmlns.com/foaf/0.1/title",
    "http://schema.org/name",
];

/// What a FOAF file says about a reader.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foaf {
    /// Interests that it names.
    pub terms: Vec<Term>,
    /// Pages that tell more, each once.
    pub pages: Vec<FoafPage>,
}

/// A page that a FOAF file names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoafPage {
    /// Where it is.
    pub address: String,
    /// What it is to the reader: `weblog`, `workplaceHomepage`, …
    pub property: &'static str,
}

/// Why a FOAF file is not read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FoafError {
    /// There is nothing.
    #[error("the file is empty")]
    Empty,
    /// Beyond the limits.
    #[error("the file is larger than 1 MiB or has more than 20000 statements")]
    Large,
    /// Brackets or elements in brackets in brackets.
    #[error("the file is nested too deeply")]
    Deep,
    /// Entities that would grow.
    #[error("entities made of other entities, or of too much text, are not read; write the text itself")]
    Entities,
    /// A context elsewhere.
    #[error(
        "the context {0} is not fetched; write its terms into the file, or use http://xmlns.com/foaf/0.1/"
    )]
    Context(String),
    /// The address of the file is none.
    #[error("the address of the file is not a full address; it begins with http:// or https://")]
    Base,
    /// Not well formed.
    #[error("not well-formed {grammar}: {error}")]
    Grammar {
        /// What it was taken for.
        grammar: &'static str,
        /// What the parser says.
        error: String,
    },
    /// Well formed, but nobody in it has interests or pages.
    #[error("the file names no interests and no pages (foaf:interest, foaf:topic_interest, foaf:weblog, …)")]
    Nobody,
}

impl Foaf {
    /// Reads a file; relative addresses in it are of the place it was found at.
    pub fn read(bytes: &[u8], address: Option<&str>) -> Result<Self, FoafError> {
        let graph = Graph::read(bytes, address.unwrap_or(NOWHERE))?;
        let mut foaf = Self::default();
        for person in owners(&graph) {
            foaf.person(&graph, &person);
        }
        if foaf.terms.is_empty() && foaf.pages.is_empty() { Err(FoafError::Nobody) } else { Ok(foaf) }
    }

    fn person(&mut self, graph: &Graph, person: &NamedOrBlankNode) {
        for (property, weight, telling) in PROPERTIES {
            let name = format!("{FOAF}{property}");
            for object in graph.objects(person, &name) {
                self.terms.extend(term(graph, object, telling).filter(|_| weight > 0.0).map(
                    |(words, language)| Term {
                        weight,
                        origin: Origin::Foaf { property },
                        ..Term::typed(&words, language)
                    },
                ));
                self.page(object, property);
            }
        }
    }

    fn page(&mut self, object: &Object, property: &'static str) {
        let address = match object {
            Object::NamedNode(node) => node.as_str(),
            Object::Literal(text) => text.value().trim(), // many files write addresses as text
            Object::BlankNode(_) => return,
        };
        if address::is_page(address) && self.pages.iter().all(|page| page.address != address) {
            self.pages.push(FoafPage { address: address.to_owned(), property });
        }
    }
}

/// Whom the file is about.
fn owners(graph: &Graph) -> Vec<NamedOrBlankNode> {
    let is = |name: &str, property: &str| name.strip_prefix(FOAF) == Some(property);
    let objects = |property: &str| -> FxHashSet<NamedOrBlankNode> {
        let triples = graph.triples.iter().filter(|triple| is(triple.predicate.as_str(), property));
        triples.filter_map(|triple| subject(&triple.object)).collect()
    };
    let (topics, known) = (objects("primaryTopic"), objects("knows"));
    let mut people: Vec<NamedOrBlankNode> = Vec::new();
    let mut met = FxHashSet::default();
    for triple in &graph.triples {
        let says = PROPERTIES.iter().any(|(property, ..)| is(triple.predicate.as_str(), property));
        if says && met.insert(triple.subject.clone()) {
            people.push(triple.subject.clone());
        }
    }
    for wanted in [&|person: &NamedOrBlankNode| topics.contains(person), &|person: &NamedOrBlankNode| {
        !known.contains(person)
    }] as [&dyn Fn(&NamedOrBlankNode) -> bool; 2]
    {
        if people.iter().any(wanted) {
            people.retain(wanted);
            break;
        }
    }
    people
}

/// What an interest is called: its text, its name in the file, or the words of its address.
fn term(graph: &Graph, object: &Object, telling: bool) -> Option<(String, Language)> {
    let called = match object {
        Object::Literal(text) if !text.value().contains("://") => literal(object),
        Object::Literal(text) => {
            address::words(text.value().trim()).map(|words| (words, Language::default()))
        }
        _ => named(graph, object).or_else(|| match object {
            Object::NamedNode(node) if telling => {
                Some((address::words(node.as_str())?, address::language(node.as_str())))
            }
            _ => None,
        }),
    };
    called.filter(|(said, _)| (1..=MOST_WORDS).contains(&words::words(said).count()))
}

fn named(graph: &Graph, object: &Object) -> Option<(String, Language)> {
    let node = subject(object)?;
    LABELS.iter().find_map(|label| graph.objects(&node, label).find_map(literal))
}

fn literal(object: &Object) -> Option<(String, Language)> {
    let Object::Literal(text) = object else { return None };
    let language = text.language().map_or_else(Language::default, Language::of);
    Some((text.value().trim().to_owned(), language)).filter(|(said, _)| !said.is_empty())
}
