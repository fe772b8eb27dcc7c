//! Zones by XPath 1.0, evaluated over the arrays of a digest.
//!
//! Source: XPath 1.0 (W3C, 1999) as the crate `xpath-eval` reads it. Cost: what the expression asks for, within a budget
//! that grows with the page; axes such as `following` are quadratic by nature.
//! We differ: a bare name finds HTML elements in any case, and in XML a name is compared as it is written, prefix and all,
//! because nobody who watches a feed wants to declare namespaces first; `svg:` and `math:` are prefixes in HTML.

mod inspect;
mod node;

use super::ZoneError;
use super::bounds;
use crate::digest::{NodeId, PageDigest};
use node::{Frame, Seen};
use std::ops::Range;
use xpath_eval::{EvaluationContext, Expr, Value, evaluate};

/// An XPath expression that was read and found good.
#[derive(Clone, Debug)]
pub struct XPath {
    source: String,
    expression: Expr,
    traits: inspect::Traits,
}

/// Why an evaluation gave no nodes to speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It would take more steps than the page's size allows.
    TooCostly,
    /// The evaluator refused.
    Refused(String),
}

impl XPath {
    /// Reads an expression, such as `//div[@id='total']/p[2]`. It must give nodes, not a number or a text.
    pub fn parse(source: &str) -> Result<Self, ZoneError> {
        bounds::check(source, ZoneError::xpath)?;
        inspect::check_signs(source)?;
        let expression =
            xpath_eval::parse(source).map_err(|error| ZoneError::xpath(error.position, &error.message))?;
        let traits = inspect::inspect(&expression, source)?;
        Ok(Self { source: source.to_owned(), expression, traits })
    }

    /// The expression as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What it finds, in the order of the page: an element with all that is in it, a run of text, or, for an attribute, the
    /// element alone.
    pub(crate) fn find(&self, digest: &PageDigest) -> Result<Vec<Range<NodeId>>, Failure> {
        let frame = Frame::new(digest, self.traits);
        let mut context = EvaluationContext::new(Seen::root(&frame));
        let as_written = |prefix: &str| Some(prefix.to_owned());
        context.namespaces = Some(&as_written);
        let value = evaluate(&self.expression, &context);
        if frame.budget.spent() {
            return Err(Failure::TooCostly);
        }
        match value {
            Ok(Value::NodeSet(nodes)) => Ok(ranges(&nodes)),
            Ok(_) => Err(Failure::Refused("the expression gives a value, not nodes".to_owned())),
            Err(error) => Err(Failure::Refused(error.to_string())),
        }
    }
}

fn ranges(nodes: &[Seen<'_>]) -> Vec<Range<NodeId>> {
    let mut ranges: Vec<Range<NodeId>> = nodes.iter().map(Seen::range).collect();
    ranges.sort_by_key(|range| (range.start, range.end));
    ranges.dedup();
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Reading;

    fn found(page: &str, expression: &str) -> Vec<Range<NodeId>> {
        let digest = PageDigest::encode(page.as_bytes(), &Reading::default()).unwrap();
        XPath::parse(expression).unwrap().find(&digest).unwrap()
    }

    const PAGE: &str = "<!doctype html><title>t</title><div id=a class='x y'><p>one<p>two <b>bold</b> tail<!--c--></div>\
        <div><P>three<svg><a xlink:href=q></a></svg></div><template><p>hidden</p></template>";

    #[test]
    fn counts_that_were_counted_by_hand() {
        for (expression, count) in [
            ("//p", 3),
            ("//P", 3),
            ("//div[@id='a']/p", 2),
            ("//div[contains(concat(' ', @class, ' '), ' y ')]", 1),
            ("//p/text()", 4),
            ("//p[b]", 1),
            ("//p[position()=last()]", 2),
            ("(//p)[2]/b", 1),
            ("//comment()", 1),
            ("//div/@id", 1),
            ("//p[.='three']", 1),
            ("//b/ancestor::*", 4),
            ("//b/following::p", 1),
            ("//b/preceding::p", 1),
            ("//p[starts-with(normalize-space(.), 'two')]", 1),
            ("//svg", 0),
            ("//svg:svg", 1),
            ("//*[local-name()='svg']", 1),
            ("//svg:a[@xlink:href='q']", 1),
            ("//a", 0),
            ("//p[translate(., 'T', 't')='two bold tail']", 1),
            ("id('a')", 1),
            ("//title | //b", 2),
            ("/", 1),
            ("//p[//b = 'bold']", 3),
            ("//p[string-length(.) > 100]", 0),
        ] {
            assert_eq!(found(PAGE, expression).len(), count, "{expression}");
        }
    }

    #[test]
    fn a_run_of_text_is_one_node() {
        let xml = "<?xml version='1.0'?>\n<r>a<![CDATA[b]]>c<m:i/>d<e xmlns='urn:x'/></r>";
        assert_eq!(found(xml, "/r/text()").len(), 2);
        assert_eq!(found(xml, "/r/text()[1]")[0].end.0 - found(xml, "/r/text()[1]")[0].start.0, 3);
        assert_eq!(found(xml, "/r/text()[.='abc']").len(), 1);
        assert_eq!(found(xml, "//m:i | //e").len(), 2);
        assert_eq!(found(xml, "//R").len(), 0);
    }

    #[test]
    fn errors_say_where() {
        for (expression, at) in
            [("//p[", 4), ("//p]", 3), ("count(//p)", 0), ("//p[$x]", 5), ("//p[no-such(.)]", 4)]
        {
            let error = XPath::parse(expression).unwrap_err();
            assert_eq!(error.at, at, "{expression}: {error}");
        }
    }

    #[test]
    fn what_the_bounds_allow_fits_the_stack_of_a_test() {
        let (open, close) = ("[*".repeat(64), "]".repeat(64));
        assert_eq!(found(PAGE, &format!("//p{open}{close}")), []);
        let nested = format!("//p[{}{}1{}]", "(".repeat(63), "1+".repeat(190), ")".repeat(63));
        assert_eq!(found(PAGE, &nested), [], "there is no p of number 191");
        let not = format!("//p[{}b{}]", "not(".repeat(62), ")".repeat(62));
        assert_eq!(found(PAGE, &not).len(), 1);
    }

    #[test]
    fn what_costs_too_much_is_stopped() {
        let page = "<i>x</i>".repeat(6000);
        let digest = PageDigest::encode(page.as_bytes(), &Reading::default()).unwrap();
        for expression in [
            "//*[following::*[following::*[following::*]]=9]",
            "//*/following::*/preceding::*",
            "//*[//* = 'y']",
            "//*[//i != //i/text() and //i = //body/text()]",
        ] {
            let failure = XPath::parse(expression).unwrap().find(&digest);
            assert_eq!(failure, Err(Failure::TooCostly), "{expression}");
        }
    }
}
