//! What is held back, and what is not: clocks, tokens, pages that go to and fro.

use crate::web::{PAGE, World, standing};
use tidemark_core::page::zone::Zones;
use tidemark_engine::record::{EventKind, Standing};
use tidemark_engine::store::ChangeFilter;
use tidemark_engine::watch::Wish;

fn clock(hour: u32, news: &str) -> String {
    format!("<h1>Port</h1><p>It is {hour} o'clock<p>{news}<input type=hidden name=token value={hour}>")
}

#[test]
fn a_clock_is_held_back_and_news_beside_it_is_told() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    for hour in 0..8 {
        world.see(&watch, &clock(hour, "No ships."));
    }
    let report = world.see(&watch, &clock(8, "No ships."));
    assert_eq!(standing(&report), Some(Standing::Held));
    assert!(
        report.verdicts[0].1.reasons.last().unwrap().contains("nearly every visit"),
        "{:?}",
        report.verdicts
    );
    let report = world.see(&watch, &clock(9, "Two ships."));
    let (_, verdict) = &report.verdicts[0];
    assert_eq!(verdict.standing, Standing::Told);
    assert_eq!((verdict.told, verdict.lines().len()), (1, 2), "{:?}", verdict.lines());
}

#[test]
fn a_reader_who_names_the_clock_hears_it() {
    let world = World::new();
    let wish = Wish { zones: Zones::parse(["p:nth-of-type(1)"], []).unwrap(), ..Wish::default() };
    let watch = world.watch(PAGE, wish);
    let told = (0..9).filter(|&hour| standing(&world.see(&watch, &clock(hour, "x"))) == Some(Standing::Told));
    assert_eq!(told.count(), 8);
}

#[test]
fn a_token_alone_is_not_told() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    world.see(&watch, "<p>text<input type=hidden name=token value=abc>");
    let report = world.see(&watch, "<p>text<input type=hidden name=token value=xyz>");
    assert_eq!(standing(&report), Some(Standing::Held));
}

#[test]
fn a_page_that_goes_to_and_fro_is_told_twice_and_then_held_back() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    let states = ["<h1>Shop</h1><p>Buy now and save.", "<h1>Shop</h1><p>Read our stories."];
    let standings: Vec<_> = (0..8).map(|visit| standing(&world.see(&watch, states[visit % 2]))).collect();
    let (told, held) = (Some(Standing::Told), Some(Standing::Held));
    assert_eq!(standings, [None, told, told, held, held, held, held, held]);
}

#[test]
fn news_on_such_a_page_waits_for_a_second_look() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    let states = ["<h1>Shop</h1><p>Buy now and save.", "<h1>Shop</h1><p>Read our stories."];
    for visit in 0..8 {
        world.see(&watch, states[visit % 2]);
    }
    let waiting = world.see(&watch, "<h1>Shop</h1><p>We close on Monday.");
    assert_eq!(standing(&waiting), Some(Standing::Waiting), "{:?}", waiting.log);
    let wait = waiting.due.unwrap().duration_since(waiting.at).as_secs();
    assert!(wait <= 600, "a quick second look, not in {wait} s");
    world.look(&watch);
    let filter = ChangeFilter { standing: Some(Standing::Told), limit: Some(1), ..ChangeFilter::default() };
    let told = world.store.changes(&filter).unwrap();
    assert_eq!(told[0].new, waiting.version.unwrap());

    let waiting = world.see(&watch, "<h1>Shop</h1><p>Sorry, a mistake.");
    assert_eq!(standing(&waiting), Some(Standing::Waiting), "{:?}", waiting.log);
    world.see(&watch, "<h1>Shop</h1><p>We close on Monday.");
    let filter = ChangeFilter { watch: Some(watch.id), ..ChangeFilter::default() };
    let changes = world.store.changes(&filter).unwrap();
    let change = changes.iter().find(|change| Some(change.new) == waiting.version).unwrap();
    assert_eq!(change.verdict.standing, Standing::Held);
    assert!(change.verdict.reasons.last().unwrap().contains("gone again"));
}

#[test]
fn a_zone_that_is_lost_and_found_is_told_once_each() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish { zones: Zones::parse(["#price"], []).unwrap(), ..Wish::default() });
    world.see(&watch, "<p id=price>10<p>Text of the page");
    world.see(&watch, "<p>Text of the page<p>more");
    world.see(&watch, "<p>Text of the page<p>more and more");
    world.see(&watch, "<p id=price>11<p>Text of the page<p>more and more");
    assert_eq!(world.events(), [EventKind::ZoneLost, EventKind::ZoneFound]);
}
