//! Damaged, foreign and newer databases: told, never taken for something else.

use crate::cluster;
use crate::help::{add, body, change, claim_page, visit, with_bytes};
use crate::place::{Place, postgres, sqlite};
use std::process::Command;
use tidemark_engine::record::Standing;
use tidemark_engine::store::{Store, StoreError};
use tidemark_store::{Options, open, open_with};

/// A statement run behind the store's back.
pub(crate) fn meddle(place: &Place, sql: &str) {
    if place.url.starts_with("postgres") {
        let name = place.url.rsplit('/').next().unwrap();
        cluster::shared().unwrap().client(name).batch_execute(sql).unwrap();
    } else {
        rusqlite::Connection::open(place.file()).unwrap().execute_batch(sql).unwrap();
    }
}

fn on_each(test: fn(&Place)) {
    test(&sqlite());
    postgres().iter().for_each(test);
}

fn faults(store: &dyn Store) -> Vec<String> {
    let faults = store.verify(&mut |_, _| {}).unwrap();
    faults.into_iter().map(|fault| format!("{}: {}", fault.place, fault.what)).collect()
}

#[test]
fn a_flipped_byte_is_never_served() {
    on_each(|place| {
        let store = &*place.store;
        let page = add(store, "https://example.org/").page;
        for version in 0..12 {
            visit(store, page, i64::from(version), &body(1, version, 4000));
        }
        let flips = if place.url.starts_with("postgres") {
            "update content set frame = set_byte(frame, length(frame) / 2, get_byte(frame, length(frame) / 2) # 16) where id in (select content from snapshot where version = 6)"
        } else {
            "update content set frame = cast(substr(frame, 1, length(frame) / 2) || x'ee' || substr(frame, length(frame) / 2 + 2) as blob) where id in (select content from snapshot where version = 6)"
        };
        meddle(place, flips);
        for version in 1..=12 {
            match store.snapshot(page, version) {
                Ok(snapshot) => assert_eq!(snapshot.unwrap().body, body(1, version - 1, 4000)),
                Err(error) => {
                    assert!(version >= 6 && matches!(error, StoreError::Damaged(_)), "{version}: {error}");
                    assert!(error.to_string().contains(&format!("version {version} of page {}", page.0)));
                }
            }
        }
        assert!(store.snapshot(page, 6).is_err());
        let faults = faults(store);
        assert!(
            faults.iter().any(|fault| fault.starts_with(&format!("page {}: version 6: content ", page.0))),
            "{faults:?}"
        );
        // The page goes on with a key frame.
        assert_eq!(visit(store, page, 99, b"new"), 13);
        assert_eq!(store.snapshot(page, 13).unwrap().unwrap().body, b"new");
        store.give_back().unwrap();
    });
}

#[test]
fn any_byte_of_a_frame_may_be_flipped() {
    let place = sqlite();
    let store = &*place.store;
    let page = add(store, "https://example.org/").page;
    visit(store, page, 0, &body(1, 0, 700));
    visit(store, page, 1, &body(1, 1, 700));
    let connection = rusqlite::Connection::open(place.file()).unwrap();
    for (id, size) in [(1, 0), (2, 0)].map(|(id, _): (i64, i64)| {
        (
            id,
            connection
                .query_row("select length(frame) from content where id = ?1", [id], |row| {
                    row.get::<_, i64>(0)
                })
                .unwrap(),
        )
    }) {
        let old: Vec<u8> =
            connection.query_row("select frame from content where id = ?1", [id], |row| row.get(0)).unwrap();
        for at in 0..size as usize {
            let mut new = old.clone();
            new[at] ^= 1 << (at % 8);
            connection.execute("update content set frame = ?2 where id = ?1", (id, &new)).unwrap();
            for version in 1..=2 {
                if let Ok(snapshot) = store.snapshot(page, version) {
                    assert_eq!(
                        snapshot.unwrap().body,
                        body(1, version - 1, 700),
                        "byte {at} of content {id}"
                    );
                }
            }
        }
        connection.execute("update content set frame = ?2 where id = ?1", (id, &old)).unwrap();
    }
    assert!(faults(store).is_empty());
}

#[test]
fn each_broken_rule_is_told() {
    let cases = [
        ("update page set version = 7", "its last version is said to be 7"),
        ("update content set depth = 3 where base is not null", "its depth or its reach"),
        ("update content set reach = 1 where base is null", "a key frame that says"),
        ("update change set script = memory.body from memory", "its script is no JSON"),
        ("update verdict set standing = 'held'", "stands otherwise"),
        ("update watch set paused = 1", "although all its watches rest"),
        ("update stream set waiting = 5", "its count of unread documents is wrong"),
        (
            "delete from document; insert into document (stream, number, page, version) select key, 1, (select max(id) from page), 9 from stream",
            "its version is not there",
        ),
        ("update visit set body = '{}'", "cannot be read"),
        ("update page set request = replace(request, 'org', 'com')", "its key is not that of its request"),
        ("update memory set body = (select hash from content limit 1)", "its memory"),
        (
            "insert into content (hash, size, depth, reach, frame) select key, 1, 0, 1, key from page",
            "no version has it",
        ),
        ("update page set worker = 'x'", "without an end"),
    ];
    for (sql, expected) in cases {
        on_each_with(sql, expected);
    }
}

fn on_each_with(sql: &str, expected: &str) {
    for place in [Some(sqlite()), postgres()].into_iter().flatten() {
        let store = &*place.store;
        let watch = add(store, "https://example.org/");
        visit(store, watch.page, 1, &body(1, 0, 3000));
        let mut record = with_bytes(&claim_page(store, watch.page, 2), 2, &body(1, 1, 3000));
        record.change = Some(change(&[watch.id], Standing::Told));
        record.memory = Some(b"not JSON".to_vec());
        record.streams = vec![tidemark_engine::record::StreamKey::Host("example.org".to_owned())];
        store.record(&record).unwrap();
        assert!(faults(store).is_empty());
        meddle(&place, sql);
        let faults = faults(store);
        assert!(faults.iter().any(|fault| fault.contains(expected)), "{sql}: {faults:?}");
    }
}

#[test]
fn a_damaged_file_is_told() {
    let place = sqlite();
    let page = add(&*place.store, "https://example.org/").page;
    // Many bytes of versions beside the empty pages of the other tables, where damage hurts nobody.
    for version in 0..60 {
        let mut random = fastrand::Rng::with_seed(version);
        let noise: Vec<u8> = (0..9000).map(|_| random.u8(..)).collect();
        visit(&*place.store, page, version as i64, &noise);
    }
    let file = place.file();
    let copy = file.with_extension("copy");
    rusqlite::Connection::open(&file).unwrap().execute("vacuum into ?1", [copy.to_str().unwrap()]).unwrap();
    let good = std::fs::read(&copy).unwrap();
    let mut random = fastrand::Rng::with_seed(1);
    let mut told = 0;
    for _ in 0..60 {
        let mut bad = good.clone();
        let at = random.usize(100..bad.len() - 64);
        bad[at..at + 64].iter_mut().for_each(|byte| *byte ^= 0x55);
        let path = file.with_extension("bad");
        std::fs::write(&path, &bad).unwrap();
        let Ok(store) = open(path.to_str().unwrap()) else {
            told += 1;
            continue;
        };
        let mut served = 0;
        for version in 1..=60 {
            if let Ok(Some(snapshot)) = store.snapshot(page, version) {
                let mut random = fastrand::Rng::with_seed(u64::from(version) - 1);
                assert!(snapshot.body.iter().all(|byte| *byte == random.u8(..)), "wrong bytes were served");
                served += 1;
            }
        }
        let sound = store.verify(&mut |_, _| {}).is_ok_and(|faults| faults.is_empty());
        assert!(!sound || served == 60, "damage at {at} is not told");
        told += usize::from(!sound);
        drop(store);
        for end in ["bad", "bad-wal", "bad-shm"] {
            let _ = std::fs::remove_file(file.with_extension(end));
        }
    }
    assert!(told > 30, "{told} of 60");
}

#[test]
fn a_newer_database_is_refused() {
    on_each(|place| {
        meddle(place, "update meta set value = '99' where key = 'schema'");
        let read_only = Options { read_only: true, ..Options::default() };
        for error in [open(&place.url).err(), open_with(&place.url, &read_only).err()] {
            assert!(matches!(error, Some(StoreError::TooNew { found: 99, .. })), "{error:?}");
        }
    });
}

#[test]
fn what_is_not_ours_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for nameless in ["", "sqlite:", ":memory:"] {
        let error = open(nameless).map(drop).unwrap_err().to_string();
        assert!(error.contains("names no file"), "{error}");
    }
    for garbage in [b"hello".repeat(1000), b"SQLite format 3\0 and then nothing of the kind".repeat(200)] {
        std::fs::write(&path, &garbage).unwrap();
        let error = open(path.to_str().unwrap()).err().unwrap().to_string();
        assert!(error.contains("no SQLite database"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), garbage);
    }
    std::fs::remove_file(&path).unwrap();
    rusqlite::Connection::open(&path).unwrap().execute_batch("create table page (a)").unwrap();
    let error = open(path.to_str().unwrap()).err().unwrap().to_string();
    assert!(error.contains("not Tidemark's"), "{error}");
    let error = open("/nowhere/at/all.db").err().unwrap().to_string();
    assert!(error.contains("/nowhere/at/all.db"), "{error}");
    if let Some(cluster) = cluster::shared() {
        let url = cluster.database();
        cluster
            .client(url.rsplit('/').next().unwrap())
            .batch_execute("create table meta (key text, value text)")
            .unwrap();
        let error = open(&url).err().unwrap().to_string();
        assert!(error.contains("not Tidemark's"), "{error}");
    }
}

#[test]
fn a_password_is_never_told() {
    let urls = [
        "postgres://ann:sesame@127.0.0.1:1/x",
        "postgres://ann:sesame@[::/x",
        "postgres://ann:sesame@nowhere.invalid/x?sslmode=odd",
    ];
    for url in urls {
        let error = open(url).err().unwrap();
        assert!(!error.to_string().contains("sesame") && !format!("{error:?}").contains("sesame"), "{error}");
    }
}

#[test]
fn two_open_a_new_database_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut urls = vec![folder.path().join("a.db").to_str().unwrap().to_owned()];
    urls.extend(cluster::shared().map(cluster::Cluster::database));
    for url in urls {
        let children: Vec<_> = (0..4)
            .map(|_| {
                Command::new(std::env::current_exe().unwrap())
                    .args(["damage::opener", "--exact"])
                    .env("TIDEMARK_OPEN_URL", &url)
                    .output()
            })
            .map(|output| output.unwrap().status.success())
            .collect();
        assert_eq!(children, [true; 4]);
        let threads: Vec<_> = (0..4)
            .map(|_| {
                std::thread::spawn({
                    let url = url.clone();
                    move || open(&url).map(drop)
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap().unwrap());
        assert_eq!(open(&url).unwrap().facts().unwrap().watches, 4);
    }
}

/// The child of the test above.
#[test]
fn opener() {
    if let Ok(url) = std::env::var("TIDEMARK_OPEN_URL") {
        let store = open(&url).unwrap();
        add(&*store, "https://example.org/");
    }
}
