//! When pages are visited: by law, within bounds and hours, by whoever claims them.

use crate::web::{PAGE, World};
use std::time::Duration;
use tidemark_core::revisit::{Bounds, Category};
use tidemark_engine::store::StoreError;
use tidemark_engine::watch::Wish;

#[test]
fn a_page_that_changes_is_visited_more_often() {
    let world = World::new();
    let lively = world.watch("https://example.org/lively", Wish::default());
    let still = world.watch("https://example.org/still", Wish::default());
    let mut waits = [0; 2];
    for visit in 0..30 {
        let [one, other] = [
            world.see(&lively, &format!("<p>number {visit} of many<p>{}", "more ".repeat(visit))),
            world.see(&still, "<p>always the same"),
        ];
        waits = [one, other].map(|report| report.due.unwrap().duration_since(report.at).as_secs());
        world.pass(3600);
    }
    assert!(waits[0] * 2 < waits[1], "{waits:?}");
}

#[test]
fn bounds_and_hours_hold() {
    let world = World::new();
    let bounds = Some(Bounds::new(Duration::from_hours(2), Duration::from_hours(2)));
    let watch = world.watch(PAGE, Wish { bounds, category: Category::News, ..Wish::default() });
    let report = world.see(&watch, "<p>x");
    let wait = report.due.unwrap().duration_since(report.at).as_secs();
    assert_eq!(wait, 7200);
    let hours = Some("Mon-Fri 08:00-09:00 UTC".parse().unwrap());
    let office = world.watch("https://example.org/office", Wish { hours, ..Wish::default() });
    let report = world.see(&office, "<p>x");
    assert_eq!(report.due.unwrap().to_string(), "2026-03-03T08:00:00Z");
    assert!(report.why.contains("active hours"));
}

#[test]
fn the_work_of_a_dead_process_returns_and_its_late_record_is_refused() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    world.web.html(PAGE, "<p>x");
    let mut claim = world.claim();
    claim.worker = "dead".into();
    let claimed = world.store.claim(&claim).unwrap().pages.remove(0);
    assert_eq!(world.work(), 0, "somebody has it");
    world.pass(61);
    assert_eq!(world.work(), 1);
    let late = tidemark_engine::record::Record {
        page: watch.page,
        lease: claimed.lease,
        visit: tidemark_engine::record::Visit {
            at: world.now(),
            cause: tidemark_engine::record::Cause::Schedule,
            result: tidemark_engine::record::VisitResult::Unchanged,
            status: None,
            timing: tidemark_engine::fetch::Timing::default(),
            received: 0,
            version: None,
            log: Vec::new(),
        },
        known: claimed.page.known,
        state: claimed.page.state,
        snapshot: None,
        picture: None,
        memory: None,
        change: None,
        settled: Vec::new(),
        events: Vec::new(),
        hints: Vec::new(),
        due: None,
        why: String::new(),
        demand: None,
        host: None,
        host_rests_until: None,
        streams: Vec::new(),
        entries: Vec::new(),
        quiet: false,
    };
    assert!(matches!(world.store.record(&late), Err(StoreError::LeaseLost(_))));
}

#[test]
fn a_hint_buys_a_visit_and_a_source_that_cries_wolf_buys_less() {
    let world = World::new();
    let watch = world.watch(
        PAGE,
        Wish {
            bounds: Some(Bounds::new(Duration::from_mins(1), Duration::from_hours(240))),
            ..Wish::default()
        },
    );
    world.see(&watch, "<p>version 0 of it");
    let wait = |source: &str| {
        let due = tidemark_engine::hint::take(&world.engine, watch.page, source).unwrap().unwrap();
        due.duration_since(world.now()).as_secs()
    };
    for round in 0..30 {
        world.pass(40_000);
        wait("wolf");
        world.look(&watch);
        world.pass(40_000);
        wait("honest");
        world.see(&watch, &format!("<p>version {} of it, with more words", round + 1));
    }
    let honest = wait("honest");
    world.look(&watch);
    let wolf = wait("wolf");
    assert!(honest < wolf, "honest {honest} s, wolf {wolf} s");
    let page = world.store.page(watch.page).unwrap().unwrap();
    assert_eq!(page.hints, ["wolf"], "what a visit followed waits no longer");
}
