//! RSS in all its versions: 0.9x and 2.0 keep their items in the channel, 0.90 and 1.0 beside it.

use super::names::{Tongue, Vocabulary};
use super::{Dialect, Feed, FeedError, Item, Prose};
use crate::digest::NodeId;
use crate::page::PageError;

pub(super) fn read(tongue: &Tongue<'_>, dialect: Dialect) -> Result<Feed, FeedError> {
    let no_channel = || FeedError::NotAFeed { found: "RSS without a channel".to_owned() };
    let root = tongue.root().ok_or_else(no_channel)?;
    let channel = tongue
        .elements(root)
        .find(|(_, vocabulary, name)| *vocabulary == Vocabulary::Own && *name == "channel");
    let (channel, ..) = channel.ok_or_else(no_channel)?;
    let mut feed = Feed { dialect, title: Prose::default(), items: Vec::new() };
    for place in [root, channel] {
        for (node, vocabulary, name) in tongue.elements(place) {
            match (vocabulary, name) {
                (Vocabulary::Own, "item") => feed.items.push(item(tongue, node)?),
                (Vocabulary::Own, "title") if place == channel => feed.title = tongue.html(node)?,
                _ => {}
            }
        }
    }
    Ok(feed)
}

fn item(tongue: &Tongue<'_>, node: NodeId) -> Result<Item, PageError> {
    let mut item = Item { id: about(tongue, node), ..Item::default() };
    for (node, vocabulary, name) in tongue.elements(node) {
        field(tongue, node, (vocabulary, name), &mut item)?;
    }
    Ok(item)
}

fn field(
    tongue: &Tongue<'_>,
    node: NodeId,
    name: (Vocabulary, &str),
    item: &mut Item,
) -> Result<(), PageError> {
    use Vocabulary::{Atom, Content, Dublin, Own};
    match name {
        (Own, "guid") => item.id = tongue.value(node).or(item.id.take()),
        (Own, "link") => item.link = tongue.value(node).or(item.link.take()),
        (Own, "title") => item.title = tongue.html(node)?,
        (Own, "description") => item.description = tongue.html(node)?,
        (Content, "encoded") => item.content = tongue.html(node)?,
        (Own, "pubDate") | (Dublin, "date") => item.published = tongue.value(node).or(item.published.take()),
        (Atom, "updated") => item.updated = tongue.value(node),
        (Own, "author") | (Dublin, "creator") => item.authors.extend(tongue.value(node)),
        (Own, "category") | (Dublin, "subject") => item.categories.extend(tongue.value(node)),
        (Own, "enclosure") => item.enclosures.extend(tongue.page.attribute(node, "url").map(str::to_owned)),
        _ => {}
    }
    Ok(())
}

/// RSS 1.0 names an item by the address it is about.
fn about(tongue: &Tongue<'_>, node: NodeId) -> Option<String> {
    tongue.page.attribute(node, "rdf:about").map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned)
}
