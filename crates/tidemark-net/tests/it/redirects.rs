//! Where redirects lead, and what is not taken along.

use crate::rude::{Act, Rude, good, path};
use crate::{Fake, client, failure, fetch, get, page, request, settings};
use tidemark_engine::fetch::{Failure, Fetcher, Validators};
use tidemark_engine::request::{Body, Credentials, Method, Request};
use tidemark_net::Client;

#[tokio::test]
async fn a_chain_is_followed_and_told() {
    let server = Rude::start(|head| match path(head) {
        "/1" => good("301 Moved", "Location: 2?x#y\r\n", b"<a href=2>moved</a>"),
        "/2?x" => vec![Act::Send(
            b"HTTP/1.1 307 Moved\r\nLocation: /3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"
                .to_vec(),
        )],
        "/3" => good("308 Moved", "Location: //127.0.0.1:1/\r\n", b"")
            .into_iter()
            .map(|act| swap_port(act, head))
            .collect(),
        _ => good("200 OK", "", b"there"),
    })
    .await;
    let client = local();
    let answer = get(&client, &server.url("/1")).await;
    let told: Vec<_> =
        answer.redirects.iter().map(|redirect| (redirect.status, redirect.to.path())).collect();
    assert_eq!(told, [(301, "/2"), (307, "/3"), (308, "/")]);
    assert_eq!(page(answer).body, "there");
    assert_eq!(server.connections(), 1, "the same connection all the way");
}

#[tokio::test]
async fn ten_redirects_are_followed_and_no_more() {
    let server = Rude::start(|head| {
        let at: u32 = path(head).trim_start_matches('/').parse().unwrap_or(0);
        if at == 0 {
            good("200 OK", "", b"there")
        } else {
            good("302 Found", &format!("Location: /{}\r\n", at - 1), b"")
        }
    })
    .await;
    assert_eq!(page(get(&local(), &server.url("/10")).await).body, "there");
    let answer = get(&local(), &server.url("/11")).await;
    assert_eq!(answer.redirects.len(), 10);
    assert_eq!(failure(answer), Failure::Redirects(10));
}

#[tokio::test]
async fn secrets_stay_at_home() {
    let scene = Scene::new().await;
    for (place, same) in
        [("/next", true), ("http://b.example:PORT/next", false), ("http://a.example:OTHER/next", false)]
    {
        let heads = scene.visit(place, |_| {}).await;
        let next = heads.last().unwrap();
        let secrets = ["authorization: Bearer token", "x-key: own", "cookie: session=1"];
        assert!(secrets[..2].iter().all(|secret| next.contains(secret) == same), "{place}: {next}");
        // Cookies belong to hosts, not to ports.
        assert_eq!(next.contains(secrets[2]), !place.contains("b.example"), "{place}: {next}");
    }
}

#[tokio::test]
async fn secrets_do_not_come_back_by_way_of_another_site() {
    let scene = Scene::new().await;
    let heads = scene.visit("http://b.example:PORT/back", |_| {}).await;
    let last = heads.last().unwrap();
    assert!(last.contains("GET /next") && last.contains("host: a.example"), "{last}");
    assert!(!last.contains("token") && !last.contains("x-key"), "{last}");
}

#[tokio::test]
async fn a_password_in_a_redirect_is_not_sent() {
    let scene = Scene::new().await;
    let heads = scene.visit("http://eve:word@b.example:PORT/next", |_| {}).await;
    assert!(!heads.last().unwrap().contains("authorization"), "{}", heads.last().unwrap());
}

#[tokio::test]
async fn what_is_posted_is_not_posted_elsewhere() {
    let post = |request: &mut Request| {
        request.method = Method::Post;
        request.body = Some(Body { media: "text/plain".into(), text: "password".into() });
    };
    let scene = Scene::new().await;
    for (status, elsewhere, expected) in [
        (301, false, "GET /next"),
        (302, true, "GET /next"),
        (303, true, "GET /next"),
        (307, false, "POST /next"),
        (308, false, "POST /next"),
    ] {
        let place = if elsewhere { "http://b.example:PORT/next" } else { "/next" };
        let heads = scene.visit_by(status, place, post).await;
        let next = heads.last().unwrap();
        assert!(next.starts_with(expected), "{status}: {next}");
        assert_eq!(next.ends_with("password"), expected.starts_with("POST"), "{status}: {next}");
    }
    for status in [307, 308] {
        let before = scene.server.heads().len();
        let failure = failure(scene.answer_by(status, "http://b.example:PORT/next", post).await);
        assert!(matches!(failure, Failure::Refused(_)), "{failure:?}");
        assert_eq!(scene.server.heads().len(), before + 1, "nothing was posted");
    }
}

#[tokio::test]
async fn a_cookie_that_is_set_on_the_way_is_sent_further_on() {
    let server = Rude::start(|head| match path(head) {
        "/" if head.contains("cookie: seen=1") => good("200 OK", "Set-Cookie: later=1\r\n", b"welcome"),
        "/" => good(
            "302 Found",
            "Location: /\r\nSet-Cookie: seen=1; HttpOnly\r\nSet-Cookie: x=1; Domain=example.com\r\n",
            b"",
        ),
        _ => good("404 Not Found", "", b""),
    })
    .await;
    let client = local();
    for _ in 0..2 {
        let answer = get(&client, &server.url("/")).await;
        assert_eq!(answer.redirects.len(), 1, "forgotten after each visit");
        assert_eq!(page(answer).body, "welcome");
    }
}

/// Two names of one server, with a second port; `/` redirects to where the request's own header says.
struct Scene {
    server: Rude,
    other: Rude,
    client: Client,
}

impl Scene {
    async fn new() -> Self {
        let server = Rude::start(|head| match path(head) {
            "/" => {
                let header =
                    |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
                good(
                    &format!("{} Moved", header("x-status: ")),
                    &format!("Location: {}\r\n", header("x-place: ")),
                    b"",
                )
            }
            "/back" => {
                let port = head.split("host: b.example:").nth(1).and_then(|rest| rest.split("\r\n").next());
                let back = format!("Location: http://a.example:{}/next\r\n", port.unwrap_or_default());
                good("302 Found", &back, b"")
            }
            _ => good("200 OK", "", b""),
        })
        .await;
        let other = Rude::start(|_| good("200 OK", "", b"")).await;
        let names = Fake::default().with("a.example", &[&["127.0.0.1"]]).with("b.example", &[&["127.0.0.1"]]);
        Self { server, other, client: client(settings("127.0.0.1"), names) }
    }

    /// The heads of all requests of a visit that is redirected to a place.
    async fn visit(&self, place: &str, change: fn(&mut Request)) -> Vec<String> {
        self.visit_by(302, place, change).await
    }

    async fn visit_by(&self, status: u16, place: &str, change: fn(&mut Request)) -> Vec<String> {
        page(self.answer_by(status, place, change).await);
        let at_other = place.contains("OTHER");
        if at_other { self.other.heads() } else { self.server.heads() }
    }

    async fn answer_by(
        &self,
        status: u16,
        place: &str,
        change: fn(&mut Request),
    ) -> tidemark_engine::fetch::Answer {
        let port = |server: &Rude| server.address.port().to_string();
        let place = place.replace("PORT", &port(&self.server)).replace("OTHER", &port(&self.other));
        let mut request = request(&format!("http://a.example:{}/", port(&self.server)));
        request.headers = vec![
            ("X-Key".into(), "own".into()),
            ("X-Place".into(), place),
            ("X-Status".into(), status.to_string()),
        ];
        request.cookies = vec![("session".into(), "1".into())];
        request.credentials = Some(Credentials::Bearer("token".into()));
        change(&mut request);
        self.client.fetch(&request, &Validators::default()).await
    }
}

fn swap_port(act: Act, head: &str) -> Act {
    let host = head.split("host: ").nth(1).and_then(|rest| rest.split("\r\n").next()).unwrap_or_default();
    match act {
        Act::Send(bytes) => {
            Act::Send(String::from_utf8_lossy(&bytes).replace("127.0.0.1:1", host).into_bytes())
        }
        other => other,
    }
}

fn local() -> Client {
    client(settings("127.0.0.1"), Fake::default())
}

#[tokio::test]
async fn a_request_with_a_fragment_asks_without_it() {
    let server = Rude::start(|_| good("200 OK", "", b"")).await;
    let mut request = request(&server.url("/"));
    request.url.set_fragment(Some("x"));
    page(fetch(&local(), &request).await);
    assert!(server.heads()[0].starts_with("GET / "));
}
