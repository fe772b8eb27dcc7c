//! Streams of documents.

use crate::help::{add, at, claim_page, visit, with_bytes};
use crate::place::{Place, on_both};
use tidemark_engine::record::{EventKind, NewEvent, StreamKey};
use tidemark_engine::store::{EventFilter, StreamAdvance};

on_both!(a_stream_is_read_in_order_by_one, a_removed_page_leaves_its_streams, streams_go_with_their_source);

fn advance(key: &StreamKey, from: i64, to: i64, state: &[u8]) -> StreamAdvance {
    let event = NewEvent { kind: EventKind::Redesigned, detail: serde_json::json!({"to": to}) };
    StreamAdvance { key: key.clone(), from, to, state: state.to_vec(), events: vec![event], at: at(9) }
}

fn a_stream_is_read_in_order_by_one(place: &Place) {
    let store = &*place.store;
    let page = add(store, "https://example.org/").page;
    let key = StreamKey::Host("example.org".to_owned());
    assert!(store.waiting_streams(9).unwrap().is_empty());
    assert_eq!(store.stream(&key, 9).unwrap().read, 0);
    for version in 1..=3 {
        let mut record = with_bytes(&claim_page(store, page, version), version, &[version as u8]);
        record.streams = vec![key.clone(), StreamKey::Feed(page)];
        store.record(&record).unwrap();
    }
    assert_eq!(store.waiting_streams(9).unwrap(), [StreamKey::Feed(page), key.clone()]);
    let work = store.stream(&key, 2).unwrap();
    assert_eq!((work.state, work.read), (None, 0));
    assert_eq!(work.documents, [(1, page, 1), (2, page, 2)]);
    assert!(store.advance_stream(&advance(&key, 0, 2, b"two")).unwrap());
    assert!(!store.advance_stream(&advance(&key, 0, 1, b"one")).unwrap(), "somebody else has read on");
    let work = store.stream(&key, 9).unwrap();
    assert_eq!((work.state.as_deref(), work.read), (Some(b"two".as_slice()), 2));
    assert_eq!(work.documents, [(3, page, 3)]);
    assert!(store.advance_stream(&advance(&key, 2, 3, b"three")).unwrap());
    assert_eq!(store.waiting_streams(9).unwrap(), [StreamKey::Feed(page)]);
    let events = store.events(&EventFilter::default()).unwrap();
    assert_eq!(events.len(), 2);
    assert_eq!((events[0].stream.as_ref(), events[0].page), (Some(&key), None));
    assert_eq!(events[0].detail, serde_json::json!({"to": 3}));
}

fn a_removed_page_leaves_its_streams(place: &Place) {
    let store = &*place.store;
    let key = StreamKey::Host("example.org".to_owned());
    let watches: Vec<_> = (0..2).map(|n| add(store, &format!("https://example.org/{n}"))).collect();
    for watch in &watches {
        let mut record = with_bytes(&claim_page(store, watch.page, 1), 1, b"x");
        record.streams = vec![key.clone()];
        store.record(&record).unwrap();
    }
    store.remove_watch(watches[0].id).unwrap();
    assert_eq!(store.stream(&key, 9).unwrap().documents, [(2, watches[1].page, 1)]);
    assert!(store.advance_stream(&advance(&key, 0, 2, b"")).unwrap());
    assert!(store.waiting_streams(9).unwrap().is_empty());
}

fn streams_go_with_their_source(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    visit(store, watch.page, 1, b"x");
    let keys = [StreamKey::Host("example.org".to_owned()), StreamKey::Feed(watch.page)];
    let mut record = with_bytes(&claim_page(store, watch.page, 2), 2, b"y");
    record.streams = keys.to_vec();
    store.record(&record).unwrap();
    for key in &keys {
        assert!(store.advance_stream(&advance(key, 0, 1, b"state")).unwrap());
    }
    store.remove_watch(watch.id).unwrap();
    for key in &keys {
        assert_eq!(store.stream(key, 9).unwrap().state, None);
    }
    assert!(store.events(&EventFilter::default()).unwrap().is_empty());
}
