//! Similarity of two pages: the fast way against the equations, the papers' errata and blind spots, hostile pages.

use crate::pages::{cases, corpus, digest, related, soup};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rayon::ThreadPoolBuilder;
use std::collections::BTreeSet;
use std::ops::Range;
use tidemark_core::digest::{Facet, Facets, NodeId, PageDigest};
use tidemark_core::similarity::{AttributeWeights, Method, Options, PathForm, Report, Weights, compare};

/// A report without what only tells how it was found, coefficients to the bit.
fn result(report: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let pairs: Vec<_> =
        report.pairs.iter().map(|pair| (pair.old, pair.new, pair.coefficient.value().to_bits())).collect();
    (report.document.value().to_bits(), pairs, report.added.clone(), report.deleted.clone(), report.exact)
}

/// Checks everything that must hold between two pages.
fn assert_compared(old: &PageDigest, new: &PageDigest, options: &Options) {
    let [fast, reference, original] = Method::ALL.map(|method| compare(old, new, options, method));
    assert_eq!(result(&fast), result(&reference), "the equations");
    assert!(fast.exact && fast.comparisons <= reference.comparisons);
    for report in [&fast, &original] {
        assert_whole(old, new, report);
    }
    if !old.changed(new).is_empty() {
        return;
    }
    for report in [&fast, &original] {
        assert!(report.added.is_empty() && report.deleted.is_empty(), "{report:?}");
        assert!((report.document.value() - 1.0).abs() < 1e-9);
        assert!(report.pairs.iter().all(|pair| pair.new == Some(pair.old)), "each is its own partner");
    }
}

/// No subtree is lost: the old ones are paired or deleted, the new ones paired or added.
fn assert_whole(old: &PageDigest, new: &PageDigest, report: &Report) {
    assert!(
        report
            .pairs
            .is_sorted_by(|one, two| NodeId(one.old.0 + old.subtree(one.old).len() as u32) <= two.old)
    );
    let alone: Vec<NodeId> =
        report.pairs.iter().filter(|pair| pair.new.is_none()).map(|pair| pair.old).collect();
    assert_eq!(report.deleted, alone);
    let met: BTreeSet<NodeId> = report.pairs.iter().filter_map(|pair| pair.new).collect();
    for &added in &report.added {
        assert!(new.subtree(added).all(|node| !met.contains(&node)), "{added:?} has a partner");
    }
    for pair in &report.pairs {
        assert!((-1.0..=1.0).contains(&pair.coefficient.value()));
        assert!((0.0..=2.0).contains(&pair.coefficient.severity()));
    }
}

fn options() -> impl Strategy<Value = Options> {
    let weights = select(&[
        (0.4, 0.3, 0.3),
        (0.1, 0.2, 0.7),
        (0.0, 0.0, 1.0),
        (1.0, 0.0, 0.0),
        (0.0, 1.0, 0.0),
        (1e-12, 0.6, 0.4),
    ]);
    let table = select(&["", "* 0", "class 100\nid 0\n* 7"]);
    let form = select(&[PathForm::Sum, PathForm::Product]);
    (weights, table, form, select(&[3, 3, 3, 0, 1, 2, 4, 5])).prop_map(
        |(weights, table, path_form, level)| Options {
            weights: Weights::new(weights.0, weights.1, weights.2).expect("they sum to 1"),
            attribute_weights: AttributeWeights::parse(table).expect("a sound table"),
            level,
            path_form,
            ..Options::default()
        },
    )
}

/// Many small subtrees of few kinds, and the same ones after some edits: ties, copies, moves.
fn related_lists() -> impl Strategy<Value = (String, String)> {
    edited_pieces(0..24, 0..5).prop_map(|(old, new)| (old.concat(), new.concat()))
}

/// Some hundred nodes in a few large subtrees, and the same page after some edits.
fn related_large() -> impl Strategy<Value = (String, String)> {
    let page = |pieces: &[String]| {
        pieces.chunks(20).map(|group| format!("<div>{}</div>", group.concat())).collect::<String>()
    };
    edited_pieces(60..120, 1..9).prop_map(move |(old, new)| (page(&old), page(&new)))
}

fn edited_pieces(
    pieces: Range<usize>,
    edits: Range<usize>,
) -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    let edit = (0..5u8, any::<Index>(), piece());
    (vec(piece(), pieces), vec(edit, edits)).prop_map(|(old, edits)| {
        let mut new = old.clone();
        for (kind, at, piece) in edits {
            let at = at.index(new.len() + 1);
            match kind {
                0 => new.insert(at, piece),
                _ if at == new.len() => {}
                1 => drop(new.remove(at)),
                2 => new[at] = piece,
                3 => new.insert(at, new[at].clone()),
                _ => new.swap(at, 0),
            }
        }
        (old, new)
    })
}

fn piece() -> impl Strategy<Value = String> {
    let words = vec(select(&["a", "b", "c", "Tea", "tea", "12"]), 0..6).prop_map(|words| words.join(" "));
    let class = select(&["", " class=x", " class=y id=z", " href=/a"]);
    (select(&["div", "div", "section", "p", ""]), class, vec((select(&["b", "i", "span"]), words), 0..5))
        .prop_map(|(tag, class, inner)| {
            let inner: String =
                inner.iter().map(|(tag, words)| format!("<{tag}{class}>{words}</{tag}>{words}")).collect();
            if tag.is_empty() { inner } else { format!("<{tag}{class}>{inner}</{tag}>") }
        })
}

#[test]
fn the_fast_way_is_the_reference_on_every_two_pages_of_the_corpus() {
    let pages: Vec<PageDigest> = corpus().iter().map(|(_, bytes)| digest(bytes)).collect();
    let levels = [3, 2].map(|level| Options { level, ..Options::default() });
    for old in &pages {
        for new in &pages {
            levels.iter().for_each(|options| assert_compared(old, new, options));
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn the_fast_way_is_the_reference((old, new) in prop_oneof![related(), related_lists()], options in options()) {
        assert_compared(&digest(old.as_bytes()), &digest(new.as_bytes()), &options);
    }

    #[test]
    fn a_page_is_like_itself(page in prop_oneof![soup(), related_lists().prop_map(|(page, _)| page)], options in options()) {
        let page = digest(page.as_bytes());
        assert_compared(&page, &page, &options);
        let report = compare(&page, &page, &options, Method::Fast);
        prop_assert_eq!(report.document.value().to_bits(), 1f64.to_bits());
        prop_assert_eq!(report.comparisons, 0);
    }

    #[test]
    fn threads_and_order_do_not_count((old, new) in related_lists(), budget in select(&[1_000_000, 3000, 200, 0])) {
        let (old, new) = (digest(old.as_bytes()), digest(new.as_bytes()));
        let options = Options { budget, ..Options::default() };
        let [one, four] = [1, 4].map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| compare(&old, &new, &options, Method::Fast))
        });
        prop_assert_eq!(&one, &four);
        assert_whole(&old, &new, &one);
    }

    #[test]
    fn a_small_budget_is_told_and_loses_nothing((old, new) in related_lists(), budget in 0..20_000u64) {
        let (old, new) = (digest(old.as_bytes()), digest(new.as_bytes()));
        let options = Options { budget, ..Options::default() };
        let exact = compare(&old, &new, &Options::default(), Method::Reference);
        for method in Method::ALL {
            let report = compare(&old, &new, &options, method);
            assert_whole(&old, &new, &report);
            for (coarse, exact) in report.pairs.iter().zip(&exact.pairs).filter(|_| method == Method::Fast) {
                prop_assert!(coarse.coefficient <= exact.coefficient, "a coarse coefficient is never too high");
            }
            prop_assert!(!report.exact || method == Method::Original || result(&report) == result(&exact));
        }
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn the_fast_way_is_the_reference_on_large_pages((old, new) in related_large(), level in select(&[2, 3, 4])) {
        let (old, new) = (digest(old.as_bytes()), digest(new.as_bytes()));
        let options = Options { level, ..Options::default() };
        let [fast, reference] = [Method::Fast, Method::Reference].map(|way| compare(&old, &new, &options, way));
        prop_assert_eq!(result(&fast), result(&reference));
        prop_assert!(fast.comparisons * 5 < reference.comparisons, "the bounds save comparisons");
    }
}

fn compared(old: &str, new: &str) -> (Report, Facets) {
    compared_with(old, new, &Options::default())
}

fn compared_with(old: &str, new: &str, options: &Options) -> (Report, Facets) {
    let (old, new) = (digest(old.as_bytes()), digest(new.as_bytes()));
    assert_compared(&old, &new, options);
    (compare(&old, &new, options, Method::Fast), old.changed(&new))
}

fn values(report: &Report) -> Vec<f64> {
    report.pairs.iter().map(|pair| pair.coefficient.value()).collect()
}

fn all_are_1(report: &Report) -> bool {
    values(report).iter().all(|value| value.to_bits() == 1f64.to_bits())
}

#[test]
fn equations_4_to_7_worked_by_hand() {
    // p: same path, no attributes, words {a b} and {a c}: Intersect 1/3, CS = 1 - 2 × 0.3 × 2/3 = 0.6.
    // i: no partner, -1. Average of p and i: -0.2.
    let (report, _) = compared("<p>a b<i></i></p>", "<p>a c</p>");
    assert!((values(&report)[0] - (0.6 - 1.0) / 2.0).abs() < 1e-12);
    // Of two paragraphs the more similar one is the partner, wherever it is.
    let (report, _) = compared("<p>a b</p>", "<p>x y</p><p>a c</p>");
    assert!((values(&report)[0] - 0.6).abs() < 1e-12);
    assert_eq!(report.added.len(), 1);
    // The page: one node with 0.6, one added with -1.
    assert!((report.document.value() - (0.6 - 1.0) / 2.0).abs() < 1e-12);
}

#[test]
fn paths_below_the_level_count() {
    // b: path html body div b and html body div i b: 3 steps of 5 in common, sums (32 + 16 + 8 + 4) / 63.
    let options = Options { weights: Weights::new(1.0, 0.0, 0.0).expect("weights"), ..Options::default() };
    let (report, _) = compared_with("<div><b>x</b></div>", "<div><i><b>x</b></i></div>", &options);
    let inner = 1.0 - 2.0 * (1.0 - 60.0 / 63.0);
    assert!((values(&report)[0] - f64::midpoint(1.0, inner)).abs() < 1e-12);
}

#[test]
fn erratum_equation_3_with_products_cannot_see_a_last_step() {
    let page = |tag: &str| format!("<{tag}>x</{tag}>");
    let with = |path_form| Options {
        path_form,
        level: 2,
        weights: Weights::new(1.0, 0.0, 0.0).expect("weights"),
        ..Options::default()
    };
    let (old, new) = (digest(page("div").as_bytes()), digest(page("section").as_bytes()));
    let of = |path_form| compare(&old, &new, &with(path_form), Method::Original).document.value();
    assert_eq!(of(PathForm::Product).to_string(), "1", "div and section differ in the last step only");
    assert!(of(PathForm::Sum) < 1.0);
    assert!(old.changed(&new).contains(Facet::Tags));
}

#[test]
fn a_node_whose_tag_does_not_occur_has_minus_1() {
    let (report, _) = compared("<div><b></b></div>", "<div><i></i></div>");
    assert_eq!(values(&report), [0.0]);
}

#[test]
fn two_empty_word_sets_and_two_nodes_without_attributes_are_equal() {
    let (report, facets) = compared("<div><hr></div>", "<div><hr><hr></div>");
    assert!(all_are_1(&report) && !facets.is_empty());
}

#[test]
fn blind_spot_of_section_6_a_tag_type_added() {
    let (report, facets) = compared("<p>x</p>", "<p>x</p><ul><li>new</ul>");
    assert!(all_are_1(&report) && !facets.is_empty(), "the paper sees nothing, the digest does");
    assert_eq!((report.added.len(), report.deleted.len()), (1, 0));
    assert!(report.document.value() < 1.0);
}

#[test]
fn blind_spot_of_section_6_a_tag_type_changed() {
    let (report, facets) = compared("<p>x</p><ul><li>a</ul>", "<p>x</p><ol><li>a</ol>");
    assert!(facets.contains(Facet::Tags));
    assert_eq!((report.added.len(), report.deleted.len()), (1, 1));
    assert!(report.document.value() < 1.0);
}

#[test]
fn blind_spot_of_section_6_a_tag_type_deleted() {
    let (report, facets) = compared("<p>x</p><ul><li>a</ul>", "<p>x</p>");
    assert!(!facets.is_empty());
    assert_eq!((report.added.len(), report.deleted.len()), (0, 1));
    assert_eq!(values(&report), [1.0, -1.0]);
}

#[test]
fn blind_spot_an_element_without_words_added() {
    for element in ["<img src=/b>", "<hr>", "<input name=q>"] {
        let old = "<div>text<img src=/a><hr><input></div>";
        let (report, facets) = compared(old, &old.replace("</div>", &format!("{element}</div>")));
        assert!(all_are_1(&report) && report.added.is_empty(), "every old node keeps a perfect partner");
        assert!(facets.contains(Facet::Structure) && facets.contains(Facet::Tags));
    }
}

#[test]
fn blind_spot_a_word_repeated_or_moved() {
    for new in ["<p>one two two</p>", "<p>two one</p>"] {
        let (report, facets) = compared("<p>one two</p>", new);
        assert!(all_are_1(&report), "the set of words is the same");
        assert_eq!(facets, [Facet::Content].into_iter().collect());
    }
}

#[test]
fn blind_spot_siblings_reordered() {
    let (report, facets) = compared("<div><p>a</p><p>b</p></div>", "<div><p>b</p><p>a</p></div>");
    assert!(all_are_1(&report));
    assert_eq!(facets, [Facet::Content].into_iter().collect());
    let (report, facets) = compared("<p>a</p><ul></ul>", "<ul></ul><p>a</p>");
    assert!(all_are_1(&report) && !facets.is_empty());
}

#[test]
fn bare_text_below_body_is_not_lost() {
    let (report, _) = compared("some text", "other text");
    assert!(report.document.value() < 1.0);
    let (report, _) = compared("some text", "<p>some text</p>");
    assert_eq!((report.added.len(), report.deleted.len()), (1, 1));
}

#[test]
fn of_equal_coefficients_the_equal_subtree_is_the_partner() {
    // The first new paragraph has a perfect partner for every node as well.
    let (report, _) = compared("<div>x<hr></div>", "<div>x<hr><hr></div><div>x<hr></div>");
    let (old, new) = (report.pairs[0].new, report.added[0]);
    assert!(old > Some(new), "the copy with one more line is the added one");
}

#[test]
fn the_original_approach_sees_a_list_change_its_type() {
    let (old, new) = (digest(b"<ul><li>a<li>b</ul>"), digest(b"<ol><li>a<li>b</ol>"));
    let report = compare(&old, &new, &Options::default(), Method::Original);
    assert_eq!(report.pairs[0].new.map(|node| new.name(node)), Some("ol"));
    assert!(report.pairs[0].coefficient.value() > 0.0 && report.exact && report.deleted.is_empty());
    let fast = compare(&old, &new, &Options::default(), Method::Fast);
    assert_eq!((fast.added.len(), fast.deleted.len()), (1, 1));
}

#[test]
fn the_original_approach_looks_no_further_than_four_times_the_zone() {
    let partner = |new: &PageDigest| {
        compare(&digest(b"<p>x</p>"), new, &Options::default(), Method::Original).pairs[0].new
    };
    let three = digest(b"<p>x<b></b><b></b></p><p>y</p>");
    assert_eq!(partner(&three), three.tagged("p").next());
    let four = digest(b"<p>x<b></b><b></b><b></b></p><p>y</p>");
    assert_eq!(partner(&four), four.tagged("p").nth(1));
}

#[test]
fn comparisons_are_counted_as_in_figure_6() {
    let (old, new) = (digest(b"<div>a<b>b</b><b>c</b></div>"), digest(b"<div>d<b>e</b><b>f</b></div>"));
    let [fast, reference, original] =
        Method::ALL.map(|method| compare(&old, &new, &Options::default(), method).comparisons);
    assert_eq!(reference, 1 + 2 * 2);
    assert!(fast <= reference);
    // html, head, body, div, b, b: all but html and those of 6 and 4 nodes times 3; 3 zone nodes each.
    assert_eq!(original, 3 * (6 + 1 + 4 + 3 + 1 + 1));
}

#[test]
fn hostile_pages_come_to_an_end() {
    let deep = |word: &str| {
        format!("<?xml version='1.0'?><r>{}{word}{}</r>", "<a>x ".repeat(60_000), "</a>".repeat(60_000))
    };
    let flat = |word: &str| (0..3000).map(|at| format!("<p>{word}{at} x</p>")).collect::<String>();
    let wide = |word: &str| format!("<div>{}</div>", flat(word));
    for page in [&deep as &dyn Fn(&str) -> String, &flat, &wide] {
        let (old, new) = (digest(page("a").as_bytes()), digest(page("b").as_bytes()));
        for level in [1, 3] {
            let options = Options { budget: 1_000_000, level, ..Options::default() };
            for method in Method::ALL {
                let report = compare(&old, &new, &options, method);
                assert!(!report.exact, "{method:?} at level {level}");
                assert_whole(&old, &new, &report);
            }
        }
    }
}
