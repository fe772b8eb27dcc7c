//! Feeds, JSON, text and files.

use crate::web::{PAGE, Said, World, standing};
use tidemark_core::page::zone::Zones;
use tidemark_engine::record::{Standing, VisitResult};
use tidemark_engine::watch::{Watch, Wish};

fn see(world: &World, watch: &Watch, media: &str, body: &[u8]) -> tidemark_engine::check::CheckReport {
    let said = Said { status: 200, body: body.to_vec(), content_type: media.to_owned(), ..Said::default() };
    world.web.say(watch.url.as_str(), said);
    world.look(watch)
}

fn feed(built: u32, entries: &[&str]) -> Vec<u8> {
    let items: String = entries
        .iter()
        .map(|title| format!("<item><guid>{title}</guid><title>{title}</title><link>/{title}</link></item>"))
        .collect();
    format!("<rss version='2.0'><channel><title>News</title><lastBuildDate>{built}</lastBuildDate>{items}</channel></rss>").into()
}

#[test]
fn a_feed_is_told_by_its_entries() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    see(&world, &watch, "application/rss+xml", &feed(1, &["a", "b"]));
    let report = see(&world, &watch, "application/rss+xml", &feed(2, &["a", "b"]));
    assert_eq!(standing(&report), Some(Standing::Held), "only the date of the feed changed");
    let report = see(&world, &watch, "application/rss+xml", &feed(3, &["c", "a"]));
    assert_eq!(report.verdicts[0].1.lines(), ["+ c"]);
}

#[test]
fn json_is_told_by_its_members() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish { zones: Zones::parse(["$.price"], []).unwrap(), ..Wish::default() });
    see(&world, &watch, "application/json", br#"{"price": 10, "time": 1}"#);
    let report = see(&world, &watch, "application/json", br#"{"price": 10, "time": 2}"#);
    assert_eq!(standing(&report), Some(Standing::Held));
    let report = see(&world, &watch, "application/json", br#"{"price": 12, "time": 3}"#);
    assert_eq!(report.verdicts[0].1.lines().last().unwrap(), "~ price: [-10-]{+12+}");
}

#[test]
fn text_by_its_lines_and_files_by_their_hash() {
    let world = World::new();
    let text = world.watch(PAGE, Wish::default());
    see(&world, &text, "text/plain", b"one\ntwo\n");
    let report = see(&world, &text, "text/plain", b"one\n2\n");
    assert_eq!(report.verdicts[0].1.lines().last().unwrap(), "~ [-two-]{+2+}");
    let file = world.watch("https://example.org/logo.png", Wish::default());
    see(&world, &file, "image/png", b"\x89PNG\0one");
    let report = see(&world, &file, "image/png", b"\x89PNG\0other");
    assert_eq!((report.result, standing(&report)), (VisitResult::Changed, Some(Standing::Told)));
    assert_eq!(see(&world, &file, "image/png", b"\x89PNG\0other").result, VisitResult::Unchanged);
}
