//! A page in a bad condition never becomes the baseline, raises one event, and one more when it is well again.

use crate::web::{PAGE, Said, World, standing};
use std::time::Duration;
use tidemark_engine::record::{EventKind, Standing, VisitResult};
use tidemark_engine::watch::Wish;

const TEXT: &str = "<h1>Terms</h1><p>You agree to nothing at all, and we agree to that.";

fn page(status: u16, html: &str) -> Said {
    Said { status, body: html.into(), content_type: "text/html".into(), ..Said::default() }
}

/// What stands in for the page, and comes back three times.
fn is_told_once(said: &Said) {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    world.see(&watch, TEXT);
    world.web.say(PAGE, said.clone());
    for _ in 0..3 {
        let report = world.look(&watch);
        assert!(matches!(report.result, VisitResult::Unwell | VisitResult::Failed), "{:?}", report.log);
        assert!(report.verdicts.is_empty());
    }
    assert_eq!(world.events(), [EventKind::Unwell]);
    let report = world.see(&watch, &TEXT.replace("nothing", "everything"));
    assert_eq!(world.events(), [EventKind::Unwell, EventKind::Well]);
    assert_eq!(standing(&report), Some(Standing::Told));
    assert_eq!(report.version, Some(2), "nothing in between was kept");
    assert!(report.verdicts[0].1.lines()[1].contains("[-nothing-]{+everything+}"));
}

#[test]
fn errors_walls_and_nothing() {
    is_told_once(&page(404, "<p>no"));
    is_told_once(&page(503, TEXT));
    is_told_once(&page(200, ""));
    is_told_once(&page(200, "<title>Just a moment...</title><p>Checking your browser before accessing"));
    is_told_once(&page(200, "<form>Sign in<input type=password></form>"));
    is_told_once(&page(200, "<h1>Page not found</h1>"));
    is_told_once(&Said { fails: true, ..Said::default() });
    is_told_once(&Said {
        redirect: Some("https://elsewhere.example/".into()),
        ..page(200, "<p>Something else entirely, with other words.")
    });
}

#[test]
fn a_page_that_moved_with_its_text_is_well() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    world.see(&watch, TEXT);
    let moved = Said {
        redirect: Some("https://new.example/page".into()),
        ..page(200, &format!("{TEXT}<p>We moved."))
    };
    world.web.say(PAGE, moved);
    assert_eq!(standing(&world.look(&watch)), Some(Standing::Told));
    assert!(world.events().is_empty());
}

#[test]
fn one_hiccup_is_not_told() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    world.see(&watch, TEXT);
    world.web.say(PAGE, Said { fails: true, ..Said::default() });
    world.look(&watch);
    world.see(&watch, TEXT);
    assert!(world.events().is_empty());
}

#[test]
fn a_reader_may_want_the_log_in_page() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish { as_is: true, ..Wish::default() });
    let report = world.see(&watch, "<form>Sign in<input type=password></form>");
    assert_eq!(report.result, VisitResult::First);
    let wary = world.watch("https://example.org/login", Wish::default());
    assert_eq!(world.see(&wary, "<form>Sign in<input type=password></form>").result, VisitResult::Unwell);
}

#[test]
fn failures_are_asked_for_later_each_time_and_a_busy_host_rests() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    world.see(&watch, TEXT);
    world.web.say(PAGE, Said { fails: true, ..Said::default() });
    let waits: Vec<i64> = (0..6)
        .map(|_| {
            let report = world.look(&watch);
            report.due.unwrap().duration_since(report.at).as_secs()
        })
        .collect();
    assert!(waits[5] > 4 * waits[0], "{waits:?}");

    let busy = world.watch("https://busy.example/a", Wish::default());
    let other = world.watch("https://busy.example/b", Wish::default());
    world.web.say(busy.url.as_str(), Said { retry_after: Some(Duration::from_hours(1)), ..page(429, "") });
    let report = world.look(&busy);
    assert!(report.due.unwrap().duration_since(report.at).as_secs() >= 3600, "{report:?}");
    world.web.html(other.url.as_str(), TEXT);
    world.work();
    assert_eq!(world.web.asked(other.url.as_str()), 0, "the host rests");
    world.pass(4000);
    world.work();
    assert_eq!(world.web.asked(other.url.as_str()), 1);
}
