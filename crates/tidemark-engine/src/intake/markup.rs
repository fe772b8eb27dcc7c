//! Markup read as a page, with nothing expanded.

use super::{Form, Refusal};
use tidemark_core::digest::{Kind, NodeId, PageDigest};
use tidemark_core::page::{Format, Limits, Reading};

/// Most nodes of a file.
const NODES: usize = 3_000_000;

pub(super) fn page(bytes: &[u8], form: Form, format: Format) -> Result<PageDigest, Refusal> {
    let limits = Limits { bytes: super::LARGEST, nodes: NODES, ..Limits::default() };
    let reading = Reading { format: Some(format), limits, ..Reading::default() };
    let page = PageDigest::encode(bytes, &reading)
        .map_err(|error| Refusal::Malformed { form, reason: error.to_string() })?;
    if page.depth_first().any(|node| declares(&page, node)) {
        return Err(Refusal::Hostile("it declares entities".to_owned()));
    }
    Ok(page)
}

/// The text of an element.
pub(super) fn text(page: &PageDigest, node: NodeId) -> String {
    page.children(node).filter_map(|child| page.content(child)).collect()
}

fn declares(page: &PageDigest, node: NodeId) -> bool {
    page.kind(node) == Kind::Doctype
        && page.content(node).is_some_and(|text| text.to_ascii_uppercase().contains("<!ENTITY"))
}
