//! PDF and JSON with a filter: compared by what is extracted, kept as they came.

use crate::web::{PAGE, Said, World, standing};
use tidemark_engine::check::CheckReport;
use tidemark_engine::extract::{Extraction, Extractor};
use tidemark_engine::record::{Standing, VisitResult};
use tidemark_engine::request::Request;
use tidemark_engine::rerun::rerun;
use tidemark_engine::watch::{NewWatch, Watch, Wish};

/// Takes the text behind `%PDF-`, and one member of an object for each filter.
struct Simple;

impl Extractor for Simple {
    fn extract(&self, what: &Extraction, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        match what {
            Extraction::Pdf if text.contains("broken") => Err("its reader broke down".to_owned()),
            Extraction::Pdf => Ok(text.trim_start_matches("%PDF-").replace('|', "\u{c}").into()),
            Extraction::Jq(name) => {
                let value: serde_json::Value =
                    serde_json::from_str(text).map_err(|error| error.to_string())?;
                Ok(serde_json::to_vec(&[&value[name.as_str()]]).unwrap())
            }
        }
    }
}

fn see(world: &World, watch: &Watch, media: &str, body: &str) -> CheckReport {
    let said = Said { status: 200, body: body.into(), content_type: media.to_owned(), ..Said::default() };
    world.web.say(watch.url.as_str(), said);
    world.look(watch)
}

fn filtered(world: &World, jq: &str) -> Watch {
    let request = Request { jq: Some(jq.to_owned()), ..Request::get(PAGE).unwrap() };
    world.store.add_watch(&NewWatch { request, wish: Wish::default() }, world.now()).unwrap()
}

#[test]
fn a_change_in_a_pdf_is_told_with_its_page() {
    let world = World::extracting(Simple);
    let watch = world.watch(PAGE, Wish::default());
    let first = see(&world, &watch, "application/pdf", "%PDF-Rates\nlow|Kettles\n10 EUR|The end");
    assert!(first.log.iter().any(|line| line.contains("a PDF of")), "{:?}", first.log);
    let report = see(&world, &watch, "application/pdf", "%PDF-Rates\nlow|Kettles\n12 EUR|The end");
    assert_eq!(standing(&report), Some(Standing::Told));
    let passage = &report.verdicts[0].1.passages[0];
    assert_eq!(passage.place.as_deref(), Some(&["Page 2".to_owned()][..]));
    assert_eq!(report.verdicts[0].1.lines().last().unwrap(), "~ [-10-]{+12+} EUR");
    let kept = world.store.snapshot(watch.page, 2).unwrap().unwrap();
    assert_eq!(kept.body, b"%PDF-Rates\nlow|Kettles\n12 EUR|The end");
    let again = see(&world, &watch, "application/pdf", "%PDF-Rates\nlow|Kettles\n12   EUR|The end");
    assert!(again.result == VisitResult::Respelled || standing(&again) == Some(Standing::Held));
}

#[test]
fn what_cannot_be_extracted_is_compared_by_hash_and_says_why() {
    let world = World::extracting(Simple);
    let watch = world.watch(PAGE, Wish::default());
    let first = see(&world, &watch, "application/pdf", "%PDF-broken");
    assert!(
        first.log.contains(&"compared by hash only: its reader broke down".to_owned()),
        "{:?}",
        first.log
    );
    let report = see(&world, &watch, "application/pdf", "%PDF-broken too");
    assert_eq!((report.result, standing(&report)), (VisitResult::Changed, Some(Standing::Told)));
    let empty = see(&world, &watch, "application/pdf", "%PDF-| |");
    assert!(empty.log.iter().any(|line| line.contains("no text")), "{:?}", empty.log);
}

#[test]
fn without_an_extractor_a_pdf_is_a_file() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    see(&world, &watch, "application/pdf", "%PDF-one");
    assert_eq!(see(&world, &watch, "application/pdf", "%PDF-two").result, VisitResult::Changed);
    assert_eq!(see(&world, &watch, "application/pdf", "%PDF-two").result, VisitResult::Unchanged);
}

#[test]
fn json_is_compared_by_what_the_filter_leaves_of_it() {
    let world = World::extracting(Simple);
    let watch = filtered(&world, "price");
    for media in ["application/json", "text/plain", "text/html"] {
        see(&world, &watch, media, r#"{"price": 10, "time": 1}"#);
        let report = see(&world, &watch, media, r#"{"price": 10, "time": 2}"#);
        assert_eq!(report.result, VisitResult::Respelled, "{media}");
        let report = see(&world, &watch, media, r#"{"price": 12, "time": 2}"#);
        assert_eq!(report.verdicts[0].1.lines().last().unwrap(), "~ [-10-]{+12+}", "{media}");
    }
    let page = see(&world, &watch, "text/html", "<p>A page is no JSON, and is read as a page.");
    assert_eq!(page.result, VisitResult::Changed);
    assert_eq!(rerun(&world.engine, watch.page, &Wish::default()).unwrap().len(), 6);
}

#[test]
fn two_filters_of_one_address_are_not_mixed_up() {
    let world = World::extracting(Simple);
    let (price, time) = (filtered(&world, "price"), filtered(&world, "time"));
    assert_ne!(price.page, time.page);
    for watch in [&price, &time] {
        see(&world, watch, "application/json", r#"{"price": 10, "time": 1}"#);
    }
    let next = r#"{"price": 10, "time": 2}"#;
    assert_eq!(see(&world, &price, "application/json", next).result, VisitResult::Respelled);
    let report = see(&world, &time, "application/json", next);
    assert_eq!(report.verdicts[0].1.lines().last().unwrap(), "~ [-1-]{+2+}");
}

#[test]
fn requests_of_before_keep_their_keys() {
    let key = Request::get(PAGE).unwrap().key();
    assert!(!key.contains("jq"), "{key}");
    let filtered = Request { jq: Some(".".to_owned()), ..Request::get(PAGE).unwrap() };
    assert_eq!(serde_json::from_str::<Request>(&filtered.key()).unwrap(), filtered);
}
