//! History from elsewhere: changes appear at their own times, the same history twice is once, and what is earlier is passed over.

use crate::web::{PAGE, World};
use jiff::Timestamp;
use tidemark_engine::history::{Capture, Taken, take};
use tidemark_engine::record::{Standing, VisitResult};
use tidemark_engine::store::ChangeFilter;
use tidemark_engine::watch::Wish;

fn capture(day: u32, price: &str) -> Capture {
    let body = format!(
        "<!doctype html><title>Kettles</title><h1>Kettles</h1><p>Blue kettle {price} EUR<p>We have sold kettles for forty years."
    );
    let at: Timestamp = format!("2020-01-{day:02}T12:00:00Z").parse().unwrap();
    Capture { at, body: body.into_bytes(), content_type: Some("text/html".to_owned()) }
}

#[test]
fn a_history_is_taken_in_once() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    let history = [(1, "10.00"), (3, "10.00"), (5, "11.00"), (9, "12.50")];
    let taken: Vec<Taken> = history
        .iter()
        .map(|(day, price)| take(&world.engine, watch.page, capture(*day, price)).unwrap())
        .collect();
    let seen = [VisitResult::First, VisitResult::Unchanged, VisitResult::Changed, VisitResult::Changed];
    assert_eq!(taken, seen.map(Taken::Seen));
    let before = tell(&world);
    assert_eq!(before.1.len(), 2, "{before:?}");
    assert!(before.1.iter().all(|(at, _)| at.starts_with("2020-01-")));
    for (day, price) in history {
        assert_eq!(take(&world.engine, watch.page, capture(day, price)).unwrap(), Taken::Earlier);
    }
    assert_eq!(take(&world.engine, watch.page, capture(4, "7.00")).unwrap(), Taken::Earlier);
    assert_eq!(tell(&world), before);
    let late = Capture { at: "2999-01-01T00:00:00Z".parse().unwrap(), ..capture(1, "1") };
    assert_eq!(take(&world.engine, watch.page, late).unwrap(), Taken::Future);
    assert!(world.store.verify(&mut |_, _| {}).unwrap().is_empty());
}

/// The versions and the changes told.
fn tell(world: &World) -> (usize, Vec<(String, Standing)>) {
    let changes = world.store.changes(&ChangeFilter::default()).unwrap();
    let page = world.store.pages(None, 1).unwrap()[0].id;
    let changes = changes.iter().map(|line| (line.at.to_string(), line.verdict.standing)).collect();
    (world.store.visits(page, 100).unwrap().len(), changes)
}
