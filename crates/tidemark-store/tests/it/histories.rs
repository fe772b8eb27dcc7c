//! Random histories against a model that is plainly right.

use crate::help::{assert_sound, at, claim_page, new_watch, with_bytes};
use crate::place::Place;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;
use tidemark_engine::retention::{Kept, Retention};
use tidemark_engine::store::Store;
use tidemark_engine::watch::Watch;

/// What can happen.
#[derive(Clone, Debug)]
enum Step {
    /// A page, by number, gets a version: one of a few texts, so that pages come to share some.
    Visit(usize, u8, u16),
    /// Versions of it are let go: by count, or by age in hours.
    Thin(usize, u32, Option<u64>),
    /// It is removed; the next visit makes it anew.
    Remove(usize),
    /// Idle time.
    Upkeep,
}

/// What must be there.
struct Model {
    watch: Watch,
    last: u32,
    versions: BTreeMap<u32, (i64, Vec<u8>)>,
}

/// Mostly the first, so that it has a long history.
fn page() -> impl Strategy<Value = usize> {
    prop_oneof![4 => Just(0), 1 => 0..3usize]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        12 => (page(), any::<u8>(), 0..40u16).prop_map(|(page, text, edit)| Step::Visit(page, text / 200, edit)),
        2 => (page(), 0..6u32, proptest::option::weighted(0.7, 0..60u64)).prop_map(|(page, count, age)| Step::Thin(page, count, age)),
        1 => (1..3usize).prop_map(Step::Remove),
        2 => Just(Step::Upkeep),
    ];
    proptest::collection::vec(step, 1..90)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_history_is_what_the_model_says_on_sqlite(steps in steps()) {
        live(&crate::place::sqlite(), &steps);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_history_is_what_the_model_says_on_postgres(steps in steps()) {
        if let Some(place) = crate::place::postgres() {
            live(&place, &steps);
        }
    }
}

fn live(place: &Place, steps: &[Step]) {
    let store = &*place.store;
    let mut models: BTreeMap<usize, Model> = BTreeMap::new();
    for (hour, step) in steps.iter().enumerate() {
        let now = hour as i64 * 3600 * 3;
        match step {
            Step::Visit(page, text, edit) => {
                let model = models.entry(*page).or_insert_with(|| add(store, *page, now));
                visit(store, model, now, text_of(*text, *edit));
            }
            Step::Thin(page, count, age) => {
                if let Some(model) = models.get_mut(page) {
                    thin(store, model, now, *count, *age);
                }
            }
            Step::Remove(page) => {
                if let Some(model) = models.remove(page) {
                    store.remove_watch(model.watch.id).unwrap();
                    assert!(store.page(model.watch.page).unwrap().is_none());
                }
            }
            Step::Upkeep => drop(store.give_back().unwrap()),
        }
    }
    models.values().for_each(|model| compare(store, model));
    assert_eq!(store.facts().unwrap().pages as usize, models.len());
    assert_sound(store);
}

fn add(store: &dyn Store, page: usize, now: i64) -> Model {
    let watch = store.add_watch(&new_watch(&format!("https://example.org/{page}"), ""), at(now)).unwrap();
    Model { watch, last: 0, versions: BTreeMap::new() }
}

fn visit(store: &dyn Store, model: &mut Model, now: i64, body: Vec<u8>) {
    let claimed = claim_page(store, model.watch.page, now);
    let version = store.record(&with_bytes(&claimed, now, &body)).unwrap().version.unwrap();
    model.last += 1;
    assert_eq!(version, model.last);
    model.versions.insert(version, (now, body));
}

fn thin(store: &dyn Store, model: &mut Model, now: i64, count: u32, age: Option<u64>) {
    let retention = Retention {
        versions: age.is_none().then_some(count),
        age: age.map(|hours| Duration::from_secs(hours * 3600)),
        ..Retention::default()
    };
    let kept: Vec<Kept> = (model.versions.iter())
        .map(|(version, (seen, _))| Kept { version: *version, at: at(*seen), bytes: 0, needed: false })
        .collect();
    let gone = retention.let_go(&kept, at(now));
    let freed = store.retain(model.watch.page, &retention, at(now)).unwrap();
    assert_eq!(freed.versions as usize, gone.len());
    model.versions.retain(|version, _| !gone.contains(version));
}

fn compare(store: &dyn Store, model: &Model) {
    let page = model.watch.page;
    let lines = store.snapshots(page).unwrap();
    assert!(lines.iter().map(|line| line.version).eq(model.versions.keys().copied()));
    for (version, (seen, body)) in &model.versions {
        let snapshot = store.snapshot(page, *version).unwrap().unwrap();
        assert_eq!(&snapshot.body, body);
        assert_eq!(snapshot.at, at(*seen));
        assert_eq!(store.snapshot_at(page, at(*seen)).unwrap().unwrap().version, *version);
    }
    let baseline = store.track(page).unwrap().baseline;
    assert_eq!(baseline.map(|snapshot| snapshot.version), (model.last > 0).then_some(model.last));
}

/// One of two texts, mostly the first, with up to forty edits.
fn text_of(text: u8, edit: u16) -> Vec<u8> {
    crate::help::body(u64::from(text), u32::from(edit), 3000)
}
