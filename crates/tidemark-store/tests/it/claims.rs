//! Who visits what, and when.

use crate::help::{add, at, claim, claim_page, quiet};
use crate::place::{Place, on_both};
use std::time::Duration;
use tidemark_engine::page::HostState;
use tidemark_engine::store::{Claim, Pulse, StoreError};

on_both!(
    the_longest_due_comes_first,
    what_is_claimed_is_nobody_elses_until_the_lease_ends,
    only_who_holds_the_lease_records,
    a_host_is_asked_one_page_at_a_time,
    a_slot_that_passed_is_worth_nothing,
    a_host_that_asks_for_longer_pauses_gets_them,
    a_host_that_rests_is_not_asked,
    pages_are_claimed_by_name,
    what_is_released_is_due_again,
    a_visit_is_brought_forward_and_never_put_off,
    the_pulse_tells_what_is_to_be_done,
    two_at_once_never_get_the_same_page,
);

fn the_longest_due_comes_first(place: &Place) {
    let store = &*place.store;
    let pages: Vec<_> = (0..4).map(|n| add(store, &format!("https://{n}.example.org/")).page).collect();
    for (page, due) in pages.iter().zip([30, 10, 40, 20]) {
        let mut record = quiet(&claim_page(store, *page, 0), 0);
        record.due = Some(at(due));
        store.record(&record).unwrap();
    }
    let claimed = store.claim(&claim("w", 35, 2)).unwrap();
    assert_eq!(claimed.pages.iter().map(|c| c.page.id).collect::<Vec<_>>(), [pages[1], pages[3]]);
    let claimed = store.claim(&claim("w", 35, 9)).unwrap();
    assert_eq!(claimed.pages.iter().map(|c| c.page.id).collect::<Vec<_>>(), [pages[0]]);
    assert_eq!(claimed.pages[0].watches.len(), 1);
    assert_eq!(claimed.pages[0].page.due, Some(at(35 + 3600)));
}

fn what_is_claimed_is_nobody_elses_until_the_lease_ends(place: &Place) {
    let store = &*place.store;
    add(store, "https://example.org/");
    let first = store.claim(&claim("a", 0, 9)).unwrap().pages.remove(0);
    assert_eq!(first.lease.until, at(3600));
    assert!(store.claim(&claim("b", 3599, 9)).unwrap().pages.is_empty());
    let second = store.claim(&claim("b", 3600, 9)).unwrap().pages.remove(0);
    assert!(second.lease.token > first.lease.token);
}

fn only_who_holds_the_lease_records(place: &Place) {
    let store = &*place.store;
    let page = add(store, "https://example.org/").page;
    let first = store.claim(&claim("a", 0, 9)).unwrap().pages.remove(0);
    let second = store.claim(&claim("b", 4000, 9)).unwrap().pages.remove(0);
    assert!(matches!(store.record(&quiet(&first, 1)), Err(StoreError::LeaseLost(lost)) if lost == page));
    assert!(store.visits(page, 9).unwrap().is_empty());
    store.record(&quiet(&second, 4001)).unwrap();
    assert!(matches!(store.record(&quiet(&second, 4002)), Err(StoreError::LeaseLost(_))), "once only");
    assert_eq!(store.visits(page, 9).unwrap().len(), 1);
}

fn spaced(seconds: i64, spacing: u64) -> Claim {
    Claim { spacing: Duration::from_secs(spacing), ..claim("w", seconds, 10) }
}

fn a_host_is_asked_one_page_at_a_time(place: &Place) {
    let store = &*place.store;
    for page in 0..3 {
        add(store, &format!("https://example.org/{page}"));
    }
    add(store, "https://example.com/");
    let claims = store.claim(&spaced(0, 10)).unwrap();
    assert_eq!((claims.pages.len(), claims.deferred), (2, 2));
    let claims = store.claim(&spaced(9, 10)).unwrap();
    assert_eq!((claims.pages.len(), claims.deferred), (0, 0));
    assert_eq!(store.claim(&spaced(10, 10)).unwrap().pages.len(), 1);
    assert_eq!(store.claim(&spaced(19, 10)).unwrap().pages.len(), 0);
    let claims = store.claim(&spaced(21, 10)).unwrap();
    assert_eq!((claims.pages.len(), claims.deferred), (1, 0));
}

fn a_slot_that_passed_is_worth_nothing(place: &Place) {
    let store = &*place.store;
    for page in 0..50 {
        add(store, &format!("https://example.org/{page}"));
    }
    let all = Claim { limit: 100, ..spaced(0, 10) };
    assert_eq!(store.claim(&all).unwrap().pages.len(), 1);
    // Nobody was there for three hours: no storm.
    let late = Claim { now: at(10_800), ..all };
    assert_eq!(store.claim(&late).unwrap().pages.len(), 1);
}

fn a_host_that_asks_for_longer_pauses_gets_them(place: &Place) {
    let store = &*place.store;
    let page = add(store, "https://example.org/0").page;
    add(store, "https://example.org/1");
    let mut record = quiet(&claim_page(store, page, 0), 0);
    record.due = Some(at(5));
    #[allow(clippy::needless_update, reason = "what is known of a host grows")]
    let state = HostState { crawl_delay: Some(Duration::from_mins(1)), ..HostState::default() };
    record.host = Some(state.clone());
    store.record(&record).unwrap();
    let claims = store.claim(&spaced(6, 1)).unwrap();
    assert_eq!((claims.pages.len(), claims.deferred), (1, 1));
    assert_eq!(claims.pages[0].host, state);
    assert_eq!(store.claim(&spaced(65, 1)).unwrap().pages.len(), 0);
    assert_eq!(store.claim(&spaced(66, 1)).unwrap().pages.len(), 1);
}

fn a_host_that_rests_is_not_asked(place: &Place) {
    let store = &*place.store;
    let page = add(store, "https://example.org/0").page;
    add(store, "https://example.org/1");
    let mut record = quiet(&claim_page(store, page, 0), 0);
    record.host_rests_until = Some(at(500));
    store.record(&record).unwrap();
    let claims = store.claim(&claim("w", 1, 9)).unwrap();
    assert_eq!((claims.pages.len(), claims.deferred), (0, 1));
    assert_eq!(store.claim(&claim("w", 500, 9)).unwrap().pages.len(), 1);
}

fn pages_are_claimed_by_name(place: &Place) {
    let store = &*place.store;
    let first = add(store, "https://example.org/0");
    let second = add(store, "https://example.org/1");
    store.pause(second.id, true, at(0)).unwrap();
    let pages = [first.page, second.page, tidemark_engine::page::PageId(999)];
    assert_eq!(store.claim_pages(&pages, &spaced(0, 10)).unwrap().len(), 2);
    assert!(store.claim_pages(&pages, &claim("v", 10, 9)).unwrap().is_empty());
    let again = store.claim_pages(&pages, &claim("v", 3600, 9)).unwrap();
    assert_eq!(again.len(), 2);
    store.record(&quiet(&again[1], 3601)).unwrap();
    assert_eq!(store.page(second.page).unwrap().unwrap().due, None, "it still rests");
}

fn what_is_released_is_due_again(place: &Place) {
    let store = &*place.store;
    add(store, "https://example.org/");
    let claimed = store.claim(&claim("a", 0, 9)).unwrap().pages.remove(0);
    store.release(&[(claimed.page.id, claimed.lease.clone(), at(7))]).unwrap();
    assert_eq!(store.page(claimed.page.id).unwrap().unwrap().due, Some(at(7)));
    let again = store.claim(&claim("b", 8, 9)).unwrap().pages.remove(0);
    store.release(&[(claimed.page.id, claimed.lease, at(9))]).unwrap();
    assert_eq!(store.page(claimed.page.id).unwrap().unwrap().due, Some(again.lease.until));
}

fn a_visit_is_brought_forward_and_never_put_off(place: &Place) {
    let store = &*place.store;
    let page = add(store, "https://example.org/").page;
    let due = || store.page(page).unwrap().unwrap().due.unwrap();
    store.record(&quiet(&claim_page(store, page, 0), 0)).unwrap();
    store.bring_forward(page, at(9000)).unwrap();
    assert_eq!(due(), at(3600));
    store.bring_forward(page, at(50)).unwrap();
    assert_eq!(due(), at(50));
    let claimed = store.claim(&claim("a", 50, 9)).unwrap().pages.remove(0);
    store.bring_forward(page, at(60)).unwrap();
    store.bring_forward(page, at(70)).unwrap();
    assert_eq!(due(), claimed.lease.until, "somebody has it now");
    store.record(&quiet(&claimed, 55)).unwrap();
    assert_eq!(due(), at(60));
    store.record(&quiet(&claim_page(store, page, 60), 60)).unwrap();
    assert_eq!(due(), at(3660));
}

fn the_pulse_tells_what_is_to_be_done(place: &Place) {
    let store = &*place.store;
    assert_eq!(store.pulse(at(0)).unwrap(), Pulse { next: None, due: 0 });
    let page = add(store, "https://example.org/").page;
    add(store, "https://example.com/");
    assert_eq!(store.pulse(at(-1)).unwrap(), Pulse { next: Some(at(0)), due: 0 });
    let mut record = quiet(&claim_page(store, page, 1), 1);
    record.demand = Some(-3);
    store.record(&record).unwrap();
    assert_eq!(store.pulse(at(5)).unwrap(), Pulse { next: Some(at(0)), due: 1 });
    assert_eq!(store.pulse(at(9999)).unwrap().due, 2);
    assert_eq!(store.demands().unwrap(), [(-3, 1)]);
}

fn two_at_once_never_get_the_same_page(place: &Place) {
    let store = &*place.store;
    for page in 0..200 {
        add(store, &format!("https://{}.example.org/{page}", page % 7));
    }
    let other = tidemark_store::open(&place.url).unwrap();
    let mut got: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|worker| {
                let store = if worker % 2 == 0 { store } else { &*other };
                scope.spawn(move || {
                    let mut got = Vec::new();
                    for _ in 0..60 {
                        let claims = store.claim(&claim(&format!("w{worker}"), 1, 5)).unwrap();
                        for claimed in claims.pages {
                            store.record(&quiet(&claimed, 2)).unwrap();
                            got.push(claimed.page.id);
                        }
                    }
                    got
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    got.sort();
    let count = got.len();
    got.dedup();
    assert_eq!((got.len(), count), (200, 200));
}
