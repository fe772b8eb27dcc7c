//! No space, no right to write, no server: told as what it is, nothing lost, and work goes on when it is over.

use crate::cluster::Cluster;
use crate::help::{add, assert_sound, at, body, claim, claim_page, quiet, visit, with_bytes};
use crate::place::{postgres, sqlite};
use std::process::Command;
use tidemark_engine::page::PageId;
use tidemark_engine::store::{Store, StoreError};
use tidemark_store::{Options, open, open_with};

/// Bytes that do not get smaller.
fn noise(seed: u64) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..20_000).map(|_| random.u8(..)).collect()
}

/// Records until there is no space, and says how many versions there are.
fn fill(store: &dyn Store, page: PageId) -> u32 {
    for version in 1..2000 {
        let seconds = i64::from(version);
        let recorded = store
            .claim_pages(&[page], &claim("w", seconds, 1))
            .and_then(|claimed| store.record(&with_bytes(&claimed[0], seconds, &noise(version.into()))));
        match recorded {
            Ok(recorded) => assert_eq!(recorded.version, Some(version)),
            Err(error) => {
                assert!(matches!(error, StoreError::Full(_)), "{error}");
                return version - 1;
            }
        }
    }
    panic!("it never got full");
}

fn assert_all_there(store: &dyn Store, page: PageId, versions: u32) {
    for version in 1..=versions {
        assert!(store.snapshot(page, version).unwrap().unwrap().body == noise(version.into()));
    }
    assert!(store.snapshot(page, versions + 1).unwrap().is_none());
    assert_sound(store);
}

#[test]
fn a_file_that_may_not_grow() {
    let place = sqlite();
    let page = add(&*place.store, "https://example.org/").page;
    let small = open_with(&place.url, &Options { max_pages: Some(400), ..Options::default() }).unwrap();
    let versions = fill(&*small, page);
    assert_all_there(&*small, page, versions);
    // Others who write at that time get the same answer or their right, never a wrong one.
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let small = &*small;
            scope.spawn(move || {
                let result = small
                    .set_note(&thread.to_string(), &"x".repeat(if thread % 2 == 0 { 1 } else { 2_000_000 }));
                assert!(matches!(result, Ok(()) | Err(StoreError::Full(_))), "{result:?}");
                assert_eq!(small.note(&thread.to_string()).unwrap().is_some(), result.is_ok());
            });
        }
    });
    drop(small);
    let store = open(&place.url).unwrap();
    assert_eq!(visit(&*store, page, 9_000_000, b"new"), versions + 1);
    assert_sound(&*store);
}

#[test]
fn a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let mount =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"]).arg(folder.path()).output();
    if !mount.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: no right to mount a small disk here");
        return;
    }
    let result = std::panic::catch_unwind(|| {
        let ballast = folder.path().join("ballast");
        std::fs::write(&ballast, vec![0; 1 << 20]).unwrap();
        let store = open(folder.path().join("tidemark.db").to_str().unwrap()).unwrap();
        let page = add(&*store, "https://example.org/").page;
        let versions = fill(&*store, page);
        assert_all_there(&*store, page, versions);
        std::fs::remove_file(&ballast).unwrap();
        let claimed = claim_page(&*store, page, 9_000_000);
        store.record(&with_bytes(&claimed, 9_000_000, &noise(u64::from(versions) + 1))).unwrap();
        assert_all_there(&*store, page, versions + 1);
        drop(store);
        // The same disk, read-only.
        assert!(
            Command::new("mount").args(["-o", "remount,ro"]).arg(folder.path()).status().unwrap().success()
        );
        for name in ["tidemark.db", "new.db"] {
            let error = open(folder.path().join(name).to_str().unwrap()).err();
            assert!(matches!(error, Some(StoreError::ReadOnly(_))), "{name}: {error:?}");
        }
    });
    Command::new("umount").arg("-l").arg(folder.path()).status().unwrap();
    result.unwrap();
}

#[test]
fn a_database_opened_to_read() {
    for place in [Some(sqlite()), postgres()].into_iter().flatten() {
        let page = add(&*place.store, "https://example.org/").page;
        visit(&*place.store, page, 1, b"x");
        let reader = open_with(&place.url, &Options { read_only: true, ..Options::default() }).unwrap();
        assert_eq!(reader.snapshot(page, 1).unwrap().unwrap().body, b"x");
        assert_sound(&*reader);
        let told = [
            reader.set_note("a", "b").err(),
            reader.claim(&claim("w", 99_999, 1)).err(),
            reader.give_back().err(),
        ];
        assert!(told.iter().all(|error| matches!(error, Some(StoreError::ReadOnly(_)))), "{told:?}");
    }
}

#[test]
fn a_server_that_only_reads() {
    let Some(cluster) = crate::cluster::shared() else { return };
    let url = cluster.database();
    let name = url.rsplit('/').next().unwrap().to_owned();
    let page = add(&*open(&url).unwrap(), "https://example.org/").page;
    let read_only = |on| {
        cluster
            .client("postgres")
            .batch_execute(&format!("alter database {name} set default_transaction_read_only = {on}"))
            .unwrap();
    };
    read_only("on");
    let store = open(&url).unwrap();
    assert!(store.page(page).unwrap().is_some());
    let error = store.set_note("a", "b").unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly(_)), "{error}");
    read_only("off");
    open(&url).unwrap().set_note("a", "b").unwrap();
}

#[test]
fn a_server_that_goes_and_comes_back() {
    let Some(cluster) = Cluster::start("-c fsync=off") else { return };
    let url = cluster.database();
    let store = open(&url).unwrap();
    let page = add(&*store, "https://example.org/").page;
    visit(&*store, page, 1, &body(1, 1, 1000));
    let claimed = claim_page(&*store, page, 2);
    cluster.crash();
    for _ in 0..3 {
        let error = store.record(&quiet(&claimed, 3)).unwrap_err();
        assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
        let error = store.page(page).unwrap_err();
        assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
    }
    assert!(matches!(open(&url).err(), Some(StoreError::Unavailable(_))));
    cluster.up();
    store.record(&quiet(&claimed, 4)).unwrap();
    assert_eq!(store.snapshot(page, 1).unwrap().unwrap().body, body(1, 1, 1000));
    // One connection of many is cut.
    let kill = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tidemark'";
    cluster.client("postgres").batch_execute(kill).unwrap();
    store.set_note("a", "b").unwrap();
    cluster.client("postgres").batch_execute(kill).unwrap();
    assert_eq!(store.note("a").unwrap().as_deref(), Some("b"));
}

#[test]
fn a_job_that_fails_fails_alone() {
    for place in [Some(sqlite()), postgres()].into_iter().flatten() {
        let store = &*place.store;
        let pages: Vec<_> = (0..24).map(|n| add(store, &format!("https://{n}.example.org/")).page).collect();
        let claimed: Vec<_> = pages.iter().map(|page| claim_page(store, *page, 1)).collect();
        std::thread::scope(|scope| {
            for (number, claimed) in claimed.iter().enumerate() {
                scope.spawn(move || {
                    let mut record = with_bytes(claimed, 2, &body(number as u64, 0, 2000));
                    if number % 3 == 0 {
                        record.lease.token += 1;
                    }
                    assert_eq!(store.record(&record).is_err(), number % 3 == 0);
                });
            }
        });
        for (number, page) in pages.iter().enumerate() {
            assert_eq!(store.snapshots(*page).unwrap().len(), usize::from(number % 3 != 0));
            assert_eq!(store.page(*page).unwrap().unwrap().due == Some(at(3602)), number % 3 != 0);
        }
        assert_sound(store);
    }
}
