//! Every change that is told is told exactly once on each channel, whatever happens in between: couriers that die, servers that refuse, clocks that jump, restarts.

use crate::help::{add, at, claim, new_watch};
use crate::outbox::{channel, tell};
use crate::place::{Place, postgres, sqlite};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tidemark_engine::channel::{ChannelId, ChannelState, ChannelTerms, Gather};
use tidemark_engine::notice::{ClaimedNotice, Dispatch, NoticeState, What};
use tidemark_engine::record::Standing;
use tidemark_engine::watch::{NewWatch, Watch, WatchId, Wish};

/// What happens next.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A change of a page.
    Change(usize),
    /// Time passes, or the clock is set back.
    Jump(i64),
    /// A courier takes what is due and delivers it.
    Deliver,
    /// It is refused, and tried later.
    Refuse,
    /// A courier takes what is due, delivers it and dies before it can say so.
    Die,
    /// The process ends and another one begins.
    Restart,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        5 => (0..4usize).prop_map(Step::Change),
        3 => (-7200..90_000i64).prop_map(Step::Jump),
        3 => Just(Step::Deliver),
        1 => Just(Step::Refuse),
        1 => Just(Step::Die),
        1 => Just(Step::Restart),
    ];
    prop::collection::vec(step, 1..40)
}

fn terms() -> Vec<ChannelTerms> {
    let rhythm = |text: &str| text.parse().unwrap();
    let plain = ChannelTerms::default();
    vec![
        plain.clone(),
        ChannelTerms { rhythm: rhythm("hourly"), ..plain.clone() },
        ChannelTerms { rhythm: rhythm("daily 08:00 Europe/Berlin"), gather: Gather::Watch, ..plain.clone() },
        ChannelTerms {
            rhythm: rhythm("weekly Mon 02:30 Europe/Berlin"),
            gather: Gather::Tag,
            ..plain.clone()
        },
        ChannelTerms { quiet: Some("Mon-Sun 22:00-07:00 UTC".parse().unwrap()), ..plain.clone() },
        ChannelTerms { tags: ["odd".to_owned()].into(), ..plain },
    ]
}

/// For each channel the changes it told of, with the keys they came under.
type Told = BTreeMap<ChannelId, BTreeMap<(i64, WatchId), BTreeSet<String>>>;

fn receive(told: &mut Told, notice: &ClaimedNotice) {
    for item in &notice.items {
        let What::Change { id, .. } = &item.what else { continue };
        let keys = told.entry(notice.channel.id).or_default().entry((id.0, item.watch.id)).or_default();
        keys.insert(notice.key.clone());
    }
}

fn play(mut place: Place, steps: &[Step]) {
    let watches: Vec<Watch> = (0..4).map(|n| watch(&place, n)).collect();
    let channels: Vec<_> = terms().into_iter().map(|terms| channel(&*place.store, terms)).collect();
    let (mut now, mut changes, mut told) = (100, 0i64, Told::new());
    for step in steps {
        now += 1;
        let take = |place: &Place, now| place.store.claim_notices(&claim("c", now, 100)).unwrap();
        match *step {
            Step::Change(at) => {
                tell(&*place.store, now, &[&watches[at]], Standing::Told);
                changes += 1;
            }
            Step::Jump(by) => now = (now + by).max(1),
            Step::Deliver => take(&place, now).iter().for_each(|notice| {
                receive(&mut told, notice);
                say(&place, notice, now, NoticeState::Delivered);
            }),
            Step::Refuse => {
                take(&place, now)
                    .iter()
                    .for_each(|notice| say(&place, notice, now + 60, NoticeState::Sealed));
            }
            Step::Die => take(&place, now).iter().for_each(|notice| receive(&mut told, notice)),
            Step::Restart => {
                place.store = tidemark_store::open(&place.url).unwrap();
            }
        }
    }
    // In the end everything comes through.
    for _ in 0..400 {
        now += 7200;
        for notice in place.store.claim_notices(&claim("c", now, 100)).unwrap() {
            receive(&mut told, &notice);
            say(&place, &notice, now, NoticeState::Delivered);
        }
    }
    let odd = watches
        .iter()
        .filter(|watch| !watch.wish.tags.is_empty())
        .map(|watch| watch.id)
        .collect::<BTreeSet<_>>();
    for (n, channel) in channels.iter().enumerate() {
        let told = told.remove(&channel.id).unwrap_or_default();
        assert!(told.values().all(|keys| keys.len() == 1), "told under two keys on channel {n}: {told:?}");
        if n < 5 {
            assert_eq!(told.len() as i64, changes, "on channel {n}");
        } else {
            assert!(told.keys().all(|(_, watch)| odd.contains(watch)));
        }
    }
}

fn watch(place: &Place, n: i64) -> Watch {
    let url = format!("https://example.org/{n}");
    if n % 2 == 0 {
        return add(&*place.store, &url);
    }
    let wish = Wish { tags: ["odd".to_owned()].into(), ..Wish::default() };
    place.store.add_watch(&NewWatch { wish, ..new_watch(&url, "") }, at(0)).unwrap()
}

fn say(place: &Place, notice: &ClaimedNotice, seconds: i64, state: NoticeState) {
    let channel = ChannelState::default();
    let dispatch =
        Dispatch { id: notice.id, token: notice.token, state, due: at(seconds), trouble: None, channel };
    place.store.dispatch(&dispatch).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    #[test]
    fn told_exactly_once_on_sqlite(steps in steps()) {
        play(sqlite(), &steps);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn told_exactly_once_on_postgres(steps in steps()) {
        if let Some(place) = postgres() {
            play(place, &steps);
        }
    }
}
