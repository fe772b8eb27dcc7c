//! Notices: stored with what they tell of, claimed, delivered, given up.

use crate::help::{add, at, change, claim, claim_page, new_watch, quiet, with_bytes};
use crate::place::{Place, on_both};
use tidemark_engine::channel::{Channel, ChannelState, ChannelTerms, Kind, NewChannel};
use tidemark_engine::compose::compose;
use tidemark_engine::notice::{ClaimedNotice, Dispatch, NoticeFilter, NoticeId, NoticeState};
use tidemark_engine::page::PageId;
use tidemark_engine::record::{EventKind, NewEvent, Record, Settled, Standing, StreamKey};
use tidemark_engine::secret::Vault;
use tidemark_engine::store::{Store, StreamAdvance};
use tidemark_engine::watch::{NewWatch, Watch, Wish};

on_both!(
    a_change_is_told_to_the_channels_of_its_reader,
    what_is_held_or_waits_is_not_told_until_it_is,
    what_is_gathered_joins_until_it_is_sealed,
    a_claim_that_ran_out_comes_back_with_the_same_key,
    a_channel_that_fails_rests_and_others_go_on,
    a_notice_that_was_given_up_can_be_tried_again_or_dropped,
    a_site_that_falls_ill_is_one_notice,
    a_redesign_is_told_once,
    a_redesign_of_a_stream_is_told_once_to_each_reader,
    what_a_removed_watch_would_have_told_is_gone,
    a_channel_takes_its_notices_with_it,
    delivered_notices_are_forgotten_in_time,
    nothing_is_told_twice_by_two_couriers,
    history_and_watches_that_rest_are_told_to_nobody,
);

pub(crate) fn channel(store: &dyn Store, terms: ChannelTerms) -> Channel {
    let target = Vault::new(&[1; 32]).seal("mailto:ann@example.org", [2; 24]);
    let shown = "mailto:ann@example.org".to_owned();
    store.add_channel(&NewChannel { terms, target, shown }, at(0)).unwrap()
}

/// Records a change of a page for these watches.
pub(crate) fn tell(store: &dyn Store, seconds: i64, watches: &[&Watch], standing: Standing) -> Record {
    let claimed = claim_page(store, watches[0].page, seconds);
    let ids: Vec<_> = watches.iter().map(|watch| watch.id).collect();
    let body = format!("version at {seconds}");
    let record =
        Record { change: Some(change(&ids, standing)), ..with_bytes(&claimed, seconds, body.as_bytes()) };
    store.record(&record).unwrap();
    record
}

fn event(store: &dyn Store, page: PageId, seconds: i64, kind: EventKind) {
    let claimed = claim_page(store, page, seconds);
    let events = vec![NewEvent { kind, detail: serde_json::json!({ "said": "something happened" }) }];
    store.record(&Record { events, ..quiet(&claimed, seconds) }).unwrap();
}

fn take(store: &dyn Store, seconds: i64) -> Vec<ClaimedNotice> {
    store.claim_notices(&claim("courier", seconds, 100)).unwrap()
}

fn done(notice: &ClaimedNotice, seconds: i64, state: NoticeState) -> Dispatch {
    Dispatch {
        id: notice.id,
        token: notice.token,
        state,
        due: at(seconds),
        trouble: (state != NoticeState::Delivered).then(|| "no answer".to_owned()),
        channel: ChannelState::default(),
    }
}

fn a_change_is_told_to_the_channels_of_its_reader(place: &Place) {
    let store = &*place.store;
    let ours = add(store, "https://example.org/");
    let again = add(store, "https://example.org/");
    let other = store.add_watch(&new_watch("https://example.org/", "bob"), at(0)).unwrap();
    let mine = channel(store, ChannelTerms::default());
    let picky = channel(store, ChannelTerms { severity: 0.5, ..ChannelTerms::default() });
    let bob = channel(store, ChannelTerms { reader: "bob".to_owned(), ..ChannelTerms::default() });
    tell(store, 10, &[&ours, &again, &other], Standing::Told);
    let notices = take(store, 10);
    assert_eq!(notices.iter().map(|notice| notice.channel.id).collect::<Vec<_>>(), [mine.id, bob.id]);
    assert_eq!(notices[0].items.len(), 2, "both watches of a reader are told in one");
    assert_eq!(notices[1].items[0].watch.id, other.id);
    assert!(
        store
            .notices(&NoticeFilter { channel: Some(picky.id), ..NoticeFilter::default() })
            .unwrap()
            .is_empty()
    );
    let message = compose(&notices[0], None).unwrap();
    assert_eq!((message.items.len(), message.items[0].passages.len()), (2, 1));
    assert!(message.subject.contains("it changed"), "{}", message.subject);
}

fn what_is_held_or_waits_is_not_told_until_it_is(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    channel(store, ChannelTerms::default());
    tell(store, 10, &[&watch], Standing::Held);
    tell(store, 20, &[&watch], Standing::Waiting);
    assert!(take(store, 30).is_empty());
    let claimed = claim_page(store, watch.page, 40);
    let settled = Settled { version: 2, standing: Standing::Told, reason: "still there".to_owned() };
    store.record(&Record { settled: vec![settled], ..quiet(&claimed, 40) }).unwrap();
    let notices = take(store, 40);
    assert_eq!((notices.len(), notices[0].items.len()), (1, 1));
}

fn what_is_gathered_joins_until_it_is_sealed(place: &Place) {
    let store = &*place.store;
    let (one, two) = (add(store, "https://example.org/a"), add(store, "https://example.org/b"));
    channel(store, ChannelTerms { rhythm: "hourly".parse().unwrap(), ..ChannelTerms::default() });
    tell(store, 10, &[&one], Standing::Told);
    tell(store, 20, &[&two], Standing::Told);
    tell(store, 30, &[&one], Standing::Told);
    assert!(take(store, 3599).is_empty());
    let first = take(store, 3600);
    assert_eq!((first.len(), first[0].items.len()), (1, 3));
    tell(store, 3601, &[&two], Standing::Told);
    assert!(store.dispatch(&done(&first[0], 3602, NoticeState::Delivered)).unwrap());
    assert!(take(store, 3700).is_empty());
    let second = take(store, 7200);
    assert_eq!((second.len(), second[0].items.len()), (1, 1));
    assert_ne!(first[0].key, second[0].key);
}

fn a_claim_that_ran_out_comes_back_with_the_same_key(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    channel(store, ChannelTerms::default());
    tell(store, 10, &[&watch], Standing::Told);
    let first = take(store, 10).remove(0);
    assert!(take(store, 3600).is_empty());
    let second = take(store, 3610).remove(0);
    assert_eq!((first.key.clone(), first.items.clone()), (second.key.clone(), second.items.clone()));
    assert!(!store.dispatch(&done(&first, 3611, NoticeState::Delivered)).unwrap(), "it is another's by now");
    assert!(store.dispatch(&done(&second, 3611, NoticeState::Delivered)).unwrap());
    assert!(!store.dispatch(&done(&second, 3612, NoticeState::Dead)).unwrap(), "it is delivered");
    assert!(take(store, 99_999).is_empty());
}

fn a_channel_that_fails_rests_and_others_go_on(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    let broken = channel(store, ChannelTerms::default());
    let fine = channel(store, ChannelTerms::default());
    for seconds in [10, 20, 30] {
        tell(store, seconds, &[&watch], Standing::Told);
    }
    let first = take(store, 40);
    assert_eq!(first.iter().map(|notice| notice.channel.id).collect::<Vec<_>>(), [broken.id, fine.id]);
    let resting = ChannelState { failures: 1, rests_until: Some(at(100)), ..ChannelState::default() };
    let failed = Dispatch { channel: resting, ..done(&first[0], 100, NoticeState::Sealed) };
    assert!(store.dispatch(&failed).unwrap());
    assert!(store.dispatch(&done(&first[1], 41, NoticeState::Delivered)).unwrap());
    assert_eq!(take(store, 50).iter().map(|notice| notice.channel.id).collect::<Vec<_>>(), [fine.id]);
    assert_eq!(store.due_notices(at(50)).unwrap(), 1, "the third of the one that is fine");
    let again = take(store, 100);
    assert_eq!(again.len(), 2);
    let retried = again.iter().find(|notice| notice.channel.id == broken.id).unwrap();
    assert_eq!(retried.channel.state.failures, 1);
}

fn a_notice_that_was_given_up_can_be_tried_again_or_dropped(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    channel(store, ChannelTerms::default());
    tell(store, 10, &[&watch], Standing::Told);
    let notice = take(store, 10).remove(0);
    store.dispatch(&done(&notice, 11, NoticeState::Dead)).unwrap();
    assert!(take(store, 99_999).is_empty());
    let dead =
        store.notices(&NoticeFilter { state: Some(NoticeState::Dead), ..NoticeFilter::default() }).unwrap();
    assert_eq!((dead.len(), dead[0].tries, dead[0].trouble.as_deref()), (1, 1, Some("no answer")));
    assert!(store.retry_notice(notice.id, at(20)).unwrap());
    let again = take(store, 20).remove(0);
    assert_eq!((again.key.as_str(), again.tries), (notice.key.as_str(), 0));
    store.dispatch(&done(&again, 21, NoticeState::Delivered)).unwrap();
    assert!(!store.retry_notice(notice.id, at(30)).unwrap(), "delivered is delivered");
    assert!(store.drop_notice(notice.id).unwrap());
    assert!(!store.drop_notice(notice.id).unwrap());
    assert!(!store.retry_notice(NoticeId(999), at(30)).unwrap());
}

fn a_site_that_falls_ill_is_one_notice(place: &Place) {
    let store = &*place.store;
    channel(store, ChannelTerms::default());
    let pages: Vec<Watch> = (0..20).map(|n| add(store, &format!("https://example.org/{n}"))).collect();
    for (n, watch) in pages.iter().enumerate() {
        event(store, watch.page, n as i64, EventKind::Unwell);
    }
    let notices = take(store, 200);
    assert_eq!((notices.len(), notices[0].items.len()), (1, 20));
    let message = compose(&notices[0], None).unwrap();
    assert_eq!(message.subject, "20 pages cannot be looked at on example.org");
    store.dispatch(&done(&notices[0], 200, NoticeState::Delivered)).unwrap();
    event(store, pages[0].page, 300, EventKind::Unwell);
    assert!(take(store, 600).is_empty(), "the next of the same comes an hour later");
    assert_eq!(take(store, 4000).len(), 1);
}

fn a_redesign_is_told_once(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    channel(store, ChannelTerms::default());
    let claimed = claim_page(store, watch.page, 10);
    let mut told = change(&[watch.id], Standing::Told);
    told.summary = serde_json::json!({ "kind": "redesign", "title": "The page" });
    let events = vec![NewEvent { kind: EventKind::Redesigned, detail: serde_json::json!({ "said": "x" }) }];
    store.record(&Record { change: Some(told), events, ..with_bytes(&claimed, 10, b"new") }).unwrap();
    let notices = take(store, 1000);
    assert_eq!((notices.len(), notices[0].items.len()), (1, 1));
    assert_eq!(notices[0].items[0].kind, Kind::Redesigned);
    assert_eq!(compose(&notices[0], None).unwrap().subject, "The page has another design");
}

fn a_redesign_of_a_stream_is_told_once_to_each_reader(place: &Place) {
    let store = &*place.store;
    let watches: Vec<Watch> = (0..3).map(|n| add(store, &format!("https://example.org/{n}"))).collect();
    store.add_watch(&new_watch("https://example.org/0", "bob"), at(0)).unwrap();
    channel(store, ChannelTerms::default());
    channel(store, ChannelTerms { reader: "bob".to_owned(), ..ChannelTerms::default() });
    let key = StreamKey::Host("example.org".to_owned());
    let claimed = claim_page(store, watches[0].page, 10);
    store.record(&Record { streams: vec![key.clone()], ..with_bytes(&claimed, 10, b"x") }).unwrap();
    let events = vec![NewEvent { kind: EventKind::Redesigned, detail: serde_json::json!({ "said": "x" }) }];
    let advance = StreamAdvance { key, from: 0, to: 1, state: vec![1], events, at: at(20) };
    assert!(store.advance_stream(&advance).unwrap());
    let notices = take(store, 1000);
    assert_eq!(notices.iter().map(|notice| notice.items.len()).collect::<Vec<_>>(), [1, 1]);
}

fn what_a_removed_watch_would_have_told_is_gone(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    channel(store, ChannelTerms::default());
    tell(store, 10, &[&watch], Standing::Told);
    store.remove_watch(watch.id).unwrap();
    let notices = take(store, 20);
    assert_eq!(notices.len(), 1);
    assert!(compose(&notices[0], None).is_none());
}

fn a_channel_takes_its_notices_with_it(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    let gone = channel(store, ChannelTerms::default());
    tell(store, 10, &[&watch], Standing::Told);
    store.remove_channel(gone.id).unwrap();
    assert!(take(store, 20).is_empty() && store.notices(&NoticeFilter::default()).unwrap().is_empty());
    assert!(store.remove_channel(gone.id).is_err());
    let paused = channel(store, ChannelTerms::default());
    store.change_channel(paused.id, &ChannelTerms { paused: true, ..ChannelTerms::default() }).unwrap();
    tell(store, 30, &[&watch], Standing::Told);
    assert!(take(store, 40).is_empty());
}

fn delivered_notices_are_forgotten_in_time(place: &Place) {
    let store = &*place.store;
    let watch = add(store, "https://example.org/");
    channel(store, ChannelTerms::default());
    tell(store, 10, &[&watch], Standing::Told);
    let notice = take(store, 10).remove(0);
    tell(store, 11, &[&watch], Standing::Told);
    store.dispatch(&done(&notice, 12, NoticeState::Delivered)).unwrap();
    assert_eq!(store.forget_notices(at(12)).unwrap(), 0);
    assert_eq!(store.forget_notices(at(1000)).unwrap(), 1);
    assert_eq!(store.notices(&NoticeFilter::default()).unwrap().len(), 1, "what is not delivered stays");
}

fn nothing_is_told_twice_by_two_couriers(place: &Place) {
    let store = &*place.store;
    let tagged = |tag: &str| ChannelTerms { tags: [tag.to_owned()].into(), ..ChannelTerms::default() };
    let mut watches = Vec::new();
    for n in 0..8 {
        let tag = format!("t{n}");
        channel(store, tagged(&tag));
        let wish = Wish { tags: [tag].into(), ..Wish::default() };
        let new = NewWatch { wish, ..new_watch(&format!("https://example.org/{n}"), "") };
        watches.push(store.add_watch(&new, at(0)).unwrap());
    }
    for watch in &watches {
        tell(store, 10, &[watch], Standing::Told);
    }
    let taken: Vec<NoticeId> = std::thread::scope(|scope| {
        let couriers: Vec<_> = (0..4).map(|_| scope.spawn(|| take(store, 20))).collect();
        couriers.into_iter().flat_map(|courier| courier.join().unwrap()).map(|notice| notice.id).collect()
    });
    let mut once = taken.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!((taken.len(), once.len()), (8, 8));
}

fn history_and_watches_that_rest_are_told_to_nobody(place: &Place) {
    let store = &*place.store;
    let (watch, resting) = (add(store, "https://example.org/"), add(store, "https://example.org/"));
    channel(store, ChannelTerms::default());
    let claimed = claim_page(store, watch.page, 10);
    let told = Some(change(&[watch.id], Standing::Told));
    store.record(&Record { change: told, quiet: true, ..with_bytes(&claimed, 10, b"long ago") }).unwrap();
    assert!(take(store, 1000).is_empty(), "history is told to nobody");
    store.pause(resting.id, true, at(1000)).unwrap();
    event(store, watch.page, 1001, EventKind::Unwell);
    let notices = take(store, 2000);
    assert_eq!((notices.len(), notices[0].items.len()), (1, 1));
    assert_eq!(notices[0].items[0].watch.id, watch.id);
}
