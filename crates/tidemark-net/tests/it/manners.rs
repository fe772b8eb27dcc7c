//! What is said to a server, and what is made of a good answer.

use crate::rude::{Rude, good, gzip, path};
use crate::{Fake, client, failure, fetch, get, page, request, settings};
use tidemark_engine::fetch::{Failure, Fetcher, Outcome, Validators};
use tidemark_engine::request::{Body, Method};
use tidemark_net::{Client, Settings};

#[tokio::test]
async fn we_say_who_we_are_and_what_we_understand() {
    let server = Rude::start(|_| good("200 OK", "", b"")).await;
    let contact = Some("https://example.org/bot".to_owned());
    let client = client(Settings { contact, ..settings("127.0.0.1") }, Fake::default());
    page(get(&client, &server.url("/a?b=c&d=%20#e")).await);
    let head = &server.heads()[0];
    assert!(head.starts_with("GET /a?b=c&d=%20 HTTP/1.1\r\n"), "{head}");
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        head.contains(&format!("user-agent: Tidemark/{version} (+https://example.org/bot)\r\n")),
        "{head}"
    );
    assert!(head.contains("accept-encoding: gzip, br, zstd, deflate\r\n"), "{head}");
    assert!(head.contains(&format!("host: {}\r\n", server.address)), "{head}");
}

#[tokio::test]
async fn a_page_comes_with_what_was_said_of_it() {
    let headers = "Content-Type: text/html; charset=x\r\nETag: W/\"1\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Encoding: gzip\r\n";
    let server = Rude::start(move |_| good("200 OK", headers, &gzip(b"<p>hello"))).await;
    let answer = get(&local(), &server.url("/")).await;
    assert_eq!(answer.received, gzip(b"<p>hello").len() as u64);
    assert!(answer.redirects.is_empty() && answer.timing.first_byte <= answer.timing.total);
    let page = page(answer);
    assert_eq!((page.status, &page.body[..]), (200, &b"<p>hello"[..]));
    assert_eq!(page.content_type.as_deref(), Some("text/html; charset=x"));
    assert_eq!(page.modified, Some("1994-11-06T08:49:37Z".parse().unwrap()));
    assert_eq!(page.validators.etag.as_deref(), Some("W/\"1\""));
    assert_eq!(page.validators.last_modified.as_deref(), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
    assert_eq!(page.validators.url, None);
}

#[tokio::test]
async fn an_unchanged_page_is_said_to_be() {
    let server = Rude::start(|head| {
        let known = head.contains("if-none-match: \"1\"\r\n");
        if known { good("304 Not Modified", "", b"") } else { good("200 OK", "ETag: \"1\"\r\n", b"one") }
    })
    .await;
    let client = local();
    let request = request(&server.url("/"));
    let first = page(fetch(&client, &request).await);
    assert!(matches!(client.fetch(&request, &first.validators).await.outcome, Outcome::Unchanged));
    let other = Validators { etag: Some("\"2\"".into()), ..Validators::default() };
    assert_eq!(page(client.fetch(&request, &other).await).body, "one");
    let odd = Validators { etag: Some("\"1\r\nHost: x\"".into()), ..Validators::default() };
    assert_eq!(page(client.fetch(&request, &odd).await).body, "one");
}

#[tokio::test]
async fn validators_are_sent_to_who_gave_them_only() {
    let server = Rude::start(|head| match path(head) {
        "/" => good("302 Found", "Location: /moved\r\n", b""),
        _ if head.contains("if-none-match") => good("304 Not Modified", "", b""),
        _ => good("200 OK", "ETag: \"1\"\r\n", b"one"),
    })
    .await;
    let client = local();
    let request = request(&server.url("/"));
    let first = page(fetch(&client, &request).await);
    assert_eq!(first.validators.url.as_ref().map(url::Url::path), Some("/moved"));
    let again = client.fetch(&request, &first.validators).await;
    assert!(matches!(again.outcome, Outcome::Unchanged));
    assert!(!server.heads()[2].contains("if-none-match"), "{}", server.heads()[2]);
    // The page of another URL: it has moved since.
    let of_first = Validators { url: None, ..first.validators };
    assert_eq!(page(client.fetch(&request, &of_first).await).body, "one");
}

#[tokio::test]
async fn a_form_is_posted() {
    let server = Rude::start(|_| good("200 OK", "", b"")).await;
    let mut request = request(&server.url("/search?page=1"));
    request.method = Method::Post;
    request.body =
        Some(Body { media: "application/x-www-form-urlencoded".into(), text: "q=tide+mark".into() });
    page(local().fetch(&request, &Validators { etag: Some("\"1\"".into()), ..Validators::default() }).await);
    let head = &server.heads()[0];
    assert!(head.starts_with("POST /search?page=1 HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("content-type: application/x-www-form-urlencoded\r\n"), "{head}");
    assert!(head.ends_with("\r\n\r\nq=tide+mark"), "{head}");
    assert!(!head.contains("if-none-match"), "{head}");
}

#[tokio::test]
async fn credentials_cookies_and_headers_are_sent() {
    let server = Rude::start(|_| good("200 OK", "", b"")).await;
    let mut request = request(&server.url("/").replace("http://", "http://ann:secret@"));
    request.headers = vec![("X-Own".into(), "1".into()), ("Accept-Language".into(), "de".into())];
    request.cookies = vec![("b".into(), "2".into()), ("a".into(), "1".into())];
    page(fetch(&local(), &request).await);
    let head = &server.heads()[0];
    for line in
        ["authorization: Basic YW5uOnNlY3JldA==", "x-own: 1", "accept-language: de", "cookie: a=1; b=2"]
    {
        assert!(head.contains(&format!("{line}\r\n")), "{line} in {head}");
    }
}

#[tokio::test]
async fn what_cannot_be_sent_is_not() {
    let server = Rude::start(|_| good("200 OK", "", b"")).await;
    for (name, value) in [("Host", "inner"), ("X-A", "1\r\nX-B: 2"), ("Content-Length", "7"), ("", "x")] {
        let mut request = request(&server.url("/"));
        request.headers = vec![(name.into(), value.into())];
        assert!(matches!(failure(fetch(&local(), &request).await), Failure::Unsendable(_)), "{name}");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_url_may_hold_odd_characters() {
    let server = Rude::start(|_| good("200 OK", "", b"")).await;
    let client = local();
    for path in [
        "/a|b^c{d}`e\"f'g<h>[i]\\j",
        "/?a|b^c{d}`e\"f'g<h>[i]\\j",
        "/ü?ü",
        "//x//",
        "/%zz?%",
        "/?",
        "/..;/a@b:c",
    ] {
        assert_eq!(page(get(&client, &server.url(path)).await).status, 200, "{path}");
    }
}

#[tokio::test]
async fn connections_are_used_again() {
    let server = Rude::start(|_| good("200 OK", "", b"good")).await;
    let client = local();
    for _ in 0..20 {
        page(get(&client, &server.url("/")).await);
    }
    assert_eq!(server.connections(), 1);
    let unkept = self::client(Settings { kept: 0, ..settings("127.0.0.1") }, Fake::default());
    for _ in 0..3 {
        page(get(&unkept, &server.url("/")).await);
    }
    assert_eq!(server.connections(), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_is_asked_by_few_at_a_time() {
    let server = Rude::start(|_| good("200 OK", "", b"good")).await;
    let client = client(Settings { per_host: 2, ..settings("127.0.0.1") }, Fake::default());
    let mut visits = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let (client, url) = (client.clone(), server.url("/"));
        visits.spawn(async move { page(get(&client, &url).await).body });
    }
    assert!(visits.join_all().await.iter().all(|body| body == "good"));
    assert!(server.connections() <= 2, "{} connections", server.connections());
}

fn local() -> Client {
    client(settings("127.0.0.1"), Fake::default())
}
