//! Whatever passages say, the services take it.

use super::fakes::Services;
use super::sample::{HARM, hostile, message};
use super::{couriers, deliver};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tidemark_engine::message::Message;
use tidemark_engine::passage::{ChangeKind, Passage, SpanKind, Stretch};

#[test]
fn any_message_is_taken_by_every_service() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let services = runtime.block_on(Services::start());
    let couriers = couriers(&services.base());
    let mut runner = TestRunner::new(Config { cases: 150, failure_persistence: None, ..Config::default() });
    let sent = runner.run(&messages(), |message| {
        for (name, target) in services.targets("goodTOKEN") {
            let sent = runtime.block_on(deliver(&couriers, &target, &message));
            prop_assert!(sent.is_ok(), "{name}: {sent:?}");
        }
        Ok(())
    });
    sent.unwrap_or_else(|error| panic!("{error}"));
}

fn messages() -> impl Strategy<Value = Message> {
    (prop::collection::vec(passages(), 1..4), texts(), prop::option::of(texts())).prop_map(
        |(all, subject, text)| {
            let mut message = hostile(&subject);
            message.text = text;
            let mut first = message.items.remove(0);
            first.name.clone_from(&subject);
            message.items.extend(all.into_iter().map(|passages| {
                let mut told = first.clone();
                told.passages = passages;
                told
            }));
            message.key = self::message().key;
            message
        },
    )
}

fn passages() -> impl Strategy<Value = Vec<Passage>> {
    let kinds = prop_oneof![
        Just(ChangeKind::Added),
        Just(ChangeKind::Removed),
        Just(ChangeKind::Changed),
        Just(ChangeKind::Moved)
    ];
    let stretches = prop_oneof![Just(SpanKind::Same), Just(SpanKind::Removed), Just(SpanKind::Added)];
    let stretch = (stretches, texts(), any::<bool>()).prop_map(|(kind, text, of_interest)| Stretch {
        kind,
        text,
        of_interest,
    });
    let link =
        prop_oneof![Just(None), Just(Some("https://a.example/(x)?<y>".to_owned())), texts().prop_map(Some)];
    let passage = (kinds, prop::collection::vec(texts(), 0..3), prop::collection::vec(stretch, 0..5), link)
        .prop_map(|(kind, place, spans, link)| Passage {
            kind,
            reasons: place.clone(),
            place: Some(place),
            spans,
            link,
        });
    prop::collection::vec(passage, 0..12)
}

/// Anything, marks in any order, and pieces of what is made to do harm.
fn texts() -> impl Strategy<Value = String> {
    let pieces: Vec<&'static str> = HARM.split(' ').collect();
    prop_oneof![
        any::<String>(),
        "[ -/:-@\\[-`{-~a\n]{0,40}",
        prop::collection::vec(prop::sample::select(pieces), 0..12).prop_map(|pieces| pieces.concat()),
        "[a-z@#./:&<>{}]{0,3}",
        (1..3000usize).prop_map(|length| "ab &".repeat(length)),
    ]
}
