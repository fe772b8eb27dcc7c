//! Watches and the pages they share.

use crate::help::{add, at, body, change, claim, claim_page, new_watch, quiet, visit, with_bytes};
use crate::place::{Place, on_both};
use std::collections::BTreeSet;
use tidemark_engine::record::Standing;
use tidemark_engine::request::Request;
use tidemark_engine::store::{ChangeFilter, StoreError};
use tidemark_engine::watch::{WatchFilter, WatchId};

on_both!(
    two_watches_share_a_page,
    watches_are_listed_in_order_and_by_filter,
    a_wish_is_replaced,
    a_page_whose_watches_rest_is_not_due,
    a_page_paused_during_a_visit_is_not_due_after_it,
    removing_the_last_watch_removes_the_page,
    removing_a_feed_removes_its_entries,
    an_entry_that_is_watched_outlives_its_feed,
    what_is_missing_is_said_to_be,
    notes_are_kept,
);

fn two_watches_share_a_page(place: &Place) {
    let store = &*place.store;
    let first = store.add_watch(&new_watch("https://example.org/", "ann"), at(0)).unwrap();
    let second = store.add_watch(&new_watch("https://example.org/#part", "bob"), at(5)).unwrap();
    let other = add(store, "https://example.org/other");
    assert_eq!(first.page, second.page);
    assert_ne!(first.page, other.page);
    assert!(first.id < second.id && second.id < other.id);
    assert_eq!(first.url.as_str(), "https://example.org/");
    assert_eq!((second.added, second.wish.reader.as_str()), (at(5), "bob"));
    let page = store.page(first.page).unwrap().unwrap();
    assert_eq!((page.due, page.added, page.head), (Some(at(0)), at(0), None));
    assert_eq!(store.pages(None, 10).unwrap().len(), 2);
    assert_eq!(store.pages(Some(first.page), 10).unwrap()[0].id, other.page);
    assert_eq!(store.facts().unwrap().watches, 3);
}

fn watches_are_listed_in_order_and_by_filter(place: &Place) {
    let store = &*place.store;
    for number in 0..5 {
        let mut watch =
            new_watch(&format!("https://example.org/{number}"), if number % 2 == 0 { "ann" } else { "bob" });
        watch.wish.tags = BTreeSet::from([format!("t{}", number / 2), "all".to_owned()]);
        watch.wish.name = Some("näme 'quoted' \u{0}".to_owned());
        assert_eq!(store.add_watch(&watch, at(number)).unwrap().wish, watch.wish);
    }
    let list = |filter: WatchFilter| {
        store
            .watches(&filter)
            .unwrap()
            .iter()
            .map(|watch| watch.added.duration_since(at(0)).as_secs())
            .collect::<Vec<_>>()
    };
    let all = WatchFilter::default();
    assert_eq!(list(all.clone()), [0, 1, 2, 3, 4]);
    assert_eq!(list(WatchFilter { reader: Some("bob".into()), ..all.clone() }), [1, 3]);
    assert_eq!(list(WatchFilter { tag: Some("t1".into()), ..all.clone() }), [2, 3]);
    assert_eq!(
        list(WatchFilter { tag: Some("all".into()), reader: Some("ann".into()), ..all.clone() }),
        [0, 2, 4]
    );
    let second = store.watches(&all).unwrap()[1].clone();
    assert_eq!(list(WatchFilter { after: Some(second.id), limit: Some(2), ..all.clone() }), [2, 3]);
    assert_eq!(list(WatchFilter { page: Some(second.page), ..all }), [1]);
}

fn a_wish_is_replaced(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    let mut wish = watch.wish;
    "eve".clone_into(&mut wish.reader);
    wish.tags = BTreeSet::from(["new".to_owned()]);
    store.change_wish(watch.id, &wish).unwrap();
    wish.tags = BTreeSet::from(["newer".to_owned()]);
    store.change_wish(watch.id, &wish).unwrap();
    assert_eq!(store.watch(watch.id).unwrap().unwrap().wish, wish);
    let tagged = |tag: &str| {
        store.watches(&WatchFilter { tag: Some(tag.into()), ..WatchFilter::default() }).unwrap().len()
    };
    assert_eq!((tagged("new"), tagged("newer")), (0, 1));
}

fn a_page_whose_watches_rest_is_not_due(place: &Place) {
    let store = &*place.store;
    let first = add(store, "https://example.org/");
    let second = add(store, "https://example.org/");
    let due = || store.page(first.page).unwrap().unwrap().due;
    store.pause(first.id, true, at(1)).unwrap();
    assert_eq!(due(), Some(at(0)));
    assert_eq!(store.claim(&claim("w", 2, 9)).unwrap().pages[0].watches.len(), 1);
    store.pause(second.id, true, at(3)).unwrap();
    assert_eq!(due(), None);
    assert!(store.claim(&claim("v", 9999, 9)).unwrap().pages.is_empty());
    assert!(store.watch(second.id).unwrap().unwrap().paused);
    store.pause(second.id, false, at(9999)).unwrap();
    assert_eq!(due(), Some(at(9999)));
    store.pause(second.id, true, at(10_000)).unwrap();
    let third = store.add_watch(&new_watch("https://example.org/", ""), at(10_001)).unwrap();
    assert_eq!((third.page, due()), (first.page, Some(at(10_001))));
    store.remove_watch(third.id).unwrap();
    assert_eq!(due(), None);
}

fn a_page_paused_during_a_visit_is_not_due_after_it(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    let claimed = claim_page(store, watch.page, 1);
    store.pause(watch.id, true, at(2)).unwrap();
    store.pause(watch.id, false, at(3)).unwrap();
    assert!(store.claim(&claim("v", 4, 9)).unwrap().pages.is_empty(), "the lease still holds");
    store.pause(watch.id, true, at(5)).unwrap();
    store.record(&quiet(&claimed, 6)).unwrap();
    assert_eq!(store.page(watch.page).unwrap().unwrap().due, None);
}

fn removing_the_last_watch_removes_the_page(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    let second = add(store, "https://example.org/");
    let other = add(store, "https://example.org/other");
    for version in 0..5 {
        visit(store, watch.page, i64::from(version), &body(1, version, 5000));
    }
    // The other page has the same bytes, and goes on from them.
    visit(store, other.page, 10, &body(1, 2, 5000));
    visit(store, other.page, 11, &body(1, 9, 5000));
    let claimed = claim_page(store, watch.page, 12);
    let mut record = with_bytes(&claimed, 12, b"x");
    record.change = Some(change(&[watch.id, second.id], Standing::Told));
    store.record(&record).unwrap();
    store.remove_watch(watch.id).unwrap();
    assert!(store.page(watch.page).unwrap().is_some());
    assert_eq!(store.changes(&ChangeFilter::default()).unwrap().len(), 1);
    crate::help::assert_sound(store);
    store.remove_watch(second.id).unwrap();
    assert!(store.page(watch.page).unwrap().is_none());
    assert!(store.changes(&ChangeFilter::default()).unwrap().is_empty());
    assert_eq!(store.snapshot(other.page, 1).unwrap().unwrap().body, body(1, 2, 5000));
    assert_eq!(store.snapshot(other.page, 2).unwrap().unwrap().body, body(1, 9, 5000));
    let facts = store.facts().unwrap();
    assert_eq!((facts.pages, facts.watches, facts.versions, facts.changes), (1, 1, 2, 0));
    let again = add(store, "https://example.org/");
    assert!(again.page > other.page, "names are not used twice");
}

fn removing_a_feed_removes_its_entries(place: &Place) {
    let store = &*place.store;
    let feed = add(store, "https://example.org/feed");
    let claimed = claim_page(store, feed.page, 1);
    let mut record = with_bytes(&claimed, 1, b"<rss/>");
    record.entries = vec![
        Request::get("https://example.org/1").unwrap(),
        Request::get("https://example.org/2").unwrap(),
        Request::get("https://example.org/feed").unwrap(),
    ];
    store.record(&record).unwrap();
    let entries = store.pages(Some(feed.page), 9).unwrap();
    assert_eq!(entries.len(), 2, "the feed itself is there already");
    assert!(entries.iter().all(|page| page.entry_of == Some(feed.page) && page.due == Some(at(1))));
    visit(store, entries[0].id, 2, b"entry");
    store.remove_watch(feed.id).unwrap();
    assert_eq!(store.facts().unwrap().pages, 0);
}

fn an_entry_that_is_watched_outlives_its_feed(place: &Place) {
    let store = &*place.store;
    let feed = add(store, "https://example.org/feed");
    let mut record = quiet(&claim_page(store, feed.page, 1), 1);
    record.entries = vec![Request::get("https://example.org/1").unwrap()];
    store.record(&record).unwrap();
    let entry = store.pages(Some(feed.page), 9).unwrap().remove(0);
    let mut done = with_bytes(&claim_page(store, entry.id, 2), 2, b"entry");
    done.due = None;
    store.record(&done).unwrap();
    assert_eq!(store.page(entry.id).unwrap().unwrap().due, None);
    let watch = store.add_watch(&new_watch("https://example.org/1", ""), at(9)).unwrap();
    let page = store.page(watch.page).unwrap().unwrap();
    assert_eq!((watch.page, page.entry_of, page.due), (entry.id, None, Some(at(9))));
    store.remove_watch(feed.id).unwrap();
    assert_eq!(store.snapshot(entry.id, 1).unwrap().unwrap().body, b"entry");
}

fn what_is_missing_is_said_to_be(place: &Place) {
    let store = &*place.store;
    let nobody = WatchId(4711);
    assert!(store.watch(nobody).unwrap().is_none());
    let missing = |result: Result<(), StoreError>| {
        assert_eq!(result.unwrap_err().to_string(), "there is no watch 4711");
    };
    missing(store.remove_watch(nobody));
    missing(store.pause(nobody, true, at(0)));
    missing(store.change_wish(nobody, &new_watch("https://example.org", "").wish));
    assert!(store.track(tidemark_engine::page::PageId(4711)).is_err());
}

fn notes_are_kept(place: &Place) {
    let store = &*place.store;
    assert_eq!(store.note("trust").unwrap(), None);
    store.set_note("trust", "1").unwrap();
    store.set_note("trust", "zwei „2“").unwrap();
    let again = tidemark_store::open(&place.url).unwrap();
    assert_eq!(again.note("trust").unwrap().as_deref(), Some("zwei „2“"));
}
