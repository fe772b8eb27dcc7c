//! No request of a browser gets past the guard. Traps listen on other addresses of this machine and must never be reached, by any way that a page knows.

use super::{browsing, html, is_there, rendered, text};
use crate::rude::{Act, Rude, good, path};
use crate::{Fake, failure, fetch, page};
use tidemark_engine::fetch::Failure;
use tokio::net::{TcpListener, UdpSocket};

/// Every way of a page to another host; `TRAP` is one.
const WAYS: &str = "<!doctype html><meta charset=utf-8><title>waiting</title>\
    <link rel=stylesheet href=http://TRAP/style.css><link rel=prefetch href=http://TRAP/prefetch><link rel=preload as=script href=http://TRAP/preload>\
    <link rel=preconnect href=http://TRAP/><link rel=dns-prefetch href=//TRAP><link rel=icon href=http://TRAP/icon.png><link rel=manifest href=http://TRAP/manifest>\
    <img src=http://TRAP/img.png srcset='http://TRAP/img2.png 2x'><video src=http://TRAP/v.mp4 autoplay poster=http://TRAP/p.png></video><object data=http://TRAP/object></object><embed src=http://TRAP/embed>\
    <iframe src=http://TRAP/frame></iframe><iframe src=/redirect></iframe><img src=/redirect><script src=http://TRAP/script.js></script>\
    <style>@import 'http://TRAP/import.css'; @font-face{font-family:x;src:url(http://TRAP/font)} body{font-family:x;background:url(http://TRAP/back.png)}</style>\
    <iframe name=f></iframe><form id=form action=http://TRAP/form method=post target=f><input name=a value=b></form><a id=ping href=/empty ping=http://TRAP/ping target=f>x</a>\
    <script>\
    const quietly = f => { try { return f() } catch (e) {} };\
    form.submit(); ping.click();\
    quietly(() => navigator.sendBeacon('http://TRAP/beacon', 'x'));\
    quietly(() => new EventSource('http://TRAP/events'));\
    quietly(() => window.open('http://TRAP/popup'));\
    quietly(() => new Worker(URL.createObjectURL(new Blob(['fetch(\"http://TRAP/worker\", {mode: \"no-cors\"})']))));\
    quietly(() => { const x = new XMLHttpRequest; x.open('GET', 'http://TRAP/xhr'); x.send() });\
    quietly(() => { const t = new WebTransport('https://TRAP/transport'); t.ready.catch(() => 0) });\
    quietly(() => { const c = new RTCPeerConnection({iceServers: [{urls: 'stun:TRAP'}, {urls: 'turn:TRAP?transport=tcp', username: 'a', credential: 'b'}]}); c.createDataChannel('x'); c.createOffer().then(o => c.setLocalDescription(o)) });\
    const ended = [fetch('http://TRAP/fetch', {mode: 'no-cors'}).then(() => 'reached', () => 'stopped'),\
      fetch('/redirect', {mode: 'no-cors'}).then(() => 'reached', () => 'stopped'),\
      ...['ws', 'wss'].map(scheme => new Promise(done => { const s = new WebSocket(scheme + '://TRAP/socket'); s.onopen = () => done('reached'); s.onerror = () => done('stopped') }))];\
    Promise.all(ended).then(all => { document.title = 'tried: ' + all.join(' ') })\
    </script>";

struct Traps {
    servers: Vec<Rude>,
    udp: UdpSocket,
    port: u16,
}

impl Traps {
    /// One port on two addresses, by TCP and UDP.
    async fn set() -> Self {
        let caught = |_: &str| good("200 OK", "Access-Control-Allow-Origin: *\r\n", b"caught");
        let first = Rude::at("127.0.0.2:0", caught).await;
        let port = first.address.port();
        let mut servers = vec![first];
        if let Ok(sixth) = TcpListener::bind(("::1", port)).await {
            servers.push(Rude::on(sixth, caught));
        }
        Self { servers, udp: UdpSocket::bind(("127.0.0.2", port)).await.unwrap(), port }
    }

    fn caught(&self) -> usize {
        let mut datagram = [0; 64];
        let datagrams = usize::from(self.udp.try_recv(&mut datagram).is_ok());
        self.servers.iter().map(Rude::connections).sum::<usize>() + datagrams
    }
}

fn names() -> Fake {
    Fake::default()
        .with("page.test", &[&["127.0.0.1"]])
        .with("localhost", &[&["127.0.0.2"]])
        .with("127.0.0.2.nip.test", &[&["127.0.0.2"]])
        .with("rebound.test", &[&["127.0.0.1"], &["127.0.0.2"]])
        .with("inner.test", &[&["10.1.2.3"]])
}

async fn tempting(trap: String) -> Rude {
    Rude::start(move |head: &str| -> Vec<Act> {
        match path(head) {
            "/" => html(&WAYS.replace("TRAP", &trap)),
            "/redirect" => good("302 Found", &format!("Location: http://{trap}/redirected\r\n"), b""),
            _ => html(""),
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn no_way_of_a_page_leads_to_a_trap() {
    if !is_there() {
        return;
    }
    let traps = Traps::set().await;
    let client = browsing(names());
    for host in [
        "127.0.0.2",
        "localhost",
        "[::1]",
        "127.0.0.2.nip.test",
        "[::ffff:127.0.0.2]",
        "inner.test",
        "169.254.169.254",
        "2130706434",
    ] {
        let server = tempting(format!("{host}:{}", traps.port)).await;
        let mut request = rendered(&server.url("/"), &["wait 300ms"]);
        request.render.patience = std::time::Duration::from_secs(5);
        let body = text(&page(fetch(&client, &request).await));
        assert!(body.contains("<title>tried: stopped stopped stopped stopped</title>"), "{host}: {body}");
        assert_eq!(traps.caught(), 0, "{host}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_traps_work() {
    let traps = Traps::set().await;
    let mut open = super::patient();
    open.allow = "127.0.0.2".parse().unwrap();
    let reached =
        fetch(&crate::client(open, names()), &crate::request(&format!("http://localhost:{}/", traps.port)))
            .await;
    assert_eq!(&page(reached).body[..], b"caught");
    assert_eq!(traps.caught(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_behind_the_guard_fails_with_its_reason() {
    if !is_there() {
        return;
    }
    let traps = Traps::set().await;
    let client = browsing(names());
    let server = tempting(format!("127.0.0.2:{}", traps.port)).await;
    for url in [
        format!("http://127.0.0.2:{}/", traps.port),
        format!("https://localhost:{}/", traps.port),
        server.url("/redirect"),
    ] {
        let refused = failure(fetch(&client, &rendered(&url, &[])).await);
        assert!(
            matches!(&refused, Failure::Refused(reason) if reason.contains("127.0.0.2")),
            "{url}: {refused:?}"
        );
    }
    for url in ["file:///etc/passwd", "chrome://version/", "javascript:alert(1)", "data:text/html,x"] {
        let mut request = rendered(&server.url("/"), &[]);
        request.url = url.parse().unwrap();
        assert!(matches!(failure(fetch(&client, &request).await), Failure::Unsendable(_)), "{url}");
    }
    assert_eq!(traps.caught(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_cannot_go_to_files_or_traps_by_itself() {
    if !is_there() {
        return;
    }
    let traps = Traps::set().await;
    let port = traps.port;
    let client = browsing(names());
    for place in
        [format!("http://127.0.0.2:{port}/"), "file:///etc/passwd".to_owned(), "chrome://version".to_owned()]
    {
        let server = Rude::start(move |_: &str| {
            html(&format!("<p>here<script>setTimeout(() => {{ location = '{place}' }}, 50)</script>"))
        })
        .await;
        let answer = fetch(&client, &rendered(&server.url("/"), &["wait 500ms"])).await;
        let shown = format!("{answer:?}");
        assert!(!shown.contains("root:"), "{shown}");
    }
    assert_eq!(traps.caught(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_changes_its_mind_is_checked_each_time() {
    if !is_there() {
        return;
    }
    let server = Rude::start(|head: &str| match path(head) {
        "/" => html("<title>x</title><script>fetch('/again').then(r => r.text(), () => 'stopped').then(t => document.title = 'got ' + t)</script>"),
        _ => good("200 OK", "", b"again"),
    })
    .await;
    let client = browsing(names());
    let url = format!("http://rebound.test:{}/", server.address.port());
    let body = text(&page(fetch(&client, &rendered(&url, &[])).await));
    assert!(!body.contains("got again"), "{body}");
}
