//! Bytes of versions: once, small, and exact.

use crate::help::{add, at, body, visit};
use crate::place::{Place, on_both};
use tidemark_engine::retention::Retention;

on_both!(
    a_long_history_reads_back_and_is_small,
    what_is_packed_again_reads_back,
    retention_moves_what_stands_on_what_goes
);

fn a_long_history_reads_back_and_is_small(place: &Place) {
    let store = &*place.store;
    let page = add(store, "https://example.org/").page;
    for version in 0..150 {
        assert_eq!(visit(store, page, i64::from(version), &body(1, version, 20_000)), version + 1);
    }
    for version in 0..150 {
        assert_eq!(store.snapshot(page, version + 1).unwrap().unwrap().body, body(1, version, 20_000));
    }
    let stored: u64 = store.snapshots(page).unwrap().iter().map(|line| line.stored).sum();
    assert!(stored < 80_000, "{stored}");
}

fn what_is_packed_again_reads_back(place: &Place) {
    let store = &*place.store;
    let page = add(store, "https://example.org/").page;
    for version in 0..70 {
        visit(store, page, i64::from(version), &body(2, version, 9000));
    }
    let stored = || store.snapshots(page).unwrap().iter().map(|line| line.stored).sum::<u64>();
    let before = stored();
    for _ in 0..4 {
        store.give_back().unwrap();
    }
    assert!(stored() < before, "{} {before}", stored());
    for version in 0..70 {
        assert_eq!(store.snapshot(page, version + 1).unwrap().unwrap().body, body(2, version, 9000));
    }
}

fn retention_moves_what_stands_on_what_goes(place: &Place) {
    let store = &*place.store;
    let page = add(store, "https://example.org/").page;
    for version in 0..40 {
        visit(store, page, i64::from(version), &body(3, version, 9000));
    }
    for keep in [30, 7, 2] {
        let retention = Retention { versions: Some(keep), ..Retention::default() };
        store.retain(page, &retention, at(100)).unwrap();
        let lines = store.snapshots(page).unwrap();
        assert_eq!(lines.len(), keep as usize);
        assert_eq!((lines[0].version, lines.last().unwrap().version), (1, 40));
        for line in lines {
            assert_eq!(
                store.snapshot(page, line.version).unwrap().unwrap().body,
                body(3, line.version - 1, 9000)
            );
        }
        crate::help::assert_sound(store);
    }
    assert_eq!(visit(store, page, 200, b"new"), 41);
}
