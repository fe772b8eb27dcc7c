//! Zones by CSS selector, matched over the arrays of a digest.
//!
//! Source: Selectors Level 4 as the crate `selectors` reads it, the engine of Servo and Firefox.
//! Cost: a pass over the elements, with as many steps each as the selector asks for; a budget bounds the sum, because `:has`
//! and sibling combinators can be made quadratic. We differ from a browser: always the rules of standards mode, no
//! pseudo-classes of state (`:hover`), and a namespace prefix means the prefix as the page writes it (`svg` and `math` in HTML).

mod element;
mod names;

use super::ZoneError;
use super::bounds::{self, Budget};
use crate::digest::{Kind, NodeId, PageDigest};
use cssparser::{BasicParseErrorKind, ParseErrorKind};
use element::{Frame, Seen};
use names::{Names, Reader};
use selectors::matching::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
    matches_selector_list,
};
use selectors::parser::{ParseRelative, SelectorList, SelectorParseErrorKind};

/// A CSS selector that was read and found good.
#[derive(Clone, Debug)]
pub struct Css {
    source: String,
    list: SelectorList<Names>,
}

impl Css {
    /// Reads a selector list, such as `main > p.price, #total`.
    pub fn parse(source: &str) -> Result<Self, ZoneError> {
        bounds::check(source, ZoneError::css)?;
        let mut input = cssparser::Parser::new(source);
        let list = SelectorList::parse(&Reader, &mut input, ParseRelative::No)
            .map_err(|error| ZoneError::css(input.position().byte_index(), reason(&error.kind)))?;
        Ok(Self { source: source.to_owned(), list })
    }

    /// The selector as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The elements it finds, in the order of the page; none if it asks for more steps than the page's size allows.
    pub(crate) fn find(&self, digest: &PageDigest) -> Option<Vec<NodeId>> {
        let frame = Frame::new(digest);
        let mut caches = SelectorCaches::default();
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            None,
            &mut caches,
            QuirksMode::NoQuirks,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        let mut found = Vec::new();
        let mut next = 0;
        while (next as usize) < digest.len() && !frame.budget.spent() {
            let node = NodeId(next);
            // Contents of a template are not in the document a selector searches.
            next = if digest.kind(node) == Kind::Fragment { digest.end(node) } else { next + 1 };
            if digest.kind(node) == Kind::Element
                && matches_selector_list(&self.list, Seen::new(&frame, node), &mut context)
            {
                found.push(node);
            }
        }
        (!frame.budget.spent()).then_some(found)
    }
}

/// Navigation steps a selector may take on a page of `nodes`.
fn budget(nodes: usize) -> Budget {
    Budget::new((nodes as u64).saturating_mul(512).saturating_add(1 << 22).min(1 << 30))
}

/// The parser's reasons in plain words.
fn reason(kind: &ParseErrorKind<SelectorParseErrorKind>) -> &'static str {
    use SelectorParseErrorKind as Kind;
    match kind {
        ParseErrorKind::Basic(BasicParseErrorKind::EndOfInput)
        | ParseErrorKind::Custom(Kind::EmptySelector) => "a selector is missing here",
        ParseErrorKind::Basic(BasicParseErrorKind::TooManyNestedBlocks) => "brackets are nested too deeply",
        ParseErrorKind::Custom(Kind::DanglingCombinator) => "nothing follows the combinator",
        ParseErrorKind::Custom(Kind::UnsupportedPseudoClassOrElement) => {
            "this pseudo-class or pseudo-element is not supported; a page at rest has structure only"
        }
        ParseErrorKind::Custom(Kind::ClassNeedsIdent) => "a dot must be followed by the name of a class",
        ParseErrorKind::Custom(
            Kind::BadValueInAttr
            | Kind::ExpectedBarInAttr
            | Kind::InvalidQualNameInAttr
            | Kind::UnexpectedTokenInAttributeSelector
            | Kind::NoQualifiedNameInAttributeSelector,
        ) => "an attribute is written as [name], [name=\"value\"] or with ~= |= ^= $= *= in place of =",
        ParseErrorKind::Custom(Kind::NonCompoundSelector) => {
            "only a selector without combinators can stand here"
        }
        ParseErrorKind::Basic(_) | ParseErrorKind::Custom(_) => "this cannot stand here in a selector",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    fn names(page: &str, selector: &str) -> Vec<String> {
        let digest = PageDigest::encode(page.as_bytes(), &Reading::default()).unwrap();
        let found = Css::parse(selector).unwrap().find(&digest).unwrap();
        found.iter().map(|&node| digest.attribute(node, "n").unwrap_or("-").to_owned()).collect()
    }

    #[test]
    fn names_are_compared_as_the_grammar_says() {
        let html =
            "<!doctype html><DIV n=1 DATA-X=y><svg n=2 viewBox=0><linearGradient n=3 xlink:href=q></svg>";
        assert_eq!(names(html, "Div"), ["1"]);
        assert_eq!(names(html, "[Data-X]"), ["1"]);
        assert_eq!(names(html, "LinearGradient"), [""; 0]);
        assert_eq!(names(html, "linearGradient"), ["3"]);
        assert_eq!(names(html, "svg|*"), ["2", "3"]);
        assert_eq!(names(html, "[*|href]"), ["3"]);
        let xml = "<?xml version='1.0'?><R n='1'><m:item n='2'/><Item n='3'/></R>";
        assert_eq!(names(xml, "item"), ["2"]);
        assert_eq!(names(xml, "m|item"), ["2"]);
        assert_eq!(names(xml, "r"), [""; 0]);
    }

    #[test]
    fn errors_say_where() {
        for (selector, at) in [("p >", 3), ("a, , b", 3), ("p:hover", 7), ("[=x]", 4), ("", 0)] {
            let error = Css::parse(selector).unwrap_err();
            assert_eq!(error.at, at, "{selector}: {error}");
        }
        assert!(Css::parse(&"a".repeat(5000)).is_err());
        assert!(Css::parse(&":not(".repeat(200)).is_err());
    }
}
