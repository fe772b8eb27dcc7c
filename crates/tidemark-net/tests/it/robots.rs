//! `robots.txt` is asked for, once per host, and heeded on every hop.

use crate::rude::{Act, Rude, good, path};
use crate::{Fake, client, failure, fetch, page, settings};
use std::time::Duration;
use tidemark_engine::fetch::{Answer, Failure};
use tidemark_engine::request::Request;
use tidemark_net::Client;

const RULES: &str = "User-agent: *\nDisallow: /private\nCrawl-delay: 7\n";

#[tokio::test]
async fn a_rule_is_heeded_unless_the_site_is_ones_own() {
    let server = Rude::start(with_rules).await;
    let client = local();
    let answer = ask(&client, &server.url("/public")).await;
    assert_eq!(answer.crawl_delay, Some(Duration::from_secs(7)));
    assert_eq!(page(answer).body, "page");
    let host = server.address.to_string();
    let refused = failure(ask(&client, &server.url("/private/x")).await);
    assert_eq!(refused, Failure::Robots { host, rule: "Disallow: /private".into() });
    let own = Request { robots: false, ..Request::get(&server.url("/private/x")).unwrap() };
    assert_eq!(page(fetch(&client, &own).await).body, "page");
    let rules = Request::get(&server.url("/robots.txt")).unwrap();
    assert_eq!(page(fetch(&client, &rules).await).body, RULES, "not under its own rules");
    let asked = |path: &str| server.heads().iter().filter(|head| head.contains(path)).count();
    assert_eq!((asked("GET /robots.txt"), asked("GET /private")), (2, 1));
}

#[tokio::test]
async fn a_redirect_must_not_lead_around_a_rule() {
    let server = Rude::start(|head| match path(head) {
        "/public" => good("302 Found", "Location: /private\r\n", b""),
        _ => with_rules(head),
    })
    .await;
    let answer = ask(&local(), &server.url("/public")).await;
    assert_eq!(answer.redirects.len(), 1);
    assert!(matches!(failure(answer), Failure::Robots { .. }));
}

#[tokio::test]
async fn secrets_are_not_sent_for_the_rules() {
    let server = Rude::start(with_rules).await;
    let mut request = Request::get(&server.url("/").replace("http://", "http://ann:secret@")).unwrap();
    request.cookies = vec![("a".into(), "1".into())];
    request.headers = vec![("X-Own".into(), "1".into())];
    page(fetch(&local(), &request).await);
    let rules = server.heads()[0].clone();
    assert!(rules.contains("GET /robots.txt"));
    assert!(
        !rules.contains("authorization") && !rules.contains("cookie") && !rules.contains("x-own"),
        "{rules}"
    );
}

#[tokio::test]
async fn a_file_that_is_missing_allows_and_one_that_is_broken_does_not() {
    for (script, allowed) in [
        (good("404 Not Found", "", b"User-agent: *\nDisallow: /"), true),
        (good("403 Forbidden", "", b""), true),
        (good("500 Broken", "", b""), false),
        (good("429 Busy", "", b""), false),
        (good("200 OK", "Content-Encoding: gzip\r\n", b"not packed"), false),
        (
            vec![
                Act::Send(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nUser-agent: *".to_vec()),
                Act::Close,
            ],
            false,
        ),
        (vec![Act::Reset], false),
        (good("302 Found", "Location: /robots.txt\r\n", b""), true),
        (good("302 Found", "Location: http://10.0.0.1/\r\n", b""), false),
        (good("302 Found", "Location: /elsewhere\r\n", b""), true),
    ] {
        let shown = format!("{script:?}");
        let server = Rude::start(move |head| {
            if path(head) == "/robots.txt" { script.clone() } else { good("200 OK", "", b"page") }
        })
        .await;
        let answer = ask(&local(), &server.url("/private")).await;
        if allowed {
            assert_eq!(page(answer).body, "page", "{shown}");
        } else {
            assert!(matches!(failure(answer), Failure::Robots { .. }), "{shown}");
        }
    }
}

#[tokio::test]
async fn an_endless_file_is_read_as_far_as_is_reasonable() {
    let server = Rude::start(|head| match path(head) {
        "/robots.txt" => vec![
            Act::Send(format!("HTTP/1.1 200 OK\r\n\r\n{RULES}").into_bytes()),
            Act::Drip(b"# on and on\n".repeat(1000), Duration::ZERO),
        ],
        _ => good("200 OK", "", b"page"),
    })
    .await;
    let client = local();
    assert_eq!(page(ask(&client, &server.url("/public")).await).body, "page");
    assert!(matches!(failure(ask(&client, &server.url("/private")).await), Failure::Robots { .. }));
}

#[tokio::test]
async fn a_host_that_is_not_there_is_what_is_told() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert!(matches!(failure(ask(&local(), &format!("http://{free}/")).await), Failure::Connect(_)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_at_once_ask_for_the_rules_once() {
    let server = Rude::start(with_rules).await;
    let client = local();
    let mut visits = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let (client, url) = (client.clone(), server.url("/public"));
        visits.spawn(async move { page(ask(&client, &url).await).body });
    }
    assert!(visits.join_all().await.iter().all(|body| body == "page"));
    assert_eq!(server.heads().iter().filter(|head| head.contains("GET /robots.txt")).count(), 1);
}

fn with_rules(head: &str) -> Vec<Act> {
    let body = if path(head) == "/robots.txt" { RULES.as_bytes() } else { b"page" };
    good("200 OK", "", body)
}

async fn ask(client: &Client, url: &str) -> Answer {
    fetch(client, &Request::get(url).unwrap()).await
}

fn local() -> Client {
    client(settings("127.0.0.1"), Fake::default())
}
