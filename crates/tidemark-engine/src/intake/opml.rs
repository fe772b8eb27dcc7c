//! OPML: outlines inside of outlines. One with an address is a feed, one without is a folder, and a tag for all below it.
//!
//! Source: OPML 2.0. We differ: `category` is read too, as tags.

use super::draft::Draft;
use super::{Form, Intake, Refusal, markup};
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::page::Format;

/// Folders around an entry that become tags.
const FOLDERS: usize = 16;

pub(super) fn read(bytes: &[u8], intake: &mut Intake) -> Result<(), Refusal> {
    let page = markup::page(bytes, Form::Opml, Format::Xml)?;
    for outline in page.tagged("outline") {
        let address = ["xmlUrl", "xmlurl", "url"].iter().find_map(|name| page.attribute(outline, name));
        let title = title(&page, outline);
        match address.filter(|address| !address.trim().is_empty()) {
            Some(address) => {
                let mut draft = Draft::new(address);
                draft.tags = folders(&page, outline);
                let categories = page.attribute(outline, "category").unwrap_or_default();
                draft.tags.extend(categories.split(',').map(|tag| tag.trim_matches('/').to_owned()));
                draft.name = title;
                intake.take(draft)?;
            }
            None if page.child_count(outline) == 0 => {
                intake.problem(title.as_deref().unwrap_or("an outline"), "it has no address")?;
            }
            None => {}
        }
    }
    Ok(())
}

fn folders(page: &PageDigest, outline: NodeId) -> Vec<String> {
    let above = page.ancestors(outline).take(FOLDERS).filter(|node| page.name(*node) == "outline");
    above.filter_map(|node| title(page, node)).collect()
}

fn title(page: &PageDigest, outline: NodeId) -> Option<String> {
    let title = page.attribute(outline, "title").filter(|title| !title.trim().is_empty());
    title.or_else(|| page.attribute(outline, "text")).map(str::to_owned)
}
