//! Nothing gets through the guard. A canary listens where every hostile URL leads, and must never be visited; each URL is tried as the first one and
//! as a redirect, and its outcome is asserted as well.

use crate::rude::{Rude, good, path};
use crate::{Fake, client, failure, fetch, get, page, request, settings};
use tidemark_engine::fetch::{Failure, Outcome};
use tidemark_engine::request::Request;
use tidemark_net::Client;
use tokio::net::TcpListener;

/// Hostile URLs that reach for this machine or another that is not public; `PORT` is where the canary listens.
const HOSTILE: [&str; 92] = [
    // This machine, in every spelling of IPv4.
    "http://127.0.0.1:PORT/",
    "http://127.1:PORT/",
    "http://127.0.1:PORT/",
    "http://0x7f.1:PORT/",
    "http://0x7f000001:PORT/",
    "http://0X7F.0x0.0x0.0x1:PORT/",
    "http://2130706433:PORT/",
    "http://017700000001:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://0177.0.0.01:PORT/",
    "http://00000177.0.0.1:PORT/",
    "http://127.0.0.1.:PORT/",
    "http://127.000.000.001:PORT/",
    "http://127.255.255.254:PORT/",
    "http://0:PORT/",
    "http://0.0.0.0:PORT/",
    "http://0x0:PORT/",
    "http://００.0.0.0:PORT/",
    "http://１２７.０.０.１:PORT/",
    "http://①②⑦.⓪.⓪.①:PORT/",
    "http://127。0。0。1:PORT/",
    "http://127．0．0．1:PORT/",
    "http://%31%32%37.0.0.1:PORT/",
    "http://127.0.0.%31:PORT/",
    "http://%30x7f.1:PORT/",
    // IPv6, and IPv4 within it.
    "http://[::1]:PORT/",
    "http://[0:0:0:0:0:0:0:1]:PORT/",
    "http://[0000:0000:0000:0000:0000:0000:0000:0001]:PORT/",
    "http://[::]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::ffff:7f00:1]:PORT/",
    "http://[0:0:0:0:0:ffff:7f00:0001]:PORT/",
    "http://[::127.0.0.1]:PORT/",
    "http://[::7f00:1]:PORT/",
    "http://[::ffff:0:127.0.0.1]:PORT/",
    "http://[64:ff9b::127.0.0.1]:PORT/",
    "http://[64:ff9b::7f00:1]:PORT/",
    "http://[64:ff9b:1::a00:1]:PORT/",
    "http://[2002:7f00:1::]:PORT/",
    "http://[2002:a9fe:a9fe::1]:PORT/",
    "http://[2001:0:7f00:1::]:PORT/",
    "http://[2001::1]:PORT/",
    "http://[2001:10::1]:PORT/",
    "http://[2001:20::1]:PORT/",
    "http://[2001:2::1]:PORT/",
    "http://[2001:db8::1]:PORT/",
    "http://[3fff::1]:PORT/",
    "http://[100::1]:PORT/",
    "http://[fe80::1]:PORT/",
    "http://[fec0::1]:PORT/",
    "http://[fc00::1]:PORT/",
    "http://[fd12:3456::1]:PORT/",
    "http://[ff02::1]:PORT/",
    "http://[5f00::1]:PORT/",
    "http://[4000::1]:PORT/",
    // Other addresses that are not public.
    "http://10.0.0.1:PORT/",
    "http://10.255.255.255:PORT/",
    "http://012.0.0.1:PORT/",
    "http://172.16.0.1:PORT/",
    "http://172.31.255.255:PORT/",
    "http://192.168.0.1:PORT/",
    "http://3232235521:PORT/",
    "http://100.64.0.1:PORT/",
    "http://169.254.1.1:PORT/",
    "http://192.0.0.1:PORT/",
    "http://192.0.2.1:PORT/",
    "http://198.51.100.1:PORT/",
    "http://203.0.113.1:PORT/",
    "http://198.18.0.1:PORT/",
    "http://192.88.99.1:PORT/",
    "http://224.0.0.1:PORT/",
    "http://239.255.255.255:PORT/",
    "http://240.0.0.1:PORT/",
    "http://255.255.255.255:PORT/",
    // Where clouds keep their secrets.
    "http://169.254.169.254/latest/meta-data/",
    "http://0xa9fea9fe/",
    "http://2852039166/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
    "http://168.63.129.16/",
    "http://metadata.example/",
    // Names for the same.
    "http://localhost:PORT/",
    "http://LOCALHOST:PORT/",
    "http://localhost.:PORT/",
    "http://127.0.0.1.nip.example:PORT/",
    "http://mapped.example:PORT/",
    "http://six.example:PORT/",
    "http://nothing-good.example:PORT/",
    // Tricks of spelling.
    "http://good.example@127.0.0.1:PORT/",
    "http://127.0.0.1:PORT\\@good.example/",
    "https://127.0.0.1:PORT/",
];

/// Spellings that mean another host only when nothing stands before them.
const HOSTILE_FIRST: [&str; 8] = [
    "http:127.0.0.1:PORT/",
    "http:/127.0.0.1:PORT/",
    "http:/\\127.0.0.1:PORT/",
    "http:///127.0.0.1:PORT/",
    "\\\\127.0.0.1:PORT/",
    "ht\ntp://127.0\t.0.1:PORT/",
    " \u{1}http://127.0.0.1:PORT/",
    "127.0.0.1:PORT/",
];

/// Spellings that mean another host only in a redirect.
const HOSTILE_NEXT: [&str; 6] = [
    "//127.0.0.1:PORT/",
    "\\\\127.0.0.1:PORT/",
    "/\\127.0.0.1:PORT/",
    "https:127.0.0.1:PORT/",
    "/\t/127.0.0.1:PORT/",
    "http:\\\\127.0.0.1:PORT/",
];

/// No place a page could be.
const NOWHERE: [&str; 18] = [
    "file:///etc/passwd",
    "ftp://127.0.0.1:PORT/",
    "gopher://127.0.0.1:PORT/_x",
    "dict://127.0.0.1:PORT/x",
    "ldap://127.0.0.1:PORT/",
    "javascript:alert(1)",
    "data:text/html,x",
    "about:blank",
    "blob:http://127.0.0.1:PORT/x",
    "view-source:http://127.0.0.1:PORT/",
    "jar:http://127.0.0.1:PORT/!/",
    "ws://127.0.0.1:PORT/",
    "http://[fe80::1%25eth0]:PORT/",
    "http://[::1%lo]:PORT/",
    "http://127.0.0.1%00.good.example:PORT/",
    "http://127.0.0.1 .good.example:PORT/",
    "http://256.0.0.1:PORT/",
    "http://[::ffff:127.0.0.1:PORT/",
];

/// The good server, two canaries at its port (IPv4 and IPv6), and a client that may visit the good one only.
struct Scene {
    good: Rude,
    canaries: Vec<Rude>,
    client: Client,
}

impl Scene {
    async fn new() -> Self {
        let (good_at, canary_at) = two_at_one_port().await;
        let port = good_at.local_addr().unwrap().port();
        let good = Rude::on(good_at, move |head| answer(head, port));
        let mut canaries = vec![Rude::on(canary_at, |_| self::good("200 OK", "", b"secret"))];
        if let Ok(listener) = TcpListener::bind(("::1", port)).await {
            canaries.push(Rude::on(listener, |_| self::good("200 OK", "", b"secret")));
        }
        Self { good, canaries, client: client(settings("127.0.0.2"), names()) }
    }

    fn fill(&self, text: &str) -> String {
        text.replace("PORT", &self.good.address.port().to_string())
    }

    fn at(&self, name: &str, path: &str) -> String {
        format!("http://{name}:{}{path}", self.good.address.port())
    }

    #[track_caller]
    fn assert_unseen(&self, what: &str) {
        for canary in &self.canaries {
            assert_eq!(canary.connections(), 0, "{what} reached {}", canary.address);
        }
    }
}

#[tokio::test]
async fn no_hostile_url_gets_through() {
    let scene = Scene::new().await;
    for text in HOSTILE.iter().chain(&HOSTILE_FIRST) {
        let url = scene.fill(text);
        // What is no web address at all (a path without a host) is refused before it is one.
        let Ok(request) = Request::get(&url) else { continue };
        for robots in [false, true] {
            let answer = fetch(&scene.client, &Request { robots, ..request.clone() }).await;
            assert!(matches!(answer.outcome, Outcome::Failed(Failure::Refused(_))), "{text}: {answer:?}");
            scene.assert_unseen(text);
        }
    }
}

#[tokio::test]
async fn no_hostile_redirect_gets_through() {
    let scene = Scene::new().await;
    for (at, text) in redirects().iter().enumerate() {
        for robots in [false, true] {
            let url = scene.at("good.example", &format!("/redirect/{at}"));
            let answer = fetch(&scene.client, &Request { robots, ..request(&url) }).await;
            let refused = matches!(answer.outcome, Outcome::Failed(Failure::Refused(_)));
            let astray = matches!(answer.outcome, Outcome::Failed(Failure::Astray(_)));
            let nowhere = NOWHERE.contains(text);
            assert!(if nowhere { astray } else { refused }, "{text}: {answer:?}");
            scene.assert_unseen(text);
        }
    }
    assert!(scene.good.connections() > 0, "the good server was asked for the redirects");
}

#[tokio::test]
async fn what_is_no_web_address_is_not_even_a_request() {
    let scene = Scene::new().await;
    for text in NOWHERE {
        assert!(Request::get(&scene.fill(text)).is_err(), "{text}");
    }
}

#[tokio::test]
async fn a_request_made_by_hand_is_guarded_as_well() {
    let scene = Scene::new().await;
    for text in ["ftp://127.0.0.1:PORT/", "file:///etc/passwd", "data:text/html,x"] {
        let mut request = request("http://good.example/");
        request.url = scene.fill(text).parse().unwrap();
        assert!(matches!(failure(fetch(&scene.client, &request).await), Failure::Unsendable(_)), "{text}");
        scene.assert_unseen(text);
    }
}

#[tokio::test]
async fn only_what_is_allowed_connects() {
    let scene = Scene::new().await;
    assert_eq!(page(get(&scene.client, &scene.at("good.example", "/")).await).body, "good");
    assert_eq!(page(get(&scene.client, &scene.at("127.0.0.2", "/")).await).body, "good");
    assert_eq!(page(get(&scene.client, &scene.at("[::ffff:127.0.0.2]", "/")).await).body, "good");
    let strict = client(settings(""), names());
    for name in ["good.example", "127.0.0.2", "mixed.example"] {
        assert!(matches!(failure(get(&strict, &scene.at(name, "/")).await), Failure::Refused(_)), "{name}");
    }
    scene.assert_unseen("a public name");
}

#[tokio::test]
async fn one_good_address_is_enough_and_is_the_one_used() {
    let scene = Scene::new().await;
    for name in ["mixed.example", "mixed-the-other-way.example", "many.example"] {
        for _ in 0..5 {
            assert_eq!(page(get(&scene.client, &scene.at(name, "/close")).await).body, "good", "{name}");
        }
    }
    scene.assert_unseen("a name with a bad address");
}

#[tokio::test]
async fn a_name_that_changes_its_mind_is_refused_the_second_time() {
    let scene = Scene::new().await;
    let url = scene.at("rebinding.example", "/close");
    assert_eq!(page(get(&scene.client, &url).await).body, "good");
    assert!(matches!(failure(get(&scene.client, &url).await), Failure::Refused(_)));
    scene.assert_unseen("rebinding");
}

#[tokio::test]
async fn a_name_that_changes_its_mind_between_redirects_is_refused() {
    let scene = Scene::new().await;
    let url = scene.at("rebinding-on-the-way.example", "/to-itself");
    let answer = get(&scene.client, &url).await;
    assert_eq!(answer.redirects.len(), 1);
    assert!(matches!(failure(answer), Failure::Refused(_)));
    scene.assert_unseen("rebinding on the way");
}

#[tokio::test]
async fn ports_of_other_services_are_refused() {
    let scene = Scene::new().await;
    for port in [0, 22, 25, 6667, 10080] {
        let answer = get(&scene.client, &format!("http://good.example:{port}/")).await;
        let Failure::Refused(reason) = failure(answer) else { panic!("{port} was not refused") };
        assert!(reason.contains(&format!("port {port}")), "{reason}");
    }
}

#[tokio::test]
async fn a_refusal_says_what_and_why_and_what_to_do() {
    let scene = Scene::new().await;
    let answer = get(&scene.client, &scene.at("localhost", "/")).await;
    assert_eq!(
        failure(answer).to_string(),
        "refused to connect to 127.0.0.1 of localhost: it is this machine, not public; if it is yours to visit, add 127.0.0.1 to the allowed addresses"
    );
}

#[tokio::test]
async fn the_cloud_keeps_its_secrets_from_those_who_may_visit_their_own() {
    let names = names().with("secret.example", &[&["169.254.169.254"]]);
    let client = client(settings("private, 169.254.0.0/16"), names);
    for url in ["http://169.254.169.254/", "http://secret.example/", "http://[fd00:ec2::254]/"] {
        assert!(matches!(failure(get(&client, url).await), Failure::Refused(_)), "{url}");
    }
}

fn names() -> Fake {
    Fake::default()
        .with("good.example", &[&["127.0.0.2"]])
        .with("localhost", &[&["127.0.0.1", "::1"]])
        .with("localhost.", &[&["::1", "127.0.0.1"]])
        .with("metadata.example", &[&["169.254.169.254"]])
        .with("127.0.0.1.nip.example", &[&["127.0.0.1"]])
        .with("mapped.example", &[&["::ffff:127.0.0.1"]])
        .with("six.example", &[&["::1", "64:ff9b::7f00:1", "2002:7f00:1::"]])
        .with("nothing-good.example", &[&["10.0.0.1", "127.0.0.1", "0.0.0.0", "::"]])
        .with("mixed.example", &[&["127.0.0.1", "127.0.0.2"]])
        .with("mixed-the-other-way.example", &[&["127.0.0.2", "127.0.0.1", "::1"]])
        .with(
            "many.example",
            &[&["::1", "10.0.0.1", "127.0.0.1", "0.0.0.0", "::ffff:127.0.0.2", "::ffff:127.0.0.1"]],
        )
        .with("rebinding.example", &[&["127.0.0.2"], &["127.0.0.1"]])
        .with("rebinding-on-the-way.example", &[&["127.0.0.2"], &["::1", "127.0.0.1"]])
}

fn redirects() -> Vec<&'static str> {
    HOSTILE.iter().chain(&HOSTILE_NEXT).chain(&NOWHERE).copied().collect()
}

fn answer(head: &str, port: u16) -> Vec<crate::rude::Act> {
    let path = path(head);
    if let Some(at) = path.strip_prefix("/redirect/").and_then(|at| at.parse::<usize>().ok()) {
        let place = redirects()[at].replace("PORT", &port.to_string());
        return good("302 Found", &format!("Location: {place}\r\n"), b"");
    }
    match path {
        "/robots.txt" => good("404 Not Found", "", b""),
        "/close" => {
            [good("200 OK", "Connection: close\r\n", b"good"), vec![crate::rude::Act::Close]].concat()
        }
        "/to-itself" => {
            [good("302 Found", "Connection: close\r\nLocation: /\r\n", b""), vec![crate::rude::Act::Close]]
                .concat()
        }
        _ => good("200 OK", "", b"good"),
    }
}

/// 127.0.0.2 and 127.0.0.1, with the same port.
async fn two_at_one_port() -> (TcpListener, TcpListener) {
    loop {
        let first = TcpListener::bind("127.0.0.2:0").await.unwrap();
        let port = first.local_addr().unwrap().port();
        if let Ok(second) = TcpListener::bind(("127.0.0.1", port)).await {
            return (first, second);
        }
    }
}
