//! Atom 1.0, and 0.3 with its other names for the dates.

use super::names::{Tongue, Vocabulary};
use super::{Dialect, Feed, FeedError, Item, Prose};
use crate::digest::NodeId;
use crate::page::PageError;

pub(super) fn read(tongue: &Tongue<'_>) -> Result<Feed, FeedError> {
    let mut feed = Feed { dialect: Dialect::Atom, title: Prose::default(), items: Vec::new() };
    for (node, vocabulary, name) in tongue.root().into_iter().flat_map(|root| tongue.elements(root)) {
        match (vocabulary, name) {
            (Vocabulary::Own, "entry") => feed.items.push(entry(tongue, node)?),
            (Vocabulary::Own, "title") => feed.title = text(tongue, node)?,
            _ => {}
        }
    }
    Ok(feed)
}

fn entry(tongue: &Tongue<'_>, node: NodeId) -> Result<Item, PageError> {
    let mut item = Item::default();
    for (node, vocabulary, name) in tongue.elements(node) {
        if vocabulary == Vocabulary::Own {
            field(tongue, node, name, &mut item)?;
        }
    }
    Ok(item)
}

fn field(tongue: &Tongue<'_>, node: NodeId, name: &str, item: &mut Item) -> Result<(), PageError> {
    match name {
        "id" => item.id = tongue.value(node),
        "link" => link(tongue, node, item),
        "title" => item.title = text(tongue, node)?,
        "summary" => item.description = text(tongue, node)?,
        "content" => item.content = text(tongue, node)?,
        "published" | "issued" | "created" => item.published = tongue.value(node).or(item.published.take()),
        "updated" | "modified" => item.updated = tongue.value(node),
        "author" => item.authors.extend(author(tongue, node)),
        "category" => item.categories.extend(tongue.page.attribute(node, "term").map(str::to_owned)),
        _ => {}
    }
    Ok(())
}

/// The first address of the entry itself; attached files go to the enclosures.
fn link(tongue: &Tongue<'_>, node: NodeId, item: &mut Item) {
    let Some(address) = tongue.page.attribute(node, "href").map(|href| href.trim().to_owned()) else {
        return;
    };
    match tongue.page.attribute(node, "rel") {
        None | Some("" | "alternate") if item.link.is_none() => item.link = Some(address),
        Some("enclosure") => item.enclosures.push(address),
        _ => {}
    }
}

fn author(tongue: &Tongue<'_>, node: NodeId) -> Option<String> {
    let name = tongue.elements(node).find(|(_, _, name)| *name == "name");
    name.and_then(|(node, ..)| tongue.value(node))
}

/// A text construct: plain unless it says otherwise. Content kept elsewhere is its address.
fn text(tongue: &Tongue<'_>, node: NodeId) -> Result<Prose, PageError> {
    let kind = tongue.page.attribute(node, "type").unwrap_or("text").to_ascii_lowercase();
    let elsewhere = tongue.page.attribute(node, "src").filter(|_| tongue.page.child_count(node) == 0);
    match (kind.as_str(), elsewhere) {
        (_, Some(address)) => Ok(Prose { raw: address.to_owned(), text: String::new() }),
        ("text" | "text/plain", None) => Ok(Prose::plain(tongue.raw(node).trim())),
        _ => tongue.html(node),
    }
}
