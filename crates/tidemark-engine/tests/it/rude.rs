//! The whole way, over real sockets, with servers that misbehave: each visit has its outcome, and the next page is looked at meanwhile.

#[path = "../../../tidemark-net/tests/it/rude.rs"]
#[allow(dead_code, reason = "shared with the tests of the client, which use all of it")]
mod server;

use server::{Rude, standard};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tidemark_core::revisit::Bounds;
use tidemark_engine::clock::System;
use tidemark_engine::record::VisitResult;
use tidemark_engine::request::Request;
use tidemark_engine::run::{Happening, run};
use tidemark_engine::watch::{NewWatch, Watch, Wish};
use tidemark_engine::{Engine, Settings};

const RUDE: [(&str, VisitResult); 14] = [
    ("/slow-head", VisitResult::Failed),
    ("/slow-body", VisitResult::Failed),
    ("/endless", VisitResult::Failed),
    ("/shorter-than-said", VisitResult::Failed),
    ("/bad-gzip", VisitResult::Failed),
    ("/gzip-bomb", VisitResult::Failed),
    ("/zstd-bomb", VisitResult::Failed),
    ("/reset-half-way", VisitResult::Failed),
    ("/circle", VisitResult::Failed),
    ("/not-modified", VisitResult::Failed),
    ("/empty", VisitResult::Unwell),
    ("/error", VisitResult::Unwell),
    ("/old-http", VisitResult::Failed),
    ("/wrong-charset", VisitResult::First),
];

fn client() -> tidemark_net::Client {
    let seconds = Duration::from_secs;
    let limits = tidemark_net::Settings {
        connect: seconds(2),
        first_byte: seconds(3),
        idle: seconds(3),
        total: seconds(5),
        wire: 1 << 20,
        unpacked: 2 << 20,
        per_host: 32,
        allow: "127.0.0.1".parse().unwrap(),
        ..tidemark_net::Settings::default()
    };
    tidemark_net::Client::new(limits).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rude_servers_have_their_outcomes_and_hold_nobody_up() {
    let (rude, polite) = (Rude::start(standard).await, Rude::start(standard).await);
    let folder = tempfile::tempdir().unwrap();
    let store = tidemark_store::open(folder.path().join("t.db").to_str().unwrap()).unwrap();
    let add = |url: String, most: u64| -> Watch {
        let mut request = Request::get(&url).unwrap();
        request.robots = false;
        let bounds = Some(Bounds::new(Duration::from_secs(1), Duration::from_secs(most)));
        store
            .add_watch(
                &NewWatch { request, wish: Wish { bounds, ..Wish::default() } },
                jiff::Timestamp::now(),
            )
            .unwrap()
    };
    let watches: Vec<Watch> = RUDE.iter().map(|(path, _)| add(rude.url(path), 3600)).collect();
    let good = add(polite.url("/good"), 1);
    let settings = Settings { spacing: Duration::ZERO, ..Settings::default() };
    let engine =
        Engine::new(store.clone(), Arc::new(client()), Arc::new(System), settings, "test".into()).unwrap();
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let (slow, looks) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (hanging, good_page) = (watches[0].page, good.page);
    let tell = |happening: Happening| {
        let Happening::Checked(report) = happening else { panic!("{happening:?}") };
        if report.page == hanging {
            // Those that hang take seconds; the good page was looked at meanwhile.
            slow.store(looks.load(Ordering::SeqCst), Ordering::SeqCst);
        }
        looks.fetch_add(usize::from(report.page == good_page), Ordering::SeqCst);
        if looks.load(Ordering::SeqCst) >= 5 {
            stop.send_replace(true);
        }
    };
    tokio::time::timeout(Duration::from_mins(2), run(&Arc::new(engine), stopped, tell))
        .await
        .expect("it ends");
    assert!(slow.load(Ordering::SeqCst) >= 1, "the good page waited for the slow one");
    for (watch, (path, result)) in watches.iter().zip(RUDE) {
        let visits = store.visits(watch.page, 10).unwrap();
        let first = visits.last().unwrap_or_else(|| panic!("{path} was not visited"));
        assert_eq!(first.result, result, "{path}: {:?}", first.log);
        assert!(!first.log.is_empty());
    }
    assert!(store.visits(good.page, 10).unwrap().iter().all(|visit| visit.result != VisitResult::Failed));
    assert!(store.verify(&mut |_, _| {}).unwrap().is_empty());
}
