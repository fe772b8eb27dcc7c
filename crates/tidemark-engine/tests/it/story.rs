//! From the first version to a history that is run again.

use crate::web::{PAGE, Said, World, standing};
use tidemark_core::page::zone::Zones;
use tidemark_engine::record::{Standing, VisitResult};
use tidemark_engine::rerun::rerun;
use tidemark_engine::store::ChangeFilter;
use tidemark_engine::watch::Wish;

const OLD: &str = "<h1>Kettles</h1><p id=blue>Blue kettle 10 EUR<p id=red>Red kettle 12 EUR";
const NEW: &str = "<h1>Kettles</h1><p id=blue>Blue kettle 11 EUR<p id=red>Red kettle 12 EUR";

#[test]
fn a_change_is_told_with_the_words_that_changed() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    assert_eq!(world.see(&watch, OLD).result, VisitResult::First);
    assert_eq!(world.look(&watch).result, VisitResult::Unchanged);
    let report = world.see(&watch, NEW);
    assert_eq!((report.result, report.version), (VisitResult::Changed, Some(2)));
    let (_, verdict) = &report.verdicts[0];
    assert_eq!(verdict.standing, Standing::Told);
    assert_eq!(verdict.lines(), ["@@ Kettles @@", "~ Blue kettle [-10-]{+11+} EUR"]);
    let changes = world.store.changes(&ChangeFilter::default()).unwrap();
    assert_eq!((changes.len(), changes[0].old, changes[0].new), (1, 1, 2));
    assert_eq!(world.store.snapshot(watch.page, 1).unwrap().unwrap().body, OLD.as_bytes());
    let script = world.store.script(changes[0].id).unwrap().unwrap();
    let patch: tidemark_core::diff::Patch = serde_json::from_slice(&script).unwrap();
    let old =
        tidemark_core::digest::PageDigest::encode(OLD.as_bytes(), &tidemark_core::page::Reading::default())
            .unwrap();
    assert_eq!(
        patch.apply(&old, &tidemark_core::page::Limits::default()).unwrap().revert().unwrap(),
        NEW.as_bytes()
    );
}

#[test]
fn the_servers_word_is_enough() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    let said = Said {
        status: 200,
        body: OLD.into(),
        content_type: "text/html".into(),
        etag: Some("\"1\"".into()),
        ..Said::default()
    };
    world.web.say(PAGE, said);
    assert_eq!(world.look(&watch).result, VisitResult::First);
    let report = world.look(&watch);
    assert_eq!(report.result, VisitResult::Unchanged);
    assert!(report.log[0].contains("server says"), "{:?}", report.log);
}

#[test]
fn other_bytes_of_the_same_page_are_kept_and_not_told() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    world.see(&watch, "<p class='a'>x</p>");
    let report = world.see(&watch, "<p class=\"a\">x</p>");
    assert_eq!((report.result, report.version), (VisitResult::Respelled, Some(2)));
    assert!(report.verdicts.is_empty());
    assert_eq!(world.store.snapshot(watch.page, 2).unwrap().unwrap().body, b"<p class=\"a\">x</p>");
}

#[test]
fn one_page_is_fetched_once_and_judged_for_each_watch() {
    let world = World::new();
    let zone = |selector: &str| Wish { zones: Zones::parse([selector], []).unwrap(), ..Wish::default() };
    let all = world.watch(PAGE, Wish { reader: "ann".into(), ..Wish::default() });
    let blue = world.watch(PAGE, zone("#blue"));
    let red = world.watch(PAGE, Wish { reader: "bob".into(), ..zone("#red") });
    assert_eq!((all.page, blue.page), (blue.page, red.page));
    world.see(&all, OLD);
    let report = world.see(&all, NEW);
    let standings: Vec<_> =
        report.verdicts.iter().map(|(watch, verdict)| (*watch, verdict.standing)).collect();
    assert_eq!(standings, [(all.id, Standing::Told), (blue.id, Standing::Told), (red.id, Standing::Held)]);
    assert_eq!(world.web.asked(PAGE), 2);
}

#[test]
fn interests_and_thresholds_hold_back() {
    let world = World::new();
    let wish = Wish { interests: "storm".into(), only_interests: true, ..Wish::default() };
    let storms = world.watch(PAGE, wish);
    world.see(&storms, "<p>calm<p>rest of the page");
    assert_eq!(standing(&world.see(&storms, "<p>sunny<p>rest of the page")), Some(Standing::Held));
    let report = world.see(&storms, "<p>a hurricane comes<p>rest of the page");
    assert_eq!(standing(&report), Some(Standing::Told), "{:?}", report.verdicts);
    assert!(report.verdicts[0].1.interest > 0.0);

    let severe = world.watch("https://example.org/long", Wish { threshold: 0.2, ..Wish::default() });
    let long = "words of a long text ".repeat(50);
    world.see(&severe, &format!("<p>{long}<p>one"));
    assert_eq!(standing(&world.see(&severe, &format!("<p>{long}<p>two"))), Some(Standing::Held));
    assert_eq!(standing(&world.see(&severe, "<p>all of it is gone")), Some(Standing::Told));
}

#[test]
fn a_new_zone_is_run_over_the_whole_history() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    for price in [10, 10, 11, 12] {
        world.see(&watch, &format!("<p id=a>{price}<p id=b>{}", price + 5));
        world.see(&watch, &format!("<p id=a>{price}<p id=b>{}", price + 6));
    }
    let wish = Wish { zones: Zones::parse(["#a"], []).unwrap(), ..Wish::default() };
    let told = |verdicts: Vec<tidemark_engine::rerun::Rerun>| {
        verdicts.iter().filter(|rerun| rerun.verdict.standing == Standing::Told).count()
    };
    assert_eq!(told(rerun(&world.engine, watch.page, &wish).unwrap()), 2);
}

#[test]
fn a_panic_is_one_failed_visit() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    world.see(&watch, OLD);
    world.web.say(PAGE, Said { panics: true, ..Said::default() });
    let report = world.look(&watch);
    assert_eq!(report.result, VisitResult::Failed);
    assert!(report.log[0].contains("mistake of ours"), "{:?}", report.log);
    assert_eq!(standing(&world.see(&watch, NEW)), Some(Standing::Told));
}
