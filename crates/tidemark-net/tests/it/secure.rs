//! TLS with certificates made for the test, and HTTP/2 over it.

use crate::{Fake, client, failure, get, page, settings};
use bytes::Bytes;
use http_body_util::Full;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tidemark_engine::fetch::{Failure, Phase};
use tidemark_net::{Client, Settings};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

#[tokio::test]
async fn a_site_with_a_good_certificate_is_visited_in_either_version() {
    for (protocol, expected) in [("h2", "HTTP/2.0"), ("http/1.1", "HTTP/1.1")] {
        let server = Secure::start("site.example", 2100, protocol).await;
        let client = server.trusted();
        for _ in 0..5 {
            let page = page(get(&client, &server.url("site.example", "/")).await);
            assert_eq!(page.body, format!("{expected} site.example / Tidemark"), "{protocol}");
        }
        assert_eq!(server.connections.load(Ordering::SeqCst), 1, "used again");
    }
}

#[tokio::test]
async fn certificates_are_checked() {
    let good = Secure::start("site.example", 2100, "h2").await;
    let unknown = client(settings("127.0.0.1"), names());
    assert!(tls(failure(get(&unknown, &good.url("site.example", "/")).await)).contains("UnknownIssuer"));
    let other = tls(failure(get(&good.trusted(), &good.url("other.example", "/")).await));
    assert!(other.contains("not valid for name"), "{other}");
    let old = Secure::start("site.example", 2001, "h2").await;
    let expired = tls(failure(get(&old.trusted(), &old.url("site.example", "/")).await));
    assert!(expired.contains("expired"), "{expired}");
    assert!(
        tls(failure(get(&good.trusted(), &good.url("127.0.0.1", "/")).await)).contains("not valid for name")
    );
}

#[tokio::test]
async fn a_server_that_knows_no_tls_is_told_as_such() {
    let plain = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = plain.local_addr().unwrap();
    let client = client(settings("127.0.0.1"), names());
    let answering = tokio::spawn(async move {
        while let Ok((mut stream, _)) = plain.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 400 Plain\r\n\r\n").await;
        }
    });
    let answer = get(&client, &format!("https://{address}/")).await;
    assert!(matches!(failure(answer), Failure::Tls(_)));
    answering.abort();
}

#[tokio::test]
async fn a_server_that_does_not_greet_is_not_waited_for() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let limit = Duration::from_millis(300);
    let client = client(Settings { connect: limit, ..settings("127.0.0.1") }, names());
    for robots in [false, true] {
        let url = format!("https://{}/", silent.local_addr().unwrap());
        let request = tidemark_engine::request::Request { robots, ..crate::request(&url) };
        let expected = Failure::TimedOut { phase: Phase::Connection, limit };
        assert_eq!(failure(crate::fetch(&client, &request).await), expected);
    }
}

#[tokio::test]
async fn the_second_version_misbehaves_as_the_first_does() {
    let server = Secure::start("site.example", 2100, "h2").await;
    let client = server.trusted();
    let url = |path: &str| server.url("site.example", path);
    assert_eq!(
        failure(get(&client, &url("/large")).await),
        Failure::TooLarge { limit: 1 << 20, unpacked: false }
    );
    assert_eq!(
        failure(get(&client, &url("/bomb")).await),
        Failure::TooLarge { limit: 2 << 20, unpacked: true }
    );
    assert!(matches!(failure(get(&client, &url("/hang")).await), Failure::TimedOut { .. }));
    let headers = failure(get(&client, &url("/headers")).await);
    assert!(matches!(headers, Failure::Cut(_) | Failure::Garbled(_)), "{headers:?}");
    let broken = failure(get(&client, &url("/broken")).await);
    assert!(matches!(broken, Failure::Cut(_) | Failure::Garbled(_)), "{broken:?}");
    assert_eq!(page(get(&client, &url("/good")).await).status, 200);
}

#[tokio::test]
async fn the_way_from_https_to_http_takes_no_cookies_along() {
    let plain = crate::rude::Rude::start(|_| crate::rude::good("200 OK", "", b"plain")).await;
    let server = Secure::start("site.example", 2100, "http/1.1").await;
    let mut request = crate::request(&server.url("site.example", &format!("/to/{}", plain.address.port())));
    request.cookies = vec![("session".into(), "1".into())];
    assert_eq!(page(crate::fetch(&server.trusted(), &request).await).body, "plain");
    assert!(!plain.heads()[0].contains("session"), "{}", plain.heads()[0]);
}

/// A server with a certificate of its own.
struct Secure {
    address: SocketAddr,
    root: String,
    connections: Arc<AtomicUsize>,
    task: tokio::task::JoinHandle<()>,
}

impl Secure {
    async fn start(name: &str, until: i32, protocol: &str) -> Self {
        let (acceptor, root) = acceptor(name, until, protocol);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(acceptor.clone(), stream));
            }
        });
        Self { address, root, connections, task }
    }

    fn trusted(&self) -> Client {
        client(Settings { roots: self.root.clone().into_bytes(), ..settings("127.0.0.1") }, names())
    }

    fn url(&self, host: &str, path: &str) -> String {
        format!("https://{host}:{}{path}", self.address.port())
    }
}

impl Drop for Secure {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn acceptor(name: &str, until: i32, protocol: &str) -> (TlsAcceptor, String) {
    let mut params = CertificateParams::new([name.to_owned()]).unwrap();
    params.not_before = date_time_ymd(2000, 1, 1);
    params.not_after = date_time_ymd(until, 1, 1);
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], PrivateKeyDer::Pkcs8(key.serialize_der().into()))
        .unwrap();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    (TlsAcceptor::from(Arc::new(config)), certificate.pem())
}

async fn serve(acceptor: TlsAcceptor, stream: TcpStream) {
    let Ok(stream) = acceptor.accept(stream).await else { return };
    let second = stream.get_ref().1.alpn_protocol() == Some(b"h2");
    let stream = TokioIo::new(stream);
    if second {
        let server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        let _ = server.serve_connection(stream, service_fn(answer)).await;
    } else {
        let server = hyper::server::conn::http1::Builder::new();
        let _ = server.serve_connection(stream, service_fn(answer)).await;
    }
}

async fn answer(request: Request<hyper::body::Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let response = Response::builder();
    let path = request.uri().path();
    if let Some(port) = path.strip_prefix("/to/") {
        let place = format!("http://site.example:{port}/");
        return Ok(response.status(302).header("location", place).body(Full::default()).unwrap());
    }
    Ok(match path {
        "/large" => response.body(Full::from(vec![0; 8 << 20])).unwrap(),
        "/bomb" => {
            let bomb = crate::rude::BOMBS[0].clone();
            response.header("content-encoding", "gzip").body(Full::from(bomb)).unwrap()
        }
        "/headers" => (0..5000)
            .fold(response, |response, at| response.header(format!("x-{at}"), "y".repeat(100)))
            .body(Full::default())
            .unwrap(),
        "/hang" => std::future::pending().await,
        "/broken" => response.header("content-length", "100").body(Full::from("short")).unwrap(),
        _ => response.body(Full::from(said(&request))).unwrap(),
    })
}

fn said(request: &Request<hyper::body::Incoming>) -> String {
    let header = |name: &str| {
        request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
    };
    let host = request.uri().host().map_or_else(|| header("host"), ToOwned::to_owned);
    let agent = header("user-agent");
    format!(
        "{:?} {} {} {}",
        request.version(),
        host.split(':').next().unwrap_or_default(),
        request.uri().path(),
        agent.split('/').next().unwrap_or_default()
    )
}

fn names() -> Fake {
    Fake::default().with("site.example", &[&["127.0.0.1"]]).with("other.example", &[&["127.0.0.1"]])
}

#[track_caller]
fn tls(failure: Failure) -> String {
    match failure {
        Failure::Tls(reason) => reason,
        other => panic!("trusted, or failed otherwise: {other:?}"),
    }
}

/// For the tests of proxies: a secure server behind one.
pub(crate) async fn behind_a_proxy(proxy: &str) -> (String, Client, impl Drop + use<>) {
    let server = Secure::start("site.example", 2100, "h2").await;
    let settings = Settings {
        roots: server.root.clone().into_bytes(),
        proxy: proxy.parse().ok(),
        ..settings("127.0.0.1")
    };
    (server.url("site.example", "/"), client(settings, names()), server)
}
