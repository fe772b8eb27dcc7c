//! Names that nearly every page uses, with a byte for each: part of format version 1, so entries never change place.
//!
//! A byte that means `href` in every page lets the [dictionary](super::dictionary) know whole phrases of markup.

use crate::digest::Kind;
use crate::digest::columns::pack_kind;
use crate::page::arena::Space;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Tags by code: packed kind and name.
pub(crate) static TAGS: LazyLock<Vec<(u32, &'static str)>> = LazyLock::new(|| {
    let kinds = Kind::ALL.into_iter().map(|kind| (pack_kind(kind, Space::Plain), kind.name()));
    let named = [(HTML, Space::Html), (SVG, Space::Svg), (XML, Space::Plain)].into_iter();
    let named = named
        .flat_map(|(names, space)| names.split(' ').map(move |name| (pack_kind(Kind::Element, space), name)));
    kinds.chain(named).collect()
});

/// Codes by tag.
pub(crate) static TAG_CODES: LazyLock<FxHashMap<(u32, &'static str), u32>> =
    LazyLock::new(|| TAGS.iter().copied().zip(0..).collect());

/// Attribute names by code.
pub(crate) static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| ATTRIBUTES.split(' ').collect());

/// Codes by attribute name.
pub(crate) static NAME_CODES: LazyLock<FxHashMap<&'static str, u32>> =
    LazyLock::new(|| NAMES.iter().copied().zip(0..).collect());

const HTML: &str = "html head body title meta link script style base noscript template div span a p br img ul ol li \
h1 h2 h3 h4 h5 h6 table thead tbody tfoot tr td th caption colgroup col form input button label select option textarea \
fieldset legend nav header footer main section article aside figure figcaption strong em b i u s small code pre \
blockquote hr iframe time video audio source picture dl dt dd font center sup sub cite abbr q mark del ins details summary";

const SVG: &str = "svg g path use circle rect title defs";

const XML: &str = "rss channel item title link description pubDate guid feed entry id updated published author name content summary category";

const ATTRIBUTES: &str = "class id href src alt title style rel type name content property width height target value \
action method for placeholder role aria-label aria-hidden aria-expanded aria-controls aria-labelledby aria-describedby lang \
charset http-equiv srcset sizes loading itemprop itemtype itemscope onclick align valign border cellpadding cellspacing \
colspan rowspan bgcolor color face size xmlns viewBox d fill stroke media async defer crossorigin integrity datetime tabindex \
data-src data-id data-url data-type data-toggle data-target dir checked disabled selected hidden maxlength autocomplete \
autofocus required pattern min max step rows cols wrap scope headers summary background text link vlink alink hspace \
vspace clear nowrap language frameborder scrolling allowfullscreen allow marginwidth marginheight xml:lang xlink:href \
version focusable x y cx cy r points transform stroke-width isPermaLink term";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_code_of_its_own() {
        assert_eq!(TAG_CODES.len(), TAGS.len());
        assert_eq!(NAME_CODES.len(), NAMES.len());
    }

    #[test]
    fn codes_fit_their_bytes() {
        assert!(TAGS.len() <= 126, "{}", TAGS.len());
        assert!(NAMES.len() <= 126, "{}", NAMES.len());
    }
}
