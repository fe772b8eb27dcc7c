//! Redesigns: of one page, of the pages of a host, of the entries of a feed.

use crate::web::{PAGE, Said, World};
use tidemark_engine::record::{EventKind, StreamKey};
use tidemark_engine::store::EventFilter;
use tidemark_engine::streams::read_on;
use tidemark_engine::watch::Wish;

fn old_design(title: &str, words: &str) -> String {
    let rows: String =
        words.split(' ').map(|word| format!("<tr><td class=cell><font>{word}</font></td></tr>")).collect();
    format!(
        "<html><head><link rel=stylesheet href=old.css></head><body><table><tr><td><center><b>{title}</b></center></td></tr>{rows}</table><hr><small>imprint</small></body></html>"
    )
}

fn new_design(title: &str, words: &str) -> String {
    let items: String =
        words.split(' ').map(|word| format!("<article><h2><a href=#>{word}</a></h2></article>")).collect();
    format!(
        "<html><head><link rel=stylesheet href=new.css><script src=app.js></script></head><body><header><nav><ul><li>home<li>about</ul></nav></header><main><h1>{title}</h1><section>{items}</section></main><footer><p>imprint</p></footer></body></html>"
    )
}

const WORDS: &str = "ferry harbour lighthouse storm tide pier gull mast anchor buoy";

#[test]
fn a_page_with_another_design_is_one_event() {
    let world = World::new();
    let watch = world.watch(PAGE, Wish::default());
    world.see(&watch, &old_design("Port", WORDS));
    let report = world.see(&watch, &new_design("Port", WORDS));
    assert_eq!(world.events(), [EventKind::Redesigned]);
    let reason = report.verdicts[0].1.reasons.last().unwrap();
    assert!(reason.starts_with("redesigned"), "{reason}");
    world.see(&watch, &new_design("Port", &WORDS.replace("gull", "crab")));
    assert_eq!(world.events(), [EventKind::Redesigned]);
}

#[test]
fn the_entries_of_a_feed_make_a_stream_and_are_visited_once() {
    let world = World::new();
    let site = "https://blog.example";
    let watch = world.watch(&format!("{site}/feed"), Wish::default());
    let mut posted = Vec::new();
    for number in 0..24 {
        let title = format!("post{number}");
        let design = if number < 14 { old_design } else { new_design };
        world.web.html(&format!("{site}/{title}"), &design(&title, WORDS));
        posted.insert(0, title);
        let items: String = posted
            .iter()
            .map(|title| {
                format!("<item><guid>{title}</guid><link>/{title}</link><title>{title}</title></item>")
            })
            .collect();
        let body = format!("<rss version='2.0'><channel>{items}</channel></rss>").into();
        world.web.say(
            watch.url.as_str(),
            Said { status: 200, body, content_type: "application/rss+xml".into(), ..Said::default() },
        );
        world.look(&watch);
        world.work();
    }
    read_on(&world.engine).unwrap();
    assert!((0..24).all(|number| world.web.asked(&format!("{site}/post{number}")) == 1));
    let events = world.store.events(&EventFilter::default()).unwrap();
    let redesigns: Vec<_> = events.iter().filter(|event| event.kind == EventKind::Redesigned).collect();
    assert_eq!(redesigns.len(), 1, "{events:?}");
    assert_eq!(redesigns[0].stream, Some(StreamKey::Feed(watch.page)));
    assert!(read_on(&world.engine).unwrap().is_empty());
}
