//! The rows of list pages, and what became of them.

use crate::pages::{broken_xml, cases, corpus, digest, soup};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;
use tidemark_core::digest::NodeId;
use tidemark_core::records::{Records, RecordsDiff, compare};

fn find(html: &str) -> Records {
    Records::find(&digest(html.as_bytes())).unwrap_or_else(|| panic!("no records in {html:.200}"))
}

fn none(html: &str) {
    let found = Records::find(&digest(html.as_bytes()));
    assert!(found.is_none(), "{found:?}");
}

fn compared(old: &str, new: &str) -> RecordsDiff {
    compare(&find(old), &find(new))
}

/// The texts of each row, without link targets.
fn texts(records: &Records) -> Vec<String> {
    let text = |row: &tidemark_core::records::Row| {
        let texts = row.fields.iter().filter(|field| !field.path.contains('@'));
        texts.map(|field| field.text.as_str()).collect::<Vec<_>>().join("|")
    };
    records.rows.iter().map(text).collect()
}

const MENU: &str =
    "<nav><ul><li><a href=/>Home</a><li><a href=/a>About</a><li><a href=/c>Contact</a></ul></nav>";

#[test]
fn a_table_has_rows_fields_and_names() {
    let records = find(&format!(
        "{MENU}<h1>Prices</h1><table><thead><tr><th>Article<th colspan=2>Price</thead><tbody>
         <tr><td><a href=/1>Brass cleat</a><td>4.20<td>EUR<tr><td><a href=/2>Rope</a><td>1.10<td>EUR
         <tr><td><a href=/3>Lamp oil</a><td>3.60<td>EUR</table><footer>imprint</footer>"
    ));
    assert_eq!((records.separator.as_str(), records.columns.join(",")), ("tr", "Article,Price,Price".into()));
    assert_eq!(texts(&records), ["Brass cleat|4.20|EUR", "Rope|1.10|EUR", "Lamp oil|3.60|EUR"]);
    let row = &records.rows[1];
    assert_eq!(row.key.as_deref(), Some("/2"));
    let fields: Vec<_> =
        row.fields.iter().map(|field| (field.path.as_str(), field.name.as_deref())).collect();
    let expected =
        [("tr/td/a@href", "Article"), ("tr/td/a", "Article"), ("tr/td[2]", "Price"), ("tr/td[3]", "Price")];
    assert_eq!(fields, expected.map(|(path, name)| (path, Some(name))));
}

#[test]
fn a_head_row_is_no_row() {
    let records = find(
        "<table><tr><th>Port<th>Depth<tr><td>Aal<td>3 m<tr><td>Bee<td>4 m<tr><th>Port<th>Depth<tr><td>Cod<td>5 m</table>",
    );
    assert_eq!(texts(&records), ["Aal|3 m", "Bee|4 m", "Cod|5 m"]);
    assert_eq!(records.columns, ["Port", "Depth"]);
}

#[test]
fn a_list_and_cards_have_rows() {
    let records = find(&format!(
        "{MENU}<h1>Harbours</h1><ul><li><a href=/x>Xanten</a> on the Rhine<li><a href=/y>Ystad</a> on the Baltic
         <li><a href=/z>Zierikzee</a> in Zeeland</ul>"
    ));
    assert_eq!((records.separator.as_str(), records.rows[2].key.as_deref()), ("li", Some("/z")));
    let cards: String = (0..5)
        .map(|n| format!("<div class=card><img src={n}.jpg><h3>Boat {n}</h3><p>Made of wood and iron<p><b>{n}00</b> EUR</div>"))
        .collect();
    let records = find(&format!(
        "<div id=top>Boats for sale</div><div id=list><div class=note>5 found</div>{cards}</div>"
    ));
    assert!(records.rows.len() >= 5, "{:?}", texts(&records));
    assert_eq!(texts(&records).last().map(String::as_str), Some("Boat 4|Made of wood and iron|400|EUR"));
}

#[test]
fn a_row_can_take_several_nodes() {
    let records =
        find("<dl><dt>ebb<dd>going out<dt>flood<dd>coming in<dd>also: flow<dt>slack<dd>neither</dl>");
    assert_eq!(texts(&records), ["ebb|going out", "flood|coming in|also: flow", "slack|neither"]);
    let triple: String = (1..8)
        .map(|n| {
            format!(
                "<tr class=athing><td>{n}.<td><a href=vote>up</a><td><a href=/{n}>Story number {n}</a>
                 <tr><td colspan=2><td>{n} points by <a href=u>someone</a><tr class=spacer style=height:5px></tr>"
            )
        })
        .collect();
    let records = find(&format!("<table>{triple}</table>"));
    assert_eq!(records.rows.len(), 7, "{:?}", texts(&records));
    assert_eq!(texts(&records)[6], "7.|up|Story number 7|7 points by|someone");
}

#[test]
fn striped_rows_are_single_rows() {
    let rows: String =
        (0..6).map(|n| format!("<tr class={}><td>name {n}<td>{n}", ["odd", "even"][n % 2])).collect();
    assert_eq!(find(&format!("<table>{rows}</table>")).rows.len(), 6);
}

#[test]
fn the_inner_of_nested_tables_is_found() {
    let rows: String = (0..8)
        .map(|n| format!("<tr><td>{n} May<td><b>Release {n}</b> is out for everybody to try"))
        .collect();
    let records = find(&format!(
        "<table><tr><td colspan=2>Title<tr><td>Menu<br>Home<br>News<td><table>{rows}</table><tr><td colspan=2>Foot</table>"
    ));
    assert_eq!(
        (records.rows.len(), texts(&records)[7].as_str()),
        (8, "7 May|Release 7|is out for everybody to try")
    );
}

#[test]
fn corpus_pages_have_the_lists_a_reader_sees() {
    let page = |name: &str| {
        let found = corpus().into_iter().find(|(found, _)| found == name);
        Records::find(&digest(&found.expect("a page of the corpus").1))
    };
    let front = page("news-front-page.html").expect("a list");
    assert_eq!((front.rows.len(), front.rows[1].fields[1].text.as_str()), (3, "Town clock to strike again"));
    let prices = page("price-list.html").expect("a list");
    assert_eq!((prices.rows.len(), prices.columns.join(" ").as_str()), (12, "No. Article Price Stock"));
    assert_eq!(page("plain-article.html"), None);
    let sitemap = "<url><loc>https://a.example/</loc><lastmod>2026</lastmod></url>".repeat(4);
    let xml = find(&format!("<?xml version='1.0'?><urlset>{sitemap}</urlset>"));
    assert_eq!((xml.separator.as_str(), xml.rows.len()), ("url", 4), "XML has records too");
}

#[test]
fn a_page_without_a_list_has_none() {
    none("");
    none("<p>One</p>");
    let prose = "<p>The harbour was quiet, and <a href=x>the boats</a> lay still at their moorings until the wind rose.";
    none(&format!("{MENU}<h1>Quiet</h1><article>{}</article>", prose.repeat(20)));
    let table = "<table><tr><th>Day<th>Tide<tr><td>1<td>high at noon<tr><td>2<td>low at noon<tr><td>3<td>none</table>";
    let records = find(&format!("<article>{}{table}{}</article>", prose.repeat(3), prose.repeat(3)));
    assert_eq!(records.columns, ["Day", "Tide"], "a named table in an article is a list");
    none(&format!("<select>{}</select><p>{prose}", "<option>A country".repeat(200)));
    none(&format!("<select><optgroup>{}</optgroup></select><p>{prose}", "<option>A country".repeat(200)));
}

#[test]
fn only_a_part_of_a_page_can_be_searched() {
    let page = digest(
        format!("{MENU}<main><ol>{}</ol></main>", "<li>A long entry of the list<b>and more</b>".repeat(9))
            .as_bytes(),
    );
    let nav = page.tagged("nav").next().expect("a menu");
    assert_eq!(Records::find(&page).expect("a list").rows.len(), 9);
    assert_eq!(Records::find_below(&page, nav).expect("a menu").rows.len(), 3);
    assert!(Records::find_below(&page, NodeId(page.len() as u32 - 1)).is_none());
}

#[test]
fn a_list_is_found_again_where_it_was() {
    let entry =
        |n: usize| format!("<h3>Release {n}</h3><div>Version {n} is out with many small repairs.</div>");
    let page = |range: std::ops::Range<usize>, more: &str| {
        digest(format!("<main>{}{more}</main>", range.map(entry).collect::<String>()).as_bytes())
    };
    let old = page(0..6, "");
    let found = Records::find(&old).expect("a list");
    assert_eq!((found.separator.as_str(), found.rows.len()), ("h3", 6));
    // More `div` than `h3`, and with something inside, speak for `div` now.
    let new = page(0..7, &"<div><p>A note that is as long as a release.</p></div>".repeat(30));
    assert_ne!(Records::find(&new).map(|records| records.separator), Some(found.separator.clone()));
    let again = Records::find_again(&old, &found, &new).expect("the list");
    assert_eq!((again.root, again.separator.as_str(), again.rows.len()), (found.root, "h3", 7));
    assert_eq!(compare(&found, &again).added, [6]);
    let elsewhere = digest(listing(&[1, 2, 3, 4]).as_bytes());
    assert_eq!(Records::find_again(&old, &found, &elsewhere), Records::find(&elsewhere));
}

fn listing(rows: &[usize]) -> String {
    let row = |n: &usize| {
        format!(
            "<tr><td><a href='/file-{n}.tar'>file-{n}.tar</a><td>2026-01-{:02}<td>{}K<td>an archive",
            n % 28 + 1,
            n * 7 % 10
        )
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    format!("<h1>Index</h1><table><tr><th>Name<th>Date<th>Size<th>Kind{}</table>", rows.join("\n"))
}

#[test]
fn two_lines_inserted_into_199_rows_are_two_added_rows() {
    let old: Vec<usize> = (0..199).collect();
    let mut new = old.clone();
    new.splice(80..80, [500, 501]);
    let diff = compared(&listing(&old), &listing(&new));
    assert_eq!(diff, RecordsDiff { added: vec![80, 81], ..RecordsDiff::default() });
    let diff = compared(&listing(&new), &listing(&old));
    assert_eq!(diff, RecordsDiff { removed: vec![80, 81], ..RecordsDiff::default() });
}

#[test]
fn a_price_in_row_7_is_told_with_its_column() {
    let old: Vec<usize> = (0..20).collect();
    let page = listing(&old);
    let edited = page.replace("<td>2026-01-08<td>9K", "<td>2026-01-08<td>12K");
    let diff = compared(&page, &edited);
    assert_eq!(
        (diff.added.len(), diff.removed.len(), diff.changed.len(), diff.reordered.len()),
        (0, 0, 1, 0)
    );
    let change = &diff.changed[0];
    assert_eq!((change.old_row, change.new_row, change.fields.len()), (7, 7, 1));
    let field = &change.fields[0];
    assert_eq!((field.index, field.name.as_deref(), field.path.as_str()), (3, Some("Size"), "tr/td[3]"));
    assert_eq!((field.from.as_deref(), field.to.as_deref()), (Some("9K"), Some("12K")));
}

#[test]
fn the_fewest_moves_are_told() {
    let diff = compared(&listing(&[0, 1, 2, 3, 4, 5]), &listing(&[5, 0, 1, 2, 3, 4]));
    assert_eq!(
        diff.reordered.iter().map(|moved| (moved.old_row, moved.new_row)).collect::<Vec<_>>(),
        [(5, 0)]
    );
    assert!(diff.changed.is_empty() && diff.added.is_empty() && diff.removed.is_empty());
}

#[test]
fn of_equal_rows_the_one_beside_the_others_stays() {
    let list = |rows: &[&str]| {
        format!("<ul>{}</ul>", rows.iter().map(|row| format!("<li>{row}")).collect::<String>())
    };
    let diff = compared(&list(&["same", "ant", "same", "bee", "cow"]), &list(&["ant", "same", "bee", "cow"]));
    assert_eq!(diff, RecordsDiff { removed: vec![0], ..RecordsDiff::default() });
}

#[test]
fn a_row_without_its_key_is_known_by_what_it_says() {
    let list = |first: &str| {
        format!(
            "<table><tr><td>{first}<td>a very special lamp<td>9 EUR<tr><td>Rope<td>of hemp<td>1 EUR<tr><td>Oil<td>for lamps<td>1 EUR</table>"
        )
    };
    let diff = compared(&list("Lamp"), &list("Lantern"));
    assert_eq!((diff.changed.len(), diff.added.len(), diff.removed.len()), (1, 0, 0));
    let other = list("Lamp").replace("<td>Lamp<td>a very special lamp<td>9 EUR", "<td>Axe<td>sharp<td>1 EUR");
    let diff = compared(&list("Lamp"), &other);
    assert_eq!(
        (diff.changed.len(), diff.added, diff.removed),
        (0, vec![0], vec![0]),
        "one price in common is not enough"
    );
}

#[test]
fn ids_that_count_places_are_no_keys() {
    let list = |names: &[&str]| {
        let row =
            |(n, name): (usize, &&str)| format!("<li id=row-{}>{name} <b>and its whole story</b>", n + 1);
        format!("<ul>{}</ul>", names.iter().enumerate().map(row).collect::<String>())
    };
    let diff = compared(&list(&["ant", "bee", "cow"]), &list(&["new", "ant", "bee", "cow"]));
    assert_eq!(diff, RecordsDiff { added: vec![0], ..RecordsDiff::default() });
}

/// A row of a made-up listing: number, and how often it was edited.
type Made = (usize, usize);

fn render(rows: &[Made], markup: usize) -> String {
    let mut page = String::from("<h1>Things</h1><p>All of them.</p>");
    let (open, close) =
        [("<table>", "</table>"), ("<ul>", "</ul>"), ("<div id=list>", "</div>"), ("<dl>", "</dl>")][markup];
    page.push_str(open);
    for (n, edits) in rows {
        let (name, note, price) =
            (format!("thing{n}"), format!("made of matter{n}"), format!("{}", n * 13 % 7 + 100 * edits));
        match markup {
            0 => write!(page, "<tr><td>{name}<td>{note}<td>{price}"),
            1 => write!(page, "<li><a href=/{n}>{name}</a> {note} <b>{price}</b>"),
            2 => write!(page, "<div class=card><h3>{name}</h3><p>{note}</p><span>{price}</span></div>"),
            _ => write!(page, "<dt>{name}<dd>{note} <i>{price}</i>"),
        }
        .expect("a string takes any text");
    }
    page.push_str(close);
    page
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn planted_inserts_deletes_and_edits_are_told_and_nothing_else(
        count in 5usize..60,
        markup in 0usize..4,
        fates in prop::collection::vec(0u8..12, 60),
    ) {
        let old: Vec<Made> = (0..count).map(|n| (n, 0)).collect();
        let (mut new, mut added, mut removed, mut changed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (n, fate) in fates.iter().enumerate().take(count) {
            match fate {
                0 => removed.push(n),
                1 => { changed.push((n, new.len())); new.push((n, 1)); }
                2 => { added.push(new.len()); new.push((1000 + n, 0)); new.push((n, 0)); }
                _ => new.push((n, 0)),
            }
        }
        prop_assume!(new.len() >= 3);
        let diff = compared(&render(&old, markup), &render(&new, markup));
        prop_assert_eq!(&diff.added, &added);
        prop_assert_eq!(&diff.removed, &removed);
        prop_assert_eq!(diff.changed.iter().map(|change| (change.old_row, change.new_row)).collect::<Vec<_>>(), changed);
        prop_assert!(diff.changed.iter().all(|change| change.fields.len() == 1), "only the price was edited");
        prop_assert!(diff.reordered.is_empty() && !diff.coarse);
    }

    #[test]
    fn planted_moves_are_told_and_nothing_else(
        count in 5usize..60,
        markup in 0usize..4,
        moves in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4),
    ) {
        let old: Vec<Made> = (0..count).map(|n| (n, 0)).collect();
        let (mut new, mut planted) = (old.clone(), BTreeSet::new());
        for (from, to) in moves {
            let row = new.remove(from.index(count));
            new.insert(to.index(count), row);
            planted.insert(row.0);
        }
        let diff = compared(&render(&old, markup), &render(&new, markup));
        prop_assert!(diff.added.is_empty() && diff.removed.is_empty() && diff.changed.is_empty());
        prop_assert!(diff.reordered.len() <= planted.len(), "{:?} for {:?}", diff.reordered, planted);
        let moved: BTreeSet<usize> = diff.reordered.iter().map(|moved| moved.old_row).collect();
        let stayed: Vec<usize> = new.iter().map(|row| row.0).filter(|row| !moved.contains(row)).collect();
        prop_assert!(stayed.is_sorted(), "the rest is in order");
    }

    #[test]
    fn a_list_does_not_differ_from_itself(text in prop_oneof![soup(), broken_xml()]) {
        if let Some(records) = Records::find(&digest(text.as_bytes())) {
            prop_assert!(records.rows.len() >= 3);
            prop_assert!(compare(&records, &records).is_empty());
            for row in &records.rows {
                prop_assert!(row.nodes.start < row.nodes.end && !row.fields.is_empty());
                prop_assert!(row.fields.iter().all(|field| row.nodes.contains(&field.node.0)));
            }
            prop_assert!(records.rows.windows(2).all(|pair| pair[0].nodes.end <= pair[1].nodes.start));
        }
    }
}

#[test]
fn hostile_lists_are_cheap() {
    let many = 60_000;
    let same = format!("<ul>{}</ul>", "<li>same words in every row".repeat(many));
    let diff = compared(&same, &same.replacen("<li>same", "<li>other", 3));
    assert_eq!((diff.changed.len() + diff.added.len(), diff.removed.len()), (3, 3 - diff.changed.len()));
    let deep: String =
        (0..3).map(|n| format!("<li>{}{n}x{}</li>", "<b>".repeat(200), "</b>".repeat(200))).collect();
    assert_eq!(find(&format!("<ul>{deep}</ul>")).rows.len(), 3);
    let chain =
        format!("<?xml version='1.0'?><a>{}{}</a>", "<b>t<c>u</c>".repeat(50_000), "</b>".repeat(50_000));
    let _ = Records::find(&digest(chain.as_bytes()));
    let tags: String = (0..many).fold(String::new(), |mut text, n| {
        write!(text, "<x{n}>text</x{n}>").expect("a string takes any text");
        text
    });
    none(&format!("<div>{tags}</div>"));
    let spans = format!(
        "<table><tr>{}{}</table>",
        "<th colspan=99999999>h".repeat(500),
        "<tr><td>1<td colspan=-1>2<td>3".repeat(500)
    );
    assert_eq!(find(&spans).rows.len(), 500);
}

#[test]
fn rows_that_all_changed_stay_within_the_budget() {
    let list = |word: &str| {
        let rows: String = (0..20_000).map(|n| format!("<li>the same long words in all {word}{n}")).collect();
        format!("<ul>{rows}</ul>")
    };
    let diff = compared(&list("old"), &list("new"));
    assert_eq!(diff.removed.len() + diff.changed.len(), 20_000);
    assert!(diff.coarse);
}
