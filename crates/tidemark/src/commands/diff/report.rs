//! The difference as JSON, as docs/json.md describes it.

use super::Compared;
use crate::commands::SpanRow;
use crate::commands::profile::{MatchRow, rounded};
use serde::Serialize;
use tidemark_core::diff::Patch;
use tidemark_core::diff::patch::PatchEdit;
use tidemark_core::digest::NodeId;
use tidemark_core::digest::locate::Locator;
use tidemark_core::render::Change;
use tidemark_core::render::views::{self, Target};

#[derive(Serialize)]
pub(super) struct Report {
    schema: &'static str,
    old: String,
    new: String,
    changed: bool,
    exact: bool,
    facets: Vec<FacetRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    zones: Vec<ZoneRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of_interest: Option<usize>,
    changes: Vec<ChangeRow>,
    links: Vec<TargetRow>,
    images: Vec<TargetRow>,
    numbers: Vec<NumberRow>,
    script: Vec<PatchEdit>,
}

#[derive(Serialize)]
struct FacetRow {
    facet: &'static str,
    changed: bool,
}

#[derive(Serialize)]
struct ZoneRow {
    zone: String,
    included: bool,
    old: String,
    new: String,
}

#[derive(Serialize)]
struct ChangeRow {
    kind: &'static str,
    visible: bool,
    severity: f64,
    headings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Place>,
    spans: Vec<SpanRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attributes: Vec<AttributeRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interest: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    matches: Vec<MatchRow>,
}

/// A node of one of the pages.
#[derive(Serialize)]
struct Place {
    node: u32,
    tag_path: String,
    css: Option<String>,
    xpath: Option<String>,
}

#[derive(Serialize)]
struct AttributeRow {
    element: String,
    name: String,
    old: Option<String>,
    new: Option<String>,
}

#[derive(Serialize)]
struct TargetRow {
    kind: &'static str,
    address: String,
    text: String,
}

#[derive(Serialize)]
struct NumberRow {
    change: usize,
    old: String,
    new: String,
    percent: Option<f64>,
}

impl Report {
    pub(super) fn new((old, new): (String, String), compared: &Compared) -> Self {
        let places = [Locator::new(&compared.old), Locator::new(&compared.new)];
        let facet_row = |facet: tidemark_core::digest::Facet| FacetRow {
            facet: facet.name(),
            changed: compared.old.facet_changed(&compared.new, facet),
        };
        let numbers = views::numbers(&compared.changes).into_iter();
        Self {
            schema: "tidemark/diff/2",
            old,
            new,
            changed: compared.changed,
            exact: compared.difference.exact,
            facets: compared.facets.iter().map(facet_row).collect(),
            zones: compared
                .zones
                .iter()
                .map(|zone| ZoneRow {
                    zone: zone.written.clone(),
                    included: zone.included,
                    old: zone.old.to_string(),
                    new: zone.new.to_string(),
                })
                .collect(),
            of_interest: compared.changes.personal.then(|| compared.changes.of_interest().count()),
            changes: compared
                .changes
                .changes
                .iter()
                .map(|change| ChangeRow::new(compared, &places, change))
                .collect(),
            links: views::links(&compared.old, &compared.new).into_iter().map(TargetRow::new).collect(),
            images: views::images(&compared.old, &compared.new).into_iter().map(TargetRow::new).collect(),
            numbers: numbers
                .map(|number| NumberRow {
                    change: number.change,
                    old: number.old,
                    new: number.new,
                    percent: number.percent,
                })
                .collect(),
            script: Patch::of(&compared.old, &compared.new, &compared.difference).edits,
        }
    }
}

impl ChangeRow {
    fn new(compared: &Compared, [old_places, new_places]: &[Locator<'_>; 2], change: &Change) -> Self {
        let attributes = change.attributes.iter().map(|(node, edit)| AttributeRow {
            element: compared.new.name(*node).to_owned(),
            name: edit.name.clone(),
            old: edit.old.clone(),
            new: edit.new.clone(),
        });
        Self {
            kind: change.kind.name(),
            visible: change.seen,
            severity: change.severity,
            headings: change.headings.clone(),
            old: change.old.map(|node| Place::new(old_places, node)),
            new: change.new.map(|node| Place::new(new_places, node)),
            spans: SpanRow::list(&change.line),
            attributes: attributes.collect(),
            interest: compared.changes.personal.then(|| rounded(change.interest)),
            matches: change.mentions.iter().map(MatchRow::of_mention).collect(),
        }
    }
}

impl Place {
    fn new(places: &Locator<'_>, node: NodeId) -> Self {
        Self {
            node: node.0,
            tag_path: places.tag_path(node),
            css: places.css(node),
            xpath: places.xpath(node),
        }
    }
}

impl TargetRow {
    fn new(target: Target) -> Self {
        Self { kind: target.kind.name(), address: target.address, text: target.text }
    }
}
