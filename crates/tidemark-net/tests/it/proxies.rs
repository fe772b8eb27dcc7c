//! Through proxies: HTTP and SOCKS 5, the operator's and a page's own.

use crate::rude::{Rude, good};
use crate::{Fake, client, failure, fetch, get, page, request, secure, settings};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tidemark_engine::fetch::Failure;
use tidemark_net::Settings;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

#[tokio::test]
async fn plain_pages_are_asked_for_whole() {
    let proxy = Rude::start(|_| good("200 OK", "", b"by proxy")).await;
    let settings = Settings { proxy: with_login(&proxy.url("")), ..settings("127.0.0.2") };
    let client = client(settings, names());
    assert_eq!(page(get(&client, "http://site.example:8080/a?b").await).body, "by proxy");
    let head = &proxy.heads()[0];
    assert!(head.starts_with("GET http://site.example:8080/a?b HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("proxy-authorization: Basic YW5uOnNlY3JldA==\r\n"), "{head}");
    assert!(head.contains("host: site.example:8080\r\n"), "{head}");
}

#[tokio::test]
async fn what_must_not_be_visited_is_not_visited_through_a_proxy_either() {
    let proxy = Rude::start(|_| good("200 OK", "", b"by proxy")).await;
    let client = client(Settings { proxy: proxy.url("").parse().ok(), ..settings("127.0.0.2") }, names());
    for url in ["http://127.0.0.1/", "https://inner.example/", "http://[::1]/", "http://169.254.169.254/"] {
        assert!(matches!(failure(get(&client, url).await), Failure::Refused(_)), "{url}");
    }
    assert_eq!(proxy.connections(), 0);
}

#[tokio::test]
async fn a_pages_own_proxy_is_guarded_like_any_address() {
    let proxy = Rude::start(|_| good("200 OK", "", b"by proxy")).await;
    let strict = client(settings("127.0.0.2"), names());
    let allowed = client(settings("127.0.0.1, 127.0.0.2"), names());
    for scheme in ["http", "https", "socks5"] {
        let mut request = request("http://site.example/");
        request.proxy = format!("{scheme}://{}", proxy.address).parse().ok();
        assert!(matches!(failure(fetch(&strict, &request).await), Failure::Refused(_)), "{scheme}");
    }
    assert_eq!(proxy.connections(), 0);
    let mut odd = request("http://site.example/");
    odd.proxy = format!("ftp://{}", proxy.address).parse().ok();
    assert!(matches!(failure(fetch(&allowed, &odd).await), Failure::Unsendable(_)));
    let mut request = request("http://site.example/");
    request.proxy = proxy.url("").parse().ok();
    assert_eq!(page(fetch(&allowed, &request).await).body, "by proxy");
}

#[tokio::test]
async fn secure_pages_go_through_a_tunnel() {
    let (proxy, heard) = tunnel(false).await;
    let (url, client, _server) = secure::behind_a_proxy(&format!("http://ann:secret@{proxy}")).await;
    assert!(page(get(&client, &url).await).body.starts_with(b"HTTP/2.0 site.example"));
    let heard = heard.lock().unwrap().clone();
    assert!(heard.starts_with("CONNECT site.example:"), "{heard}");
    assert!(heard.contains("Proxy-Authorization: Basic YW5uOnNlY3JldA==\r\n"), "{heard}");
}

#[tokio::test]
async fn a_socks_proxy_is_told_the_address_that_was_checked() {
    let (proxy, heard) = tunnel(true).await;
    let (url, client, _server) = secure::behind_a_proxy(&format!("socks5://ann:secret@{proxy}")).await;
    assert!(page(get(&client, &url).await).body.starts_with(b"HTTP/2.0 site.example"));
    assert_eq!(*heard.lock().unwrap(), "ann secret 127.0.0.1");
}

#[tokio::test]
async fn a_proxy_that_says_no_is_heard() {
    let proxy = Rude::start(|_| good("407 Who are you", "", b"")).await;
    for scheme in ["http", "socks5"] {
        let proxy = format!("{scheme}://{}", proxy.address).parse().ok();
        let settings =
            Settings { proxy, connect: std::time::Duration::from_secs(1), ..settings("127.0.0.2") };
        let failure = failure(get(&client(settings, names()), "https://site.example/").await);
        assert!(matches!(failure, Failure::Connect(_) | Failure::TimedOut { .. }), "{scheme}: {failure:?}");
    }
}

fn with_login(url: &str) -> Option<url::Url> {
    url.replace("http://", "http://ann:secret@").parse().ok()
}

fn names() -> Fake {
    Fake::default().with("site.example", &[&["127.0.0.2"]]).with("inner.example", &[&["10.0.0.1"]])
}

/// A proxy that connects to the port it is told, on this machine, and what it heard.
async fn tunnel(socks: bool) -> (SocketAddr, Arc<Mutex<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let heard = Arc::new(Mutex::new(String::new()));
    let hearing = Arc::clone(&heard);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (said, port) =
                if socks { hear_socks(&mut stream).await } else { hear_connect(&mut stream).await };
            *hearing.lock().unwrap() = said;
            let mut target = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
            tokio::spawn(async move { copy_bidirectional(&mut stream, &mut target).await });
        }
    });
    (address, heard)
}

async fn hear_connect(stream: &mut TcpStream) -> (String, u16) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    let head = String::from_utf8(head).unwrap();
    let port = head.split([' ', ':']).nth(2).unwrap().parse().unwrap();
    stream.write_all(b"HTTP/1.1 200 Go on\r\nX: y\r\n\r\n").await.unwrap();
    (head, port)
}

async fn hear_socks(stream: &mut TcpStream) -> (String, u16) {
    let mut greeting = [0; 3];
    stream.read_exact(&mut greeting).await.unwrap();
    assert_eq!(greeting, [5, 1, 2]);
    stream.write_all(&[5, 2]).await.unwrap();
    assert_eq!(stream.read_u8().await.unwrap(), 1);
    let mut login = Vec::new();
    for _ in 0..2 {
        let mut text = vec![0; usize::from(stream.read_u8().await.unwrap())];
        stream.read_exact(&mut text).await.unwrap();
        login.push(String::from_utf8(text).unwrap());
    }
    stream.write_all(&[1, 0]).await.unwrap();
    let mut ask = [0; 10];
    stream.read_exact(&mut ask).await.unwrap();
    assert_eq!(ask[..4], [5, 1, 0, 1]);
    stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).await.unwrap();
    let address = format!("{}.{}.{}.{}", ask[4], ask[5], ask[6], ask[7]);
    (format!("{} {address}", login.join(" ")), u16::from_be_bytes([ask[8], ask[9]]))
}
