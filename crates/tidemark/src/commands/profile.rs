//! `tidemark profile`: what a reader is interested in, what stands for it, and where a page speaks of it.

mod find;

pub(super) use find::MatchRow;
pub(crate) use find::find;

use super::print_json;
use crate::cli::{ProfileExpand, ProfileShow};
use crate::interests::Interests;
use crate::terminal::{FAINT, REMOVED, STRONG, counted, printable, styled};
use anyhow::Result;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use tidemark_core::profile::foaf::FoafPage;
use tidemark_core::profile::{Origin, Term, term};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    terms: Vec<TermRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pages: Vec<PageRow>,
}

#[derive(Serialize)]
struct TermRow {
    term: String,
    weight: f64,
    negative: bool,
    language: String,
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u8>,
}

#[derive(Serialize)]
struct PageRow {
    address: String,
    property: &'static str,
}

pub(crate) fn show(command: &ProfileShow) -> Result<()> {
    let interests = Interests::load(command.profile.as_deref(), &command.interests, &command.reading)?;
    tell(&interests.profile.terms, &interests.pages, command.json.json)
}

pub(crate) fn expand(command: &ProfileExpand) -> Result<()> {
    let interests = Interests::load(command.profile.as_deref(), &command.interests, &command.reading)?;
    tell(&interests.expanded(&command.expansion).terms, &interests.pages, command.json.json)
}

fn tell(terms: &[Term], pages: &[FoafPage], json: bool) -> Result<()> {
    if json {
        let page = |page: &FoafPage| PageRow { address: page.address.clone(), property: page.property };
        return print_json(&Report {
            schema: "tidemark/profile/1",
            terms: terms.iter().map(TermRow::new).collect(),
            pages: pages.iter().map(page).collect(),
        });
    }
    print(terms, pages)
}

impl TermRow {
    fn new(term: &Term) -> Self {
        let (of, relation, depth) = match &term.origin {
            Origin::Expanded { of, relation, depth } => {
                (Some(of.clone()), Some(term::name(*relation)), Some(*depth))
            }
            _ => (None, None, None),
        };
        Self {
            term: term.words.clone(),
            weight: rounded(term.weight),
            negative: term.negative,
            language: format!("{:?}", term.language).to_lowercase(),
            source: term.origin.told(),
            of,
            relation,
            depth,
        }
    }
}

/// Three digits are enough for a weight.
pub(super) fn rounded(weight: f64) -> f64 {
    (weight * 1000.0).round() / 1000.0
}

/// One line a term: weight, words, and where it is from; related words below the term they stand for.
fn print(terms: &[Term], pages: &[FoafPage]) -> Result<()> {
    let mut out = anstream::stdout().lock();
    let mut related: BTreeMap<&str, Vec<&Term>> = BTreeMap::new();
    for term in terms.iter().filter(|term| is_related(term)) {
        related.entry(term.interest()).or_default().push(term);
    }
    for term in terms.iter().filter(|term| !is_related(term)) {
        let words = if term.negative {
            styled(REMOVED, &format!("-{}", printable(&term.words)))
        } else {
            styled(STRONG, &printable(&term.words))
        };
        let from = styled(FAINT, &printable(&term.origin.told()));
        writeln!(out, "{:.2}  {words}  {from}", term.weight)?;
        for related in related.get(term.words.as_str()).into_iter().flatten() {
            let from = styled(FAINT, &related.origin.told());
            writeln!(out, "{:.2}    {}  {from}", related.weight, printable(&related.words))?;
        }
    }
    let related = terms.iter().filter(|term| is_related(term)).count();
    let mut sum = counted(terms.len() - related, "term");
    if related > 0 {
        sum = format!("{sum}, {}", counted(related, "related word"));
    }
    writeln!(out, "{}", styled(FAINT, &sum))?;
    for page in pages {
        let line = format!(
            "foaf:{} {} was not read; save it and give it with --page",
            page.property,
            printable(&page.address)
        );
        writeln!(out, "{}", styled(FAINT, &line))?;
    }
    Ok(())
}

fn is_related(term: &Term) -> bool {
    matches!(term.origin, Origin::Expanded { .. })
}
