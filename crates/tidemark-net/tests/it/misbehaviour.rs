//! Each misbehaviour of `rude.rs` has its own outcome, costs bounded bytes, and leaves the next page alone.

use crate::rude::{Act, BOMBS, Rude, standard};
use crate::{Fake, client, failure, get, page, settings};
use std::sync::LazyLock;
use std::time::Duration;
use tidemark_engine::fetch::{Failure, Outcome, Phase, RetryAfter};

/// What a visit came to, in one word each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Came {
    Page(u16, &'static [u8]),
    NoConnection,
    NoHead,
    NoByte,
    NoEnd,
    TooLong,
    TooLongUnpacked,
    Cut,
    Garbled,
    Circle,
    Astray,
    Unasked,
}

use Came::*;

const EXPECTED: [(&str, Came); 54] = [
    ("/good", Page(200, b"good")),
    ("/empty", Page(200, b"")),
    ("/slow-head", NoHead),
    ("/half-a-head", NoHead),
    ("/dripping-head", NoHead),
    ("/slow-body", NoByte),
    ("/dripping-body", NoEnd),
    ("/endless", TooLong),
    ("/endless-chunk", TooLong),
    ("/endless-chunks", TooLong),
    ("/endless-crumbs", Garbled),
    ("/announced-too-long", TooLong),
    ("/shorter-than-said", Cut),
    ("/longer-than-said", Page(200, b"good")),
    ("/poison", Page(200, b"good")),
    ("/two-lengths", Garbled),
    ("/odd-length", Garbled),
    ("/length-and-chunks", Page(200, b"good")),
    ("/reset-at-once", Cut),
    ("/reset-half-way", Cut),
    ("/nothing", Cut),
    ("/cut-chunks", Cut),
    ("/bad-chunks", Garbled),
    ("/old-http", Garbled),
    ("/bad-status", Garbled),
    ("/no-http", Garbled),
    ("/odd-status", Page(999, b"go away")),
    ("/switching", Garbled),
    ("/hints", Page(200, b"good")),
    ("/endless-hints", NoHead),
    ("/huge-header", Garbled),
    ("/endless-header", Garbled),
    ("/many-headers", Garbled),
    ("/bad-header", Garbled),
    ("/sloppy-header", Page(200, b"good")),
    ("/not-modified", Unasked),
    ("/bad-gzip", Garbled),
    ("/bad-brotli", Garbled),
    ("/bad-zstd", Garbled),
    ("/cut-gzip", Cut),
    ("/gzip-bomb", TooLongUnpacked),
    ("/brotli-bomb", TooLongUnpacked),
    ("/zstd-bomb", TooLongUnpacked),
    ("/gzip-in-gzip-bomb", TooLongUnpacked),
    ("/gzip-in-gzip", Page(200, b"good")),
    ("/often-packed", Garbled),
    ("/packed-unknown", Garbled),
    ("/packed-empty", Page(200, b"")),
    ("/wrong-charset", Page(200, b"\xff\xfe caf\xe9")),
    ("/unknown-charset", Page(200, b"\x80\x81")),
    ("/circle", Circle),
    ("/nowhere", Astray),
    ("/no-place", Page(302, b"here")),
    ("/slow-redirect", Page(200, b"good")),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_misbehaviour_has_its_outcome_and_the_next_page_is_fetched() {
    let client = client(settings("127.0.0.1"), Fake::default());
    LazyLock::force(&BOMBS);
    let mut visits = tokio::task::JoinSet::new();
    for (path, expected) in EXPECTED {
        let client = client.clone();
        visits.spawn(async move {
            let server = Rude::start(standard).await;
            let outcome = get(&client, &server.url(path)).await.outcome;
            let next = page(get(&client, &server.url("/good")).await);
            (path, expected, outcome, next.body, server.sent())
        });
    }
    while let Some(visited) = visits.join_next().await {
        let (path, expected, outcome, next, sent) = visited.unwrap();
        assert!(is(&outcome, expected), "{path}: expected {expected:?}, but {outcome:?}");
        assert_eq!(next, "good", "after {path}");
        // What sockets can hold is of the system; beyond that, no more was taken than the limit.
        assert!(sent < 16 << 20, "{path}: {sent} bytes were taken");
    }
}

#[tokio::test]
async fn what_follows_an_answer_is_never_taken_for_the_next_one() {
    let server = Rude::start(standard).await;
    let client = client(settings("127.0.0.1"), Fake::default());
    for _ in 0..20 {
        assert_eq!(page(get(&client, &server.url("/poison")).await).body, "good");
        assert_eq!(page(get(&client, &server.url("/nothing-here")).await).status, 404);
    }
}

#[tokio::test]
async fn failures_tell_their_limit_and_how_much_came() {
    let server = Rude::start(standard).await;
    let client = client(settings("127.0.0.1"), Fake::default());
    let endless = get(&client, &server.url("/endless")).await;
    assert!(endless.received > 1 << 20, "{}", endless.received);
    assert_eq!(failure(endless), Failure::TooLarge { limit: 1 << 20, unpacked: false });
    let bomb = get(&client, &server.url("/gzip-bomb")).await;
    assert!(bomb.received > 0 && bomb.received < 100_000, "{}", bomb.received);
    assert_eq!(failure(bomb), Failure::TooLarge { limit: 2 << 20, unpacked: true });
}

#[tokio::test]
async fn a_server_may_say_when_to_come_again() {
    let server = Rude::start(standard).await;
    let client = client(settings("127.0.0.1"), Fake::default());
    let busy = get(&client, &server.url("/busy")).await;
    assert_eq!(busy.retry_after, Some(RetryAfter::In(Duration::from_mins(2))));
    assert_eq!(page(busy).status, 503);
    let error = get(&client, &server.url("/error")).await;
    assert_eq!(error.retry_after, None);
    assert_eq!(page(error).body, "sorry");
}

#[tokio::test]
async fn a_connection_that_went_away_while_idle_is_replaced() {
    let server = Rude::start(|_| {
        vec![Act::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood".to_vec()), Act::Reset]
    })
    .await;
    let client = client(settings("127.0.0.1"), Fake::default());
    for _ in 0..10 {
        assert_eq!(page(get(&client, &server.url("/")).await).body, "good");
    }
}

#[tokio::test]
async fn nobody_at_home() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let client = client(settings("127.0.0.1"), Fake::default());
    let answer = get(&client, &format!("http://{free}/")).await;
    assert!(is(&answer.outcome, NoConnection), "{answer:?}");
    let answer = get(&client, "http://nowhere.example/").await;
    assert!(matches!(failure(answer), Failure::Unresolved { host, .. } if host == "nowhere.example"));
}

fn is(outcome: &Outcome, expected: Came) -> bool {
    let late = |wanted: Phase| matches!(outcome, Outcome::Failed(Failure::TimedOut { phase, .. }) if *phase == wanted);
    let failed = match outcome {
        Outcome::Failed(failure) => Some(failure),
        _ => None,
    };
    match expected {
        Page(status, body) => {
            matches!(outcome, Outcome::Page(page) if page.status == status && page.body == body)
        }
        NoConnection => matches!(failed, Some(Failure::Connect(_))),
        NoHead => late(Phase::FirstByte),
        NoByte => late(Phase::NextByte),
        NoEnd => late(Phase::End),
        TooLong => matches!(failed, Some(Failure::TooLarge { unpacked: false, .. })),
        TooLongUnpacked => matches!(failed, Some(Failure::TooLarge { unpacked: true, .. })),
        Cut => matches!(failed, Some(Failure::Cut(_))),
        Garbled => matches!(failed, Some(Failure::Garbled(_))),
        Circle => matches!(failed, Some(Failure::Redirects(10))),
        Astray => matches!(failed, Some(Failure::Astray(_))),
        Unasked => matches!(failed, Some(Failure::Unasked)),
    }
}
