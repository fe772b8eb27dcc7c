//! What a visit leaves behind.

use crate::help::{add, at, change, claim_page, quiet, visit, with_bytes};
use crate::place::{Place, on_both};
use std::time::Duration;
use tidemark_engine::fetch::{Area, Validators};
use tidemark_engine::page::PageState;
use tidemark_engine::record::{ChangedBox, EventKind, NewEvent, NewPicture, Settled, Standing};
use tidemark_engine::retention::Retention;
use tidemark_engine::store::{ChangeFilter, EventFilter};
use tidemark_engine::watch::WatchId;

on_both!(
    a_visit_is_recorded_whole,
    versions_are_found_by_number_and_by_time,
    a_wrong_hash_is_refused_and_nothing_is_recorded,
    changes_are_listed_by_filter,
    a_list_of_changes_is_gone_through_whole,
    a_verdict_that_waited_is_settled,
    a_verdict_for_a_watch_that_went_is_left_out,
    events_are_listed_latest_first,
    old_visits_go,
    a_picture_is_kept_with_its_version_and_goes_with_it,
);

fn a_visit_is_recorded_whole(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    let mut record = with_bytes(&claim_page(store, watch.page, 1), 1, b"<p>one</p>");
    record.known = Validators { etag: Some("\"1\"".to_owned()), ..Validators::default() };
    record.state = PageState { seen: Some(at(1)), ..PageState::default() };
    record.memory = Some(vec![0, 1, 2, 255]);
    record.snapshot.as_mut().unwrap().url = "https://example.org/moved".parse().unwrap();
    let recorded = store.record(&record).unwrap();
    assert_eq!((recorded.version, recorded.change), (Some(1), None));
    let page = store.page(watch.page).unwrap().unwrap();
    assert_eq!((page.known, page.state, page.due), (record.known, record.state, Some(at(3601))));
    let head = page.head.unwrap();
    assert_eq!((head.version, head.hash), (1, *blake3::hash(b"<p>one</p>").as_bytes()));
    let track = store.track(watch.page).unwrap();
    assert_eq!(track.memory, Some(vec![0, 1, 2, 255]));
    let baseline = track.baseline.unwrap();
    assert_eq!(baseline.body, b"<p>one</p>");
    assert_eq!(baseline.url.as_str(), "https://example.org/moved");
    assert_eq!(baseline.content_type.as_deref(), Some("text/html"));
    assert_eq!(store.visits(watch.page, 9).unwrap(), [record.visit]);
}

fn versions_are_found_by_number_and_by_time(place: &Place) {
    let store = &*place.store;
    let page = add(store, "https://example.org/").page;
    for (seconds, body) in [(10, b"a".as_slice()), (20, b""), (30, b"a"), (40, b"\0\xff")] {
        visit(store, page, seconds, body);
    }
    let lines = store.snapshots(page).unwrap();
    assert_eq!(
        lines.iter().map(|line| (line.version, line.size)).collect::<Vec<_>>(),
        [(1, 1), (2, 0), (3, 1), (4, 2)]
    );
    assert_eq!(lines[2].stored, 0, "the bytes of the first are there already");
    assert!(lines[0].stored > 0 && lines[0].hash == lines[2].hash);
    let found = |seconds| store.snapshot_at(page, at(seconds)).unwrap().map(|snapshot| snapshot.version);
    assert_eq!([found(9), found(10), found(29), found(99)], [None, Some(1), Some(2), Some(4)]);
    assert_eq!(store.snapshot(page, 4).unwrap().unwrap().body, b"\0\xff");
    assert!(store.snapshot(page, 5).unwrap().is_none());
}

fn a_wrong_hash_is_refused_and_nothing_is_recorded(place: &Place) {
    let store = &*place.store;
    let page = add(store, "https://example.org/").page;
    let claimed = claim_page(store, page, 1);
    let mut record = with_bytes(&claimed, 1, b"a");
    record.snapshot.as_mut().unwrap().hash = [7; 32];
    assert!(store.record(&record).is_err());
    assert!(store.visits(page, 9).unwrap().is_empty() && store.snapshots(page).unwrap().is_empty());
    store.record(&quiet(&claimed, 2)).unwrap();
}

fn changes_are_listed_by_filter(place: &Place) {
    let store = &*place.store;
    let mut watches = Vec::new();
    for (reader, tag) in [("ann", "x"), ("bob", "y")] {
        let mut new = crate::help::new_watch("https://example.org/", reader);
        new.wish.tags.insert(tag.to_owned());
        watches.push(store.add_watch(&new, at(0)).unwrap());
    }
    let page = watches[0].page;
    let both: Vec<WatchId> = watches.iter().map(|watch| watch.id).collect();
    let mut ids = Vec::new();
    for seconds in 1..=4 {
        let mut record = with_bytes(&claim_page(store, page, seconds), seconds, &[seconds as u8]);
        let standing = if seconds == 3 { Standing::Held } else { Standing::Told };
        record.change = Some(change(&both[..if seconds == 4 { 1 } else { 2 }], standing));
        ids.push(store.record(&record).unwrap().change.unwrap());
    }
    let all = ChangeFilter::default();
    let list = |filter: &ChangeFilter| {
        let lines = store.changes(filter).unwrap();
        lines.iter().map(|line| (line.id.0 - ids[0].0 + 1, line.watch.0 - both[0].0)).collect::<Vec<_>>()
    };
    assert_eq!(list(&all), [(4, 0), (3, 0), (3, 1), (2, 0), (2, 1), (1, 0), (1, 1)]);
    assert_eq!(list(&ChangeFilter { watch: Some(both[1]), ..all.clone() }), [(3, 1), (2, 1), (1, 1)]);
    assert_eq!(
        list(&ChangeFilter { reader: Some("ann".into()), since: Some(at(3)), ..all.clone() }),
        [(4, 0), (3, 0)]
    );
    assert_eq!(list(&ChangeFilter { tag: Some("y".into()), until: Some(at(2)), ..all.clone() }), [(1, 1)]);
    assert_eq!(list(&ChangeFilter { standing: Some(Standing::Held), ..all.clone() }), [(3, 0), (3, 1)]);
    assert_eq!(list(&ChangeFilter { before: Some(ids[1]), ..all.clone() }), [(1, 0), (1, 1)]);
    let line = store.changes(&all).unwrap().remove(0);
    assert_eq!((line.old, line.new, line.at, line.page), (3, 4, at(4), page));
    assert_eq!(line.summary, serde_json::json!({"text": "changed"}));
    assert_eq!(store.script(line.id).unwrap().unwrap(), br#"{"edits":[]}"#);
    assert!(store.script(tidemark_engine::record::ChangeId(99_999)).unwrap().is_none());
}

fn a_list_of_changes_is_gone_through_whole(place: &Place) {
    let store = &*place.store;
    let watches: Vec<WatchId> = (0..3).map(|_| add(store, "https://example.org/").id).collect();
    let page = store.watch(watches[0]).unwrap().unwrap().page;
    for seconds in 1..=5 {
        let mut record = with_bytes(&claim_page(store, page, seconds), seconds, &[seconds as u8]);
        record.change = Some(change(&watches, Standing::Told));
        store.record(&record).unwrap();
    }
    for limit in 1..=20 {
        let mut filter = ChangeFilter { limit: Some(limit), ..ChangeFilter::default() };
        let mut seen = Vec::new();
        loop {
            let lines = store.changes(&filter).unwrap();
            assert!(lines.len() <= limit.max(3), "{limit}");
            let Some(last) = lines.last() else { break };
            filter.before = Some(last.id);
            seen.extend(lines.iter().map(|line| (line.id, line.watch)));
        }
        assert_eq!(seen.len(), 15, "{limit}");
    }
}

fn a_verdict_that_waited_is_settled(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    let other = add(store, "https://example.org/other");
    let mut record = with_bytes(&claim_page(store, watch.page, 1), 1, b"a");
    record.change = Some(change(&[watch.id], Standing::Waiting));
    store.record(&record).unwrap();
    let settled = Settled { version: 1, standing: Standing::Told, reason: "it is still there".to_owned() };
    let mut stranger = quiet(&claim_page(store, other.page, 2), 2);
    stranger.settled = vec![settled.clone()];
    store.record(&stranger).unwrap();
    assert_eq!(store.changes(&ChangeFilter::default()).unwrap()[0].verdict.standing, Standing::Waiting);
    let mut record = quiet(&claim_page(store, watch.page, 3), 3);
    record.settled = vec![settled.clone(), Settled { standing: Standing::Held, ..settled }];
    store.record(&record).unwrap();
    let verdict = store.changes(&ChangeFilter::default()).unwrap().remove(0).verdict;
    assert_eq!(verdict.standing, Standing::Told);
    assert_eq!(verdict.reasons, ["it changed", "it is still there"]);
}

fn a_verdict_for_a_watch_that_went_is_left_out(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    let gone = add(store, "https://example.org/");
    let mut record = with_bytes(&claim_page(store, watch.page, 1), 1, b"a");
    record.change = Some(change(&[watch.id, gone.id], Standing::Told));
    store.remove_watch(gone.id).unwrap();
    store.record(&record).unwrap();
    assert_eq!(store.changes(&ChangeFilter::default()).unwrap().len(), 1);
    let claimed = claim_page(store, watch.page, 2);
    store.remove_watch(watch.id).unwrap();
    assert!(store.record(&quiet(&claimed, 3)).is_err(), "the page is gone");
}

fn events_are_listed_latest_first(place: &Place) {
    let store = &*place.store;
    let pages: Vec<_> = (0..2).map(|n| add(store, &format!("https://example.org/{n}")).page).collect();
    for (seconds, page) in [(1, pages[0]), (2, pages[1]), (3, pages[0])] {
        let mut record = quiet(&claim_page(store, page, seconds), seconds);
        record.events =
            vec![NewEvent { kind: EventKind::ZoneLost, detail: serde_json::json!(["a", null, 1.5]) }];
        store.record(&record).unwrap();
    }
    let times = |filter: EventFilter| {
        let events = store.events(&filter).unwrap();
        events.iter().map(|event| event.at.duration_since(at(0)).as_secs()).collect::<Vec<_>>()
    };
    assert_eq!(times(EventFilter::default()), [3, 2, 1]);
    assert_eq!(times(EventFilter { page: Some(pages[0]), ..EventFilter::default() }), [3, 1]);
    assert_eq!(times(EventFilter { since: Some(at(2)), limit: Some(1), page: None }), [3]);
    let event = store.events(&EventFilter::default()).unwrap().remove(0);
    assert_eq!((event.kind, event.detail), (EventKind::ZoneLost, serde_json::json!(["a", null, 1.5])));
}

fn old_visits_go(place: &Place) {
    let store = &*place.store;
    let page = add(store, "https://example.org/").page;
    for seconds in 1..=5 {
        store.record(&quiet(&claim_page(store, page, seconds), seconds)).unwrap();
    }
    let retention = Retention { visits: Some(Duration::from_secs(10)), ..Retention::default() };
    let freed = store.retain(page, &retention, at(13)).unwrap();
    assert_eq!((freed.visits, freed.versions), (2, 0));
    assert!(freed.bytes > 100);
    let times: Vec<_> = store.visits(page, 2).unwrap().iter().map(|visit| visit.at).collect();
    assert_eq!(times, [at(5), at(4)]);
}

fn a_picture_is_kept_with_its_version_and_goes_with_it(place: &Place) {
    let store = &*place.store;
    let page = add(store, "https://example.org/").page;
    let area = Area { x: -3, y: 40, width: 200, height: 20 };
    let boxes = vec![ChangedBox { kind: "changed".to_owned(), area }];
    for (seconds, body) in [(10, b"one".as_slice()), (20, b"two"), (30, b"three")] {
        let mut record = with_bytes(&claim_page(store, page, seconds), seconds, body);
        let png = [b"\x89PNG\0\xff", body].concat().into();
        record.picture = Some(NewPicture { png, width: 1280, height: 16_000, boxes: boxes.clone() });
        store.record(&record).unwrap();
    }
    let picture = store.picture(page, 2).unwrap().unwrap();
    assert_eq!(picture.png, b"\x89PNG\0\xfftwo");
    assert_eq!((picture.width, picture.height, &picture.boxes), (1280, 16_000, &boxes));
    assert_eq!(store.picture(page, 4).unwrap(), None);
    assert_eq!(store.verify(&mut |_, _| {}).unwrap(), []);
    let retention = Retention { versions: Some(2), ..Retention::default() };
    store.retain(page, &retention, at(40)).unwrap();
    let left: Vec<bool> = (1..=3).map(|version| store.picture(page, version).unwrap().is_some()).collect();
    let kept: Vec<u32> = store.snapshots(page).unwrap().iter().map(|line| line.version).collect();
    let expected: Vec<bool> = (1..=3).map(|version| kept.contains(&version)).collect();
    assert!(kept.len() == 2 && left == expected, "{kept:?} {left:?}");
}
