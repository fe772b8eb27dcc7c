//! A database goes elsewhere: copied, backed up, restored, written out and read in, killed on the way.

use crate::damage::meddle;
use crate::help::{
    add, assert_sound, at, body, change, claim, claim_page, new_watch, quiet, visit, with_bytes,
};
use crate::place::{Place, postgres, sqlite};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tidemark_core::archive::{Found, Reader};
use tidemark_engine::record::{EventKind, NewEvent, Standing, StreamKey};
use tidemark_engine::store::{Store, StoreError};
use tidemark_store::{Progress, backup, canonical_hash, copy, export, import, restore};

/// Says nothing.
pub(crate) fn silent() -> impl FnMut(&str, u64, u64) {
    |_, _, _| {}
}

/// Something in every table; versions that repeat, flip back and stand on each other; names of other languages.
pub(crate) fn fill(place: &Place, pages: u32) {
    let store = &*place.store;
    for page in 0..pages {
        let mut new = new_watch(&format!("https://{page}.example.org/é?q={page}"), "ann");
        new.wish.tags = ["Ärger", "zebra", "apple", "Zoo"].into_iter().map(str::to_owned).collect();
        let watch = store.add_watch(&new, at(0)).unwrap();
        for version in [0, 1, 2, 1, 3, 0] {
            let seconds = i64::from(version) * 10 + 1;
            let mut record = with_bytes(
                &claim_page(store, watch.page, seconds),
                seconds,
                &body(page.into(), version, 3000),
            );
            record.change = (version > 0).then(|| change(&[watch.id], Standing::Told));
            record.memory = Some(format!("[{version}]").into_bytes());
            record.streams = vec![StreamKey::Host(format!("{page}.example.org"))];
            record.events =
                vec![NewEvent { kind: EventKind::Unwell, detail: serde_json::json!({ "said": "a\nb ü" }) }];
            record.entries = vec![new_watch(&format!("https://{page}.example.org/e{version}"), "").request];
            store.record(&record).unwrap();
        }
    }
    store.set_note("trust:x", "{\"a\": 1}\nno JSON").unwrap();
    store.set_note("Über", "").unwrap();
    // The last name that was given is not that of the last one there.
    let last = add(store, "https://gone.example.org/");
    store.remove_watch(last.id).unwrap();
    notices(place);
}

/// Behind the store's back, for their own statements are elsewhere.
fn notices(place: &Place) {
    let image = if place.url.starts_with("postgres") { r"'\x89504e47'" } else { "x'89504e47'" };
    meddle(
        place,
        &format!(
            "insert into channel (reader, terms, target, shown, added, state) values ('ann', '{{}}', 'sealed', 'a…', 1, '{{}}');
             insert into notice (channel, slot, state, made, due) values (1, 'now', 'open', 5, 6);
             insert into item (notice, watch, kind, at, change) select 1, min(watch), 'change', 7, min(change) from verdict;
             insert into picture (page, version, width, height, boxes, image) select page, version, 1, 1, '[]', {image} from snapshot where version = 1;"
        ),
    );
}

fn places() -> Vec<Place> {
    [Some(sqlite()), postgres()].into_iter().flatten().collect()
}

#[test]
fn from_sqlite_to_postgres_and_back_keeps_every_byte() {
    let first = sqlite();
    fill(&first, 5);
    let before = canonical_hash(&first.url).unwrap();
    let mut said = Vec::new();
    let mut from = first.url.clone();
    let mut kept = vec![first];
    for next in [postgres(), Some(sqlite()), postgres(), Some(sqlite())].into_iter().flatten() {
        let progress: Progress<'_> = &mut |what, done, all| said.push((what.to_owned(), done, all));
        let copied = copy(&from, &next.url, progress).unwrap();
        assert_eq!(canonical_hash(&next.url).unwrap(), before);
        assert_sound(&*next.store);
        from.clone_from(&next.url);
        kept.push(next);
        said.push((format!("{:?}", copied.hash), copied.rows, 0));
    }
    let hashes: Vec<_> = said.iter().filter(|(what, ..)| what.starts_with('[')).collect();
    assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "every byte is the same");
    assert!(said.iter().any(|(what, done, all)| what == "rows copied" && done == all && *all > 100));
    for place in &kept {
        assert!(
            add(&*place.store, "https://new.example.org/").id.0 == 7,
            "a name that was given is not given again"
        );
        for page in place.store.pages(None, 3).unwrap() {
            for line in place.store.snapshots(page.id).unwrap() {
                let same = kept[0].store.snapshot(page.id, line.version).unwrap();
                assert_eq!(place.store.snapshot(page.id, line.version).unwrap(), same);
            }
        }
        visit(&*place.store, place.store.pages(None, 1).unwrap()[0].id, 9999, b"life goes on");
        assert_sound(&*place.store);
    }
}

#[test]
fn an_export_read_in_again_is_an_equal_store() {
    for from in places() {
        fill(&from, 4);
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        let exported = export(&from.url, &target, false, &mut silent()).unwrap();
        assert_eq!(exported.hash, Some(canonical_hash(&from.url).unwrap()));
        assert!(exported.problems.is_empty() && exported.versions == 24);
        assert_eq!(archived(&target.join(tidemark_store::WARC)).len(), 24);
        for to in places() {
            let imported = import(&target, &to.url, &mut silent()).unwrap();
            assert_eq!((Some(imported.hash), imported.versions), (exported.hash, 24));
            assert_eq!(canonical_hash(&to.url).unwrap(), imported.hash);
            assert_sound(&*to.store);
            assert_eq!(add(&*to.store, "https://new.example.org/").id.0, 6);
            let again = import(&target, &to.url, &mut silent()).unwrap_err().to_string();
            assert!(again.contains("not empty"), "{again}");
        }
        let again = export(&from.url, &target, false, &mut silent()).unwrap_err().to_string();
        assert!(again.contains("there already"), "{again}");
    }
}

#[test]
fn the_hash_is_that_of_what_is_kept_and_of_nothing_else() {
    let place = sqlite();
    fill(&place, 2);
    let hash = canonical_hash(&place.url).unwrap();
    let page = place.store.pages(None, 1).unwrap()[0].id;
    meddle(
        &place,
        "update page set worker = 'x', lease_until = 9, wanted = 7, slotted = 1; update content set packed = 1",
    );
    assert_eq!(canonical_hash(&place.url).unwrap(), hash, "who has what, and how it is packed, is no matter");
    for sql in [
        "update snapshot set content = (select min(id) from content where id <> snapshot.content) where version = 2",
        "update verdict set body = replace(body, 'it changed', 'it')",
        "update channel set target = 'other'",
        "update page set token = token + 1",
        "delete from tag where tag = 'Zoo'",
        "update visit set at = at + 1",
    ] {
        let before = canonical_hash(&place.url).unwrap();
        meddle(&place, sql);
        assert_ne!(canonical_hash(&place.url).unwrap(), before, "{sql}");
    }
    assert!(place.store.page(page).unwrap().is_some());
}

#[test]
fn a_backup_is_made_while_others_write() {
    for from in places() {
        fill(&from, 3);
        let folder = tempfile::tempdir().unwrap();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| write_on(&*from.store, &done));
            for number in 0..3 {
                let file = folder.path().join(format!("{number}.db"));
                let made = backup(&from.url, &file, &mut silent()).unwrap();
                assert!(made.faults.is_empty(), "{:?}", made.faults);
                let to = sqlite();
                let restored = restore(&file, &to.url, false, &mut silent()).unwrap();
                assert_eq!(restored.copied, made.copied);
                assert_sound(&*to.store);
                assert_eq!(canonical_hash(&to.url).unwrap(), canonical_hash(file.to_str().unwrap()).unwrap());
            }
            done.store(true, Ordering::SeqCst);
            assert!(writer.join().unwrap() > 3, "somebody wrote meanwhile");
        });
        assert_eq!(names(folder.path()), ["0.db", "1.db", "2.db"], "nothing else is left");
        let again = backup(&from.url, &folder.path().join("0.db"), &mut silent()).unwrap_err().to_string();
        assert!(again.contains("there already"), "{again}");
    }
}

/// Claims and records until told to end; says how often.
fn write_on(store: &dyn Store, done: &AtomicBool) -> u32 {
    let mut count = 0;
    while !done.load(Ordering::SeqCst) {
        let seconds = 100_000 + i64::from(count) * 10_000;
        for claimed in store.claim(&claim("writer", seconds, 4)).unwrap().pages {
            let record = match count % 3 {
                0 => quiet(&claimed, seconds),
                _ => with_bytes(&claimed, seconds, &body(99, count % 40, 2000)),
            };
            store.record(&record).unwrap();
            count += 1;
        }
    }
    count
}

#[test]
fn a_damaged_backup_is_refused_and_nothing_is_written() {
    let from = sqlite();
    fill(&from, 3);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("good.db");
    backup(&from.url, &file, &mut silent()).unwrap();
    let good = std::fs::read(&file).unwrap();
    let mut random = fastrand::Rng::with_seed(3);
    for round in 0..30 {
        let mut bad = good.clone();
        match round % 3 {
            0 => bad.truncate(random.usize(..good.len())),
            1 => bad.truncate(good.len() - 4096),
            _ => {
                // All over it, so that no damage hides in what no row uses.
                for _ in 0..200 {
                    let at = random.usize(100..bad.len());
                    bad[at] ^= 0x5a;
                }
            }
        }
        let path = folder.path().join(format!("bad{round}.db"));
        std::fs::write(&path, &bad).unwrap();
        let to = sqlite();
        let empty = canonical_hash(&to.url).unwrap();
        assert!(restore(&path, &to.url, false, &mut silent()).is_err(), "round {round}");
        assert_eq!(canonical_hash(&to.url).unwrap(), empty);
    }
    let to = sqlite();
    assert!(matches!(
        restore(&folder.path().join("none"), &to.url, false, &mut silent()),
        Err(StoreError::Missing(_))
    ));
}

#[test]
fn one_damaged_version_does_not_keep_the_others_from_being_carried() {
    let from = sqlite();
    fill(&from, 2);
    meddle(
        &from,
        "update content set frame = x'00' where id = (select max(content) from snapshot where page = 1)",
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("b.db");
    let made = backup(&from.url, &file, &mut silent()).unwrap();
    assert!(!made.faults.is_empty(), "it is told");
    let to = sqlite();
    assert!(restore(&file, &to.url, false, &mut silent()).is_err());
    assert_eq!(restore(&file, &to.url, true, &mut silent()).unwrap().copied, made.copied);
    let exported = export(&from.url, &folder.path().join("e"), false, &mut silent()).unwrap();
    assert_eq!(exported.problems.len(), 1, "{:?}", exported.problems);
}

#[test]
fn only_an_empty_database_is_filled() {
    for to in places() {
        let from = sqlite();
        fill(&from, 1);
        add(&*to.store, "https://mine.example.org/");
        let before = canonical_hash(&to.url).unwrap();
        let error = copy(&from.url, &to.url, &mut silent()).unwrap_err().to_string();
        assert!(error.contains("not empty"), "{error}");
        assert_eq!(canonical_hash(&to.url).unwrap(), before);
    }
}

/// Whenever it is killed, the target is empty, or whole.
#[test]
fn killed_on_the_way() {
    for to in places() {
        let from = sqlite();
        fill(&from, 40);
        let whole = canonical_hash(&from.url).unwrap();
        let empty = canonical_hash(&to.url).unwrap();
        let (mut early, mut last) = (0, empty);
        // The first words are those of the test itself.
        for steps in (50..400).step_by(13) {
            let mut child = mover(&from.url, &to.url);
            // The child says each step it has made: it is killed by its work, not by a clock.
            let mut words = vec![0; steps];
            let on_the_way = child.stdout.as_mut().unwrap().read_exact(&mut words).is_ok();
            child.kill().unwrap();
            child.wait().unwrap();
            last = settled(&to.url, whole, empty);
            if last == whole {
                break;
            }
            early += usize::from(on_the_way);
        }
        assert!(early > 0, "it was never killed on the way");
        if last == empty {
            copy(&from.url, &to.url, &mut silent()).unwrap();
        }
        assert_eq!(canonical_hash(&to.url).unwrap(), whole);
        assert_sound(&*to.store);
    }
}

fn settled(url: &str, whole: [u8; 32], empty: [u8; 32]) -> [u8; 32] {
    let hash = canonical_hash(url).unwrap();
    assert!(hash == whole || hash == empty, "half a database");
    hash
}

fn mover(from: &str, to: &str) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "moving::mover_child", "--nocapture"])
        .env("TIDEMARK_MOVE_FROM", from)
        .env("TIDEMARK_MOVE_TO", to)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The child. Does nothing unless it is told what.
#[test]
fn mover_child() {
    let (Ok(from), Ok(to)) = (std::env::var("TIDEMARK_MOVE_FROM"), std::env::var("TIDEMARK_MOVE_TO")) else {
        return;
    };
    let mut say =
        |_: &str, _, _| std::io::stdout().write_all(b".").and_then(|()| std::io::stdout().flush()).unwrap();
    while let Err(error) = copy(&from, &to, &mut say) {
        assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The pages that any reader of web archives finds in a file.
fn archived(path: &Path) -> Vec<Vec<u8>> {
    let mut plain = Vec::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(path).unwrap()).read_to_end(&mut plain).unwrap();
    let mut pages = Vec::new();
    let mut reader = Reader::new(1 << 20);
    reader.push(&plain, &mut |found| match found {
        Found::Page(page) => pages.push(page.body),
        Found::Trouble(trouble) => panic!("{trouble}"),
    });
    assert!(reader.finish().is_none());
    pages
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
