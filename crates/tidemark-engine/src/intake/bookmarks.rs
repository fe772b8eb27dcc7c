//! Bookmarks as browsers write them: definition lists inside of definition lists, read as the broken HTML they are. A heading before a list is a folder, and a tag for all in it.
//!
//! Source: the Netscape bookmark file format, as browsers write it today.

use super::draft::Draft;
use super::{Form, Intake, Refusal, markup};
use tidemark_core::digest::{NodeId, PageDigest};
use tidemark_core::page::Format;

/// Nodes above a bookmark that are looked at for folders.
const ABOVE: usize = 64;

pub(super) fn read(bytes: &[u8], intake: &mut Intake) -> Result<(), Refusal> {
    let page = markup::page(bytes, Form::Bookmarks, Format::Html)?;
    for link in page.tagged("a") {
        let address = page.attribute(link, "feedurl").or_else(|| page.attribute(link, "href"));
        let Some(address) = address else { continue };
        let mut draft = Draft::new(address);
        draft.name = Some(page.visible_text(link));
        draft.tags = folders(&page, link);
        let tags = page.attribute(link, "tags").unwrap_or_default();
        draft.tags.extend(tags.split(',').map(str::to_owned));
        intake.take(draft)?;
    }
    Ok(())
}

/// The headings of the lists around a bookmark. A list that the browser's own names head is no folder of a reader.
fn folders(page: &PageDigest, link: NodeId) -> Vec<String> {
    let lists = page.ancestors(link).take(ABOVE).filter(|node| page.name(*node) == "dl");
    let headings = lists.filter_map(|list| {
        let mut before = page.previous_sibling(list);
        for _ in 0..8 {
            let node = before?;
            if page.name(node) == "h3" {
                let own = ["personal_toolbar_folder", "unfiled_bookmarks_folder"];
                let is_own = own.iter().any(|name| page.attribute(node, name).is_some());
                return (!is_own).then(|| page.visible_text(node));
            }
            before = page.previous_sibling(node);
        }
        None
    });
    headings.collect()
}
